builtin.module {
  func.func @main(%x0: tensor<4xf32>, %x1: tensor<1xf32>, %x2: tensor<4xf32>, %c0: index) -> (tensor<4xf32>, tensor<4xf32> {dnn.tied = 0 : i32}, tensor<4xf32> {dnn.tied = 2 : i32}) {
    %0 = arith.constant 1 : index
    %1 = arith.constant 0 : index
    %v0 = "dnn.slice_scatter"(%x0, %x1) {dim = 0 : i64, start = 0 : i64, end = 2 : i64, step = 2 : i64} : (tensor<4xf32>, tensor<1xf32>) -> tensor<4xf32>
    %v1 = "dnn.split"(%x1) {axis = 0 : i64, split_size = 1 : i64} : (tensor<1xf32>) -> tensor<1xf32>
    %r6 = scf.for %2 = %1 to %c0 step %0 iter_args(%r2 = %v0) -> (tensor<4xf32>) {
      %v3 = "dnn.mul"(%r2, %v1) : (tensor<4xf32>, tensor<1xf32>) -> tensor<4xf32>
      %v4 = "dnn.tanh"(%v1) : (tensor<1xf32>) -> tensor<1xf32>
      %v5 = "dnn.add"(%r2, %r2) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
      scf.yield %v5 : tensor<4xf32>
    }
    %v7 = "dnn.add"(%x2, %v0) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %v8 = "dnn.zeros"(%v7) : (tensor<4xf32>) -> tensor<4xf32>
    func.return %v0, %v0, %v8 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  }
}
// optimal: 4 inplace=0; 6 refused=[control-flow]; 7 refused=[used-later]; 8 refused=[program-input]; 9 inplace=0; 11 inplace=0; 12 inplace=0; 88f8f144d07b
// paddle: 4 refused=[not-listed]; 6 refused=[used-later]; 7 refused=[broadcast]; 8 refused=[kernel]; 9 refused=[not-listed]; 11 refused=[not-listed]; 12 refused=[not-listed]; 37ff283f2af4
// nntrainer: 4 refused=[not-listed] inplace_mode=none; 5 inplace_mode=none; 6 refused=[used-later] inplace_mode=none; 7 refused=[broadcast] inplace_mode=none; 8 refused=[restricting-input] inplace_mode=none; 9 refused=[not-listed] inplace_mode=none; 11 refused=[not-listed] inplace_mode=none; 12 refused=[not-listed] inplace_mode=none; a16c5555c12c
// reinplace: 4 refused=[program-input]; 6 refused=[used-later]; 7 refused=[used-later]; 8 refused=[program-input]; 9 refused=[repeated-operand]; 11 refused=[program-input]; 12 refused=[not-listed]; d2188e7d8035
// transpiler: 4 refused=[not-listed]; 6 refused=[used-later]; 7 refused=[broadcast]; 8 refused=[program-input]; 9 refused=[not-listed]; 11 refused=[not-listed]; 12 refused=[not-listed]; bcd4d91b25ec
// pool, optimal: 4 inplace=0; 6 refused=[control-flow]; 7 refused=[used-later]; 8 refused=[program-input]; 9 inplace=0; 11 inplace=0; 12 inplace=0; 88f8f144d07b
// pool, nntrainer: 4 refused=[not-listed] inplace_mode=none; 5 inplace_mode=none; 6 refused=[used-later] inplace_mode=none; 7 refused=[broadcast] inplace_mode=none; 8 refused=[restricting-input] inplace_mode=none; 9 refused=[not-listed] inplace_mode=none; 11 refused=[not-listed] inplace_mode=none; 12 refused=[not-listed] inplace_mode=none; a16c5555c12c
// pool, transpiler: 4 refused=[not-listed]; 6 refused=[used-later]; 7 refused=[broadcast]; 8 refused=[program-input]; 9 refused=[not-listed]; 11 refused=[not-listed]; 12 refused=[not-listed]; bcd4d91b25ec
// random, optimal: 4 inplace=0; 6 refused=[control-flow]; 7 refused=[used-later]; 8 refused=[program-input]; 9 inplace=0; 11 inplace=0; 12 inplace=0; 88f8f144d07b
// random, nntrainer: 4 refused=[not-listed] inplace_mode=none; 5 inplace_mode=none; 6 refused=[used-later] inplace_mode=none; 7 refused=[broadcast] inplace_mode=none; 8 refused=[restricting-input] inplace_mode=none; 9 refused=[not-listed] inplace_mode=none; 11 inplace=0 inplace_mode=none; 12 inplace=0 inplace_mode=none; 8fc89beadb6f
// random, transpiler: 4 refused=[not-listed]; 6 refused=[used-later]; 7 refused=[broadcast]; 8 refused=[program-input]; 9 refused=[not-listed]; 11 inplace=0; 12 inplace=0; 103a3b9b83ff
