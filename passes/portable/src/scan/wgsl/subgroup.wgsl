// The scan of a tile by a block whose subgroups have a known size: lanes shuffle. A thread's number is computed from
// those of its
// subgroup and its lane, because no other number says which threads are adjacent in a subgroup.

struct Place {
  @builtin(subgroup_id) subgroup: u32,
  @builtin(subgroup_invocation_id) lane: u32,
}

fn thread_of(place: Place) -> u32 {
  return place.subgroup * LANES + place.lane;
}

// The sums of the subgroups.
var<workgroup> parts: array<Element, SUBGROUPS>;

// Inclusive scan of one element of each lane.
fn scan_lanes(lane: u32, value: Element) -> Element {
  var sum = value;
  for (var distance = 1u; distance < LANES; distance = 2u * distance) {
    let left = subgroupShuffleUp(sum, distance);
    if (lane >= distance) {
      sum = combine(left, sum);
    }
  }
  return sum;
}

// The sum of the subgroups before this one (meaningless for the first), and that of all. Every subgroup adds in the
// same order.
struct Parts {
  before: Element,
  all: Element,
}

fn add_parts(thread: u32, part: Element) -> Parts {
  let subgroup = thread / LANES;
  if (thread % LANES == LANES - 1u) {
    parts[subgroup] = part;
  }
  workgroupBarrier();
  var sum = Parts(parts[0], parts[0]);
  for (var index = 1u; index < SUBGROUPS; index++) {
    if (index == subgroup) {
      sum.before = sum.all;
    }
    sum.all = combine(sum.all, parts[index]);
  }
  workgroupBarrier();
  return sum;
}

// Scans each vector in place, writes to `rows` the sum before each vector inside the tile (meaningless for the first
// vector of
// the first thread), and returns the sum of the tile.
fn scan_tile(thread: u32, items: ptr<function, Items>, rows: ptr<function, Rows>) -> Element {
  let lane = thread % LANES;
  // The sum before a row in its subgroup.
  var running: Element;
  for (var row = 0u; row < ROWS; row++) {
    var sum = (*items)[row * VECTOR];
    for (var place = 1u; place < VECTOR; place++) {
      sum = combine(sum, (*items)[row * VECTOR + place]);
      (*items)[row * VECTOR + place] = sum;
    }
    let scanned = scan_lanes(lane, sum);
    let left = subgroupShuffleUp(scanned, 1u);
    let last = subgroupShuffle(scanned, LANES - 1u);
    if (row == 0u) {
      (*rows)[row] = left;
      running = last;
    } else {
      if (lane == 0u) {
        (*rows)[row] = running;
      } else {
        (*rows)[row] = combine(running, left);
      }
      running = combine(running, last);
    }
  }
  let sum = add_parts(thread, running);
  if (thread >= LANES) {
    for (var row = 0u; row < ROWS; row++) {
      if (lane == 0u && row == 0u) {
        (*rows)[row] = sum.before;
      } else {
        (*rows)[row] = combine(sum.before, (*rows)[row]);
      }
    }
  }
  return sum.all;
}

// The same sum of a tile in memory. Its owner and a helper add the same numbers in the same order, so they get the same
// bits. One
// row at a time, because the helper's own tile occupies its registers.
fn sum_tile(tile: u32, thread: u32) -> Element {
  let lane = thread % LANES;
  var running: Element;
  for (var row = 0u; row < ROWS; row++) {
    let last = subgroupShuffle(scan_lanes(lane, vector_sum(tile, row, thread)), LANES - 1u);
    if (row == 0u) {
      running = last;
    } else {
      running = combine(running, last);
    }
  }
  return add_parts(thread, running).all;
}
