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
// optimal: 2 refused=[used-later]; 5 inplace=3; 6 parts=1; eeee2b57a2ce
// paddle: 2 refused=[engine]; 5 refused=[control-flow]; 9a8f5df53d3e
// nntrainer: 2 refused=[not-listed] inplace_mode=none; 5 refused=[control-flow] inplace_mode=none; 6 inplace_mode=none; 0358234ffa74
// reinplace: 2 refused=[program-input]; 5 refused=[control-flow]; a50baf4bdd9b
// transpiler: 2 refused=[used-later]; 5 refused=[control-flow]; 15d0746de4e6
// pool, optimal: 2 refused=[used-later]; 5 inplace=3; 6 parts=1; eeee2b57a2ce
// pool, transpiler: 2 refused=[used-later]; 5 refused=[control-flow]; 15d0746de4e6
// random, nntrainer: 2 refused=[not-listed] inplace_mode=none; 5 refused=[control-flow] inplace_mode=none; 6 inplace_mode=none; 0358234ffa74
// random, transpiler: 2 refused=[used-later]; 5 refused=[control-flow]; 15d0746de4e6
