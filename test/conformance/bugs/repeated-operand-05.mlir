// Twice the same operand: harmless where both are read at the index that is written, else not.
// DECIDE: %b over %a; %g not over %b: repeated-operand
// WRONG: %g {dnn.inplace = array<i32: 2>} => dnn.gemm
// GIVES: {"x": [[1, 0], [0, 1]]} => [[[6, 0], [0, 6]]]

func.func @main(%x: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %a = "dnn.relu"(%x) : (tensor<2x2xf32>) -> tensor<2x2xf32>
  %b = "dnn.add"(%a, %a) : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  %g = "dnn.gemm"(%b, %b, %b) : (tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  func.return %g : tensor<2x2xf32>
}
