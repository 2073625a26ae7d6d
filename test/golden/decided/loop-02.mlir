builtin.module {
  func.func @main(%x0: tensor<4x4xf32> {dnn.donated}, %c: i1, %n: index) -> tensor<4x4xf32> {
    %v1 = "dnn.neg"(%x0) : (tensor<4x4xf32>) -> tensor<4x4xf32>
    %v3 = scf.if %c -> (tensor<4x4xf32>) {
      scf.yield %v1 : tensor<4x4xf32>
    } else {
      %v2 = "dnn.concat"(%v1) {axis = 0 : i64} : (tensor<4x4xf32>) -> tensor<4x4xf32>
      scf.yield %v2 : tensor<4x4xf32>
    }
    %v4 = "dnn.neg"(%v1) : (tensor<4x4xf32>) -> tensor<4x4xf32>
    %v5 = "dnn.neg"(%v4) : (tensor<4x4xf32>) -> tensor<4x4xf32>
    func.return %v5 : tensor<4x4xf32>
  }
}
// optimal: 2 inplace=0; 3 reuse=0; 5 reuse=0; 7 inplace=0; 8 inplace=0; 32ce8ad77537
// paddle: 2 refused=[not-listed]; 3 reuse=0; 5 reuse=0; 7 refused=[not-listed]; 8 refused=[not-listed]; 0c9ed9415cf2
// nntrainer: 2 refused=[not-listed] inplace_mode=none; 3 reuse=0 inplace_mode=none; 5 reuse=0 inplace_mode=none; 7 refused=[not-listed] inplace_mode=none; 8 refused=[not-listed] inplace_mode=none; 0c9ed9415cf2
// reinplace: 2 refused=[program-input]; 3 reuse=0; 5 reuse=0; 7 inplace=0; 8 inplace=0; f57363e9b497
// transpiler: 2 refused=[not-listed]; 3 reuse=0; 5 reuse=0; 7 refused=[not-listed]; 8 refused=[not-listed]; 0c9ed9415cf2
// pool, optimal: 2 inplace=0; 3 reuse=0; 5 reuse=0; 7 inplace=0 reuse=0; 8 inplace=0; 32ce8ad77537
// pool, transpiler: 2 refused=[not-listed]; 3 reuse=1; 5 reuse=1; 7 reuse=0 refused=[not-listed]; 8 refused=[not-listed]; 0c9ed9415cf2
// random, nntrainer: 2 refused=[not-listed] inplace_mode=none; 3 reuse=0 inplace_mode=none; 5 reuse=0 inplace_mode=none; 7 refused=[not-listed] inplace_mode=none; 8 inplace=0 inplace_mode=none; 1a20b647a270
// random, transpiler: 2 refused=[not-listed]; 3 reuse=0; 5 reuse=0; 7 refused=[not-listed]; 8 inplace=0; 1a20b647a270
