// Makes a kernel of a function on tensors: each block has a tile of its result, and computes what this depends on.
!op = !transform.any_op
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%top: !op {transform.consumed}) {
    %return = transform.structured.match ops{["func.return"]} in %top : (!op) -> !op
    %result = transform.get_producer_of_operand %return[0] : (!op) -> !op
    %tile, %loop = transform.structured.fuse %result tile_sizes [64, 64] {apply_cleanup, use_forall} : (!op) -> (!op, !op)
    %blocks = transform.tile.map_blocks %loop : (!op) -> !op
    %function = transform.structured.match ops{["func.func"]} in %top : (!op) -> !op
    transform.apply_patterns to %function {
      transform.apply_patterns.linalg.fold_unit_extent_dims_via_slices
      transform.apply_patterns.canonicalization
    } : !op
    transform.apply_cse to %function : !op
    transform.structured.eliminate_empty_tensors %function : !op
    %buffers = transform.bufferization.one_shot_bufferize layout{IdentityLayoutMap} %top {bufferize_function_boundaries = true} : (!op) -> !op
    %out = transform.apply_registered_pass "buffer-results-to-out-params"
      with options = {"hoist-static-allocs" = true, "modify-public-functions" = true} to %buffers : (!op) -> !op
    %host = transform.structured.match ops{["func.func"]} in %out : (!op) -> !op
    %launch = transform.gpu.map_forall_to_blocks %host {generate_gpu_launch} : (!op) -> !op
    transform.gpu.map_nested_forall_to_threads %launch block_dims = [128, 1, 1] : (!op) -> !op
    transform.yield
  }
}
