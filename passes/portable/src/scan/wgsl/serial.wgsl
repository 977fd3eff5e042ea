// One thread scans everything.

@compute @workgroup_size(THREADS)
fn entry_scan(@builtin(local_invocation_index) thread: u32, @builtin(workgroup_id) group: vec3<u32>) {
  if (thread + group.x + group.y > 0u) {
    return;
  }
  var sum = beginning();
  var has_sum = HAS_BEGINNING;
  for (var index = 0u; index < length(); index++) {
    let item = source_element(index);
    var next = item;
    if (has_sum) {
      next = combine(sum, item);
    }
    if (EXCLUSIVE) {
      store_element(index, sum);
    } else {
      store_element(index, next);
    }
    sum = next;
    has_sum = true;
  }
}
