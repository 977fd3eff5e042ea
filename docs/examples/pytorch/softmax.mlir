// torch.softmax(x, dim=-1), as torch-mlir decomposes it.
#ij = affine_map<(i, j) -> (i, j)>
#i1 = affine_map<(i, j) -> (i, 0)>
module {
  func.func @main(%x: tensor<64x1000xf32>) -> tensor<64x1000xf32> {
    %low = arith.constant 0xFF800000 : f32
    %zero = arith.constant 0.0 : f32
    %zero_i = arith.constant 0 : i64
    %0 = tensor.empty() : tensor<64x1xi64>
    %1 = linalg.fill ins(%zero_i : i64) outs(%0 : tensor<64x1xi64>) -> tensor<64x1xi64>
    %2 = tensor.empty() : tensor<64x1xf32>
    %3 = linalg.fill ins(%low : f32) outs(%2 : tensor<64x1xf32>) -> tensor<64x1xf32>
    %4:2 = linalg.generic {indexing_maps = [#ij, #i1, #i1], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<64x1000xf32>) outs(%3, %1 : tensor<64x1xf32>, tensor<64x1xi64>) {
    ^bb0(%in: f32, %most: f32, %at: i64):
      %j = linalg.index 1 : index
      %n = arith.index_cast %j : index to i64
      %m = arith.maximumf %in, %most : f32
      %is = arith.cmpf ogt, %in, %most : f32
      %k = arith.select %is, %n, %at : i64
      linalg.yield %m, %k : f32, i64
    } -> (tensor<64x1xf32>, tensor<64x1xi64>)
    %5 = tensor.empty() : tensor<64x1000xf32>
    %6 = linalg.generic {indexing_maps = [#ij, #i1, #ij], iterator_types = ["parallel", "parallel"]}
      ins(%x, %4#0 : tensor<64x1000xf32>, tensor<64x1xf32>) outs(%5 : tensor<64x1000xf32>) {
    ^bb0(%in: f32, %most: f32, %out: f32):
      %r = arith.subf %in, %most : f32
      linalg.yield %r : f32
    } -> tensor<64x1000xf32>
    %7 = linalg.generic {indexing_maps = [#ij, #ij], iterator_types = ["parallel", "parallel"]} ins(%6 : tensor<64x1000xf32>) outs(%5 : tensor<64x1000xf32>) {
    ^bb0(%in: f32, %out: f32):
      %r = math.exp %in : f32
      linalg.yield %r : f32
    } -> tensor<64x1000xf32>
    %8 = linalg.fill ins(%zero : f32) outs(%2 : tensor<64x1xf32>) -> tensor<64x1xf32>
    %9 = linalg.generic {indexing_maps = [#ij, #i1], iterator_types = ["parallel", "reduction"]} ins(%7 : tensor<64x1000xf32>) outs(%8 : tensor<64x1xf32>) {
    ^bb0(%in: f32, %sum: f32):
      %r = arith.addf %in, %sum : f32
      linalg.yield %r : f32
    } -> tensor<64x1xf32>
    %10 = linalg.generic {indexing_maps = [#ij, #i1, #ij], iterator_types = ["parallel", "parallel"]}
      ins(%7, %9 : tensor<64x1000xf32>, tensor<64x1xf32>) outs(%5 : tensor<64x1000xf32>) {
    ^bb0(%in: f32, %sum: f32, %out: f32):
      %r = arith.divf %in, %sum : f32
      linalg.yield %r : f32
    } -> tensor<64x1000xf32>
    return %10 : tensor<64x1000xf32>
  }
}
