// The scan of one element per thread by shuffles.

var<workgroup> sums: array<Element, THREADS>;

// Inclusive scan; returns the offset of the results in `sums`. Nothing else is written there before the next barrier.
fn scan_threads(thread: u32, value: Element) -> u32 {
  var scanned = scan_lanes(thread % LANES, value);
  let sum = add_parts(thread, scanned);
  if (thread >= LANES) {
    scanned = combine(sum.before, scanned);
  }
  sums[thread] = scanned;
  workgroupBarrier();
  return 0u;
}
