// The scan of a tile by a block, through shared memory alone, so that it needs no subgroup operations. Always from left
// to right:
// operators need not commute, and nothing needs an identity.

struct Place {
  @builtin(local_invocation_index) thread: u32,
}

fn thread_of(place: Place) -> u32 {
  return place.thread;
}

var<workgroup> totals: array<Element, ROWS * THREADS>;
var<workgroup> sums: array<Element, 2u * THREADS>;

// Inclusive scan of one element per thread; returns the offset of the results in `sums`. Nothing else is written there
// before
// the next barrier.
fn scan_threads(thread: u32, value: Element) -> u32 {
  var at = 0u;
  var sum = value;
  sums[thread] = sum;
  workgroupBarrier();
  for (var distance = 1u; distance < THREADS; distance = 2u * distance) {
    if (thread >= distance) {
      sum = combine(sums[at + thread - distance], sum);
    }
    at = THREADS - at;
    sums[at + thread] = sum;
    workgroupBarrier();
  }
  return at;
}

// Scans each vector in place, writes to `rows` the sum before each vector inside the tile (meaningless for the first
// vector of
// the first thread), and returns the sum of the tile.
fn scan_tile(thread: u32, items: ptr<function, Items>, rows: ptr<function, Rows>) -> Element {
  for (var row = 0u; row < ROWS; row++) {
    var sum = (*items)[row * VECTOR];
    for (var place = 1u; place < VECTOR; place++) {
      sum = combine(sum, (*items)[row * VECTOR + place]);
      (*items)[row * VECTOR + place] = sum;
    }
    totals[row * THREADS + thread] = sum;
  }
  let total = scan_totals(thread);
  for (var row = 0u; row < ROWS; row++) {
    (*rows)[row] = totals[row * THREADS + thread];
  }
  workgroupBarrier();
  return total;
}

// The same sum of a tile in memory. Its owner and a helper add the same numbers in the same order, so they get the same
// bits.
fn sum_tile(tile: u32, thread: u32) -> Element {
  for (var row = 0u; row < ROWS; row++) {
    totals[row * THREADS + thread] = vector_sum(tile, row, thread);
  }
  let total = scan_totals(thread);
  workgroupBarrier();
  return total;
}

// Replaces the total of each vector by the sum before it, and returns the total of all.
fn scan_totals(thread: u32) -> Element {
  workgroupBarrier();
  // Each thread takes ROWS consecutive totals.
  let first = thread * ROWS;
  var sum = totals[first];
  for (var row = 1u; row < ROWS; row++) {
    sum = combine(sum, totals[first + row]);
  }
  let at = scan_threads(thread, sum);
  var running = sums[at + max(thread, 1u) - 1u];
  for (var row = 0u; row < ROWS; row++) {
    let own = totals[first + row];
    totals[first + row] = running;
    if (thread == 0u && row == 0u) {
      running = own;
    } else {
      running = combine(running, own);
    }
  }
  let total = sums[at + THREADS - 1u];
  workgroupBarrier();
  return total;
}
