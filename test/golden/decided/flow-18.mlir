builtin.module {
  func.func @main(%x0: tensor<2x1x3xf64> {dnn.donated}, %x1: tensor<3x2xf64>, %c0: i1) -> (tensor<2x1x2xf64>, tensor<2x1x3xf64>) {
    %r0 = arith.mulf %x0, %x0 : tensor<2x1x3xf64>
    %v1 = "dnn.reduce_sum"(%r0) {axes = array<i64: 1>, keepdims = true} : (tensor<2x1x3xf64>) -> tensor<2x1x3xf64>
    cf.cond_br %c0, ^bb1(%r0 : tensor<2x1x3xf64>), ^bb2
  ^bb1(%r2: tensor<2x1x3xf64>):
    %v3 = "dnn.split"(%v1) {axis = 0 : i64, split_size = 2 : i64, dnn.engine = "cpu"} : (tensor<2x1x3xf64>) -> tensor<2x1x3xf64>
    cf.br ^bb3(%r0 : tensor<2x1x3xf64>)
  ^bb2:
    %v4 = "dnn.stack"(%r0) {axis = 2 : i64, dnn.engine = "cpu"} : (tensor<2x1x3xf64>) -> tensor<2x1x1x3xf64>
    cf.br ^bb3(%v1 : tensor<2x1x3xf64>)
  ^bb3(%r5: tensor<2x1x3xf64>):
    %v6 = "dnn.matmul"(%x0, %x1) : (tensor<2x1x3xf64>, tensor<3x2xf64>) -> tensor<2x1x2xf64>
    func.return %v6, %x0 : tensor<2x1x2xf64>, tensor<2x1x3xf64>
  }
}
// optimal: 2 refused=[control-flow]; 3 refused=[kernel]; 7 parts=0; 9 refused=[size]; 747bc1e085b5
// paddle: 2 refused=[not-listed]; 3 refused=[kernel]; 9 refused=[size]; fcce4770ce78
// nntrainer: 2 refused=[control-flow] inplace_mode=none; 3 refused=[kernel] inplace_mode=none; 5 inplace_mode=none; 7 inplace_mode=none; 9 refused=[size] inplace_mode=none; 089a312ba0b9
// reinplace: 2 refused=[program-input]; 3 refused=[kernel]; 9 refused=[size]; 16ead81020de
// transpiler: 2 refused=[not-listed]; 3 refused=[kernel]; 9 refused=[size]; fcce4770ce78
// pool, optimal: 2 refused=[control-flow]; 3 refused=[kernel]; 7 parts=0; 9 refused=[size]; 747bc1e085b5
// pool, nntrainer: 2 refused=[control-flow] inplace_mode=none; 3 refused=[kernel] inplace_mode=none; 5 inplace_mode=none; 7 inplace_mode=none; 9 refused=[size] inplace_mode=none; 089a312ba0b9
// pool, transpiler: 2 refused=[not-listed]; 3 refused=[kernel]; 9 refused=[size]; fcce4770ce78
// random, optimal: 2 refused=[control-flow]; 3 refused=[kernel]; 7 parts=0; 9 refused=[size]; 747bc1e085b5
// random, nntrainer: 2 refused=[control-flow] inplace_mode=none; 3 refused=[kernel] inplace_mode=none; 5 inplace_mode=none; 7 inplace_mode=none; 9 refused=[size] inplace_mode=none; 089a312ba0b9
// random, transpiler: 2 refused=[not-listed]; 3 refused=[kernel]; 9 refused=[size]; fcce4770ce78
