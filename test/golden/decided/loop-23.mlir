builtin.module {
  func.func @main(%x0: tensor<4x2xf32>, %c: i1, %n: index) -> (tensor<2x4xf32>, tensor<4x2xf32> {dnn.tied = 0 : i32}, tensor<4x2xf32>) {
    %v1 = "dnn.copy"(%x0) : (tensor<4x2xf32>) -> tensor<4x2xf32>
    %v6, %v7 = scf.while (%v2 = %x0, %v3 = %v1) : (tensor<4x2xf32>, tensor<4x2xf32>) -> (tensor<4x2xf32>, tensor<4x2xf32>) {
      scf.condition(%c) %v3, %v2 : tensor<4x2xf32>, tensor<4x2xf32>
    } do {
    ^bb0(%v4: tensor<4x2xf32>, %v5: tensor<4x2xf32>):
      scf.yield %v4, %v4 : tensor<4x2xf32>, tensor<4x2xf32>
    }
    %v8 = "dnn.transpose"(%v1) {perm = array<i64: 1, 0>} : (tensor<4x2xf32>) -> tensor<2x4xf32>
    func.return %v8, %v1, %v6 : tensor<2x4xf32>, tensor<4x2xf32>, tensor<4x2xf32>
  }
}
// optimal: 2 reuse=1; 3 reuse=1,0 succ_reuse=[0,1] refused=[next-op-reuses returned]
// paddle: 3 inplace=0,-1 refused=[returned]
// nntrainer: 2 inplace_mode=none; 3 inplace=0,-1 refused=[returned] inplace_mode=none; 6 inplace_mode=none
// reinplace: 3 inplace=0,-1 refused=[returned]
// transpiler: 3 inplace=0,-1 refused=[returned]
// pool optimal: 2 reuse=1; 3 reuse=1,0 succ_reuse=[0,1] refused=[next-op-reuses returned]
// pool transpiler: 3 inplace=0,-1 refused=[returned]
// random nntrainer: 2 inplace_mode=none; 3 inplace=0,-1 refused=[returned] inplace_mode=none; 6 inplace_mode=none
// random transpiler: 3 inplace=0,-1 refused=[returned]
//   scf.while (v6, v7): %v6 is written over %x0, operand 0 | paddle, nntrainer, reinplace, transpiler, pool transpiler, random nntrainer, random transpiler
//   scf.while (v6, v7): %v6 is not written over %x0: a later op already lives in that memory [next-op-reuses] | optimal, pool optimal
//   scf.while (v6, v7): %v7 is not written over %v1: it is returned, as %v8, by func.return at line 11 [returned] | all
//   dnn.copy (v1): %x0 is copied into %v1, 32 bytes: the operand is memory of the caller, neither donated nor tied [program-input]; mark the argument `dnn.donated`, or tie a result to it with `dnn.tied` | all
//   scf.while (v6, v7): %v1 is copied into %v3, 32 bytes: it is returned, by func.return at line 11 [returned]; return it once, from the op that makes it, or tie it to an argument | paddle, nntrainer, reinplace, transpiler, pool transpiler, random nntrainer, random transpiler
//   scf.condition: %v2 is copied into %v7, 32 bytes: it is read again on another path or iteration [control-flow]; compute it on the path or in the iteration that reads it | paddle, nntrainer, reinplace, transpiler, pool transpiler, random nntrainer, random transpiler
//   scf.condition: %v3 is copied into %v6, 32 bytes: it is read again on another path or iteration [control-flow]; compute it on the path or in the iteration that reads it | paddle, nntrainer, reinplace, transpiler, pool transpiler, random nntrainer, random transpiler
//   scf.yield: %v4 is copied into %v3, 32 bytes: it is read again on another path or iteration [control-flow]; compute it on the path or in the iteration that reads it | paddle, nntrainer, reinplace, transpiler, pool transpiler, random nntrainer, random transpiler
//   scf.yield: %v4 is copied into %v2, 32 bytes: it is read again on another path or iteration [control-flow]; compute it on the path or in the iteration that reads it | optimal, pool optimal
//   func.return: %v8 is copied into the memory of result 0, 32 bytes: it is returned [returned]; return it once, from the op that makes it, or tie it to an argument | all
//   func.return: %v6 is copied into the memory of result 2, 32 bytes: it is returned [returned]; return it once, from the op that makes it, or tie it to an argument | paddle, nntrainer, reinplace, transpiler, pool transpiler, random nntrainer, random transpiler
//   func.return: %v1 is copied into the memory of result 1, 32 bytes: it is returned [returned]; return it once, from the op that makes it, or tie it to an argument | all
