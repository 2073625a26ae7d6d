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
// optimal: 3 reuse=2 refused=[kernel]; 4 succ_reuse=[0 ]; 6 succ_reuse=[0,1]; 7 reuse=1; 8 succ_reuse=[0,1]; 9 reuse=3 refused=[used-later]; 10 reuse=2,3; 11 refused=[used-later]; 512cdc5a185b
// paddle: 3 refused=[kernel]; 9 reuse=0 refused=[not-listed]; 10 reuse=-1,0; 11 refused=[not-listed]; 97f40308015d
// nntrainer: 3 refused=[kernel] inplace_mode=none; 5 inplace_mode=restricting; 7 inplace_mode=none; 9 reuse=0 refused=[not-listed] inplace_mode=none; 10 reuse=-1,0 inplace_mode=none; 11 refused=[restricting-input] inplace_mode=none; 4869e062be93
// reinplace: 3 refused=[kernel]; 9 reuse=0 refused=[used-later]; 10 reuse=-1,0; 11 refused=[used-later]; 2af06d11b9be
// transpiler: 3 refused=[kernel]; 9 reuse=0 refused=[not-listed]; 10 reuse=-1,0; 11 refused=[used-later]; 2cb0c31f7a48
// pool, optimal: 3 reuse=2 refused=[kernel]; 4 succ_reuse=[0 ]; 6 succ_reuse=[0,1]; 7 reuse=1; 8 succ_reuse=[0,1]; 9 reuse=3 refused=[used-later]; 10 reuse=2,3; 11 refused=[used-later]; 512cdc5a185b
// pool, transpiler: 3 refused=[kernel]; 9 reuse=0 refused=[not-listed]; 10 reuse=-1,0; 11 refused=[used-later]; 2cb0c31f7a48
// random, nntrainer: 3 refused=[kernel] inplace_mode=none; 5 inplace_mode=restricting; 7 inplace_mode=none; 9 reuse=0 refused=[not-listed] inplace_mode=none; 10 reuse=-1,0 inplace_mode=none; 11 refused=[restricting-input] inplace_mode=none; 4869e062be93
// random, transpiler: 3 refused=[kernel]; 9 reuse=0 refused=[not-listed]; 10 reuse=-1,0; 11 refused=[used-later]; 2cb0c31f7a48
