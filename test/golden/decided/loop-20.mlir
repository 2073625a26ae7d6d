builtin.module {
  func.func @main(%x0: tensor<4x4xf32> {dnn.donated}, %c: i1, %n: index) -> tensor<1x4xf32> {
    %v1 = "dnn.reduce_sum"(%x0) {axes = array<i64: 0>, keepdims = true, dnn.engine = "cpu"} : (tensor<4x4xf32>) -> tensor<1x4xf32>
    %v7, %v8 = scf.while (%v2 = %x0, %v3 = %v1) : (tensor<4x4xf32>, tensor<1x4xf32>) -> (tensor<4x4xf32>, tensor<1x4xf32>) {
      scf.condition(%c) %v2, %v3 : tensor<4x4xf32>, tensor<1x4xf32>
    } do {
    ^bb0(%v4: tensor<4x4xf32>, %v5: tensor<1x4xf32>):
      %v6 = "dnn.relu"(%x0) {dnn.engine = "cpu"} : (tensor<4x4xf32>) -> tensor<4x4xf32>
      scf.yield %v4, %v5 : tensor<4x4xf32>, tensor<1x4xf32>
    }
    func.return %v8 : tensor<1x4xf32>
  }
}
// optimal: 2 refused=[kernel]; 3 inplace=0,1; 5 refused=[control-flow]; 15735f99156a
// paddle: 2 refused=[kernel]; 3 inplace=-1,1 refused=[control-flow]; 5 refused=[engine]; 77742cb02e08
// nntrainer: 2 refused=[kernel] inplace_mode=none; 3 inplace=-1,1 refused=[control-flow] inplace_mode=none; 5 refused=[restricting-input] inplace_mode=none; 05e06038abeb
// reinplace: 2 refused=[kernel]; 3 inplace=-1,1 refused=[control-flow]; 5 refused=[program-input]; 28a0bfe9592e
// transpiler: 2 refused=[kernel]; 3 inplace=-1,1 refused=[control-flow]; 5 refused=[control-flow]; 06ed1007cc78
// pool, optimal: 2 refused=[kernel]; 3 inplace=0,1; 5 refused=[control-flow]; 15735f99156a
// pool, transpiler: 2 refused=[kernel]; 3 inplace=-1,1 refused=[control-flow]; 5 refused=[control-flow]; 06ed1007cc78
// random, nntrainer: 2 refused=[kernel] inplace_mode=none; 3 inplace=-1,1 refused=[control-flow] inplace_mode=none; 5 refused=[restricting-input] inplace_mode=none; 05e06038abeb
// random, transpiler: 2 refused=[kernel]; 3 inplace=-1,1 refused=[control-flow]; 5 refused=[control-flow]; 06ed1007cc78
