builtin.module {
  func.func @main(%x0: tensor<4x1xf32>, %x1: tensor<6xi32>, %x2: tensor<4x1xf32>, %c0: index) -> (tensor<4x1xf32>, tensor<4x1xf32> {dnn.tied = 2 : i32}) {
    %0 = arith.constant 1 : index
    %1 = arith.constant 0 : index
    %v0 = "dnn.concat"(%x0, %x0, %x0) {axis = 1 : i64} : (tensor<4x1xf32>, tensor<4x1xf32>, tensor<4x1xf32>) -> tensor<4x3xf32>
    cf.br ^bb1(%1, %v0, %x0 : index, tensor<4x3xf32>, tensor<4x1xf32>)
  ^bb1(%2: index, %r1: tensor<4x3xf32>, %r2: tensor<4x1xf32>):
    %v3 = "dnn.split"(%r2) {axis = 1 : i64, split_size = 1 : i64} : (tensor<4x1xf32>) -> tensor<4x1xf32>
    %3 = arith.cmpi slt, %2, %c0 : index
    cf.cond_br %3, ^bb2, ^bb3
  ^bb2:
    %v4 = "dnn.copy_into"(%x1, %x1) : (tensor<6xi32>, tensor<6xi32>) -> tensor<6xi32>
    %v5 = "dnn.relu"(%r2) {dnn.engine = "cpu"} : (tensor<4x1xf32>) -> tensor<4x1xf32>
    %v6 = "dnn.add"(%r1, %r1) : (tensor<4x3xf32>, tensor<4x3xf32>) -> tensor<4x3xf32>
    %v7 = "dnn.mul"(%r2, %x2) : (tensor<4x1xf32>, tensor<4x1xf32>) -> tensor<4x1xf32>
    %4 = arith.addi %2, %0 : index
    cf.br ^bb1(%4, %v6, %v7 : index, tensor<4x3xf32>, tensor<4x1xf32>)
  ^bb3:
    func.return %v3, %r2 : tensor<4x1xf32>, tensor<4x1xf32>
  }
}
// optimal: 4 reuse=0; 5 succ_reuse=[-1,0,-1]; 9 inplace=0; 10 refused=[used-later]; 11 inplace=0; 12 inplace=0; 14 succ_reuse=[-1,0,-1]; 0dcb72dd358b
// paddle: 9 refused=[not-listed]; 10 refused=[engine]; 11 refused=[engine]; 12 refused=[not-listed]; ce227b8d5578
// nntrainer: 4 inplace_mode=none; 6 inplace_mode=none; 9 refused=[not-listed] inplace_mode=none; 10 refused=[restricting-input] inplace_mode=none; 11 refused=[not-listed] inplace_mode=none; 12 refused=[not-listed] inplace_mode=none; 584219033faa
// reinplace: 9 refused=[program-input]; 10 refused=[used-later]; 11 refused=[repeated-operand]; 12 refused=[returned]; d01c45d7ec0a
// transpiler: 9 refused=[not-listed]; 10 refused=[used-later]; 11 refused=[not-listed]; 12 refused=[not-listed]; 5dcd4fddeb6e
// pool, optimal: 4 reuse=0; 5 succ_reuse=[-1,0,-1]; 9 inplace=0; 10 refused=[used-later]; 11 inplace=0; 12 inplace=0; 14 succ_reuse=[-1,0,-1]; 0dcb72dd358b
// pool, transpiler: 9 refused=[not-listed]; 10 refused=[used-later]; 11 refused=[not-listed]; 12 refused=[not-listed]; 5dcd4fddeb6e
// random, nntrainer: 4 inplace_mode=none; 6 inplace_mode=none; 9 refused=[not-listed] inplace_mode=none; 10 refused=[restricting-input] inplace_mode=none; 11 inplace=1 inplace_mode=none; 12 refused=[not-listed] inplace_mode=none; f8c648e85d2d
// random, transpiler: 9 refused=[not-listed]; 10 refused=[used-later]; 11 inplace=1; 12 refused=[not-listed]; 593be03ef10f
