builtin.module {
  func.func @main(%x0: tensor<2x2xf32>, %c: i1, %n: index) -> (tensor<2x4xf32>, tensor<2x2xf32>) {
    %v1 = "dnn.concat"(%x0, %x0) {axis = 1 : i64} : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x4xf32>
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : index
    %v5 = scf.for %i = %zero to %n step %one iter_args(%v2 = %x0) -> (tensor<2x2xf32>) {
      %v3 = "dnn.slice"(%v2) {dim = 0 : i64, start = 0 : i64, end = 1 : i64} : (tensor<2x2xf32>) -> tensor<1x2xf32>
      %v4 = "dnn.mul"(%v2, %v2) : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
      scf.yield %v4 : tensor<2x2xf32>
    }
    %v6 = "dnn.mul"(%v1, %v1) : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    func.return %v6, %v5 : tensor<2x4xf32>, tensor<2x2xf32>
  }
}
// optimal: 5 refused=[program-input]; 7 inplace=0; 9 inplace=0; f7c677c57f4d
// paddle: 5 refused=[program-input]; 7 refused=[not-listed]; 9 refused=[not-listed]; c9f354e19493
// nntrainer: 2 inplace_mode=none; 5 refused=[program-input] inplace_mode=none; 6 inplace_mode=none; 7 refused=[not-listed] inplace_mode=none; 9 refused=[not-listed] inplace_mode=none; c9f354e19493
// reinplace: 5 refused=[program-input]; 7 refused=[repeated-operand]; 9 refused=[repeated-operand]; 2445c09b2906
// transpiler: 5 refused=[program-input]; 7 refused=[not-listed]; 9 refused=[not-listed]; c9f354e19493
// pool, optimal: 5 refused=[program-input]; 7 inplace=0; 9 inplace=0; f7c677c57f4d
// pool, transpiler: 5 refused=[program-input]; 7 refused=[not-listed]; 9 refused=[not-listed]; c9f354e19493
// random, nntrainer: 2 inplace_mode=none; 5 refused=[program-input] inplace_mode=none; 6 inplace_mode=none; 7 refused=[not-listed] inplace_mode=none; 9 inplace=1 inplace_mode=none; 9394623b1c18
// random, transpiler: 5 refused=[program-input]; 7 refused=[not-listed]; 9 inplace=1; 9394623b1c18
