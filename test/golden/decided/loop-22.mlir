builtin.module {
  func.func @main(%x0: tensor<2x2xf32>, %c: i1, %n: index) -> tensor<2x2xf32> {
    %v1 = "dnn.transpose"(%x0) {perm = array<i64: 1, 0>} : (tensor<2x2xf32>) -> tensor<2x2xf32>
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : index
    %v6 = scf.for %i = %zero to %n step %one iter_args(%v2 = %v1) -> (tensor<2x2xf32>) {
      %v3 = "dnn.slice"(%v2) {dim = 0 : i64, start = 1 : i64, end = 2 : i64} : (tensor<2x2xf32>) -> tensor<1x2xf32>
      %v4 = "dnn.fill"(%x0) {value = 1.000000e+00 : f32} : (tensor<2x2xf32>) -> tensor<2x2xf32>
      %v5 = "dnn.copy"(%v4) : (tensor<2x2xf32>) -> tensor<2x2xf32>
      scf.yield %v4 : tensor<2x2xf32>
    }
    %v7 = "dnn.opaque"(%x0) {kind = "f"} : (tensor<2x2xf32>) -> tensor<2x2xf32>
    func.return %v7 : tensor<2x2xf32>
  }
}
// optimal: 5 reuse=0 refused=[program-input]; 7 reuse=0 refused=[program-input]; 10 refused=[kernel]; 8c1ed5517ee2
// paddle: 5 refused=[program-input]; 7 refused=[not-listed]; 10 refused=[kernel]; 82ff75aa17a9
// nntrainer: 2 inplace_mode=none; 5 refused=[program-input] inplace_mode=none; 6 inplace_mode=none; 7 refused=[not-listed] inplace_mode=none; 8 inplace_mode=none; 10 refused=[kernel] inplace_mode=none; 82ff75aa17a9
// reinplace: 5 refused=[program-input]; 7 refused=[program-input]; 10 refused=[kernel]; 0858119ff767
// transpiler: 5 refused=[program-input]; 7 refused=[not-listed]; 10 refused=[kernel]; 82ff75aa17a9
// pool, optimal: 5 reuse=0 refused=[program-input]; 7 reuse=0 refused=[program-input]; 10 refused=[kernel]; 8c1ed5517ee2
// pool, transpiler: 5 refused=[program-input]; 7 refused=[not-listed]; 10 refused=[kernel]; 82ff75aa17a9
// random, nntrainer: 2 inplace_mode=none; 5 refused=[program-input] inplace_mode=none; 6 inplace_mode=none; 7 refused=[not-listed] inplace_mode=none; 8 inplace_mode=none; 10 refused=[kernel] inplace_mode=none; 82ff75aa17a9
// random, transpiler: 5 refused=[program-input]; 7 refused=[not-listed]; 10 refused=[kernel]; 82ff75aa17a9
