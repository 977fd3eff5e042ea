// torch.nn.functional.scaled_dot_product_attention(q, k, v) of f16 for 4 heads, decomposed: a product, a softmax of f32, a product.
#bij = affine_map<(b, i, j) -> (b, i, j)>
#bi1 = affine_map<(b, i, j) -> (b, i, 0)>
module {
  func.func @main(%q: tensor<4x256x64xf16>, %k: tensor<4x256x64xf16>, %v: tensor<4x256x64xf16>) -> tensor<4x256x64xf16> {
    %zero = arith.constant 0.0 : f32
    %low = arith.constant 0xFF800000 : f32
    %scale = arith.constant 0.125 : f32
    %0 = tensor.empty() : tensor<4x64x256xf16>
    %kt = linalg.transpose ins(%k : tensor<4x256x64xf16>) outs(%0 : tensor<4x64x256xf16>) permutation = [0, 2, 1]
    %1 = tensor.empty() : tensor<4x256x256xf32>
    %2 = linalg.fill ins(%zero : f32) outs(%1 : tensor<4x256x256xf32>) -> tensor<4x256x256xf32>
    %3 = linalg.batch_matmul ins(%q, %kt : tensor<4x256x64xf16>, tensor<4x64x256xf16>) outs(%2 : tensor<4x256x256xf32>) -> tensor<4x256x256xf32>
    %4 = linalg.generic {indexing_maps = [#bij, #bij], iterator_types = ["parallel", "parallel", "parallel"]} ins(%3 : tensor<4x256x256xf32>) outs(%1 : tensor<4x256x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      %r = arith.mulf %in, %scale : f32
      linalg.yield %r : f32
    } -> tensor<4x256x256xf32>
    %5 = tensor.empty() : tensor<4x256x1xf32>
    %6 = linalg.fill ins(%low : f32) outs(%5 : tensor<4x256x1xf32>) -> tensor<4x256x1xf32>
    %7 = linalg.generic {indexing_maps = [#bij, #bi1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%4 : tensor<4x256x256xf32>) outs(%6 : tensor<4x256x1xf32>) {
    ^bb0(%in: f32, %most: f32):
      %r = arith.maximumf %in, %most : f32
      linalg.yield %r : f32
    } -> tensor<4x256x1xf32>
    %8 = linalg.generic {indexing_maps = [#bij, #bi1, #bij], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%4, %7 : tensor<4x256x256xf32>, tensor<4x256x1xf32>) outs(%1 : tensor<4x256x256xf32>) {
    ^bb0(%in: f32, %most: f32, %out: f32):
      %d = arith.subf %in, %most : f32
      %r = math.exp %d : f32
      linalg.yield %r : f32
    } -> tensor<4x256x256xf32>
    %9 = linalg.fill ins(%zero : f32) outs(%5 : tensor<4x256x1xf32>) -> tensor<4x256x1xf32>
    %10 = linalg.generic {indexing_maps = [#bij, #bi1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%8 : tensor<4x256x256xf32>) outs(%9 : tensor<4x256x1xf32>) {
    ^bb0(%in: f32, %sum: f32):
      %r = arith.addf %in, %sum : f32
      linalg.yield %r : f32
    } -> tensor<4x256x1xf32>
    %11 = tensor.empty() : tensor<4x256x256xf16>
    %12 = linalg.generic {indexing_maps = [#bij, #bi1, #bij], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%8, %10 : tensor<4x256x256xf32>, tensor<4x256x1xf32>) outs(%11 : tensor<4x256x256xf16>) {
    ^bb0(%in: f32, %sum: f32, %out: f16):
      %d = arith.divf %in, %sum : f32
      %r = arith.truncf %d : f32 to f16
      linalg.yield %r : f16
    } -> tensor<4x256x256xf16>
    %13 = tensor.empty() : tensor<4x256x64xf32>
    %14 = linalg.fill ins(%zero : f32) outs(%13 : tensor<4x256x64xf32>) -> tensor<4x256x64xf32>
    %15 = linalg.batch_matmul ins(%12, %v : tensor<4x256x256xf16>, tensor<4x256x64xf16>) outs(%14 : tensor<4x256x64xf32>) -> tensor<4x256x64xf32>
    %16 = tensor.empty() : tensor<4x256x64xf16>
    %17 = linalg.generic {indexing_maps = [#bij, #bij], iterator_types = ["parallel", "parallel", "parallel"]} ins(%15 : tensor<4x256x64xf32>) outs(%16 : tensor<4x256x64xf16>) {
    ^bb0(%in: f32, %out: f16):
      %r = arith.truncf %in : f32 to f16
      linalg.yield %r : f16
    } -> tensor<4x256x64xf16>
    return %17 : tensor<4x256x64xf16>
  }
}
