builtin.module {
  func.func @main(%x0: tensor<2x1x3xf32>, %c0: index) -> (tensor<2x1x3xf32> {dnn.tied = 0 : i32}, tensor<2x1x3xf32>, tensor<2x1x3xf32>) {
    %0 = arith.constant 1 : index
    %1 = arith.constant 0 : index
    %v0 = "dnn.relu"(%x0) : (tensor<2x1x3xf32>) -> tensor<2x1x3xf32>
    %v1 = "dnn.maximum"(%v0, %v0) : (tensor<2x1x3xf32>, tensor<2x1x3xf32>) -> tensor<2x1x3xf32>
    %2, %r8 = scf.while (%3 = %1, %r2 = %v0, %r3 = %v1) : (index, tensor<2x1x3xf32>, tensor<2x1x3xf32>) -> (index, tensor<2x1x3xf32>) {
      %4 = arith.cmpi slt, %3, %c0 : index
      scf.condition(%4) %3, %r3 : index, tensor<2x1x3xf32>
    } do {
    ^bb0(%5: index, %r4: tensor<2x1x3xf32>):
      %v5 = "dnn.slice"(%v0) {dim = 1 : i64, start = 0 : i64, end = 1 : i64, step = 1 : i64} : (tensor<2x1x3xf32>) -> tensor<2x1x3xf32>
      %v6 = "dnn.constant"() {value = dense<[[-3, -3, -2, 0], [0, 0, -1, 3], [-2, 3, -1, 1]]> : tensor<3x4xi64>} : () -> tensor<3x4xi64>
      %r7 = func.call @f0(%v6) : (tensor<3x4xi64>) -> tensor<4xi64>
      %6 = arith.addi %5, %0 : index
      scf.yield %6, %v1, %v5 : index, tensor<2x1x3xf32>, tensor<2x1x3xf32>
    }
    func.return %v0, %v1, %r8 : tensor<2x1x3xf32>, tensor<2x1x3xf32>, tensor<2x1x3xf32>
  }
  func.func @f0(%x0: tensor<3x4xi64> {dnn.donated}) -> tensor<4xi64> {
    %v0, %v1, %v2 = "dnn.unbind"(%x0) {axis = 0 : i64} : (tensor<3x4xi64>) -> (tensor<4xi64>, tensor<4xi64>, tensor<4xi64>)
    func.return %v0 : tensor<4xi64>
  }
}
// optimal: 4 inplace=0; 5 refused=[used-later]; 6 reuse=-1,0 succ_reuse=[-1,-1,0] refused=[control-flow]; 21aa9a5f4cfc
// paddle: 4 refused=[engine]; 5 refused=[not-listed]; 6 refused=[control-flow]; 6cd0db4662e9
// nntrainer: 4 inplace=0 inplace_mode=restricting; 5 refused=[not-listed] inplace_mode=none; 6 refused=[control-flow] inplace_mode=none; 9 inplace_mode=none; 11 inplace_mode=none; 16 inplace_mode=none; 66a86786763a
// reinplace: 4 refused=[program-input]; 5 refused=[repeated-operand]; 6 refused=[control-flow]; 6c4ea486407b
// transpiler: 4 inplace=0; 5 refused=[not-listed]; 6 refused=[control-flow]; 66a86786763a
// pool, optimal: 4 inplace=0; 5 refused=[used-later]; 6 reuse=-1,0 succ_reuse=[-1,-1,0] refused=[control-flow]; 21aa9a5f4cfc
// pool, transpiler: 4 inplace=0; 5 refused=[not-listed]; 6 refused=[control-flow]; 66a86786763a
// random, nntrainer: 4 inplace=0 inplace_mode=restricting; 5 refused=[not-listed] inplace_mode=none; 6 refused=[control-flow] inplace_mode=none; 9 inplace_mode=none; 11 inplace_mode=none; 16 inplace_mode=none; 66a86786763a
// random, transpiler: 4 inplace=0; 5 refused=[not-listed]; 6 refused=[control-flow]; 66a86786763a
