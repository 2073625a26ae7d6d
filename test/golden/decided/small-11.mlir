builtin.module {
  func.func @main(%x0: tensor<2x2xf32>, %x1: tensor<4x1xf32> {dnn.donated}, %x2: tensor<2x2xf32>, %c0: index) -> (tensor<2x2xf32>, tensor<2x2xf32>) {
    %0 = arith.constant 1 : index
    %1 = arith.constant 0 : index
    %v0 = "dnn.cumsum"(%x0) {axis = -2 : i64, dnn.engine = "cpu"} : (tensor<2x2xf32>) -> tensor<2x2xf32>
    %r4 = scf.for %2 = %1 to %c0 step %0 iter_args(%r1 = %x0) -> (tensor<2x2xf32>) {
      %v2 = "dnn.exp"(%x1) : (tensor<4x1xf32>) -> tensor<4x1xf32>
      %v3 = "dnn.neg"(%r1) : (tensor<2x2xf32>) -> tensor<2x2xf32>
      scf.yield %v3 : tensor<2x2xf32>
    }
    func.return %x0, %x2 : tensor<2x2xf32>, tensor<2x2xf32>
  }
}
// optimal: 4 refused=[program-input]; 5 refused=[program-input]; 6 refused=[control-flow]; 7 inplace=0; 9c590ed58134
// paddle: 4 refused=[not-listed]; 5 refused=[program-input]; 6 refused=[not-listed]; 7 refused=[not-listed]; efffac1b9e94
// nntrainer: 4 refused=[not-listed] inplace_mode=none; 5 refused=[program-input] inplace_mode=none; 6 refused=[not-listed] inplace_mode=none; 7 refused=[not-listed] inplace_mode=none; efffac1b9e94
// reinplace: 4 refused=[program-input]; 5 refused=[program-input]; 6 refused=[program-input]; 7 inplace=0; ebaa65803d70
// transpiler: 4 refused=[not-listed]; 5 refused=[program-input]; 6 refused=[control-flow]; 7 refused=[not-listed]; 197ea2654eb3
// pool, optimal: 4 refused=[program-input]; 5 refused=[program-input]; 6 refused=[control-flow]; 7 inplace=0; 9c590ed58134
// pool, transpiler: 4 refused=[not-listed]; 5 refused=[program-input]; 6 refused=[control-flow]; 7 refused=[not-listed]; 197ea2654eb3
// random, nntrainer: 4 refused=[not-listed] inplace_mode=none; 5 refused=[program-input] inplace_mode=none; 6 refused=[not-listed] inplace_mode=none; 7 inplace=0 inplace_mode=none; 8770ac393515
// random, transpiler: 4 refused=[not-listed]; 5 refused=[program-input]; 6 refused=[control-flow]; 7 inplace=0; 80e38f9aa310
