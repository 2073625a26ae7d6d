builtin.module {
  func.func @main(%x0: tensor<6xf32>, %x1: tensor<3x4xf32>, %x2: tensor<3xf32>, %c0: i1) -> tensor<10xf32> {
    %v0 = "dnn.pad"(%x0) {pads = array<i64: 2, 2>, value = 1.500000e+00 : f32, dnn.engine = "cpu"} : (tensor<6xf32>) -> tensor<10xf32>
    %r3 = scf.if %c0 -> (tensor<6xf32>) {
      %v1 = "dnn.diagonal"(%x1) {offset = 0 : i64, dim1 = 1 : i64, dim2 = 0 : i64} : (tensor<3x4xf32>) -> tensor<3xf32>
      %v2 = "dnn.neg"(%v1) : (tensor<3xf32>) -> tensor<3xf32>
      scf.yield %x0 : tensor<6xf32>
    } else {
      scf.yield %x0 : tensor<6xf32>
    }
    %v4 = "dnn.exp"(%r3) {dnn.engine = "cpu"} : (tensor<6xf32>) -> tensor<6xf32>
    cf.cond_br %c0, ^bb1(%x1, %v0 : tensor<3x4xf32>, tensor<10xf32>), ^bb2
  ^bb1(%r5: tensor<3x4xf32>, %r6: tensor<10xf32>):
    %v7 = "dnn.diagonal_scatter"(%r5, %x2) {offset = 1 : i64, dim1 = 0 : i64, dim2 = 1 : i64} : (tensor<3x4xf32>, tensor<3xf32>) -> tensor<3x4xf32>
    %v8 = "dnn.silu"(%x2) : (tensor<3xf32>) -> tensor<3xf32>
    cf.br ^bb3(%x2 : tensor<3xf32>)
  ^bb2:
    %v9 = "dnn.reduce_mean"(%x1) {axes = array<i64: 1>, keepdims = true} : (tensor<3x4xf32>) -> tensor<3x1xf32>
    cf.br ^bb3(%x2 : tensor<3xf32>)
  ^bb3(%r10: tensor<3xf32>):
    func.return %v0 : tensor<10xf32>
  }
}
// optimal: 2 reuse=2; 3 reuse=0; 5 refused=[program-input]; 8 refused=[program-input]; 9 succ_reuse=[-1,2 ]; 10 inplace=0; 11 refused=[program-input]; 12 succ_reuse=[1]; 13 refused=[kernel]; 14 succ_reuse=[1]; 66cadc7fb654
// paddle: 5 refused=[not-listed]; 8 refused=[not-listed]; 10 refused=[not-listed]; 11 refused=[engine]; 13 refused=[kernel]; 31c06f5c0dfa
// nntrainer: 2 inplace_mode=none; 3 inplace_mode=none; 4 inplace_mode=none; 5 refused=[not-listed] inplace_mode=none; 8 refused=[not-listed] inplace_mode=none; 10 refused=[not-listed] inplace_mode=none; 11 refused=[restricting-input] inplace_mode=none; 13 refused=[kernel] inplace_mode=none; f67b1bb9c0df
// reinplace: 5 refused=[program-input]; 8 inplace=0; 10 inplace=0; 11 refused=[program-input]; 13 refused=[kernel]; 3bfa48435392
// transpiler: 5 refused=[not-listed]; 8 inplace=0; 10 refused=[not-listed]; 11 refused=[program-input]; 13 refused=[kernel]; 39f57ef0d4ad
// pool, optimal: 2 reuse=2; 3 reuse=0; 5 refused=[program-input]; 8 refused=[program-input]; 9 succ_reuse=[-1,2 ]; 10 inplace=0; 11 refused=[program-input]; 12 succ_reuse=[1]; 13 refused=[kernel]; 14 succ_reuse=[1]; 66cadc7fb654
// pool, transpiler: 5 refused=[not-listed]; 8 inplace=0; 10 refused=[not-listed]; 11 refused=[program-input]; 13 refused=[kernel]; 39f57ef0d4ad
// random, nntrainer: 2 inplace_mode=none; 3 inplace_mode=none; 4 inplace_mode=none; 5 refused=[not-listed] inplace_mode=none; 8 refused=[not-listed] inplace_mode=none; 10 inplace=0 inplace_mode=none; 11 refused=[restricting-input] inplace_mode=none; 13 refused=[kernel] inplace_mode=none; 15e33cfe6078
// random, transpiler: 5 refused=[not-listed]; 8 inplace=0; 10 inplace=0; 11 refused=[program-input]; 13 refused=[kernel]; dd1c17122069
