builtin.module {
  func.func @main(%x0: tensor<2x2xf32> {dnn.donated}, %c: i1, %n: index) -> (tensor<2x2xf32> {dnn.tied = 0 : i32}, tensor<2x2xf32>) {
    %v1 = "dnn.fill"(%x0) {value = 1.000000e+00 : f32} : (tensor<2x2xf32>) -> tensor<2x2xf32>
    %v6 = scf.while (%v2 = %x0) : (tensor<2x2xf32>) -> tensor<2x2xf32> {
      %v4 = "dnn.transpose"(%v1) {perm = array<i64: 1, 0>} : (tensor<2x2xf32>) -> tensor<2x2xf32>
      scf.condition(%c) %v4 : tensor<2x2xf32>
    } do {
    ^bb0(%v3: tensor<2x2xf32>):
      %v5 = "dnn.slice"(%v1) {dim = 0 : i64, start = 0 : i64, end = 1 : i64} : (tensor<2x2xf32>) -> tensor<1x2xf32>
      scf.yield %v3 : tensor<2x2xf32>
    }
    %v7 = "dnn.gemm"(%v1, %x0, %v6) : (tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
    func.return %v7, %v6 : tensor<2x2xf32>, tensor<2x2xf32>
  }
}
// optimal: 2 refused=[used-later]; 3 reuse=0 succ_reuse=[0] refused=[used-later]; 8 refused=[returned]; 0dfad872c116
// paddle: 2 refused=[not-listed]; 3 refused=[used-later]; 8 refused=[not-listed]; 335b08f05116
// nntrainer: 2 refused=[not-listed] inplace_mode=none; 3 refused=[used-later] inplace_mode=none; 4 inplace_mode=none; 6 inplace_mode=none; 8 refused=[not-listed] inplace_mode=none; 335b08f05116
// reinplace: 2 refused=[program-input]; 3 refused=[used-later]; 8 refused=[returned]; f12e9bf766b0
// transpiler: 2 refused=[not-listed]; 3 refused=[used-later]; 8 refused=[not-listed]; 335b08f05116
// pool, optimal: 2 refused=[used-later]; 3 reuse=0 succ_reuse=[0] refused=[used-later]; 8 refused=[returned]; 0dfad872c116
// pool, transpiler: 2 refused=[not-listed]; 3 refused=[used-later]; 8 refused=[not-listed]; 335b08f05116
// random, nntrainer: 2 refused=[not-listed] inplace_mode=none; 3 refused=[used-later] inplace_mode=none; 4 inplace_mode=none; 6 inplace_mode=none; 8 refused=[not-listed] inplace_mode=none; 335b08f05116
// random, transpiler: 2 refused=[not-listed]; 3 refused=[used-later]; 8 refused=[not-listed]; 335b08f05116
