builtin.module {
  func.func @main(%x0: tensor<4xi32> {dnn.donated}, %x1: tensor<f64> {dnn.donated}, %c0: index) -> (tensor<4xi32>, tensor<f64>, tensor<4xi32>) {
    %0 = arith.constant 1 : index
    %1 = arith.constant 0 : index
    %v0 = "dnn.transpose"(%x0) {perm = array<i64: 0>} : (tensor<4xi32>) -> tensor<4xi32>
    cf.br ^bb1(%1, %x0 : index, tensor<4xi32>)
  ^bb1(%2: index, %r1: tensor<4xi32>):
    %v2 = "dnn.stack"(%v0, %r1, %r1) {axis = 0 : i64} : (tensor<4xi32>, tensor<4xi32>, tensor<4xi32>) -> tensor<3x4xi32>
    %3 = arith.cmpi slt, %2, %c0 : index
    cf.cond_br %3, ^bb2, ^bb3
  ^bb2:
    %v3 = "dnn.constant"() {value = dense<[[-5.000000e-01, 1.500000e+00, 5.000000e-01, 3.500000e+00]]> : tensor<1x4xf64>} : () -> tensor<1x4xf64>
    %v4 = "dnn.div"(%v3, %x1) : (tensor<1x4xf64>, tensor<f64>) -> tensor<1x4xf64>
    %v5 = "dnn.mul"(%r1, %v0) : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
    %4 = arith.addi %2, %0 : index
    cf.br ^bb1(%4, %v5 : index, tensor<4xi32>)
  ^bb3:
    func.return %r1, %x1, %r1 : tensor<4xi32>, tensor<f64>, tensor<4xi32>
  }
}
// optimal: 10 refused=[constant]; 11 inplace=0
// paddle: 10 refused=[not-listed]; 11 refused=[not-listed]
// nntrainer: 4 inplace_mode=none; 6 inplace_mode=none; 10 refused=[not-listed] inplace_mode=none; 11 refused=[not-listed] inplace_mode=none
// reinplace: 10 refused=[constant]; 11 refused=[returned]
// transpiler: 10 refused=[not-listed]; 11 refused=[not-listed]
// pool optimal: 10 refused=[constant]; 11 inplace=0
// pool transpiler: 10 refused=[not-listed]; 11 refused=[not-listed]
// random nntrainer: 4 inplace_mode=none; 6 inplace_mode=none; 10 refused=[not-listed] inplace_mode=none; 11 refused=[not-listed] inplace_mode=none
// random transpiler: 10 refused=[not-listed]; 11 refused=[not-listed]
//   dnn.div (v4): %v4 is not written over %v3: the strategy's system does not do that [not-listed] | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.mul (v5): %v5 is not written over %r1: the strategy's system does not do that [not-listed] | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.div (v4): %v4 is not written over %v3: the operand is a constant [constant] | optimal, reinplace, pool optimal
//   dnn.mul (v5): %v5 is not written over %r1: it is returned [returned] | reinplace
//   dnn.mul (v5): %v5 is written over %r1, operand 0 | optimal, pool optimal
//   cf.br: %x0 is copied into %r1, 16 bytes: it is read again on another path or iteration [control-flow]; compute it on the path or in the iteration that reads it | all
//   dnn.stack (v2): %v0 is copied into %v2, 16 bytes: the operand is memory of the caller, so no op computes it in its part of the result [program-input]; compute the operand in the function: an op may write its result to a part of another value | all
//   dnn.stack (v2): %r1 is copied into %v2, 16 bytes: the memory is used for another result [taken]; `--plan-pass` weighs the bytes of both; `parts=false` leaves parts out | optimal 2 times, paddle 2 times, nntrainer 2 times, reinplace 2 times, transpiler 2 times, pool optimal 2 times, pool transpiler 2 times, random nntrainer 2 times, random transpiler 2 times
//   cf.br: %v5 is copied into %r1, 16 bytes: it is read again on another path or iteration [control-flow]; compute it on the path or in the iteration that reads it | paddle, nntrainer, reinplace, transpiler, pool transpiler, random nntrainer, random transpiler
//   func.return: %r1 is copied into the memory of result 2, 16 bytes: it is returned [returned]; return it once, from the op that makes it, or tie it to an argument | all
