builtin.module {
  func.func @main(%x0: tensor<4x4xf32> {dnn.donated}, %c: i1, %n: index) -> tensor<2x8xf32> {
    %v1 = "dnn.add"(%x0, %x0) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : index
    %v4 = scf.for %i = %zero to %n step %one iter_args(%v2 = %v1) -> (tensor<4x4xf32>) {
      %v3 = "dnn.sub"(%v1, %x0) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
      scf.yield %v3 : tensor<4x4xf32>
    }
    %v5 = "dnn.concat"(%x0, %v1) {axis = 1 : i64} : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x8xf32>
    %v6 = "dnn.slice"(%v5) {dim = 0 : i64, start = 0 : i64, end = 2 : i64} : (tensor<4x8xf32>) -> tensor<2x8xf32>
    %v7 = "dnn.exp"(%v6) : (tensor<2x8xf32>) -> tensor<2x8xf32>
    func.return %v7 : tensor<2x8xf32>
  }
}
// optimal: 2 refused=[used-later]; 5 reuse=0 refused=[control-flow]; 6 reuse=0 refused=[control-flow]; 8 parts=1; 10 inplace=0; 5c00a81606fe
// paddle: 2 refused=[engine]; 5 refused=[control-flow]; 6 refused=[not-listed]; 10 refused=[not-listed]; da120139eb72
// nntrainer: 2 refused=[not-listed] inplace_mode=none; 5 refused=[control-flow] inplace_mode=none; 6 refused=[not-listed] inplace_mode=none; 8 inplace_mode=none; 9 inplace_mode=none; 10 refused=[not-listed] inplace_mode=none; c62c63f3ee57
// reinplace: 2 refused=[program-input]; 5 refused=[control-flow]; 6 refused=[used-later]; 10 inplace=0; 5c3e221674d6
// transpiler: 2 refused=[not-listed]; 5 refused=[control-flow]; 6 refused=[not-listed]; 10 inplace=0; a85491f3f7e5
// pool, optimal: 2 refused=[used-later]; 5 reuse=0 refused=[control-flow]; 6 reuse=0 refused=[control-flow]; 8 parts=1; 10 inplace=0; 5c00a81606fe
// pool, transpiler: 2 refused=[not-listed]; 5 refused=[control-flow]; 6 refused=[not-listed]; 10 inplace=0; a85491f3f7e5
// random, nntrainer: 2 refused=[not-listed] inplace_mode=none; 5 refused=[control-flow] inplace_mode=none; 6 refused=[not-listed] inplace_mode=none; 8 inplace_mode=none; 9 inplace_mode=none; 10 inplace=0 inplace_mode=none; a85491f3f7e5
// random, transpiler: 2 refused=[not-listed]; 5 refused=[control-flow]; 6 refused=[not-listed]; 10 inplace=0; a85491f3f7e5
