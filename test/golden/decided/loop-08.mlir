builtin.module {
  func.func @main(%x0: tensor<4x2xf32>, %c: i1, %n: index) -> tensor<4x2xf32> {
    %v1 = "dnn.exp"(%x0) : (tensor<4x2xf32>) -> tensor<4x2xf32>
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : index
    %v4 = scf.for %i = %zero to %n step %one iter_args(%v2 = %x0) -> (tensor<4x2xf32>) {
      %v3 = "dnn.slice"(%x0) {dim = 1 : i64, start = 1 : i64, end = 2 : i64} : (tensor<4x2xf32>) -> tensor<4x1xf32>
      scf.yield %v2 : tensor<4x2xf32>
    }
    func.return %v4 : tensor<4x2xf32>
  }
}
// optimal: 2 refused=[program-input]; 5 inplace=3
// paddle: 2 refused=[not-listed]; 5 refused=[program-input]
// nntrainer: 2 refused=[not-listed] inplace_mode=none; 5 refused=[program-input] inplace_mode=none; 6 inplace_mode=none
// reinplace: 2 refused=[program-input]; 5 refused=[program-input]
// transpiler: 2 refused=[program-input]; 5 refused=[program-input]
// pool optimal: 2 refused=[program-input]; 5 inplace=3
// pool transpiler: 2 refused=[program-input]; 5 refused=[program-input]
// random nntrainer: 2 refused=[not-listed] inplace_mode=none; 5 refused=[program-input] inplace_mode=none; 6 inplace_mode=none
// random transpiler: 2 refused=[program-input]; 5 refused=[program-input]
//   dnn.exp (v1): %v1 is not written over %x0: the strategy's system does not do that [not-listed] | paddle, nntrainer, random nntrainer
//   scf.for (v4): %v4 is not written over %x0: the operand is memory of the caller, neither donated nor tied [program-input] | paddle, nntrainer, reinplace, transpiler, pool transpiler, random nntrainer, random transpiler
//   scf.for (v4): %x0 is copied into %v4, 32 bytes: the operand is memory of the caller, neither donated nor tied [program-input]; mark the argument `dnn.donated`, or tie a result to it with `dnn.tied` | paddle, nntrainer, reinplace, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.exp (v1): %v1 is not written over %x0: the operand is memory of the caller, neither donated nor tied [program-input] | optimal, reinplace, transpiler, pool optimal, pool transpiler, random transpiler
//   scf.for (v4): %v4 is written over %x0, operand 3 | optimal, pool optimal
//   func.return: %v4 is copied into the memory of result 0, 32 bytes: the operand is memory of the caller, neither donated nor tied [program-input]; mark the argument `dnn.donated`, or tie a result to it with `dnn.tied` | optimal, pool optimal
