// The tiles of an array, and which thread has which vector of one.

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

// Loads a tile and scans it: gives the sum before each vector inside the tile, and the sum of the tile.
fn scan_from_memory(tile: u32, thread: u32, items: ptr<function, Items>, rows: ptr<function, Rows>) -> Element {
  load_tile(tile, thread, items);
  return scan_tile(thread, items, rows);
}
