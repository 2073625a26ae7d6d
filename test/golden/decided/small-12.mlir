builtin.module {
  func.func @main(%x0: tensor<6xf64>, %x1: tensor<2x2xi32>, %x2: tensor<1xi32>, %x3: tensor<6xf64> {dnn.donated}, %c0: i1) -> (tensor<6xf64>, tensor<1xi32> {dnn.tied = 2 : i32}, tensor<1xi32>) {
    %v0 = "dnn.reduce_mean"(%x0) {axes = array<i64: 0>, keepdims = false, dnn.engine = "cpu"} : (tensor<6xf64>) -> tensor<f64>
    %v1 = "dnn.select"(%x1) {dim = 1 : i64, index = -1 : i64} : (tensor<2x2xi32>) -> tensor<2xi32>
    %r4, %r5 = scf.if %c0 -> (tensor<6xf64>, tensor<2xi32>) {
      %v2 = "dnn.slice_scatter"(%v1, %x2) {dim = 0 : i64, start = 0 : i64, end = 2 : i64, step = 2 : i64} : (tensor<2xi32>, tensor<1xi32>) -> tensor<2xi32>
      scf.yield %x0, %v2 : tensor<6xf64>, tensor<2xi32>
    } else {
      %v3 = "dnn.cumsum"(%v1) {axis = -1 : i64} : (tensor<2xi32>) -> tensor<2xi32>
      scf.yield %x3, %v3 : tensor<6xf64>, tensor<2xi32>
    }
    func.return %x3, %x2, %x2 : tensor<6xf64>, tensor<1xi32>, tensor<1xi32>
  }
}
// optimal: 2 refused=[kernel]; 4 reuse=-1,0; 5 reuse=0 refused=[program-input]; 7 reuse=0 refused=[program-input]; 383ac2782c98
// paddle: 2 refused=[kernel]; 4 reuse=-1,0; 5 reuse=0 refused=[not-listed]; 7 reuse=0 refused=[not-listed]; 23e196d2b4ed
// nntrainer: 2 refused=[kernel] inplace_mode=none; 3 inplace_mode=none; 4 reuse=-1,0 inplace_mode=none; 5 reuse=0 refused=[not-listed] inplace_mode=none; 7 reuse=0 refused=[not-listed] inplace_mode=none; 23e196d2b4ed
// reinplace: 2 refused=[kernel]; 4 reuse=-1,0; 5 reuse=0 refused=[program-input]; 7 reuse=0 refused=[program-input]; a082372b1ea1
// transpiler: 2 refused=[kernel]; 4 reuse=-1,0; 5 reuse=0 refused=[not-listed]; 7 reuse=0 refused=[not-listed]; 23e196d2b4ed
// pool, optimal: 2 refused=[kernel]; 4 reuse=-1,0; 5 reuse=0 refused=[program-input]; 7 reuse=0 refused=[program-input]; 383ac2782c98
// pool, transpiler: 2 refused=[kernel]; 4 reuse=-1,0; 5 reuse=0 refused=[not-listed]; 7 reuse=0 refused=[not-listed]; 23e196d2b4ed
// random, nntrainer: 2 refused=[kernel] inplace_mode=none; 3 inplace_mode=none; 4 reuse=-1,0 inplace_mode=none; 5 reuse=0 refused=[not-listed] inplace_mode=none; 7 reuse=0 refused=[not-listed] inplace_mode=none; 23e196d2b4ed
// random, transpiler: 2 refused=[kernel]; 4 reuse=-1,0; 5 reuse=0 refused=[not-listed]; 7 reuse=0 refused=[not-listed]; 23e196d2b4ed
