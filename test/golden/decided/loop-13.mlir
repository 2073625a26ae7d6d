builtin.module {
  func.func @main(%x0: tensor<2x2xf32> {dnn.donated}, %c: i1, %n: index) -> (tensor<2x2xf32> {dnn.tied = 0 : i32}, tensor<2x2xf32>) {
    %v1 = "dnn.fill"(%x0) {value = 1.000000e+00 : f32} : (tensor<2x2xf32>) -> tensor<2x2xf32>
    %v6 = scf.while (%v2 = %x0) : (tensor<2x2xf32>) -> tensor<2x2xf32> {
      %v4 = "dnn.transpose"(%v1) {perm = array<i64: 1, 0>} : (tensor<2x2xf32>) -> tensor<2x2xf32>
      scf.condition(%c) %v4 : tensor<2x2xf32>
    } do {
    ^bb0(%v3: tensor<2x2xf32>):
      %v5 = "dnn.slice"(%v1) {dim = 0 : i64, start = 0 : i64, end = 1 : i64} : (tensor<2x2xf32>) -> tensor<1x2xf32>
      scf.yield %v3 : tensor<2x2xf32>
    }
    %v7 = "dnn.gemm"(%v1, %x0, %v6) : (tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
    func.return %v7, %v6 : tensor<2x2xf32>, tensor<2x2xf32>
  }
}
// optimal: 2 refused=[used-later]; 3 reuse=0 succ_reuse=[0] refused=[used-later]; 8 refused=[returned]
// paddle: 2 refused=[not-listed]; 3 refused=[used-later]; 8 refused=[not-listed]
// nntrainer: 2 refused=[not-listed] inplace_mode=none; 3 refused=[used-later] inplace_mode=none; 4 inplace_mode=none; 6 inplace_mode=none; 8 refused=[not-listed] inplace_mode=none
// reinplace: 2 refused=[program-input]; 3 refused=[used-later]; 8 refused=[returned]
// transpiler: 2 refused=[used-later]; 3 refused=[used-later]; 8 refused=[not-listed]
// pool optimal: 2 refused=[used-later]; 3 reuse=0 succ_reuse=[0] refused=[used-later]; 8 refused=[returned]
// pool transpiler: 2 refused=[used-later]; 3 refused=[used-later]; 8 refused=[not-listed]
// random nntrainer: 2 refused=[not-listed] inplace_mode=none; 3 refused=[used-later] inplace_mode=none; 4 inplace_mode=none; 6 inplace_mode=none; 8 refused=[not-listed] inplace_mode=none
// random transpiler: 2 refused=[used-later]; 3 refused=[used-later]; 8 refused=[not-listed]
//   dnn.fill (v1): %v1 is not written over %x0: the operand is memory of the caller, neither donated nor tied [program-input] | reinplace
//   dnn.fill (v1): %v1 is not written over %x0: the strategy's system does not do that [not-listed] | paddle, nntrainer, random nntrainer
//   dnn.fill (v1): %v1 is not written over %x0: it is read later, by scf.while at line 4 [used-later] | optimal, transpiler, pool optimal, pool transpiler, random transpiler
//   scf.while (v6): %v6 is not written over %x0: it is read later, by dnn.gemm at line 12 [used-later] | all
//   dnn.gemm (v7): %v7 is not written over %v6: it is returned [returned] | reinplace
//   dnn.gemm (v7): %v7 is not written over %v6: the strategy's system does not do that [not-listed] | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.gemm (v7): %v7 is not written over %v6: it is returned, by func.return at line 13 [returned] | optimal, pool optimal
//   scf.while (v6): %x0 is copied into %v2, 16 bytes: it is read later, by dnn.gemm at line 12 [used-later]; move the op that reads it later before this one; `--plan-pass` tries that | all
//   scf.condition: %v4 is copied into %v6, 16 bytes: it is read again on another path or iteration [control-flow]; compute it on the path or in the iteration that reads it | all
//   scf.yield: %v3 is copied into %v2, 16 bytes: it is read again on another path or iteration [control-flow]; compute it on the path or in the iteration that reads it | paddle, nntrainer, reinplace, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.gemm (v7): %v6 is copied into %v7, 16 bytes: the memory is used for another result [taken]; `--plan-pass` weighs the bytes of both; `parts=false` leaves parts out | all
//   func.return: %v7 is copied into the memory of result 0, 16 bytes: it is returned [returned]; return it once, from the op that makes it, or tie it to an argument | all
