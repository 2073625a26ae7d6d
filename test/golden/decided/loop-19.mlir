builtin.module {
  func.func @main(%x0: tensor<2x2xf32>, %c: i1, %n: index) -> (tensor<4x2xf32>, tensor<2x2xf32>) {
    %v1 = "dnn.tanh"(%x0) {dnn.engine = "cpu"} : (tensor<2x2xf32>) -> tensor<2x2xf32>
    %v3, %v4 = scf.if %c -> (tensor<2x2xf32>, tensor<2x2xf32>) {
      %v2 = "dnn.slice"(%x0) {dim = 1 : i64, start = 0 : i64, end = 1 : i64} : (tensor<2x2xf32>) -> tensor<2x1xf32>
      scf.yield %v1, %v1 : tensor<2x2xf32>, tensor<2x2xf32>
    } else {
      scf.yield %x0, %x0 : tensor<2x2xf32>, tensor<2x2xf32>
    }
    %v5 = "dnn.tanh"(%v1) {dnn.engine = "cpu"} : (tensor<2x2xf32>) -> tensor<2x2xf32>
    %v6 = "dnn.concat"(%v1, %v1) {axis = 0 : i64} : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<4x2xf32>
    func.return %v6, %v5 : tensor<4x2xf32>, tensor<2x2xf32>
  }
}
// optimal: 2 refused=[program-input]; 7 refused=[used-later]; 8 parts=0
// paddle: 2 refused=[engine]; 7 refused=[engine]
// nntrainer: 2 refused=[restricting-input] inplace_mode=none; 3 inplace_mode=none; 4 inplace_mode=none; 7 refused=[restricting-input] inplace_mode=none; 8 inplace_mode=none
// reinplace: 2 refused=[program-input]; 7 refused=[used-later]
// transpiler: 2 refused=[program-input]; 7 refused=[used-later]
// pool optimal: 2 refused=[program-input]; 7 refused=[used-later]; 8 parts=0
// pool transpiler: 2 refused=[program-input]; 7 refused=[used-later]
// random nntrainer: 2 refused=[restricting-input] inplace_mode=none; 3 inplace_mode=none; 4 inplace_mode=none; 7 refused=[restricting-input] inplace_mode=none; 8 inplace_mode=none
// random transpiler: 2 refused=[program-input]; 7 refused=[used-later]
//   dnn.tanh (v1): %v1 is not written over %x0: the op before is in place and restricts this one [restricting-input] | nntrainer, random nntrainer
//   dnn.tanh (v5): %v5 is not written over %v1: the op before is in place and restricts this one [restricting-input] | nntrainer, random nntrainer
//   dnn.tanh (v1): %v1 is not written over %x0: the op is not to run on oneDNN, which the strategy asks for [engine] | paddle
//   dnn.tanh (v5): %v5 is not written over %v1: the op is not to run on oneDNN, which the strategy asks for [engine] | paddle
//   dnn.tanh (v1): %v1 is not written over %x0: the operand is memory of the caller, neither donated nor tied [program-input] | optimal, reinplace, transpiler, pool optimal, pool transpiler, random transpiler
//   dnn.tanh (v5): %v5 is not written over %v1: it is read later [used-later] | reinplace
//   dnn.tanh (v5): %v5 is not written over %v1: it is read later, by dnn.concat at line 11 [used-later] | optimal, transpiler, pool optimal, pool transpiler, random transpiler
//   dnn.concat (v6): %v1 computed in place in %v6 | optimal, pool optimal
//   scf.yield: %v1 is copied into %v3, 16 bytes: it is read again on another path or iteration [control-flow]; compute it on the path or in the iteration that reads it | all
//   scf.yield: %v1 is copied into %v4, 16 bytes: it is read again on another path or iteration [control-flow]; compute it on the path or in the iteration that reads it | all
//   scf.yield: %x0 is copied into %v3, 16 bytes: the operand is memory of the caller, neither donated nor tied [program-input]; mark the argument `dnn.donated`, or tie a result to it with `dnn.tied` | all
//   scf.yield: %x0 is copied into %v4, 16 bytes: the operand is memory of the caller, neither donated nor tied [program-input]; mark the argument `dnn.donated`, or tie a result to it with `dnn.tied` | all
//   dnn.concat (v6): %v1 is copied into %v6, 16 bytes: the memory is used for another result [taken]; `--plan-pass` weighs the bytes of both; `parts=false` leaves parts out | paddle 2 times, nntrainer 2 times, reinplace 2 times, transpiler 2 times, pool transpiler 2 times, random nntrainer 2 times, random transpiler 2 times
//   dnn.concat (v6): %v1 is copied into %v6, 16 bytes: the same value is another operand too [repeated-operand]; `allow_same_operand` in the op's contract, if its kernel allows it | optimal, pool optimal
