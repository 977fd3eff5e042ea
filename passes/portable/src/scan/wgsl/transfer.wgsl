// Moves a tile between global memory and registers. Elements past the end of the array are read as copies of the last
// one: sums
// flow only to the right, and nothing reads the sum of the last tile.

fn load_tile(tile: u32, thread: u32, items: ptr<function, Items>) {
  if (is_full(tile)) {
    for (var row = 0u; row < ROWS; row++) {
      let vector = source[vector_at(tile, row, thread)];
      for (var place = 0u; place < VECTOR; place++) {
        (*items)[row * VECTOR + place] = element_of(vector, place);
      }
    }
    return;
  }
  for (var row = 0u; row < ROWS; row++) {
    for (var place = 0u; place < VECTOR; place++) {
      let index = vector_at(tile, row, thread) * VECTOR + place;
      (*items)[row * VECTOR + place] = source_element(min(index, length() - 1u));
    }
  }
}

// The sum of a vector of a tile in memory: the last result of scanning its elements.
fn vector_sum(tile: u32, row: u32, thread: u32) -> Element {
  let at = vector_at(tile, row, thread);
  if (is_full(tile)) {
    let vector = source[at];
    var sum = element_of(vector, 0u);
    for (var place = 1u; place < VECTOR; place++) {
      sum = combine(sum, element_of(vector, place));
    }
    return sum;
  }
  var sum = source_element(min(at * VECTOR, length() - 1u));
  for (var place = 1u; place < VECTOR; place++) {
    sum = combine(sum, source_element(min(at * VECTOR + place, length() - 1u)));
  }
  return sum;
}

fn store_tile(tile: u32, thread: u32, items: ptr<function, Items>) {
  let full = is_full(tile);
  for (var row = 0u; row < ROWS; row++) {
    let at = vector_at(tile, row, thread);
    let vector = vector_of(items, row * VECTOR);
    if (full) {
      dest[at] = vector;
    } else {
      for (var word = 0u; word < VECTOR_WORDS; word++) {
        store_word(at * VECTOR_WORDS + word, vector_word(vector, word));
      }
    }
  }
}

// Results need elements.
fn finish_without_elements() {
}

// Results of a thread's elements: combines the sum before its tile, if there is one, the sum before each of its vectors
// inside the
// tile (there is one for all but the first vector of the first thread), and the elements of the vector up to each
// result.
fn finish(thread: u32, items: ptr<function, Items>, rows: ptr<function, Rows>, before: Element, has_before: bool) {
  for (var row = 0u; row < ROWS; row++) {
    let inside = row > 0u || thread > 0u;
    var prefix = (*rows)[row];
    if (has_before) {
      if (inside) {
        prefix = combine(before, prefix);
      } else {
        prefix = before;
      }
    }
    var last = prefix;
    for (var place = 0u; place < VECTOR; place++) {
      var sum = (*items)[row * VECTOR + place];
      if (has_before || inside) {
        sum = combine(prefix, sum);
      }
      if (EXCLUSIVE) {
        (*items)[row * VECTOR + place] = last;
        last = sum;
      } else {
        (*items)[row * VECTOR + place] = sum;
      }
    }
  }
}

fn finish_tile(
  tile: u32,
  thread: u32,
  items: ptr<function, Items>,
  rows: ptr<function, Rows>,
  before: Element,
  has_before: bool,
) {
  finish(thread, items, rows, before, has_before);
  store_tile(tile, thread, items);
}
