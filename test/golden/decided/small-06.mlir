builtin.module {
  func.func @main(%x0: tensor<1x3xf32>, %x1: tensor<1x3xf32> {dnn.donated}, %x2: tensor<3xi64>, %c0: i1) -> (tensor<3xi64> {dnn.tied = 2 : i32}, tensor<1x1xf32>) {
    %v0 = "dnn.constant"() {value = dense<[0, 1, 1]> : tensor<3xi64>} : () -> tensor<3xi64>
    %v1 = "dnn.gru"(%x0, %x1, %x1, %v0) {operandSegmentSizes = array<i32: 1, 1, 1, 0, 1>} : (tensor<1x3xf32>, tensor<1x3xf32>, tensor<1x3xf32>, tensor<3xi64>) -> tensor<1x1xf32>
    cf.cond_br %c0, ^bb1(%v0 : tensor<3xi64>), ^bb2
  ^bb1(%r2: tensor<3xi64>):
    %v3 = "dnn.flatten"(%v0) {axis = 0 : i64} : (tensor<3xi64>) -> tensor<1x3xi64>
    cf.br ^bb3(%r2, %v1 : tensor<3xi64>, tensor<1x1xf32>)
  ^bb2:
    %v4 = "dnn.zeros"() : () -> tensor<1x1xf32>
    cf.br ^bb3(%x2, %v4 : tensor<3xi64>, tensor<1x1xf32>)
  ^bb3(%r5: tensor<3xi64>, %r6: tensor<1x1xf32>):
    %v7 = "dnn.mul"(%v1, %r6) : (tensor<1x1xf32>, tensor<1x1xf32>) -> tensor<1x1xf32>
    %r9, %r10 = scf.if %c0 -> (tensor<1x1xf32>, tensor<1x1xf32>) {
      %v8 = "dnn.gelu"(%v1) : (tensor<1x1xf32>) -> tensor<1x1xf32>
      scf.yield %v1, %v7 : tensor<1x1xf32>, tensor<1x1xf32>
    } else {
      scf.yield %v7, %v7 : tensor<1x1xf32>, tensor<1x1xf32>
    }
    func.return %r5, %r6 : tensor<3xi64>, tensor<1x1xf32>
  }
}
// optimal: 3 reuse=2 refused=[kernel]; 4 succ_reuse=[0 ]; 6 succ_reuse=[0,1]; 7 reuse=1; 8 succ_reuse=[0,1]; 9 reuse=3 refused=[used-later]; 10 reuse=2,3; 11 refused=[used-later]
// paddle: 3 refused=[kernel]; 9 reuse=0 refused=[not-listed]; 10 reuse=-1,0; 11 refused=[not-listed]
// nntrainer: 3 refused=[kernel] inplace_mode=none; 5 inplace_mode=restricting; 7 inplace_mode=none; 9 reuse=0 refused=[not-listed] inplace_mode=none; 10 reuse=-1,0 inplace_mode=none; 11 refused=[restricting-input] inplace_mode=none
// reinplace: 3 refused=[kernel]; 9 reuse=0 refused=[used-later]; 10 reuse=-1,0; 11 refused=[used-later]
// transpiler: 3 refused=[kernel]; 9 reuse=0 refused=[not-listed]; 10 reuse=-1,0; 11 refused=[used-later]
// pool optimal: 3 reuse=2 refused=[kernel]; 4 succ_reuse=[0 ]; 6 succ_reuse=[0,1]; 7 reuse=1; 8 succ_reuse=[0,1]; 9 reuse=3 refused=[used-later]; 10 reuse=2,3; 11 refused=[used-later]
// pool transpiler: 3 refused=[kernel]; 9 reuse=0 refused=[not-listed]; 10 reuse=-1,0; 11 refused=[used-later]
// random nntrainer: 3 refused=[kernel] inplace_mode=none; 5 inplace_mode=restricting; 7 inplace_mode=none; 9 reuse=0 refused=[not-listed] inplace_mode=none; 10 reuse=-1,0 inplace_mode=none; 11 refused=[restricting-input] inplace_mode=none
// random transpiler: 3 refused=[kernel]; 9 reuse=0 refused=[not-listed]; 10 reuse=-1,0; 11 refused=[used-later]
//   dnn.gru (v1): %v1 is not written over %x0: no kernel of this op writes over that operand [kernel] | all
//   dnn.mul (v7): %v7 is not written over %v1: it is read later [used-later] | reinplace
//   dnn.gelu (v8): %v8 is not written over %v1: it is read later [used-later] | reinplace
//   dnn.mul (v7): %v7 is not written over %v1: the strategy's system does not do that [not-listed] | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.gelu (v8): %v8 is not written over %v1: the op before is in place and restricts this one [restricting-input] | nntrainer, random nntrainer
//   dnn.gelu (v8): %v8 is not written over %v1: the strategy's system does not do that [not-listed] | paddle
//   dnn.mul (v7): %v7 is not written over %v1: it is read later, by scf.if at line 14 [used-later] | optimal, pool optimal
//   dnn.gelu (v8): %v8 is not written over %v1: it is read later, by scf.yield at line 16 [used-later] | optimal, transpiler, pool optimal, pool transpiler, random transpiler
//   cf.cond_br: %v0 is copied into %r2, 24 bytes: the operand is a constant [constant]; make it an argument with `dnn.donated`, or put an op before that makes a new value | all
//   cf.br: %r2 is copied into %r5, 24 bytes: it is read again on another path or iteration [control-flow]; compute it on the path or in the iteration that reads it | paddle, nntrainer, reinplace, transpiler, pool transpiler, random nntrainer, random transpiler
//   cf.br: %v1 is copied into %r6, 4 bytes: it is read again on another path or iteration [control-flow]; compute it on the path or in the iteration that reads it | all
//   cf.br: %x2 is copied into %r5, 24 bytes: it is read again on another path or iteration [control-flow]; compute it on the path or in the iteration that reads it | paddle, nntrainer, reinplace, transpiler, pool transpiler, random nntrainer, random transpiler
//   cf.br: %v4 is copied into %r6, 4 bytes: it is read again on another path or iteration [control-flow]; compute it on the path or in the iteration that reads it | paddle, nntrainer, reinplace, transpiler, pool transpiler, random nntrainer, random transpiler
//   scf.yield: %v1 is copied into %r9, 4 bytes: it is read again on another path or iteration [control-flow]; compute it on the path or in the iteration that reads it | paddle, nntrainer, reinplace, transpiler, pool transpiler, random nntrainer, random transpiler
//   scf.yield: %v7 is copied into %r9, 4 bytes: it is read again on another path or iteration [control-flow]; compute it on the path or in the iteration that reads it | all
//   func.return: %r5 is copied into the memory of result 0, 24 bytes: it is returned [returned]; return it once, from the op that makes it, or tie it to an argument | paddle, nntrainer, reinplace, transpiler, pool transpiler, random nntrainer, random transpiler
