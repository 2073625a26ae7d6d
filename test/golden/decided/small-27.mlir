builtin.module {
  func.func @main(%x0: tensor<4x1xi32>, %x1: tensor<4x1xi1> {dnn.donated}, %c0: index) -> (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) {
    %0 = arith.constant 1 : index
    %1 = arith.constant 0 : index
    %v0 = "dnn.constant"() {value = dense<[[-2.500000e+00, -1.500000e+00], [-1.500000e+00, 5.000000e-01]]> : tensor<2x2xf32>} : () -> tensor<2x2xf32>
    %v1 = "dnn.elu"(%v0) : (tensor<2x2xf32>) -> tensor<2x2xf32>
    %2, %r6 = scf.while (%3 = %1, %r2 = %v1) : (index, tensor<2x2xf32>) -> (index, tensor<2x2xf32>) {
      %4 = arith.cmpi slt, %3, %c0 : index
      scf.condition(%4) %3, %r2 : index, tensor<2x2xf32>
    } do {
    ^bb0(%5: index, %r3: tensor<2x2xf32>):
      %r4, %r5 = func.call @f0(%x0, %x1) : (tensor<4x1xi32>, tensor<4x1xi1>) -> (tensor<4x1xi32>, tensor<4x1xi32>)
      %6 = arith.addi %5, %0 : index
      scf.yield %6, %v0 : index, tensor<2x2xf32>
    }
    %v7, %v8, %v9, %v10 = "dnn.unbind"(%x0) {axis = 0 : i64} : (tensor<4x1xi32>) -> (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>)
    func.return %v7, %v9, %v8 : tensor<1xi32>, tensor<1xi32>, tensor<1xi32>
  }
  func.func @f0(%x0: tensor<4x1xi32>, %x1: tensor<4x1xi1>) -> (tensor<4x1xi32>, tensor<4x1xi32>) {
    %v0 = "dnn.where"(%x1, %x0, %x0) : (tensor<4x1xi1>, tensor<4x1xi32>, tensor<4x1xi32>) -> tensor<4x1xi32>
    func.return %v0, %v0 : tensor<4x1xi32>, tensor<4x1xi32>
  }
}
// optimal: 5 refused=[constant]; 6 inplace=-1,1; 15 refused=[program-input]
// paddle: 5 refused=[not-listed]; 6 inplace=-1,1; 15 refused=[not-listed]
// nntrainer: 5 refused=[constant] inplace_mode=none; 6 inplace=-1,1 inplace_mode=none; 9 inplace_mode=none; 12 inplace_mode=none; 15 refused=[not-listed] inplace_mode=none
// reinplace: 5 refused=[constant]; 6 inplace=-1,1; 15 refused=[not-listed]
// transpiler: 5 refused=[constant]; 6 inplace=-1,1; 15 refused=[not-listed]
// pool optimal: 5 refused=[constant]; 6 inplace=-1,1; 15 refused=[program-input]
// pool transpiler: 5 refused=[constant]; 6 inplace=-1,1; 15 refused=[not-listed]
// random nntrainer: 5 refused=[constant] inplace_mode=none; 6 inplace=-1,1 inplace_mode=none; 9 inplace_mode=none; 12 inplace_mode=none; 15 refused=[not-listed] inplace_mode=none
// random transpiler: 5 refused=[constant]; 6 inplace=-1,1; 15 refused=[not-listed]
//   dnn.elu (v1): %v1 is not written over %v0: the strategy's system does not do that [not-listed] | paddle
//   dnn.elu (v1): %v1 is not written over %v0: the operand is a constant [constant] | optimal, nntrainer, reinplace, transpiler, pool optimal, pool transpiler, random nntrainer, random transpiler
//   scf.while (r6): %r6 is written over %v1, operand 1 | all
//   scf.yield: %v0 is copied into %r2, 16 bytes: the operand is a constant [constant]; make it an argument with `dnn.donated`, or put an op before that makes a new value | all
//   func.return: %v7 is copied into the memory of result 0, 4 bytes: the operand is memory of the caller, neither donated nor tied [program-input]; mark the argument `dnn.donated`, or tie a result to it with `dnn.tied` | all
//   func.return: %v9 is copied into the memory of result 1, 4 bytes: the operand is memory of the caller, neither donated nor tied [program-input]; mark the argument `dnn.donated`, or tie a result to it with `dnn.tied` | all
//   func.return: %v8 is copied into the memory of result 2, 4 bytes: the operand is memory of the caller, neither donated nor tied [program-input]; mark the argument `dnn.donated`, or tie a result to it with `dnn.tied` | all
//   dnn.where (v0): %v0 is not written over %x0: the strategy's system does not do that [not-listed] | paddle, nntrainer, reinplace, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.where (v0): %v0 is not written over %x0: the operand is memory of the caller, neither donated nor tied [program-input] | optimal, pool optimal
//   func.return: %v0 is copied into the memory of result 1, 16 bytes: it is returned [returned]; return it once, from the op that makes it, or tie it to an argument | all
