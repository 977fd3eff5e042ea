// torch.relu(torch.nn.functional.linear(x, w, bias)), as torch-mlir exports it: w is transposed by an op.
#ij = affine_map<(i, j) -> (i, j)>
#j = affine_map<(i, j) -> (j)>
module {
  func.func @main(%x: tensor<128x160xf16>, %w: tensor<192x160xf16>, %bias: tensor<192xf16>) -> tensor<128x192xf16> {
    %zero = arith.constant 0.0 : f32
    %none = arith.constant 0.0 : f16
    %0 = tensor.empty() : tensor<160x192xf16>
    %wt = linalg.transpose ins(%w : tensor<192x160xf16>) outs(%0 : tensor<160x192xf16>) permutation = [1, 0]
    %1 = tensor.empty() : tensor<128x192xf32>
    %2 = linalg.fill ins(%zero : f32) outs(%1 : tensor<128x192xf32>) -> tensor<128x192xf32>
    %3 = linalg.matmul ins(%x, %wt : tensor<128x160xf16>, tensor<160x192xf16>) outs(%2 : tensor<128x192xf32>) -> tensor<128x192xf32>
    %4 = tensor.empty() : tensor<128x192xf16>
    %5 = linalg.generic {indexing_maps = [#ij, #ij], iterator_types = ["parallel", "parallel"]} ins(%3 : tensor<128x192xf32>) outs(%4 : tensor<128x192xf16>) {
    ^bb0(%in: f32, %out: f16):
      %r = arith.truncf %in : f32 to f16
      linalg.yield %r : f16
    } -> tensor<128x192xf16>
    %6 = linalg.generic {indexing_maps = [#ij, #j, #ij], iterator_types = ["parallel", "parallel"]} ins(%5, %bias : tensor<128x192xf16>, tensor<192xf16>) outs(%4 : tensor<128x192xf16>) {
    ^bb0(%in: f16, %b: f16, %out: f16):
      %r = arith.addf %in, %b : f16
      linalg.yield %r : f16
    } -> tensor<128x192xf16>
    %7 = linalg.generic {indexing_maps = [#ij, #ij], iterator_types = ["parallel", "parallel"]} ins(%6 : tensor<128x192xf16>) outs(%4 : tensor<128x192xf16>) {
    ^bb0(%in: f16, %out: f16):
      %is = arith.cmpf ugt, %in, %none : f16
      %r = arith.select %is, %in, %none : f16
      linalg.yield %r : f16
    } -> tensor<128x192xf16>
    return %7 : tensor<128x192xf16>
  }
}
