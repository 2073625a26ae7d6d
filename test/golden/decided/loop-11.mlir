builtin.module {
  func.func @main(%x0: tensor<4x4xf32> {dnn.donated}, %c: i1, %n: index) -> (tensor<4x4xf32> {dnn.tied = 0 : i32}) {
    %v1 = "dnn.abs"(%x0) : (tensor<4x4xf32>) -> tensor<4x4xf32>
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : index
    %v4 = scf.for %i = %zero to %n step %one iter_args(%v2 = %x0) -> (tensor<4x4xf32>) {
      %v3 = "dnn.concat"(%x0, %v1) {axis = 0 : i64} : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<8x4xf32>
      scf.yield %v2 : tensor<4x4xf32>
    }
    func.return %v4 : tensor<4x4xf32>
  }
}
// optimal: 2 refused=[used-later]; 5 inplace=3; 6 parts=1; 62bd375468c9
// paddle: 2 refused=[engine]; 5 refused=[control-flow]; c7f786ceb91c
// nntrainer: 2 refused=[not-listed] inplace_mode=none; 5 refused=[control-flow] inplace_mode=none; 6 inplace_mode=none; 0e57ec609e8a
// reinplace: 2 refused=[program-input]; 5 refused=[control-flow]; 3681ef56c4b4
// transpiler: 2 refused=[used-later]; 5 refused=[control-flow]; 1674697e7515
// pool, optimal: 2 refused=[used-later]; 5 inplace=3; 6 parts=1; 62bd375468c9
// pool, transpiler: 2 refused=[used-later]; 5 refused=[control-flow]; 1674697e7515
// random, nntrainer: 2 refused=[not-listed] inplace_mode=none; 5 refused=[control-flow] inplace_mode=none; 6 inplace_mode=none; 0e57ec609e8a
// random, transpiler: 2 refused=[used-later]; 5 refused=[control-flow]; 1674697e7515
