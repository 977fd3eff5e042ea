// torch.nn.functional.conv2d(x, w) of f16, as torch-mlir exports it: channels come first.
module {
  func.func @main(%x: tensor<2x64x16x18xf16>, %w: tensor<64x64x3x3xf16>) -> tensor<2x64x14x16xf32> {
    %zero = arith.constant 0.0 : f32
    %0 = tensor.empty() : tensor<2x64x14x16xf32>
    %1 = linalg.fill ins(%zero : f32) outs(%0 : tensor<2x64x14x16xf32>) -> tensor<2x64x14x16xf32>
    %2 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>}
      ins(%x, %w : tensor<2x64x16x18xf16>, tensor<64x64x3x3xf16>) outs(%1 : tensor<2x64x14x16xf32>) -> tensor<2x64x14x16xf32>
    return %2 : tensor<2x64x14x16xf32>
  }
}
