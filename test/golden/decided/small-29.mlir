builtin.module {
  func.func @main(%x0: tensor<1xf64>, %x1: tensor<4x1xf64>, %c0: index, %c1: i1) -> (tensor<1xf64>, tensor<4x1xf64> {dnn.tied = 1 : i32}, tensor<4x1xf64>) {
    %0 = arith.constant 1 : index
    %1 = arith.constant 0 : index
    %v0 = "dnn.constant"() {value = dense<[[1.500000e+00], [-2.500000e+00], [2.500000e+00], [1.500000e+00]]> : tensor<4x1xf64>} : () -> tensor<4x1xf64>
    %v1 = "dnn.as_strided_scatter"(%v0, %x0) {size = array<i64: 1>, stride = array<i64: 2>, storage_offset = 3 : i64} : (tensor<4x1xf64>, tensor<1xf64>) -> tensor<4x1xf64>
    %r9 = scf.for %2 = %1 to %c0 step %0 iter_args(%r2 = %v0) -> (tensor<4x1xf64>) {
      %r5, %r6 = scf.if %c1 -> (tensor<4x1xf64>, tensor<4x1xf64>) {
        %r3 = "dnn.opaque"(%x0) {kind = "some"} : (tensor<1xf64>) -> tensor<1xf64>
        %v4 = "dnn.concat"(%v1) {axis = 1 : i64} : (tensor<4x1xf64>) -> tensor<4x1xf64>
        scf.yield %v4, %v1 : tensor<4x1xf64>, tensor<4x1xf64>
      } else {
        scf.yield %v1, %x1 : tensor<4x1xf64>, tensor<4x1xf64>
      }
      %v7 = "dnn.add"(%r5, %r6) : (tensor<4x1xf64>, tensor<4x1xf64>) -> tensor<4x1xf64>
      %v8 = "dnn.abs"(%r2) : (tensor<4x1xf64>) -> tensor<4x1xf64>
      scf.yield %v8 : tensor<4x1xf64>
    }
    %v10 = "dnn.minimum"(%r9, %x1) : (tensor<4x1xf64>, tensor<4x1xf64>) -> tensor<4x1xf64>
    func.return %x0, %v10, %r9 : tensor<1xf64>, tensor<4x1xf64>, tensor<4x1xf64>
  }
}
// optimal: 5 refused=[constant]; 6 refused=[constant]; 7 reuse=0,-1; 8 refused=[kernel]; 9 parts=0 reuse=0; 12 inplace=1; 13 inplace=0; 15 inplace=1; 9772e6ced12c
// paddle: 5 refused=[not-listed]; 6 refused=[constant]; 7 reuse=0,-1; 8 refused=[kernel]; 9 reuse=0; 12 refused=[engine]; 13 refused=[engine]; 15 refused=[not-listed]; 36c9eae58274
// nntrainer: 5 refused=[not-listed] inplace_mode=none; 6 refused=[constant] inplace_mode=none; 7 reuse=0,-1 inplace_mode=none; 8 refused=[kernel] inplace_mode=none; 9 reuse=0 inplace_mode=none; 12 refused=[not-listed] inplace_mode=none; 13 refused=[not-listed] inplace_mode=none; 15 refused=[not-listed] inplace_mode=none; 1cd4b624fd12
// reinplace: 5 refused=[constant]; 6 refused=[constant]; 7 reuse=0,-1; 8 refused=[kernel]; 9 reuse=0; 12 inplace=0; 13 inplace=0; 15 refused=[returned]; 63beb038999a
// transpiler: 5 refused=[not-listed]; 6 refused=[constant]; 7 reuse=0,-1; 8 refused=[kernel]; 9 reuse=0; 12 refused=[not-listed]; 13 inplace=0; 15 refused=[not-listed]; 02454c7b5483
// pool, optimal: 5 refused=[constant]; 6 refused=[constant]; 7 reuse=0,-1; 8 refused=[kernel]; 9 parts=0 reuse=0; 12 inplace=1; 13 inplace=0; 15 inplace=1; 9772e6ced12c
// pool, transpiler: 5 refused=[not-listed]; 6 refused=[constant]; 7 reuse=0,-1; 8 refused=[kernel]; 9 reuse=0; 12 refused=[not-listed]; 13 inplace=0; 15 refused=[not-listed]; 02454c7b5483
// random, nntrainer: 5 refused=[not-listed] inplace_mode=none; 6 refused=[constant] inplace_mode=none; 7 reuse=0,-1 inplace_mode=none; 8 refused=[kernel] inplace_mode=none; 9 reuse=0 inplace_mode=none; 12 inplace=1 inplace_mode=none; 13 inplace=0 inplace_mode=none; 15 refused=[not-listed] inplace_mode=none; 1806a8840b78
// random, transpiler: 5 refused=[not-listed]; 6 refused=[constant]; 7 reuse=0,-1; 8 refused=[kernel]; 9 reuse=0; 12 inplace=1; 13 inplace=0; 15 refused=[not-listed]; 1806a8840b78
