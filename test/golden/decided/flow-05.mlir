builtin.module {
  func.func @main(%x0: tensor<3x4xf64> {dnn.donated}, %x1: tensor<6x4xf64>, %x2: tensor<1x6xf32> {dnn.donated}, %x3: tensor<2x6xf32>, %c0: index) -> tensor<6x4xf64> {
    %0 = arith.constant 1 : index
    %1 = arith.constant 0 : index
    %v0 = "dnn.constant"() {value = dense<[2.500000e+00, -1.500000e+00, 1.500000e+00, 2.500000e+00]> : tensor<4xf32>} : () -> tensor<4xf32>
    %v1 = "dnn.equal"(%v0, %v0) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
    %2, %r8 = scf.while (%3 = %1, %r2 = %v0) : (index, tensor<4xf32>) -> (index, tensor<4xi1>) {
      %4 = arith.cmpi slt, %3, %c0 : index
      scf.condition(%4) %3, %v1 : index, tensor<4xi1>
    } do {
    ^bb0(%5: index, %r3: tensor<4xi1>):
      %v4 = "dnn.constant"() {value = dense<[0, 3]> : tensor<2xi64>} : () -> tensor<2xi64>
      %v5 = "dnn.crf_decoding"(%x0, %x1, %v4) : (tensor<3x4xf64>, tensor<6x4xf64>, tensor<2xi64>) -> tensor<3x1xi64>
      %v6 = "dnn.constant"() {value = dense<[0, 1]> : tensor<2xi64>} : () -> tensor<2xi64>
      %v7 = "dnn.gru"(%x2, %x3, %x2, %v6) {operandSegmentSizes = array<i32: 1, 1, 1, 0, 1>} : (tensor<1x6xf32>, tensor<2x6xf32>, tensor<1x6xf32>, tensor<2xi64>) -> tensor<1x2xf32>
      %6 = arith.addi %5, %0 : index
      scf.yield %6, %v0 : index, tensor<4xf32>
    }
    func.return %x1 : tensor<6x4xf64>
  }
}
// optimal: 5 reuse=0 refused=[kernel]; 6 reuse=-1,0; 10 refused=[kernel]; 12 refused=[kernel]
// paddle: 5 refused=[kernel]; 10 refused=[kernel]; 12 refused=[kernel]
// nntrainer: 5 refused=[kernel] inplace_mode=none; 6 inplace_mode=none; 10 refused=[kernel] inplace_mode=none; 12 refused=[kernel] inplace_mode=none
// reinplace: 5 refused=[kernel]; 10 refused=[kernel]; 12 refused=[kernel]
// transpiler: 5 refused=[kernel]; 10 refused=[kernel]; 12 refused=[kernel]
// pool optimal: 5 reuse=0 refused=[kernel]; 6 reuse=-1,0; 10 refused=[kernel]; 12 refused=[kernel]
// pool transpiler: 5 refused=[kernel]; 10 refused=[kernel]; 12 refused=[kernel]
// random nntrainer: 5 refused=[kernel] inplace_mode=none; 6 inplace_mode=none; 10 refused=[kernel] inplace_mode=none; 12 refused=[kernel] inplace_mode=none
// random transpiler: 5 refused=[kernel]; 10 refused=[kernel]; 12 refused=[kernel]
//   dnn.equal (v1): %v1 is not written over %v0: no kernel of this op writes over that operand [kernel] | all
//   dnn.crf_decoding (v5): %v5 is not written over %x0: no kernel of this op writes over that operand [kernel] | all
//   dnn.gru (v7): %v7 is not written over %x2: no kernel of this op writes over that operand [kernel] | all
//   scf.while (r8): %v0 is copied into %r2, 16 bytes: the operand is a constant [constant]; make it an argument with `dnn.donated`, or put an op before that makes a new value | all
//   scf.condition: %v1 is copied into %r8, 4 bytes: it is read again on another path or iteration [control-flow]; compute it on the path or in the iteration that reads it | paddle, nntrainer, reinplace, transpiler, pool transpiler, random nntrainer, random transpiler
//   scf.yield: %v0 is copied into %r2, 16 bytes: the operand is a constant [constant]; make it an argument with `dnn.donated`, or put an op before that makes a new value | all
//   func.return: %x1 is copied into the memory of result 0, 192 bytes: the operand is memory of the caller, neither donated nor tied [program-input]; mark the argument `dnn.donated`, or tie a result to it with `dnn.tied` | all
