builtin.module {
  func.func @main(%x0: tensor<4xf64>, %x1: tensor<1xf32>, %x2: tensor<1xf32>, %x3: tensor<1x1xf32>, %c0: index) -> (tensor<1xf32>, tensor<1xf32>) {
    %0 = arith.constant 1 : index
    %1 = arith.constant 0 : index
    %v0 = "dnn.concat"(%x0, %x0, %x0) {axis = 0 : i64} : (tensor<4xf64>, tensor<4xf64>, tensor<4xf64>) -> tensor<12xf64>
    %v1 = "dnn.constant"() {value = dense<[[-1.500000e+00], [-5.000000e-01], [5.000000e-01], [-5.000000e-01]]> : tensor<4x1xf32>} : () -> tensor<4x1xf32>
    %v2 = "dnn.constant"() {value = dense<1.500000e+00> : tensor<1xf32>} : () -> tensor<1xf32>
    %v3 = "dnn.batch_norm"(%v1, %x1, %x1, %x2, %v2) : (tensor<4x1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<4x1xf32>
    cf.br ^bb1(%1, %v1 : index, tensor<4x1xf32>)
  ^bb1(%2: index, %r4: tensor<4x1xf32>):
    %3 = arith.cmpi slt, %2, %c0 : index
    cf.cond_br %3, ^bb2, ^bb3
  ^bb2:
    %v5 = "dnn.slice_scatter"(%r4, %x3) {dim = 0 : i64, start = 0 : i64, end = 1 : i64, step = 1 : i64} : (tensor<4x1xf32>, tensor<1x1xf32>) -> tensor<4x1xf32>
    %4 = arith.addi %2, %0 : index
    cf.br ^bb1(%4, %r4 : index, tensor<4x1xf32>)
  ^bb3:
    func.return %v2, %v2 : tensor<1xf32>, tensor<1xf32>
  }
}
// optimal: 7 refused=[constant]; 11 refused=[used-later]
// paddle: 7 refused=[not-listed]; 11 refused=[not-listed]
// nntrainer: 4 inplace_mode=none; 7 refused=[constant] inplace_mode=none; 11 refused=[not-listed] inplace_mode=none
// reinplace: 7 refused=[constant]; 11 refused=[used-later]
// transpiler: 7 refused=[not-listed]; 11 refused=[not-listed]
// pool optimal: 7 refused=[constant]; 11 refused=[used-later]
// pool transpiler: 7 refused=[not-listed]; 11 refused=[not-listed]
// random nntrainer: 4 inplace_mode=none; 7 refused=[constant] inplace_mode=none; 11 refused=[not-listed] inplace_mode=none
// random transpiler: 7 refused=[not-listed]; 11 refused=[not-listed]
//   dnn.batch_norm (v3): %v3 is not written over %v1: the strategy's system does not do that [not-listed] | paddle, transpiler, pool transpiler, random transpiler
//   dnn.slice_scatter (v5): %v5 is not written over %r4: the strategy's system does not do that [not-listed] | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.batch_norm (v3): %v3 is not written over %v1: the operand is a constant [constant] | optimal, nntrainer, reinplace, pool optimal, random nntrainer
//   dnn.slice_scatter (v5): %v5 is not written over %r4: it is read later [used-later] | reinplace
//   dnn.slice_scatter (v5): %v5 is not written over %r4: it is read later, by cf.br at line 16 [used-later] | optimal, pool optimal
//   dnn.concat (v0): %x0 is copied into %v0, 32 bytes: the operand is memory of the caller, so no op computes it in its part of the result [program-input]; compute the operand in the function: an op may write its result to a part of another value | optimal 3 times, paddle 3 times, nntrainer 3 times, reinplace 3 times, transpiler 3 times, pool optimal 3 times, pool transpiler 3 times, random nntrainer 3 times, random transpiler 3 times
//   cf.br: %v1 is copied into %r4, 16 bytes: the operand is a constant [constant]; make it an argument with `dnn.donated`, or put an op before that makes a new value | all
//   dnn.slice_scatter (v5): %r4 is copied into %v5, 16 bytes: it is read later [used-later]; move the op that reads it later before this one; `--plan-pass` tries that | reinplace
//   dnn.slice_scatter (v5): %x3 is copied into %v5, 4 bytes: it is read later [used-later]; move the op that reads it later before this one; `--plan-pass` tries that | reinplace
//   dnn.slice_scatter (v5): %r4 is copied into %v5, 16 bytes: the strategy's system does not do that [not-listed]; `strategy=optimal` goes by contracts alone | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.slice_scatter (v5): %x3 is copied into %v5, 4 bytes: the strategy's system does not do that [not-listed]; `strategy=optimal` goes by contracts alone | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.slice_scatter (v5): %r4 is copied into %v5, 16 bytes: it is read later, by cf.br at line 16 [used-later]; move the op that reads it later before this one; `--plan-pass` tries that | optimal, pool optimal
//   dnn.slice_scatter (v5): %x3 is copied into %v5, 4 bytes: it is read later, by cf.br at line 16 [used-later]; move the op that reads it later before this one; `--plan-pass` tries that | optimal, pool optimal
//   func.return: %v2 is copied into the memory of result 0, 4 bytes: the operand is a constant [constant]; make it an argument with `dnn.donated`, or put an op before that makes a new value | all
//   func.return: %v2 is copied into the memory of result 1, 4 bytes: the operand is a constant [constant]; make it an argument with `dnn.donated`, or put an op before that makes a new value | all
