builtin.module {
  func.func @main(%x0: tensor<2x2xf32> {dnn.donated}, %c: i1, %n: index) -> (tensor<4x2xf32>, tensor<2x2xf32>) {
    %v1 = "dnn.sum"(%x0, %x0, %x0) : (tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : index
    %v5 = scf.for %i = %zero to %n step %one iter_args(%v2 = %x0) -> (tensor<2x2xf32>) {
      %v3 = "dnn.opaque"(%v2) {kind = "f"} : (tensor<2x2xf32>) -> tensor<2x2xf32>
      %v4 = "dnn.pad"(%x0) {pads = array<i64: 0, 0, 2, 0>} : (tensor<2x2xf32>) -> tensor<4x2xf32>
      scf.yield %v2 : tensor<2x2xf32>
    }
    %v6 = "dnn.concat"(%v1, %x0) {axis = 0 : i64} : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<4x2xf32>
    func.return %v6, %v1 : tensor<4x2xf32>, tensor<2x2xf32>
  }
}
// optimal: 2 refused=[repeated-operand]; 5 inplace=3; 6 refused=[kernel]
// paddle: 2 refused=[not-listed]; 5 refused=[control-flow]; 6 refused=[kernel]
// nntrainer: 2 refused=[not-listed] inplace_mode=none; 5 refused=[control-flow] inplace_mode=none; 6 refused=[kernel] inplace_mode=none; 7 inplace_mode=none; 9 inplace_mode=none
// reinplace: 2 refused=[program-input]; 5 refused=[control-flow]; 6 refused=[kernel]
// transpiler: 2 refused=[not-listed]; 5 refused=[control-flow]; 6 refused=[kernel]
// pool optimal: 2 refused=[repeated-operand]; 5 inplace=3; 6 refused=[kernel]
// pool transpiler: 2 refused=[not-listed]; 5 refused=[control-flow]; 6 refused=[kernel]
// random nntrainer: 2 refused=[not-listed] inplace_mode=none; 5 refused=[control-flow] inplace_mode=none; 6 refused=[kernel] inplace_mode=none; 7 inplace_mode=none; 9 inplace_mode=none
// random transpiler: 2 refused=[not-listed]; 5 refused=[control-flow]; 6 refused=[kernel]
//   dnn.sum (v1): %v1 is not written over %x0: the operand is memory of the caller, neither donated nor tied [program-input] | reinplace
//   dnn.sum (v1): %v1 is not written over %x0: the strategy's system does not do that [not-listed] | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   scf.for (v5): %v5 is not written over %x0: it is read again on another path or iteration [control-flow] | paddle, nntrainer, reinplace, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.sum (v1): %v1 is not written over %x0: the same value is another operand too [repeated-operand] | optimal, pool optimal
//   scf.for (v5): %v5 is written over %x0, operand 3 | optimal, pool optimal
//   dnn.opaque (v3): %v3 is not written over %v2: no kernel of this op writes over that operand [kernel] | all
//   scf.for (v5): %x0 is copied into %v5, 16 bytes: it is read again on another path or iteration [control-flow]; compute it on the path or in the iteration that reads it | paddle, nntrainer, reinplace, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.concat (v6): %v1 is copied into %v6, 16 bytes: the memory is used for another result [taken]; `--plan-pass` weighs the bytes of both; `parts=false` leaves parts out | all
//   dnn.concat (v6): %x0 is copied into %v6, 16 bytes: the operand is memory of the caller, so no op computes it in its part of the result [program-input]; compute the operand in the function: an op may write its result to a part of another value | all
