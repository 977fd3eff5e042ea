// torch.nn.functional.conv2d(x, w, padding=1) of f16, as torch-mlir exports it: channels come first.
module {
  func.func @main(%x: tensor<2x64x14x16xf16>, %w: tensor<64x64x3x3xf16>) -> tensor<2x64x14x16xf32> {
    %zero = arith.constant 0.0 : f32
    %none = arith.constant 0.0 : f16
    %padded = tensor.pad %x low[0, 0, 1, 1] high[0, 0, 1, 1] {
    ^bb0(%n: index, %c: index, %h: index, %l: index):
      tensor.yield %none : f16
    } : tensor<2x64x14x16xf16> to tensor<2x64x16x18xf16>
    %0 = tensor.empty() : tensor<2x64x14x16xf32>
    %1 = linalg.fill ins(%zero : f32) outs(%0 : tensor<2x64x14x16xf32>) -> tensor<2x64x14x16xf32>
    %2 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>}
      ins(%padded, %w : tensor<2x64x16x18xf16>, tensor<64x64x3x3xf16>) outs(%1 : tensor<2x64x14x16xf32>) -> tensor<2x64x14x16xf32>
    return %2 : tensor<2x64x14x16xf32>
  }
}
