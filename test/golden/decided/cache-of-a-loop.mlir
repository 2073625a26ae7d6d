func.func @main(%cache: tensor<16x8xf32> {dnn.donated}, %x: tensor<1x8xf32>, %n: i64) -> (tensor<16x8xf32>, tensor<2x8xf32>) {
  %i0 = "dnn.zeros"() : () -> tensor<i64>
  %zero = "dnn.constant"() {value = dense<0> : tensor<i64>} : () -> tensor<i64>
  %one = "dnn.constant"() {value = dense<1> : tensor<i64>} : () -> tensor<i64>
  %old = "dnn.dynamic_slice"(%cache, %i0, %zero) {slice_sizes = array<i64: 2, 8>} : (tensor<16x8xf32>, tensor<i64>, tensor<i64>) -> tensor<2x8xf32>
  %r, %i, %y = scf.while (%t = %cache, %k = %i0, %a = %x) : (tensor<16x8xf32>, tensor<i64>, tensor<1x8xf32>) -> (tensor<16x8xf32>, tensor<i64>, tensor<1x8xf32>) {
    %now = tensor.extract %k[] : tensor<i64>
    %go = arith.cmpi slt, %now, %n : i64
    scf.condition(%go) %t, %k, %a : tensor<16x8xf32>, tensor<i64>, tensor<1x8xf32>
  } do {
  ^bb0(%t: tensor<16x8xf32>, %k: tensor<i64>, %a: tensor<1x8xf32>):
    %b = "dnn.exp"(%a) : (tensor<1x8xf32>) -> tensor<1x8xf32>
    %c = "dnn.dynamic_update_slice"(%t, %b, %k, %zero) : (tensor<16x8xf32>, tensor<1x8xf32>, tensor<i64>, tensor<i64>) -> tensor<16x8xf32>
    %s = "dnn.dynamic_slice"(%c, %k, %zero) {slice_sizes = array<i64: 2, 8>} : (tensor<16x8xf32>, tensor<i64>, tensor<i64>) -> tensor<2x8xf32>
    %d = "dnn.reduce_sum"(%s) {axes = array<i64: 0>, keepdims = true} : (tensor<2x8xf32>) -> tensor<1x8xf32>
    %j = "dnn.add"(%k, %one) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    scf.yield %c, %j, %d : tensor<16x8xf32>, tensor<i64>, tensor<1x8xf32>
  }
  func.return %r, %old : tensor<16x8xf32>, tensor<2x8xf32>
}
// optimal: 5 refused=[kernel]; 6 inplace=0,1,-1 reuse=-1,-1,0 succ_reuse=[-1,-1,0] refused=[program-input]; 10 inplace=0; 11 inplace=0; 12 refused=[kernel]; 13 reuse=0 refused=[kernel]; 14 inplace=0
// paddle: 5 refused=[kernel]; 6 inplace=0,1,-1 refused=[program-input]; 10 refused=[not-listed]; 11 refused=[not-listed]; 12 refused=[kernel]; 13 refused=[kernel]; 14 refused=[engine]
// nntrainer: 2 inplace_mode=none; 5 refused=[kernel] inplace_mode=none; 6 inplace=0,1,-1 refused=[program-input] inplace_mode=none; 10 refused=[not-listed] inplace_mode=none; 11 refused=[not-listed] inplace_mode=none; 12 refused=[kernel] inplace_mode=none; 13 refused=[kernel] inplace_mode=none; 14 refused=[not-listed] inplace_mode=none
// reinplace: 5 refused=[kernel]; 6 inplace=0,1,-1 refused=[program-input]; 10 inplace=0; 11 refused=[not-listed]; 12 refused=[kernel]; 13 refused=[kernel]; 14 inplace=0
// transpiler: 5 refused=[kernel]; 6 inplace=0,1,-1 refused=[program-input]; 10 inplace=0; 11 refused=[not-listed]; 12 refused=[kernel]; 13 refused=[kernel]; 14 refused=[not-listed]
// pool optimal: 5 refused=[kernel]; 6 inplace=0,1,-1 reuse=-1,-1,0 succ_reuse=[-1,-1,0] refused=[program-input]; 10 inplace=0; 11 inplace=0; 12 refused=[kernel]; 13 reuse=0 refused=[kernel]; 14 inplace=0
// pool transpiler: 5 refused=[kernel]; 6 inplace=0,1,-1 refused=[program-input]; 10 inplace=0; 11 refused=[not-listed]; 12 refused=[kernel]; 13 refused=[kernel]; 14 refused=[not-listed]
// random nntrainer: 2 inplace_mode=none; 5 refused=[kernel] inplace_mode=none; 6 inplace=0,1,-1 refused=[program-input] inplace_mode=none; 10 refused=[not-listed] inplace_mode=none; 11 refused=[not-listed] inplace_mode=none; 12 refused=[kernel] inplace_mode=none; 13 refused=[kernel] inplace_mode=none; 14 refused=[not-listed] inplace_mode=none
// random transpiler: 5 refused=[kernel]; 6 inplace=0,1,-1 refused=[program-input]; 10 inplace=0; 11 refused=[not-listed]; 12 refused=[kernel]; 13 refused=[kernel]; 14 refused=[not-listed]
//   dnn.dynamic_slice (old): %old is not written over %cache: no kernel of this op writes over that operand [kernel] | all
//   scf.while (r, i, y): %r is written over %cache, operand 0 | all
//   scf.while (r, i, y): %i is written over %i0, operand 1 | all
//   scf.while (r, i, y): %y is not written over %x: the operand is memory of the caller, neither donated nor tied [program-input] | all
//   dnn.exp (b): %b is not written over %a: the strategy's system does not do that [not-listed] | paddle, nntrainer, random nntrainer
//   dnn.dynamic_update_slice (c): %c is not written over %t: the strategy's system does not do that [not-listed] | paddle, nntrainer, reinplace, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.exp (b): %b is written over %a, operand 0 | optimal, reinplace, transpiler, pool optimal, pool transpiler, random transpiler
//   dnn.dynamic_update_slice (c): %c is written over %t, operand 0 | optimal, pool optimal
//   dnn.dynamic_slice (s): %s is not written over %c: no kernel of this op writes over that operand [kernel] | all
//   dnn.reduce_sum (d): %d is not written over %s: no kernel of this op writes over that operand [kernel] | all
//   dnn.add (j): %j is not written over %k: the strategy's system does not do that [not-listed] | nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.add (j): %j is not written over %k: the op is not to run on oneDNN, which the strategy asks for [engine] | paddle
//   dnn.add (j): %j is written over %k, operand 0 | optimal, reinplace, pool optimal
//   scf.while (r, i, y): %x is copied into %a, 32 bytes: the operand is memory of the caller, neither donated nor tied [program-input]; mark the argument `dnn.donated`, or tie a result to it with `dnn.tied` | all
//   scf.condition: %a is copied into %y, 32 bytes: it is read again on another path or iteration [control-flow]; compute it on the path or in the iteration that reads it | paddle, nntrainer, reinplace, transpiler, pool transpiler, random nntrainer, random transpiler
//   scf.yield: %c is copied into %t, 512 bytes: it is read again on another path or iteration [control-flow]; compute it on the path or in the iteration that reads it | paddle, nntrainer, reinplace, transpiler, pool transpiler, random nntrainer, random transpiler
//   scf.yield: %j is copied into %k, 8 bytes: it is read again on another path or iteration [control-flow]; compute it on the path or in the iteration that reads it | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   scf.yield: %d is copied into %a, 32 bytes: it is read again on another path or iteration [control-flow]; compute it on the path or in the iteration that reads it | paddle, nntrainer, reinplace, transpiler, pool transpiler, random nntrainer, random transpiler
