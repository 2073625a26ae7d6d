builtin.module {
  func.func @main(%x0: tensor<2xf32>, %x1: tensor<3x4xf32>, %c0: i1, %c1: index) -> (tensor<3x4xf32> {dnn.tied = 1 : i32}) {
    %0 = arith.constant 1 : index
    %1 = arith.constant 0 : index
    %v0 = "dnn.constant"() {value = dense<[[5.000000e-01, -2.500000e+00, 3.500000e+00, -1.500000e+00], [-5.000000e-01, -5.000000e-01, 1.500000e+00, 2.500000e+00], [5.000000e-01, 1.500000e+00, 1.500000e+00, -1.500000e+00]]> : tensor<3x4xf32>} : () -> tensor<3x4xf32>
    %v1 = "dnn.relu"(%v0) : (tensor<3x4xf32>) -> tensor<3x4xf32>
    %r7, %r8 = scf.if %c0 -> (tensor<2xf32>, tensor<3x4xf32>) {
      %r4 = scf.for %2 = %1 to %c1 step %0 iter_args(%r2 = %v0) -> (tensor<3x4xf32>) {
        %v3 = "dnn.as_strided_scatter"(%r2, %x0) {size = array<i64: 2>, stride = array<i64: 3>, storage_offset = 5 : i64} : (tensor<3x4xf32>, tensor<2xf32>) -> tensor<3x4xf32>
        scf.yield %r2 : tensor<3x4xf32>
      }
      scf.yield %x0, %v0 : tensor<2xf32>, tensor<3x4xf32>
    } else {
      %v5 = "dnn.sub"(%x0, %x0) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
      %v6 = "dnn.less"(%x1, %v1) : (tensor<3x4xf32>, tensor<3x4xf32>) -> tensor<3x4xi1>
      scf.yield %v5, %x1 : tensor<2xf32>, tensor<3x4xf32>
    }
    %v9 = "dnn.tanh"(%r7) : (tensor<2xf32>) -> tensor<2xf32>
    func.return %r8 : tensor<3x4xf32>
  }
}
// optimal: 5 refused=[constant]; 6 reuse=0,1; 7 inplace=3; 8 refused=[constant]; 11 reuse=0 refused=[program-input]; 12 refused=[kernel]; 14 inplace=0
// paddle: 5 refused=[engine]; 6 reuse=0,-1; 7 refused=[constant]; 8 refused=[not-listed]; 11 reuse=0 refused=[not-listed]; 12 refused=[kernel]; 14 refused=[engine]
// nntrainer: 5 refused=[restricting-input] inplace_mode=none; 6 reuse=0,-1 inplace_mode=none; 7 refused=[constant] inplace_mode=none; 8 refused=[not-listed] inplace_mode=none; 11 reuse=0 refused=[not-listed] inplace_mode=none; 12 refused=[kernel] inplace_mode=none; 14 inplace=0 inplace_mode=restricting
// reinplace: 5 refused=[constant]; 6 reuse=0,-1; 7 refused=[constant]; 8 refused=[used-later]; 11 reuse=0 refused=[program-input]; 12 refused=[kernel]; 14 inplace=0
// transpiler: 5 refused=[constant]; 6 reuse=0,-1; 7 refused=[constant]; 8 refused=[not-listed]; 11 reuse=0 refused=[not-listed]; 12 refused=[kernel]; 14 inplace=0
// pool optimal: 5 refused=[constant]; 6 reuse=0,1; 7 inplace=3; 8 refused=[constant]; 11 reuse=0 refused=[program-input]; 12 refused=[kernel]; 14 inplace=0
// pool transpiler: 5 refused=[constant]; 6 reuse=0,-1; 7 refused=[constant]; 8 refused=[not-listed]; 11 reuse=0 refused=[not-listed]; 12 refused=[kernel]; 14 inplace=0
// random nntrainer: 5 refused=[restricting-input] inplace_mode=none; 6 reuse=0,-1 inplace_mode=none; 7 refused=[constant] inplace_mode=none; 8 refused=[not-listed] inplace_mode=none; 11 reuse=0 refused=[not-listed] inplace_mode=none; 12 refused=[kernel] inplace_mode=none; 14 inplace=0 inplace_mode=restricting
// random transpiler: 5 refused=[constant]; 6 reuse=0,-1; 7 refused=[constant]; 8 refused=[not-listed]; 11 reuse=0 refused=[not-listed]; 12 refused=[kernel]; 14 inplace=0
//   dnn.relu (v1): %v1 is not written over %v0: the op before is in place and restricts this one [restricting-input] | nntrainer, random nntrainer
//   dnn.relu (v1): %v1 is not written over %v0: the op is not to run on oneDNN, which the strategy asks for [engine] | paddle
//   scf.for (r4): %r4 is not written over %v0: the operand is a constant [constant] | paddle, nntrainer, reinplace, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.as_strided_scatter (v3): %v3 is not written over %r2: it is read later [used-later] | reinplace
//   dnn.as_strided_scatter (v3): %v3 is not written over %r2: the strategy's system does not do that [not-listed] | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.sub (v5): %v5 is not written over %x0: the strategy's system does not do that [not-listed] | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.relu (v1): %v1 is not written over %v0: the operand is a constant [constant] | optimal, reinplace, transpiler, pool optimal, pool transpiler, random transpiler
//   scf.for (r4): %r4 is written over %v0, operand 3 | optimal, pool optimal
//   dnn.as_strided_scatter (v3): %v3 is not written over %r2: the operand is a constant, as %v0 [constant] | optimal, pool optimal
//   dnn.sub (v5): %v5 is not written over %x0: the operand is memory of the caller, neither donated nor tied [program-input] | optimal, reinplace, pool optimal
//   dnn.less (v6): %v6 is not written over %x1: no kernel of this op writes over that operand [kernel] | all
//   dnn.tanh (v9): %v9 is not written over %r7: the op is not to run on oneDNN, which the strategy asks for [engine] | paddle
//   scf.for (r4): %v0 is copied into %r4, 48 bytes: the operand is a constant [constant]; make it an argument with `dnn.donated`, or put an op before that makes a new value | paddle, nntrainer, reinplace, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.as_strided_scatter (v3): %r2 is copied into %v3, 48 bytes: it is read later [used-later]; move the op that reads it later before this one; `--plan-pass` tries that | reinplace
//   dnn.as_strided_scatter (v3): %x0 is copied into %v3, 8 bytes: it is read later [used-later]; move the op that reads it later before this one; `--plan-pass` tries that | reinplace
//   dnn.as_strided_scatter (v3): %r2 is copied into %v3, 48 bytes: the strategy's system does not do that [not-listed]; `strategy=optimal` goes by contracts alone | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.as_strided_scatter (v3): %x0 is copied into %v3, 8 bytes: the strategy's system does not do that [not-listed]; `strategy=optimal` goes by contracts alone | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.tanh (v9): %v9 is written over %r7, operand 0 | optimal, nntrainer, reinplace, transpiler, pool optimal, pool transpiler, random nntrainer, random transpiler
//   dnn.as_strided_scatter (v3): %r2 is copied into %v3, 48 bytes: the operand is a constant [constant]; make it an argument with `dnn.donated`, or put an op before that makes a new value | optimal, pool optimal
//   dnn.as_strided_scatter (v3): %x0 is copied into %v3, 8 bytes: the operand is a constant, so no op computes it in its part of the result [constant]; compute the operand in the function: an op may write its result to a part of another value | optimal, pool optimal
//   scf.yield: %x0 is copied into %r7, 8 bytes: the operand is memory of the caller, neither donated nor tied [program-input]; mark the argument `dnn.donated`, or tie a result to it with `dnn.tied` | all
//   scf.yield: %v0 is copied into %r8, 48 bytes: the operand is a constant [constant]; make it an argument with `dnn.donated`, or put an op before that makes a new value | all
//   scf.yield: %x1 is copied into %r8, 48 bytes: it is read again on another path or iteration [control-flow]; compute it on the path or in the iteration that reads it | paddle, nntrainer, reinplace, transpiler, pool transpiler, random nntrainer, random transpiler
//   func.return: %r8 is copied into the memory of result 0, 48 bytes: it is returned [returned]; return it once, from the op that makes it, or tie it to an argument | paddle, nntrainer, reinplace, transpiler, pool transpiler, random nntrainer, random transpiler
