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
// optimal: 4 refused=[program-input]; 5 refused=[program-input]; 6 refused=[control-flow]; 7 inplace=0; f85ed962f978
// paddle: 4 refused=[not-listed]; 5 refused=[program-input]; 6 refused=[not-listed]; 7 refused=[not-listed]; e54cd293aab1
// nntrainer: 4 refused=[not-listed] inplace_mode=none; 5 refused=[program-input] inplace_mode=none; 6 refused=[not-listed] inplace_mode=none; 7 refused=[not-listed] inplace_mode=none; e54cd293aab1
// reinplace: 4 refused=[program-input]; 5 refused=[program-input]; 6 refused=[program-input]; 7 inplace=0; 85f9225d6391
// transpiler: 4 refused=[not-listed]; 5 refused=[program-input]; 6 refused=[control-flow]; 7 refused=[not-listed]; e10773e4e1bd
// pool, optimal: 4 refused=[program-input]; 5 refused=[program-input]; 6 refused=[control-flow]; 7 inplace=0; f85ed962f978
// pool, transpiler: 4 refused=[not-listed]; 5 refused=[program-input]; 6 refused=[control-flow]; 7 refused=[not-listed]; e10773e4e1bd
// random, nntrainer: 4 refused=[not-listed] inplace_mode=none; 5 refused=[program-input] inplace_mode=none; 6 refused=[not-listed] inplace_mode=none; 7 inplace=0 inplace_mode=none; 7f351def8aef
// random, transpiler: 4 refused=[not-listed]; 5 refused=[program-input]; 6 refused=[control-flow]; 7 inplace=0; bf971d1d946d
