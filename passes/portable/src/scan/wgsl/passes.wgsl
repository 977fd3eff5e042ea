// Three kernels, each of which starts after the one before has ended:
//
//   reduce   one block a tile    sums[t] = sum of tile t
//   prefix   one block           prefixes[t] = sum before tile t
//   apply    one block a tile    results of tile t, from prefixes[t]
//
// The workspace has 256 bytes that are not used here, then the sums, then the prefixes.

fn is_tile(tile: u32) -> bool {
  return length() > 0u && tile < tile_count();
}

@compute @workgroup_size(THREADS)
fn entry_reduce(
  place: Place,
  @builtin(workgroup_id) group: vec3<u32>,
  @builtin(num_workgroups) groups: vec3<u32>,
) {
  let tile = block_number(group, groups);
  if (!is_tile(tile)) {
    return;
  }
  let thread = thread_of(place);
  var items: Items;
  var rows: Rows;
  let total = scan_from_memory(tile, thread, &items, &rows);
  if (thread == 0u) {
    keep(tile, total);
  }
}

@compute @workgroup_size(THREADS)
fn entry_prefix(place: Place, @builtin(workgroup_id) group: vec3<u32>) {
  let thread = thread_of(place);
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
  place: Place,
  @builtin(workgroup_id) group: vec3<u32>,
  @builtin(num_workgroups) groups: vec3<u32>,
) {
  let tile = block_number(group, groups);
  if (!is_tile(tile)) {
    return;
  }
  let thread = thread_of(place);
  var items: Items;
  var rows: Rows;
  scan_from_memory(tile, thread, &items, &rows);
  let before = kept(tile_count() + tile);
  finish_tile(tile, thread, &items, &rows, before, HAS_BEGINNING || tile > 0u);
}
