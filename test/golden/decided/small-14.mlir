builtin.module {
  func.func @main(%x0: tensor<3xf32> {dnn.donated}, %c0: index) -> tensor<2x1x3xf32> {
    %0 = arith.constant 1 : index
    %1 = arith.constant 0 : index
    %v0 = "dnn.constant"() {value = dense<[[[2.500000e+00, 5.000000e-01, -2.500000e+00]], [[-2.500000e+00, 3.500000e+00, 1.500000e+00]]]> : tensor<2x1x3xf32>} : () -> tensor<2x1x3xf32>
    %v1 = "dnn.tanh"(%v0) : (tensor<2x1x3xf32>) -> tensor<2x1x3xf32>
    %v2 = "dnn.pad"(%v1) {pads = array<i64: 0, 0, 2, 2, 1, 0>, value = 1.500000e+00 : f32} : (tensor<2x1x3xf32>) -> tensor<4x2x5xf32>
    %2, %r8, %r9 = scf.while (%3 = %1, %r3 = %v2) : (index, tensor<4x2x5xf32>) -> (index, tensor<2x1x3xf32>, tensor<2x1x3xf32>) {
      %4 = arith.cmpi slt, %3, %c0 : index
      scf.condition(%4) %3, %v0, %v1 : index, tensor<2x1x3xf32>, tensor<2x1x3xf32>
    } do {
    ^bb0(%5: index, %r4: tensor<2x1x3xf32>, %r5: tensor<2x1x3xf32>):
      %v6 = "dnn.as_strided_scatter"(%r4, %x0) {size = array<i64: 3>, stride = array<i64: 2>, storage_offset = 1 : i64} : (tensor<2x1x3xf32>, tensor<3xf32>) -> tensor<2x1x3xf32>
      %v7 = "dnn.sqrt"(%r4) : (tensor<2x1x3xf32>) -> tensor<2x1x3xf32>
      %6 = arith.addi %5, %0 : index
      scf.yield %6, %v2 : index, tensor<4x2x5xf32>
    }
    func.return %r8 : tensor<2x1x3xf32>
  }
}
// optimal: 5 reuse=1 refused=[constant]; 6 reuse=0; 7 reuse=-1,-1,1 succ_reuse=[-1,0]; 10 refused=[used-later]; 11 inplace=0
// paddle: 5 refused=[engine]; 10 refused=[not-listed]; 11 refused=[engine]
// nntrainer: 5 refused=[constant] inplace_mode=none; 6 inplace_mode=none; 7 inplace_mode=none; 10 refused=[not-listed] inplace_mode=none; 11 refused=[not-listed] inplace_mode=none
// reinplace: 5 refused=[constant]; 10 refused=[used-later]; 11 inplace=0
// transpiler: 5 refused=[constant]; 10 refused=[not-listed]; 11 inplace=0
// pool optimal: 5 reuse=1 refused=[constant]; 6 reuse=0; 7 reuse=-1,-1,1 succ_reuse=[-1,0]; 10 refused=[used-later]; 11 inplace=0
// pool transpiler: 5 refused=[constant]; 10 refused=[not-listed]; 11 inplace=0
// random nntrainer: 5 refused=[constant] inplace_mode=none; 6 inplace_mode=none; 7 inplace_mode=none; 10 refused=[not-listed] inplace_mode=none; 11 refused=[not-listed] inplace_mode=none
// random transpiler: 5 refused=[constant]; 10 refused=[not-listed]; 11 inplace=0
//   dnn.tanh (v1): %v1 is not written over %v0: the op is not to run on oneDNN, which the strategy asks for [engine] | paddle
//   dnn.as_strided_scatter (v6): %v6 is not written over %r4: the strategy's system does not do that [not-listed] | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.sqrt (v7): %v7 is not written over %r4: the strategy's system does not do that [not-listed] | nntrainer, random nntrainer
//   dnn.sqrt (v7): %v7 is not written over %r4: the op is not to run on oneDNN, which the strategy asks for [engine] | paddle
//   scf.while (r8, r9): %v2 is copied into %r3, 160 bytes: it is read again on another path or iteration [control-flow]; compute it on the path or in the iteration that reads it | paddle, nntrainer, reinplace, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.tanh (v1): %v1 is not written over %v0: the operand is a constant [constant] | optimal, nntrainer, reinplace, transpiler, pool optimal, pool transpiler, random nntrainer, random transpiler
//   dnn.as_strided_scatter (v6): %v6 is not written over %r4: it is read later [used-later] | reinplace
//   dnn.as_strided_scatter (v6): %v6 is not written over %r4: it is read later, by dnn.sqrt at line 14 [used-later] | optimal, pool optimal
//   dnn.sqrt (v7): %v7 is written over %r4, operand 0 | optimal, reinplace, transpiler, pool optimal, pool transpiler, random transpiler
//   scf.condition: %v0 is copied into %r8, 24 bytes: the operand is a constant [constant]; make it an argument with `dnn.donated`, or put an op before that makes a new value | all
//   scf.condition: %v1 is copied into %r9, 24 bytes: it is read again on another path or iteration [control-flow]; compute it on the path or in the iteration that reads it | paddle, nntrainer, reinplace, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.as_strided_scatter (v6): %r4 is copied into %v6, 24 bytes: it is read later [used-later]; move the op that reads it later before this one; `--plan-pass` tries that | reinplace
//   dnn.as_strided_scatter (v6): %x0 is copied into %v6, 12 bytes: it is read later [used-later]; move the op that reads it later before this one; `--plan-pass` tries that | reinplace
//   dnn.as_strided_scatter (v6): %r4 is copied into %v6, 24 bytes: the strategy's system does not do that [not-listed]; `strategy=optimal` goes by contracts alone | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.as_strided_scatter (v6): %x0 is copied into %v6, 12 bytes: the strategy's system does not do that [not-listed]; `strategy=optimal` goes by contracts alone | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   scf.yield: %v2 is copied into %r3, 160 bytes: it is read again on another path or iteration [control-flow]; compute it on the path or in the iteration that reads it | paddle, nntrainer, reinplace, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.as_strided_scatter (v6): %r4 is copied into %v6, 24 bytes: it is read later, by dnn.sqrt at line 14 [used-later]; move the op that reads it later before this one; `--plan-pass` tries that | optimal, pool optimal
//   dnn.as_strided_scatter (v6): %x0 is copied into %v6, 12 bytes: it is read later, by dnn.sqrt at line 14 [used-later]; move the op that reads it later before this one; `--plan-pass` tries that | optimal, pool optimal
