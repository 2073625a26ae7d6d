builtin.module {
  func.func @main(%x0: tensor<4x2xf32>, %c: i1, %n: index) -> tensor<4x2xf32> {
    %v1 = "dnn.exp"(%x0) : (tensor<4x2xf32>) -> tensor<4x2xf32>
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : index
    %v4 = scf.for %i = %zero to %n step %one iter_args(%v2 = %x0) -> (tensor<4x2xf32>) {
      %v3 = "dnn.slice"(%x0) {dim = 1 : i64, start = 1 : i64, end = 2 : i64} : (tensor<4x2xf32>) -> tensor<4x1xf32>
      scf.yield %v2 : tensor<4x2xf32>
    }
    func.return %v4 : tensor<4x2xf32>
  }
}
// optimal: 2 refused=[program-input]; 5 inplace=3; 7bdb1d178d39
// paddle: 2 refused=[not-listed]; 5 refused=[program-input]; ff46b65a4ddc
// nntrainer: 2 refused=[not-listed] inplace_mode=none; 5 refused=[program-input] inplace_mode=none; 6 inplace_mode=none; ff46b65a4ddc
// reinplace: 2 refused=[program-input]; 5 refused=[program-input]; c265259e7a7f
// transpiler: 2 refused=[program-input]; 5 refused=[program-input]; c265259e7a7f
// pool, optimal: 2 refused=[program-input]; 5 inplace=3; 7bdb1d178d39
// pool, transpiler: 2 refused=[program-input]; 5 refused=[program-input]; c265259e7a7f
// random, nntrainer: 2 refused=[not-listed] inplace_mode=none; 5 refused=[program-input] inplace_mode=none; 6 inplace_mode=none; ff46b65a4ddc
// random, transpiler: 2 refused=[program-input]; 5 refused=[program-input]; c265259e7a7f
