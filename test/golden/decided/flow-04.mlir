builtin.module {
  func.func @main(%x0: tensor<2x2xf32>, %x1: tensor<2xf32>, %x2: tensor<f32> {dnn.donated}, %x3: tensor<i1>, %c0: index) -> (tensor<2x3xf32>, tensor<2xf32>, tensor<f32>) {
    %0 = arith.constant 1 : index
    %1 = arith.constant 0 : index
    cf.br ^bb1(%1 : index)
  ^bb1(%2: index):
    %3 = arith.cmpi slt, %2, %c0 : index
    cf.cond_br %3, ^bb2, ^bb3
  ^bb2:
    scf.for %4 = %1 to %c0 step %0 {
      %v0 = "dnn.constant"() {value = dense<[[3.500000e+00, -1.500000e+00], [1.500000e+00, -1.500000e+00]]> : tensor<2x2xf32>} : () -> tensor<2x2xf32>
      %v1 = "dnn.mul"(%x0, %v0) : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
    }
    %5 = arith.addi %2, %0 : index
    cf.br ^bb1(%5 : index)
  ^bb3:
    %v2 = "dnn.constant"() {value = dense<[[-1.500000e+00, 1.500000e+00, 5.000000e-01], [-2.500000e+00, 2.500000e+00, -1.500000e+00]]> : tensor<2x3xf32>} : () -> tensor<2x3xf32>
    %v3 = "dnn.diagonal_scatter"(%v2, %x1) {offset = 0 : i64, dim1 = 1 : i64, dim2 = 0 : i64} : (tensor<2x3xf32>, tensor<2xf32>) -> tensor<2x3xf32>
    %r4 = func.call @f0(%x2, %x3) : (tensor<f32>, tensor<i1>) -> tensor<f32>
    func.return %v3, %x1, %x2 : tensor<2x3xf32>, tensor<2xf32>, tensor<f32>
  }
  func.func @f0(%x0: tensor<f32> {dnn.donated}, %x1: tensor<i1>) -> tensor<f32> {
    %v0 = "dnn.masked_fill"(%x0, %x1) {value = 7.000000e+00 : f32, dnn.engine = "cpu"} : (tensor<f32>, tensor<i1>) -> tensor<f32>
    %v1 = "dnn.maximum"(%v0, %v0) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %v2 = "dnn.gelu"(%v1) : (tensor<f32>) -> tensor<f32>
    func.return %v0 : tensor<f32>
  }
}
// optimal: 9 refused=[program-input]; 14 refused=[constant]; 18 inplace=0; 19 refused=[returned]; 20 inplace=0
// paddle: 9 refused=[not-listed]; 14 refused=[not-listed]; 18 refused=[not-listed]; 19 refused=[not-listed]; 20 refused=[not-listed]
// nntrainer: 9 refused=[not-listed] inplace_mode=none; 14 refused=[not-listed] inplace_mode=none; 15 inplace_mode=none; 18 refused=[not-listed] inplace_mode=none; 19 refused=[not-listed] inplace_mode=none; 20 inplace=0 inplace_mode=restricting
// reinplace: 9 refused=[program-input]; 14 refused=[constant]; 18 refused=[program-input]; 19 refused=[repeated-operand]; 20 inplace=0
// transpiler: 9 refused=[not-listed]; 14 refused=[not-listed]; 18 refused=[not-listed]; 19 refused=[not-listed]; 20 inplace=0
// pool optimal: 9 refused=[program-input]; 14 refused=[constant]; 18 refused=[next-op-reuses]; 19 reuse=0 refused=[returned]; 20 inplace=0
// pool transpiler: 9 refused=[not-listed]; 14 refused=[not-listed]; 18 refused=[not-listed]; 19 reuse=0 refused=[not-listed]; 20 inplace=0
// random nntrainer: 9 refused=[not-listed] inplace_mode=none; 14 refused=[not-listed] inplace_mode=none; 15 inplace_mode=none; 18 refused=[not-listed] inplace_mode=none; 19 refused=[not-listed] inplace_mode=none; 20 inplace=0 inplace_mode=restricting
// random transpiler: 9 refused=[not-listed]; 14 refused=[not-listed]; 18 refused=[not-listed]; 19 refused=[not-listed]; 20 inplace=0
//   dnn.mul (v1): %v1 is not written over %x0: the strategy's system does not do that [not-listed] | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.diagonal_scatter (v3): %v3 is not written over %v2: the strategy's system does not do that [not-listed] | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.diagonal_scatter (v3): %v2 is copied into %v3, 24 bytes: the strategy's system does not do that [not-listed]; `strategy=optimal` goes by contracts alone | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.diagonal_scatter (v3): %x1 is copied into %v3, 8 bytes: the strategy's system does not do that [not-listed]; `strategy=optimal` goes by contracts alone | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.mul (v1): %v1 is not written over %x0: the operand is memory of the caller, neither donated nor tied [program-input] | optimal, reinplace, pool optimal
//   dnn.diagonal_scatter (v3): %v3 is not written over %v2: the operand is a constant [constant] | optimal, reinplace, pool optimal
//   dnn.diagonal_scatter (v3): %v2 is copied into %v3, 24 bytes: the operand is a constant [constant]; make it an argument with `dnn.donated`, or put an op before that makes a new value | optimal, reinplace, pool optimal
//   dnn.diagonal_scatter (v3): %x1 is copied into %v3, 8 bytes: the operand is a constant, so no op computes it in its part of the result [constant]; compute the operand in the function: an op may write its result to a part of another value | optimal, reinplace, pool optimal
//   func.call (r4): %x2 is copied for the call, 4 bytes: the call may write the parameter, and the operand is not given to it, by func.func at line 22 [callee-writes]; let the call be the last use: then `dnn.donate` gives the operand | all
//   func.return: %x1 is copied into the memory of result 1, 8 bytes: the operand is memory of the caller, neither donated nor tied [program-input]; mark the argument `dnn.donated`, or tie a result to it with `dnn.tied` | all
//   dnn.masked_fill (v0): %v0 is not written over %x0: a later op already lives in that memory, as %v1, by dnn.maximum at line 24 [next-op-reuses] | pool optimal
//   dnn.masked_fill (v0): %v0 is not written over %x0: the operand is memory of the caller, neither donated nor tied [program-input] | reinplace
//   dnn.maximum (v1): %v1 is not written over %v0: the same value is another operand too [repeated-operand] | reinplace
//   dnn.masked_fill (v0): %v0 is not written over %x0: the strategy's system does not do that [not-listed] | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.maximum (v1): %v1 is not written over %v0: the strategy's system does not do that [not-listed] | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.gelu (v2): %v2 is not written over %v1: the strategy's system does not do that [not-listed] | paddle
//   dnn.masked_fill (v0): %v0 is written over %x0, operand 0 | optimal
//   dnn.maximum (v1): %v1 is not written over %v0: it is returned, by func.return at line 26 [returned] | optimal, pool optimal
//   dnn.gelu (v2): %v2 is written over %v1, operand 0 | optimal, nntrainer, reinplace, transpiler, pool optimal, pool transpiler, random nntrainer, random transpiler
//   func.return: %v0 is copied into the memory of result 0, 4 bytes: it is returned [returned]; return it once, from the op that makes it, or tie it to an argument | optimal
