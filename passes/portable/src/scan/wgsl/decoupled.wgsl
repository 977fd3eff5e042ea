// One pass: blocks publish their sums.

// A look-back returns this when it has ended, else the number of the stalled tile.
const DONE: u32 = 0xffffffffu;
const HOLD_POLLS: u32 = 65536u;

var<workgroup> control: u32;
var<workgroup> before_tile: Element;

// The look-back by the first thread, tile by tile: the tile that is read next, the one before its own, and the sum of
// the tiles that have been read. On NVIDIA's GPUs a look-back by a subgroup, one tile per lane, takes 1.2 to 2.6 times
// as long in all: its polls cost more than they save.
var<private> look: u32;
var<private> last: u32;
var<private> sum_behind: Element;
var<private> has_behind: bool;
var<private> polls: u32;
var<private> started: u32;
var<private> inserted: u32;

fn take(seen: Element) {
  if (has_behind) {
    sum_behind = combine(seen, sum_behind);
  } else {
    sum_behind = seen;
  }
  has_behind = true;
}

// The tile to compute while the next one is missing: blocks that wait for the same one compute different ones of those
// before it.
fn missing_tile() -> u32 {
  let other = look - last % min(look + 1u, MAX_HELPED_TILES);
  let seen = read_state(other);
  return select(look, other, seen.flag == MISSING);
}

// Looks back until a prefix is found, or until too many polls in a row have brought nothing new. A driver may end a
// loop early:
// llvmpipe ends the loops of an invocation after 65535 iterations in all. The tile's prefix is unknown then, and the
// launch reports it.
fn look_back() -> u32 {
  var spins = 0u;
  var found = false;
  while (polls < MAX_POLLS) {
    let seen = read_state(look);
    polls++;
    if (seen.flag == MISSING) {
      spins++;
      if (FALLBACK && spins >= MAX_SPIN) {
        return missing_tile();
      }
      continue;
    }
    spins = 0u;
    take(seen.sum);
    if (seen.flag == PREFIX) {
      found = true;
      break;
    }
    look--;
  }
  if (!found) {
    give_up();
  }
  return DONE;
}

// Offers the sum of a stalled tile to other blocks, and takes it if it is the next one. The bits are the same whichever
// block is first.
fn help(stalled: u32, sum: Element) -> u32 {
  started++;
  let is_first = stalled == 0u;
  var flag = AGGREGATE;
  var offered = sum;
  if (is_first) {
    flag = PREFIX;
    offered = after_beginning(sum);
  }
  if (offer_state(stalled, flag, offered)) {
    inserted++;
  }
  if (stalled != look) {
    return stalled;
  }
  take(offered);
  if (is_first) {
    return DONE;
  }
  look = stalled - 1u;
  return stalled;
}

// The prefix before a tile as a left fold, tile by tile, starting at the nearest prefix. A prefix found in between is
// this same
// fold up to that tile. This thread has seen, or published, all of these states.
fn fold_forward(tile: u32) -> Element {
  var at = look;
  var seen = read_state(at);
  var sum = seen.sum;
  for (at = at + 1u; at < tile; at++) {
    seen = read_state(at);
    if (seen.flag == PREFIX) {
      sum = seen.sum;
    } else {
      sum = combine(sum, seen.sum);
    }
  }
  return sum;
}

// Keeps for the block what comes next: a stalled tile, or none. If none, first publishes the tile's inclusive prefix,
// which other
// blocks wait for, then keeps the sum before the tile.
fn conclude(tile: u32, total: Element, next: u32) {
  if (next == DONE) {
    if (DETERMINISTIC) {
      sum_behind = fold_forward(tile);
    }
    write_state(tile, PREFIX, combine(sum_behind, total));
    before_tile = sum_behind;
  }
  control = next;
}

// Finds the sum before a tile that is not the first, and leaves it in `before_tile`.
fn search(tile: u32, thread: u32, total: Element) {
  look = tile - 1u;
  last = look;
  has_behind = false;
  loop {
    if (thread == 0u) {
      conclude(tile, total, look_back());
    }
    let stalled = workgroupUniformLoad(&control);
    if (stalled == DONE) {
      break;
    }
    let sum = sum_tile(stalled, thread);
    if (thread == 0u) {
      conclude(tile, total, help(stalled, sum));
    }
    let next = workgroupUniformLoad(&control);
    if (next == DONE) {
      break;
    }
  }
}

// For tests: waits until another block has published the sum of the tile. For the last tile no block would, and where
// blocks
// run one after the other none does, so the wait is bounded.
fn hold(tile: u32, tiles: u32) {
  if ((tile & HOLD) != 0u || tile + 1u >= tiles) {
    return;
  }
  for (var polled = 0u; polled < HOLD_POLLS; polled++) {
    let seen = read_state(tile);
    if (seen.flag != MISSING) {
      break;
    }
  }
}

fn publish(tile: u32, tiles: u32, total: Element) {
  if (HOLDS) {
    hold(tile, tiles);
  }
  if (tile == 0u) {
    write_state(0u, PREFIX, after_beginning(total));
  } else if (!SKIPS || ((tile + 1u) & SKIP_POST) != 0u) {
    write_state(tile, AGGREGATE, total);
  }
}

// The block's number in the order in which blocks start. The last one resets the counter for the next launch.
fn ticket(thread: u32, blocks: u32) -> u32 {
  if (thread == 0u) {
    let taken = take_ticket();
    if (taken + 1u == blocks) {
      return_tickets();
    }
    control = taken;
  }
  return workgroupUniformLoad(&control);
}

@compute @workgroup_size(THREADS)
fn entry_scan(
  place: Place,
  @builtin(workgroup_id) group: vec3<u32>,
  @builtin(num_workgroups) groups: vec3<u32>,
) {
  let thread = thread_of(place);
  var index = block_number(group, groups);
  if (length() == 0u) {
    if (index + thread == 0u) {
      finish_without_elements();
    }
    return;
  }
  let tiles = tile_count();
  if (TICKETS) {
    index = ticket(thread, groups.x * groups.y);
  }
  // A block beyond the last tile has nothing to do.
  if (index >= tiles) {
    return;
  }
  var tile = index;
  if (REVERSE) {
    tile = tiles - 1u - index;
  }
  var items: Items;
  var rows: Rows;
  let total = scan_from_memory(tile, thread, &items, &rows);
  if (thread == 0u) {
    publish(tile, tiles, total);
  }
  var before = beginning();
  var has_before = HAS_BEGINNING;
  if (tile > 0u) {
    search(tile, thread, total);
    if (COUNTERS && thread == 0u) {
      count(polls, tile - look, started, inserted);
    }
    before = before_tile;
    has_before = true;
  }
  finish_tile(tile, thread, &items, &rows, before, has_before);
}
