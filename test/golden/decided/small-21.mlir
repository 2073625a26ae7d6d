builtin.module {
  func.func @main(%x0: tensor<2x3xf32>, %x1: tensor<3x2xf32>, %c0: index) -> (tensor<2x3xf32> {dnn.tied = 0 : i32}) {
    %0 = arith.constant 1 : index
    %1 = arith.constant 0 : index
    %v0 = "dnn.elu"(%x0) : (tensor<2x3xf32>) -> tensor<2x3xf32>
    cf.br ^bb1(%1, %v0, %x0 : index, tensor<2x3xf32>, tensor<2x3xf32>)
  ^bb1(%2: index, %r1: tensor<2x3xf32>, %r2: tensor<2x3xf32>):
    %3 = arith.cmpi slt, %2, %c0 : index
    cf.cond_br %3, ^bb2, ^bb3
  ^bb2:
    %r6, %r7 = scf.for %4 = %1 to %c0 step %0 iter_args(%r3 = %x0, %r4 = %r2) -> (tensor<2x3xf32>, tensor<2x3xf32>) {
      %v5 = "dnn.matmul"(%r2, %x1) : (tensor<2x3xf32>, tensor<3x2xf32>) -> tensor<2x2xf32>
      scf.yield %r4, %r2 : tensor<2x3xf32>, tensor<2x3xf32>
    }
    %v8 = "dnn.clip"(%x1) {min = -1.000000e+00 : f32, max = 1.000000e+00 : f32} : (tensor<3x2xf32>) -> tensor<3x2xf32>
    %v9 = "dnn.add"(%r1, %r7) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %v10 = "dnn.mul"(%r2, %r2) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %5 = arith.addi %2, %0 : index
    cf.br ^bb1(%5, %v9, %v10 : index, tensor<2x3xf32>, tensor<2x3xf32>)
  ^bb3:
    func.return %v0 : tensor<2x3xf32>
  }
}
// optimal: 4 refused=[used-later]; 8 inplace=-1,4 refused=[control-flow]; 9 refused=[kernel]; 11 refused=[program-input]; 12 inplace=0; 13 inplace=0; cae56f24df76
// paddle: 4 refused=[not-listed]; 8 refused=[control-flow control-flow]; 9 refused=[kernel]; 11 refused=[not-listed]; 12 refused=[engine]; 13 refused=[not-listed]; 08f8305e4def
// nntrainer: 4 refused=[restricting-input] inplace_mode=none; 8 refused=[control-flow control-flow] inplace_mode=none; 9 refused=[kernel] inplace_mode=none; 11 refused=[not-listed] inplace_mode=none; 12 refused=[not-listed] inplace_mode=none; 13 refused=[not-listed] inplace_mode=none; 39daed02d212
// reinplace: 4 refused=[program-input]; 8 refused=[control-flow control-flow]; 9 refused=[kernel]; 11 refused=[program-input]; 12 inplace=0; 13 refused=[repeated-operand]; b213b25bba98
// transpiler: 4 refused=[used-later]; 8 refused=[control-flow control-flow]; 9 refused=[kernel]; 11 refused=[not-listed]; 12 refused=[not-listed]; 13 refused=[not-listed]; 3f8b6514ddd4
// pool, optimal: 4 refused=[used-later]; 8 inplace=-1,4 refused=[control-flow]; 9 refused=[kernel]; 11 refused=[program-input]; 12 inplace=0; 13 inplace=0; cae56f24df76
// pool, transpiler: 4 refused=[used-later]; 8 refused=[control-flow control-flow]; 9 refused=[kernel]; 11 refused=[not-listed]; 12 refused=[not-listed]; 13 refused=[not-listed]; 3f8b6514ddd4
// random, nntrainer: 4 refused=[restricting-input] inplace_mode=none; 8 refused=[control-flow control-flow] inplace_mode=none; 9 refused=[kernel] inplace_mode=none; 11 refused=[not-listed] inplace_mode=none; 12 inplace=1 inplace_mode=none; 13 refused=[not-listed] inplace_mode=none; 41afd1d6fb7f
// random, transpiler: 4 refused=[used-later]; 8 refused=[control-flow control-flow]; 9 refused=[kernel]; 11 refused=[not-listed]; 12 inplace=1; 13 refused=[not-listed]; afd4f381c207
