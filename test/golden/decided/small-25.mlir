builtin.module {
  func.func @main(%x0: tensor<1xi32> {dnn.donated}, %x1: tensor<2x1x3xf32>, %x2: tensor<4x1xi32>, %x3: tensor<2x6xf32> {dnn.donated}, %c0: i1) -> (tensor<4x1xi32> {dnn.tied = 2 : i32}, tensor<2x6xf32>, tensor<i32>) {
    %r3, %r4 = scf.if %c0 -> (tensor<2x1x3xf32>, tensor<1xi32>) {
      %v0 = "dnn.constant"() {value = dense<[[-3, 1, 2, 1], [-3, 1, -2, 1], [1, 0, 3, 3]]> : tensor<3x4xi32>} : () -> tensor<3x4xi32>
      %v1 = "dnn.diagonal_scatter"(%v0, %x0) {offset = 3 : i64, dim1 = 0 : i64, dim2 = 1 : i64, dnn.engine = "cpu"} : (tensor<3x4xi32>, tensor<1xi32>) -> tensor<3x4xi32>
      %v2 = "dnn.exp"(%x1) : (tensor<2x1x3xf32>) -> tensor<2x1x3xf32>
      scf.yield %v2, %x0 : tensor<2x1x3xf32>, tensor<1xi32>
    } else {
      scf.yield %x1, %x0 : tensor<2x1x3xf32>, tensor<1xi32>
    }
    %v5 = "dnn.unbind"(%r4) {axis = 0 : i64} : (tensor<1xi32>) -> tensor<i32>
    %v6 = "dnn.constant"() {value = dense<[[1.500000e+00, 3.500000e+00, -5.000000e-01, -2.500000e+00, 3.500000e+00, -2.500000e+00], [3.500000e+00, -2.500000e+00, -2.500000e+00, -2.500000e+00, -1.500000e+00, -2.500000e+00], [5.000000e-01, -5.000000e-01, 3.500000e+00, -2.500000e+00, 1.500000e+00, 3.500000e+00]]> : tensor<3x6xf32>} : () -> tensor<3x6xf32>
    %r7 = func.call @f0(%x2, %v6, %x3) : (tensor<4x1xi32>, tensor<3x6xf32>, tensor<2x6xf32>) -> tensor<3xi64>
    func.return %x2, %x3, %v5 : tensor<4x1xi32>, tensor<2x6xf32>, tensor<i32>
  }
  func.func @f0(%x0: tensor<4x1xi32>, %x1: tensor<3x6xf32>, %x2: tensor<2x6xf32> {dnn.donated}) -> tensor<3xi64> {
    %v0 = "dnn.concat"(%x0, %x0, %x0) {axis = 0 : i64} : (tensor<4x1xi32>, tensor<4x1xi32>, tensor<4x1xi32>) -> tensor<12x1xi32>
    %v1 = "dnn.constant"() {value = dense<[0, 3, 3]> : tensor<3xi64>} : () -> tensor<3xi64>
    %v2 = "dnn.gru"(%x1, %x2, %v1) {operandSegmentSizes = array<i32: 1, 1, 0, 0, 1>} : (tensor<3x6xf32>, tensor<2x6xf32>, tensor<3xi64>) -> tensor<3x2xf32>
    func.return %v1 : tensor<3xi64>
  }
}
// optimal: 2 reuse=1,0; 4 refused=[constant]; 5 reuse=1 refused=[program-input]; 15 refused=[kernel]
// paddle: 2 reuse=0,1; 4 refused=[not-listed]; 5 reuse=0 refused=[not-listed]; 15 refused=[kernel]
// nntrainer: 2 reuse=0,1 inplace_mode=none; 4 refused=[not-listed] inplace_mode=none; 5 reuse=0 refused=[not-listed] inplace_mode=none; 8 inplace_mode=none; 10 inplace_mode=none; 13 inplace_mode=none; 15 refused=[kernel] inplace_mode=none
// reinplace: 2 reuse=0,1; 4 refused=[constant]; 5 reuse=0 refused=[program-input]; 15 refused=[kernel]
// transpiler: 2 reuse=0,1; 4 refused=[not-listed]; 5 reuse=0 refused=[program-input]; 15 refused=[kernel]
// pool optimal: 2 reuse=1,0; 4 refused=[constant]; 5 reuse=1 refused=[program-input]; 15 refused=[kernel]
// pool transpiler: 2 reuse=0,1; 4 refused=[not-listed]; 5 reuse=0 refused=[program-input]; 15 refused=[kernel]
// random nntrainer: 2 reuse=0,1 inplace_mode=none; 4 refused=[not-listed] inplace_mode=none; 5 reuse=0 refused=[not-listed] inplace_mode=none; 8 inplace_mode=none; 10 inplace_mode=none; 13 inplace_mode=none; 15 refused=[kernel] inplace_mode=none
// random transpiler: 2 reuse=0,1; 4 refused=[not-listed]; 5 reuse=0 refused=[program-input]; 15 refused=[kernel]
//   dnn.diagonal_scatter (v1): %v1 is not written over %v0: the strategy's system does not do that [not-listed] | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.exp (v2): %v2 is not written over %x1: the strategy's system does not do that [not-listed] | paddle, nntrainer, random nntrainer
//   dnn.diagonal_scatter (v1): %v0 is copied into %v1, 48 bytes: the strategy's system does not do that [not-listed]; `strategy=optimal` goes by contracts alone | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.diagonal_scatter (v1): %x0 is copied into %v1, 4 bytes: the strategy's system does not do that [not-listed]; `strategy=optimal` goes by contracts alone | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.diagonal_scatter (v1): %v1 is not written over %v0: the operand is a constant [constant] | optimal, reinplace, pool optimal
//   dnn.exp (v2): %v2 is not written over %x1: the operand is memory of the caller, neither donated nor tied [program-input] | optimal, reinplace, transpiler, pool optimal, pool transpiler, random transpiler
//   dnn.diagonal_scatter (v1): %v0 is copied into %v1, 48 bytes: the operand is a constant [constant]; make it an argument with `dnn.donated`, or put an op before that makes a new value | optimal, reinplace, pool optimal
//   dnn.diagonal_scatter (v1): %x0 is copied into %v1, 4 bytes: the operand is a constant, so no op computes it in its part of the result [constant]; compute the operand in the function: an op may write its result to a part of another value | optimal, reinplace, pool optimal
//   scf.yield: %x1 is copied into %r3, 24 bytes: the operand is memory of the caller, neither donated nor tied [program-input]; mark the argument `dnn.donated`, or tie a result to it with `dnn.tied` | all
//   func.call (r7): %x3 is copied for the call, 48 bytes: the call may write the parameter, and the operand is not given to it, by func.func at line 16 [callee-writes]; let the call be the last use: then `dnn.donate` gives the operand | all
//   func.return: %v5 is copied into the memory of result 2, 4 bytes: it is returned [returned]; return it once, from the op that makes it, or tie it to an argument | all
//   dnn.gru (v2): %v2 is not written over %x1: no kernel of this op writes over that operand [kernel] | all
//   dnn.concat (v0): %x0 is copied into %v0, 16 bytes: the operand is memory of the caller, so no op computes it in its part of the result [program-input]; compute the operand in the function: an op may write its result to a part of another value | optimal 3 times, paddle 3 times, nntrainer 3 times, reinplace 3 times, transpiler 3 times, pool optimal 3 times, pool transpiler 3 times, random nntrainer 3 times, random transpiler 3 times
//   func.return: %v1 is copied into the memory of result 0, 24 bytes: the operand is a constant [constant]; make it an argument with `dnn.donated`, or put an op before that makes a new value | all
