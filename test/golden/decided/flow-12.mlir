builtin.module {
  func.func @main(%x0: tensor<2x2xf64>, %x1: tensor<2x2xf64> {dnn.donated}, %x2: tensor<2x3x2xf32>, %x3: tensor<2x3x2xf32> {dnn.donated}, %x4: tensor<4x1xf32>, %c0: index, %c1: i1) -> (tensor<4x1xf32>, tensor<4x1xf32>) {
    %0 = arith.constant 1 : index
    %1 = arith.constant 0 : index
    scf.for %2 = %1 to %c0 step %0 {
      %v0, %v1 = "dnn.split"(%x0) {axis = 1 : i64, split_size = 1 : i64} : (tensor<2x2xf64>) -> (tensor<2x1xf64>, tensor<2x1xf64>)
    }
    cf.cond_br %c1, ^bb1(%x0 : tensor<2x2xf64>), ^bb2
  ^bb1(%r2: tensor<2x2xf64>):
    %v3 = "dnn.exp"(%r2) : (tensor<2x2xf64>) -> tensor<2x2xf64>
    cf.br ^bb3(%v3, %r2 : tensor<2x2xf64>, tensor<2x2xf64>)
  ^bb2:
    %v4 = "dnn.relu_grad"(%x0, %x0) : (tensor<2x2xf64>, tensor<2x2xf64>) -> tensor<2x2xf64>
    %v5 = "dnn.gemm"(%v4, %x0, %v4) {transA = 1 : i64, transB = 1 : i64, beta = 2.000000e+00 : f32} : (tensor<2x2xf64>, tensor<2x2xf64>, tensor<2x2xf64>) -> tensor<2x2xf64>
    cf.br ^bb3(%x1, %v4 : tensor<2x2xf64>, tensor<2x2xf64>)
  ^bb3(%r6: tensor<2x2xf64>, %r7: tensor<2x2xf64>):
    %v8 = "dnn.equal"(%x2, %x2) : (tensor<2x3x2xf32>, tensor<2x3x2xf32>) -> tensor<2x3x2xi1>
    %v9 = "dnn.stack"(%x2, %x3) {axis = 2 : i64} : (tensor<2x3x2xf32>, tensor<2x3x2xf32>) -> tensor<2x3x2x2xf32>
    %r10 = func.call @f0(%x4) : (tensor<4x1xf32>) -> tensor<4x1xf32>
    %v11 = "dnn.leaky_relu"(%v9) : (tensor<2x3x2x2xf32>) -> tensor<2x3x2x2xf32>
    %v12 = "dnn.concat"(%x4) {axis = 0 : i64} : (tensor<4x1xf32>) -> tensor<4x1xf32>
    func.return %v12, %r10 : tensor<4x1xf32>, tensor<4x1xf32>
  }
  func.func @f0(%x0: tensor<4x1xf32>) -> (tensor<4x1xf32> {dnn.tied = 0 : i32}) {
    %v0 = "dnn.zeros"(%x0) : (tensor<4x1xf32>) -> tensor<4x1xf32>
    func.return %v0 : tensor<4x1xf32>
  }
}
// optimal: 8 refused=[used-later]; 10 refused=[program-input]; 11 refused=[repeated-operand]; 13 refused=[element-type]; 16 inplace=0; 20 inplace=0; b6a6eaf1a3d1
// paddle: 8 refused=[not-listed]; 10 refused=[not-listed]; 11 refused=[not-listed]; 13 refused=[element-type]; 16 refused=[kernel]; 20 refused=[not-listed]; bda7df8f1db2
// nntrainer: 5 inplace_mode=none; 8 refused=[not-listed] inplace_mode=none; 10 refused=[not-listed] inplace_mode=none; 11 refused=[not-listed] inplace_mode=none; 13 refused=[element-type] inplace_mode=none; 14 inplace_mode=none; 15 inplace_mode=none; 16 inplace=0 inplace_mode=restricting; 17 inplace_mode=none; 20 refused=[not-listed] inplace_mode=none; aaf0bf4c04d4
// reinplace: 8 refused=[used-later]; 10 refused=[program-input]; 11 refused=[repeated-operand]; 13 refused=[element-type]; 16 inplace=0; 20 refused=[program-input]; f8fda181daf9
// transpiler: 8 refused=[used-later]; 10 refused=[not-listed]; 11 refused=[not-listed]; 13 refused=[element-type]; 16 inplace=0; 20 refused=[not-listed]; df7843b5f32f
// pool, optimal: 8 refused=[used-later]; 10 refused=[program-input]; 11 refused=[repeated-operand]; 13 refused=[element-type]; 16 inplace=0; 20 inplace=0; b6a6eaf1a3d1
// pool, nntrainer: 5 inplace_mode=none; 8 refused=[not-listed] inplace_mode=none; 10 refused=[not-listed] inplace_mode=none; 11 refused=[not-listed] inplace_mode=none; 13 refused=[element-type] inplace_mode=none; 14 inplace_mode=none; 15 inplace_mode=none; 16 inplace=0 inplace_mode=restricting; 17 inplace_mode=none; 20 refused=[not-listed] inplace_mode=none; aaf0bf4c04d4
// pool, transpiler: 8 refused=[used-later]; 10 refused=[not-listed]; 11 refused=[not-listed]; 13 refused=[element-type]; 16 inplace=0; 20 refused=[not-listed]; df7843b5f32f
// random, optimal: 8 refused=[used-later]; 10 refused=[program-input]; 11 refused=[repeated-operand]; 13 refused=[element-type]; 16 inplace=0; 20 inplace=0; b6a6eaf1a3d1
// random, nntrainer: 5 inplace_mode=none; 8 refused=[not-listed] inplace_mode=none; 10 refused=[not-listed] inplace_mode=none; 11 refused=[not-listed] inplace_mode=none; 13 refused=[element-type] inplace_mode=none; 14 inplace_mode=none; 15 inplace_mode=none; 16 inplace=0 inplace_mode=restricting; 17 inplace_mode=none; 20 refused=[not-listed] inplace_mode=none; aaf0bf4c04d4
// random, transpiler: 8 refused=[used-later]; 10 refused=[not-listed]; 11 refused=[not-listed]; 13 refused=[element-type]; 16 inplace=0; 20 refused=[not-listed]; df7843b5f32f
