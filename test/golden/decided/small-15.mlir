builtin.module {
  func.func @main(%x0: tensor<3x4xf32> {dnn.donated}, %x1: tensor<4x3xf32>, %c0: i1) -> (tensor<3x4xf32>, tensor<3x4xf32>) {
    %v0 = "dnn.minimum"(%x0, %x0) : (tensor<3x4xf32>, tensor<3x4xf32>) -> tensor<3x4xf32>
    %v1 = "dnn.abs"(%v0) : (tensor<3x4xf32>) -> tensor<3x4xf32>
    %r8 = scf.if %c0 -> (tensor<3x4xf32>) {
      %r5 = scf.if %c0 -> (tensor<3x4xf32>) {
        %v2 = "dnn.multiout"(%v1) : (tensor<3x4xf32>) -> tensor<3x4xf32>
        %v3 = "dnn.tanh"(%v0) : (tensor<3x4xf32>) -> tensor<3x4xf32>
        scf.yield %v3 : tensor<3x4xf32>
      } else {
        %v4 = "dnn.transpose"(%v1) {perm = array<i64: 1, 0>} : (tensor<3x4xf32>) -> tensor<4x3xf32>
        scf.yield %v1 : tensor<3x4xf32>
      }
      scf.yield %v1 : tensor<3x4xf32>
    } else {
      %v6 = "dnn.constant"() {value = dense<[[-2.500000e+00, -5.000000e-01, 5.000000e-01], [3.500000e+00, -1.500000e+00, -1.500000e+00], [3.500000e+00, -5.000000e-01, 3.500000e+00]]> : tensor<3x3xf32>} : () -> tensor<3x3xf32>
      %v7 = "dnn.gemm"(%v1, %v6) {transA = 1 : i64, transB = 1 : i64, beta = 2.000000e+00 : f32} : (tensor<3x4xf32>, tensor<3x3xf32>) -> tensor<4x3xf32>
      scf.yield %v0 : tensor<3x4xf32>
    }
    func.return %v0, %v0 : tensor<3x4xf32>, tensor<3x4xf32>
  }
}
// optimal: 2 inplace=0; 3 reuse=0 refused=[used-later]; 4 reuse=0; 5 reuse=1; 7 reuse=1 refused=[used-later]; 13 refused=[kernel]
// paddle: 2 refused=[not-listed]; 3 refused=[engine]; 5 reuse=0; 7 reuse=0 refused=[engine]; 13 refused=[kernel]
// nntrainer: 2 refused=[not-listed] inplace_mode=none; 3 refused=[not-listed] inplace_mode=none; 4 inplace_mode=none; 5 reuse=0 inplace_mode=none; 6 inplace_mode=restricting; 7 reuse=0 refused=[restricting-input] inplace_mode=none; 9 inplace_mode=none; 13 refused=[kernel] inplace_mode=none
// reinplace: 2 refused=[program-input]; 3 refused=[used-later]; 5 reuse=0; 7 reuse=0 refused=[used-later]; 13 refused=[kernel]
// transpiler: 2 refused=[not-listed]; 3 refused=[used-later]; 5 reuse=0; 7 reuse=0 refused=[used-later]; 13 refused=[kernel]
// pool optimal: 2 refused=[next-op-reuses]; 3 reuse=0 refused=[used-later]; 4 reuse=0; 5 reuse=1; 7 reuse=1 refused=[used-later]; 13 refused=[kernel]
// pool transpiler: 2 refused=[not-listed]; 3 reuse=0 refused=[used-later]; 5 reuse=1; 7 reuse=1 refused=[used-later]; 13 refused=[kernel]
// random nntrainer: 2 refused=[not-listed] inplace_mode=none; 3 refused=[not-listed] inplace_mode=none; 4 inplace_mode=none; 5 reuse=0 inplace_mode=none; 6 inplace_mode=restricting; 7 reuse=0 refused=[restricting-input] inplace_mode=none; 9 inplace_mode=none; 13 refused=[kernel] inplace_mode=none
// random transpiler: 2 refused=[not-listed]; 3 refused=[used-later]; 5 reuse=0; 7 reuse=0 refused=[used-later]; 13 refused=[kernel]
//   dnn.minimum (v0): %v0 is not written over %x0: a later op already lives in that memory, as %v1, by dnn.abs at line 4 [next-op-reuses] | pool optimal
//   dnn.minimum (v0): %v0 is not written over %x0: the operand is memory of the caller, neither donated nor tied [program-input] | reinplace
//   dnn.abs (v1): %v1 is not written over %v0: it is read later [used-later] | reinplace
//   dnn.tanh (v3): %v3 is not written over %v0: it is read later [used-later] | reinplace
//   dnn.minimum (v0): %v0 is not written over %x0: the strategy's system does not do that [not-listed] | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.abs (v1): %v1 is not written over %v0: the strategy's system does not do that [not-listed] | nntrainer, random nntrainer
//   dnn.tanh (v3): %v3 is not written over %v0: the op before is in place and restricts this one [restricting-input] | nntrainer, random nntrainer
//   dnn.abs (v1): %v1 is not written over %v0: the op is not to run on oneDNN, which the strategy asks for [engine] | paddle
//   dnn.tanh (v3): %v3 is not written over %v0: the op is not to run on oneDNN, which the strategy asks for [engine] | paddle
//   dnn.minimum (v0): %v0 is written over %x0, operand 0 | optimal
//   dnn.abs (v1): %v1 is not written over %v0: it is read later, by scf.if at line 5 [used-later] | optimal, transpiler, pool optimal, pool transpiler, random transpiler
//   dnn.tanh (v3): %v3 is not written over %v0: it is read later, by scf.yield at line 9 [used-later] | optimal, transpiler, pool optimal, pool transpiler, random transpiler
//   dnn.gemm (v7): %v7 is not written over %v1: no kernel of this op writes over that operand [kernel] | all
//   scf.yield: %v1 is copied into %r5, 48 bytes: it is read again on another path or iteration [control-flow]; compute it on the path or in the iteration that reads it | all
//   scf.yield: %v1 is copied into %r8, 48 bytes: it is read again on another path or iteration [control-flow]; compute it on the path or in the iteration that reads it | paddle, nntrainer, reinplace, transpiler, pool transpiler, random nntrainer, random transpiler
//   scf.yield: %v0 is copied into %r8, 48 bytes: it is read again on another path or iteration [control-flow]; compute it on the path or in the iteration that reads it | all
//   func.return: %v0 is copied into the memory of result 1, 48 bytes: it is returned [returned]; return it once, from the op that makes it, or tie it to an argument | all
