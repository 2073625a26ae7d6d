builtin.module {
  func.func @main(%x0: tensor<2x2xf32> {dnn.donated}, %c: i1, %n: index) -> (tensor<4x2xf32>, tensor<2x2xf32>) {
    %v1 = "dnn.sum"(%x0, %x0, %x0) : (tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : index
    %v5 = scf.for %i = %zero to %n step %one iter_args(%v2 = %x0) -> (tensor<2x2xf32>) {
      %v3 = "dnn.opaque"(%v2) {kind = "f"} : (tensor<2x2xf32>) -> tensor<2x2xf32>
      %v4 = "dnn.pad"(%x0) {pads = array<i64: 0, 0, 2, 0>} : (tensor<2x2xf32>) -> tensor<4x2xf32>
      scf.yield %v2 : tensor<2x2xf32>
    }
    %v6 = "dnn.concat"(%v1, %x0) {axis = 0 : i64} : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<4x2xf32>
    func.return %v6, %v1 : tensor<4x2xf32>, tensor<2x2xf32>
  }
}
// optimal: 2 refused=[repeated-operand]; 5 inplace=3; 6 refused=[kernel]; be3238a2161b
// paddle: 2 refused=[not-listed]; 5 refused=[control-flow]; 6 refused=[kernel]; 05d81108ca1e
// nntrainer: 2 refused=[not-listed] inplace_mode=none; 5 refused=[control-flow] inplace_mode=none; 6 refused=[kernel] inplace_mode=none; 7 inplace_mode=none; 9 inplace_mode=none; 05d81108ca1e
// reinplace: 2 refused=[program-input]; 5 refused=[control-flow]; 6 refused=[kernel]; 6409ad1218a8
// transpiler: 2 refused=[not-listed]; 5 refused=[control-flow]; 6 refused=[kernel]; 05d81108ca1e
// pool, optimal: 2 refused=[repeated-operand]; 5 inplace=3; 6 refused=[kernel]; be3238a2161b
// pool, transpiler: 2 refused=[not-listed]; 5 refused=[control-flow]; 6 refused=[kernel]; 05d81108ca1e
// random, nntrainer: 2 refused=[not-listed] inplace_mode=none; 5 refused=[control-flow] inplace_mode=none; 6 refused=[kernel] inplace_mode=none; 7 inplace_mode=none; 9 inplace_mode=none; 05d81108ca1e
// random, transpiler: 2 refused=[not-listed]; 5 refused=[control-flow]; 6 refused=[kernel]; 05d81108ca1e
