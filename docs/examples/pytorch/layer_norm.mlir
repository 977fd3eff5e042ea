// torch.nn.functional.layer_norm(x, [768], gamma, beta) of f32, as torch-mlir decomposes it: mean, variance, and one map.
#ij = affine_map<(i, j) -> (i, j)>
#i1 = affine_map<(i, j) -> (i, 0)>
#j = affine_map<(i, j) -> (j)>
module {
  func.func @main(%x: tensor<64x768xf32>, %gamma: tensor<768xf32>, %beta: tensor<768xf32>) -> tensor<64x768xf32> {
    %zero = arith.constant 0.0 : f32
    %n = arith.constant 768.0 : f32
    %eps = arith.constant 1.0e-5 : f32
    %0 = tensor.empty() : tensor<64x1xf32>
    %1 = linalg.fill ins(%zero : f32) outs(%0 : tensor<64x1xf32>) -> tensor<64x1xf32>
    %2 = linalg.generic {indexing_maps = [#ij, #i1], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<64x768xf32>) outs(%1 : tensor<64x1xf32>) {
    ^bb0(%in: f32, %sum: f32):
      %r = arith.addf %in, %sum : f32
      linalg.yield %r : f32
    } -> tensor<64x1xf32>
    %3 = linalg.generic {indexing_maps = [#i1, #ij], iterator_types = ["parallel", "parallel"]} ins(%2 : tensor<64x1xf32>) outs(%0 : tensor<64x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %r = arith.divf %in, %n : f32
      linalg.yield %r : f32
    } -> tensor<64x1xf32>
    %4 = tensor.empty() : tensor<64x768xf32>
    %5 = linalg.generic {indexing_maps = [#ij, #i1, #ij], iterator_types = ["parallel", "parallel"]} ins(%x, %3 : tensor<64x768xf32>, tensor<64x1xf32>) outs(%4 : tensor<64x768xf32>) {
    ^bb0(%in: f32, %mean: f32, %out: f32):
      %r = arith.subf %in, %mean : f32
      linalg.yield %r : f32
    } -> tensor<64x768xf32>
    %6 = linalg.generic {indexing_maps = [#ij, #ij, #ij], iterator_types = ["parallel", "parallel"]} ins(%5, %5 : tensor<64x768xf32>, tensor<64x768xf32>) outs(%4 : tensor<64x768xf32>) {
    ^bb0(%a: f32, %b: f32, %out: f32):
      %r = arith.mulf %a, %b : f32
      linalg.yield %r : f32
    } -> tensor<64x768xf32>
    %7 = linalg.generic {indexing_maps = [#ij, #i1], iterator_types = ["parallel", "reduction"]} ins(%6 : tensor<64x768xf32>) outs(%1 : tensor<64x1xf32>) {
    ^bb0(%in: f32, %sum: f32):
      %r = arith.addf %in, %sum : f32
      linalg.yield %r : f32
    } -> tensor<64x1xf32>
    %8 = linalg.generic {indexing_maps = [#i1, #ij], iterator_types = ["parallel", "parallel"]} ins(%7 : tensor<64x1xf32>) outs(%0 : tensor<64x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %v = arith.divf %in, %n : f32
      %e = arith.addf %v, %eps : f32
      %r = math.rsqrt %e : f32
      linalg.yield %r : f32
    } -> tensor<64x1xf32>
    %9 = linalg.generic {indexing_maps = [#ij, #i1, #j, #j, #ij], iterator_types = ["parallel", "parallel"]}
      ins(%5, %8, %gamma, %beta : tensor<64x768xf32>, tensor<64x1xf32>, tensor<768xf32>, tensor<768xf32>) outs(%4 : tensor<64x768xf32>) {
    ^bb0(%in: f32, %rstd: f32, %g: f32, %b: f32, %out: f32):
      %s = arith.mulf %in, %rstd : f32
      %t = arith.mulf %s, %g : f32
      %r = arith.addf %t, %b : f32
      linalg.yield %r : f32
    } -> tensor<64x768xf32>
    return %9 : tensor<64x768xf32>
  }
}
