// Three kernels, each of which begins when the one before has ended:
//
//   reduce   one block a tile    sums[t] = sum of tile t
//   prefix   one block           prefixes[t] = what is before tile t
//   apply    one block a tile    results of tile t, from prefixes[t]
//
// The workspace has 256 bytes that are not used here, the sums, and the prefixes.

fn block_number(group: vec3<u32>, groups: vec3<u32>) -> u32 {
  return group.x + group.y * groups.x;
}

@compute @workgroup_size(THREADS)
fn entry_reduce(
  @builtin(local_invocation_index) thread: u32,
  @builtin(workgroup_id) group: vec3<u32>,
  @builtin(num_workgroups) groups: vec3<u32>,
) {
  let tile = block_number(group, groups);
  if (length() == 0u || tile >= tile_count()) {
    return;
  }
  var items: Items;
  var rows: Rows;
  load_tile(tile, thread, &items);
  let total = scan_tile(thread, &items, &rows);
  if (thread == 0u) {
    keep(tile, total);
  }
}

@compute @workgroup_size(THREADS)
fn entry_prefix(@builtin(local_invocation_index) thread: u32, @builtin(workgroup_id) group: vec3<u32>) {
  if (length() == 0u || group.x + group.y > 0u) {
    return;
  }
  let tiles = tile_count();
  var before = beginning();
  var has_before = HAS_BEGINNING;
  for (var piece = 0u; piece < tiles; piece += THREADS) {
    let tile = piece + thread;
    let at = scan_threads(thread, kept(min(tile, tiles - 1u)));
    var prefix = sums[at + max(thread, 1u) - 1u];
    if (has_before) {
      if (thread == 0u) {
        prefix = before;
      } else {
        prefix = combine(before, prefix);
      }
    }
    let total = sums[at + THREADS - 1u];
    if (has_before) {
      before = combine(before, total);
    } else {
      before = total;
    }
    has_before = true;
    if (tile < tiles) {
      keep(tiles + tile, prefix);
    }
    workgroupBarrier();
  }
}

@compute @workgroup_size(THREADS)
fn entry_scan(
  @builtin(local_invocation_index) thread: u32,
  @builtin(workgroup_id) group: vec3<u32>,
  @builtin(num_workgroups) groups: vec3<u32>,
) {
  let tile = block_number(group, groups);
  if (length() == 0u || tile >= tile_count()) {
    return;
  }
  var items: Items;
  var rows: Rows;
  load_tile(tile, thread, &items);
  let total = scan_tile(thread, &items, &rows);
  let before = kept(tile_count() + tile);
  finish(thread, &items, &rows, before, HAS_BEGINNING || tile > 0u);
  store_tile(tile, thread, &items);
}
