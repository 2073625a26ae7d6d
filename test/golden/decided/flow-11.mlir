builtin.module {
  func.func @main(%x0: tensor<4xf32> {dnn.donated}, %x1: tensor<1x3xf32>, %x2: tensor<f32>, %x3: tensor<1xf32>, %x4: tensor<4x1xf32> {dnn.donated}, %c0: i1) -> (tensor<1x2xf32>, tensor<1x3xf32>) {
    %r0 = tensor.extract_slice %x0[1] [3] [1] : tensor<4xf32> to tensor<3xf32>
    %v1 = "dnn.reshape"(%r0) : (tensor<3xf32>) -> tensor<1x1x3xf32>
    %r2 = "strange.op"(%x0) : (tensor<4xf32>) -> tensor<1x1x3xf32>
    %v3 = "dnn.select_scatter"(%v1, %x1) {dim = 0 : i64, index = 0 : i64} : (tensor<1x1x3xf32>, tensor<1x3xf32>) -> tensor<1x1x3xf32>
    cf.cond_br %c0, ^bb1(%x1, %x0 : tensor<1x3xf32>, tensor<4xf32>), ^bb2
  ^bb1(%r4: tensor<1x3xf32>, %r5: tensor<4xf32>):
    %v6 = "dnn.select_scatter"(%r0, %x2) {dim = 0 : i64, index = -2 : i64} : (tensor<3xf32>, tensor<f32>) -> tensor<3xf32>
    %v7 = "dnn.slice_scatter"(%v6, %x3) {dim = 0 : i64, start = 0 : i64, end = 1 : i64, step = 2 : i64} : (tensor<3xf32>, tensor<1xf32>) -> tensor<3xf32>
    cf.br ^bb3(%r4, %r4 : tensor<1x3xf32>, tensor<1x3xf32>)
  ^bb2:
    %v8 = "dnn.maximum"(%x4, %x3) : (tensor<4x1xf32>, tensor<1xf32>) -> tensor<4x1xf32>
    %v9 = "dnn.cast"(%x2) : (tensor<f32>) -> tensor<f32>
    cf.br ^bb3(%x1, %x1 : tensor<1x3xf32>, tensor<1x3xf32>)
  ^bb3(%r10: tensor<1x3xf32>, %r11: tensor<1x3xf32>):
    %v12 = "dnn.constant"() {value = dense<[[-1.500000e+00, 5.000000e-01]]> : tensor<1x2xf32>} : () -> tensor<1x2xf32>
    %v13 = "dnn.matmul"(%x4, %v12) : (tensor<4x1xf32>, tensor<1x2xf32>) -> tensor<4x2xf32>
    func.return %v12, %r11 : tensor<1x2xf32>, tensor<1x3xf32>
  }
}
// optimal: 5 refused=[used-later]; 7 inplace=0; 8 inplace=0; 10 refused=[control-flow]; 11 refused=[program-input]; 14 refused=[size]; b56408c4f53b
// paddle: 5 refused=[not-listed]; 7 refused=[not-listed]; 8 refused=[not-listed]; 10 refused=[broadcast]; 11 refused=[not-listed]; 14 refused=[size]; f0579a56b3fd
// nntrainer: 2 inplace_mode=none; 3 inplace_mode=none; 4 inplace_mode=none; 5 refused=[not-listed] inplace_mode=none; 7 refused=[not-listed] inplace_mode=none; 8 refused=[not-listed] inplace_mode=none; 10 refused=[broadcast] inplace_mode=none; 11 refused=[not-listed] inplace_mode=none; 14 refused=[size] inplace_mode=none; f0579a56b3fd
// reinplace: 5 refused=[program-input]; 7 refused=[program-input]; 8 inplace=0; 10 refused=[program-input]; 11 refused=[program-input]; 14 refused=[size]; 225ca36cbe9d
// transpiler: 5 refused=[not-listed]; 7 refused=[not-listed]; 8 refused=[not-listed]; 10 refused=[broadcast]; 11 refused=[not-listed]; 14 refused=[size]; f0579a56b3fd
// pool, optimal: 5 refused=[used-later]; 7 inplace=0; 8 inplace=0; 10 refused=[control-flow]; 11 refused=[program-input]; 14 refused=[size]; b56408c4f53b
// pool, nntrainer: 2 inplace_mode=none; 3 inplace_mode=none; 4 inplace_mode=none; 5 refused=[not-listed] inplace_mode=none; 7 refused=[not-listed] inplace_mode=none; 8 refused=[not-listed] inplace_mode=none; 10 refused=[broadcast] inplace_mode=none; 11 refused=[not-listed] inplace_mode=none; 14 refused=[size] inplace_mode=none; f0579a56b3fd
// pool, transpiler: 5 refused=[not-listed]; 7 refused=[not-listed]; 8 refused=[not-listed]; 10 refused=[broadcast]; 11 refused=[not-listed]; 14 refused=[size]; f0579a56b3fd
// random, optimal: 5 refused=[used-later]; 7 inplace=0; 8 inplace=0; 10 refused=[control-flow]; 11 refused=[program-input]; 14 refused=[size]; b56408c4f53b
// random, nntrainer: 2 inplace_mode=none; 3 inplace_mode=none; 4 inplace_mode=none; 5 refused=[not-listed] inplace_mode=none; 7 refused=[not-listed] inplace_mode=none; 8 inplace=0 inplace_mode=none; 10 refused=[broadcast] inplace_mode=none; 11 refused=[not-listed] inplace_mode=none; 14 refused=[size] inplace_mode=none; 370520101053
// random, transpiler: 5 refused=[not-listed]; 7 refused=[not-listed]; 8 inplace=0; 10 refused=[broadcast]; 11 refused=[not-listed]; 14 refused=[size]; 370520101053
