// Elements become payloads, and payloads become results. A thread holds its elements in registers, and behind them has
// room for a
// vector of another tile, whose payload is missing.

fn load_tile(tile: u32, thread: u32, items: ptr<function, Items>) {
  for (var row = 0u; row < ROWS; row++) {
    load_vector(tile, row, thread, row * VECTOR);
    let first = vector_at(tile, row, thread) * VECTOR;
    for (var place = 0u; place < VECTOR; place++) {
      (*items)[row * VECTOR + place] = summarized(row * VECTOR, place, first + place);
    }
  }
}

fn vector_sum(tile: u32, row: u32, thread: u32) -> Element {
  load_vector(tile, row, thread, ITEMS);
  let first = vector_at(tile, row, thread) * VECTOR;
  var sum = summarized(ITEMS, 0u, first);
  for (var place = 1u; place < VECTOR; place++) {
    sum = combine(sum, summarized(ITEMS, place, first + place));
  }
  return sum;
}

fn finish_without_elements() {
  write_totals(beginning());
}

// Results of a thread's elements: combines the payload before its tile, the payload before each of its vectors inside
// the tile
// (there is one for all but the first vector of the first thread), and those of the vector.
fn finish_tile(
  tile: u32,
  thread: u32,
  items: ptr<function, Items>,
  rows: ptr<function, Rows>,
  before: Element,
  has_before: bool,
) {
  let count = length();
  for (var row = 0u; row < ROWS; row++) {
    var prefix = before;
    if (row > 0u || thread > 0u) {
      prefix = combine(before, (*rows)[row]);
    }
    let first = vector_at(tile, row, thread) * VECTOR;
    var last = prefix;
    for (var place = 0u; place < VECTOR; place++) {
      let sum = combine(prefix, (*items)[row * VECTOR + place]);
      let index = first + place;
      if (index < count) {
        write_results(row * VECTOR, place, index, last, sum);
        if (index + 1u == count) {
          write_totals(sum);
        }
      }
      last = sum;
    }
  }
}
