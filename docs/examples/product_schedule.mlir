// Makes a kernel of a linalg.matmul on tensors and the linalg.generic that its sums go to. Tiles, threads, stages and the order of blocks are those of
// the product's tile.schedule, which --tile-schedule-products chooses.
!op = !transform.any_op
!size = !transform.param<i64>
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%top: !op {transform.consumed}) {
    %product = transform.structured.match ops{["linalg.matmul"]} in %top : (!op) -> !op
    %fill = transform.structured.match ops{["linalg.fill"]} in %top : (!op) -> !op
    %result = transform.structured.match ops{["linalg.generic"]} in %top : (!op) -> !op
    %m, %n, %k, %threads = transform.tile.get_schedule %product chip("sm_90a") : (!op) -> (!size, !size, !size, !size)
    %tiled, %blocks = transform.structured.tile_using_forall %result tile_sizes [%m, %n] (mapping = [#gpu.block<y>, #gpu.block<x>])
      : (!op, !size, !size) -> (!op, !op)
    %fused, %blocks1 = transform.structured.fuse_into_containing_op %product into %blocks : (!op, !op) -> (!op, !op)
    %filled, %blocks2 = transform.structured.fuse_into_containing_op %fill into %blocks1 : (!op, !op) -> (!op, !op)
    %step, %loop = transform.structured.tile_using_for %fused tile_sizes [0, 0, %k] : (!op, !size) -> (!op, !op)
    %a = transform.get_operand %step[0] : (!op) -> !transform.any_value
    %b = transform.get_operand %step[1] : (!op) -> !transform.any_value
    transform.structured.promote_tensor to #gpu.address_space<workgroup> %a : !transform.any_value
    transform.structured.promote_tensor to #gpu.address_space<workgroup> %b : !transform.any_value
    %function = transform.structured.match ops{["func.func"]} in %top : (!op) -> !op
    transform.apply_patterns to %function {
      transform.apply_patterns.canonicalization
    } : !op
    transform.structured.eliminate_empty_tensors %function : !op
    %buffers = transform.bufferization.one_shot_bufferize layout{IdentityLayoutMap} %top {bufferize_function_boundaries = true} : (!op) -> !op
    %host = transform.structured.match ops{["func.func"]} in %buffers : (!op) -> !op
    %launch = transform.gpu.map_forall_to_blocks %host {generate_gpu_launch} : (!op) -> !op
    transform.tile.schedule_launch %launch : !op
    transform.yield
  }
}
