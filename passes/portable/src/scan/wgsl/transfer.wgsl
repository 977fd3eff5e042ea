// Moves a tile between global memory and registers. Elements past the end of the array are read as copies of the last
// one: sums
// flow only to the right, and nothing reads the sum of the last tile.

alias Items = array<Element, ITEMS>;
alias Rows = array<Element, ROWS>;

// The number of tiles of the array, which must not be empty.
fn tile_count() -> u32 {
  return (length() - 1u) / TILE + 1u;
}

// Whether all of a tile lies inside the array.
fn is_full(tile: u32) -> bool {
  return tile < length() / TILE;
}

// The number of a block.
fn block_number(group: vec3<u32>, groups: vec3<u32>) -> u32 {
  return group.x + group.y * groups.x;
}

// The index of a thread's vector: the rows of a subgroup are adjacent.
fn vector_at(tile: u32, row: u32, thread: u32) -> u32 {
  return ((tile * SUBGROUPS + thread / LANES) * ROWS + row) * LANES + thread % LANES;
}

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

// Loads a tile and scans it: gives the sum before each vector inside the tile, and the sum of the tile.
fn scan_from_memory(tile: u32, thread: u32, items: ptr<function, Items>, rows: ptr<function, Rows>) -> Element {
  load_tile(tile, thread, items);
  return scan_tile(thread, items, rows);
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
