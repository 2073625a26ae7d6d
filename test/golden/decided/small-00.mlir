builtin.module {
  func.func @main(%x0: tensor<1x4xf32>, %x1: tensor<1x1xf32> {dnn.donated}, %c0: i1) -> (tensor<1x4xf32>, tensor<1x4xf32> {dnn.tied = 0 : i32}) {
    %r1 = scf.if %c0 -> (tensor<1x4xf32>) {
      %v0 = "dnn.slice_scatter"(%x0, %x1) {dim = 1 : i64, start = 3 : i64, end = 4 : i64, step = 1 : i64} : (tensor<1x4xf32>, tensor<1x1xf32>) -> tensor<1x4xf32>
      scf.yield %v0 : tensor<1x4xf32>
    } else {
      scf.yield %x0 : tensor<1x4xf32>
    }
    %v2 = "dnn.concat"(%r1) {axis = 1 : i64} : (tensor<1x4xf32>) -> tensor<1x4xf32>
    %r3 = "dnn.opaque"(%v2) {kind = "some"} : (tensor<1x4xf32>) -> tensor<1x4xf32>
    %v4 = "dnn.slice_scatter"(%r3, %x1) {dim = 1 : i64, start = 1 : i64, end = 2 : i64, step = 2 : i64} : (tensor<1x4xf32>, tensor<1x1xf32>) -> tensor<1x4xf32>
    %r5 = "strange.op"(%r1) : (tensor<1x4xf32>) -> tensor<1x4xf32>
    %v6 = "dnn.constant"() {value = dense<-5.000000e-01> : tensor<1xf32>} : () -> tensor<1xf32>
    %v7 = "dnn.diagonal_scatter"(%r5, %v6) {offset = 0 : i64, dim1 = 1 : i64, dim2 = 0 : i64} : (tensor<1x4xf32>, tensor<1xf32>) -> tensor<1x4xf32>
    func.return %v4, %v4 : tensor<1x4xf32>, tensor<1x4xf32>
  }
}
// optimal: 2 reuse=0; 3 inplace=0; 7 refused=[kernel]; 8 inplace=0; 11 refused=[operands-alias]; a656172257b6
// paddle: 2 reuse=0; 3 reuse=0 refused=[not-listed]; 7 refused=[kernel]; 8 refused=[not-listed]; 11 refused=[not-listed]; 2e2f1de0cb63
// nntrainer: 2 reuse=0 inplace_mode=none; 3 reuse=0 refused=[not-listed] inplace_mode=none; 6 inplace_mode=none; 7 refused=[kernel] inplace_mode=none; 8 refused=[not-listed] inplace_mode=none; 9 inplace_mode=none; 11 refused=[not-listed] inplace_mode=none; 2e2f1de0cb63
// reinplace: 2 reuse=0; 3 reuse=0 refused=[program-input]; 7 refused=[kernel]; 8 inplace=0; 11 refused=[operands-alias]; b2c62ab74b8c
// transpiler: 2 reuse=0; 3 reuse=0 refused=[not-listed]; 7 refused=[kernel]; 8 refused=[not-listed]; 11 refused=[not-listed]; 2e2f1de0cb63
// pool, optimal: 2 reuse=1; 3 inplace=0; 6 reuse=0; 7 refused=[kernel]; 8 inplace=0; 11 reuse=0 refused=[operands-alias]; a656172257b6
// pool, transpiler: 2 reuse=1; 3 reuse=1 refused=[not-listed]; 6 reuse=0; 7 refused=[kernel]; 8 refused=[not-listed]; 11 reuse=0 refused=[not-listed]; 2e2f1de0cb63
// random, nntrainer: 2 reuse=0 inplace_mode=none; 3 reuse=0 refused=[not-listed] inplace_mode=none; 6 inplace_mode=none; 7 refused=[kernel] inplace_mode=none; 8 refused=[not-listed] inplace_mode=none; 9 inplace_mode=none; 11 refused=[not-listed] inplace_mode=none; 2e2f1de0cb63
// random, transpiler: 2 reuse=0; 3 reuse=0 refused=[not-listed]; 7 refused=[kernel]; 8 refused=[not-listed]; 11 refused=[not-listed]; 2e2f1de0cb63
