// A copy: a thread loads all of its vectors before it stores them.

@group(0) @binding(0) var<storage, read> source: array<vec4<u32>>;
@group(0) @binding(1) var<storage, read_write> dest: array<vec4<u32>>;
// arrayLength is wrong on some drivers for arrays of 2 GiB or more.
@group(0) @binding(2) var<storage, read> vectors_in_all: u32;

@compute @workgroup_size(THREADS)
fn entry_copy(
  @builtin(local_invocation_index) thread: u32,
  @builtin(workgroup_id) group: vec3<u32>,
  @builtin(num_workgroups) groups: vec3<u32>,
) {
  let first = (group.x + group.y * groups.x) * ROWS * THREADS + thread;
  var vectors: array<vec4<u32>, ROWS>;
  for (var row = 0u; row < ROWS; row++) {
    let at = first + row * THREADS;
    if (at < vectors_in_all) {
      vectors[row] = source[at];
    }
  }
  for (var row = 0u; row < ROWS; row++) {
    let at = first + row * THREADS;
    if (at < vectors_in_all) {
      dest[at] = vectors[row];
    }
  }
}
