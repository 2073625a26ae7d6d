builtin.module {
  func.func @main(%x0: tensor<3x4xi64>, %x1: tensor<3x1xi64> {dnn.donated}, %x2: tensor<2x3xf64> {dnn.donated}, %x3: tensor<f64> {dnn.donated}, %x4: tensor<6xf64>, %c0: index) -> (tensor<3x1xi64> {dnn.tied = 1 : i32}) {
    %0 = arith.constant 1 : index
    %1 = arith.constant 0 : index
    %v0 = "dnn.slice_scatter"(%x0, %x1) {dim = 1 : i64, start = 1 : i64, end = 2 : i64, step = 2 : i64} : (tensor<3x4xi64>, tensor<3x1xi64>) -> tensor<3x4xi64>
    %2, %r7 = scf.while (%3 = %1, %r1 = %v0, %r2 = %x1) : (index, tensor<3x4xi64>, tensor<3x1xi64>) -> (index, tensor<3x1xi64>) {
      %4 = arith.cmpi slt, %3, %c0 : index
      scf.condition(%4) %3, %r2 : index, tensor<3x1xi64>
    } do {
    ^bb0(%5: index, %r3: tensor<3x1xi64>):
      %v4 = "dnn.pow"(%x3, %x2) : (tensor<f64>, tensor<2x3xf64>) -> tensor<2x3xf64>
      %r5 = func.call @f0(%x4) : (tensor<6xf64>) -> tensor<6xf64>
      %v6 = "dnn.mul"(%r3, %x1) : (tensor<3x1xi64>, tensor<3x1xi64>) -> tensor<3x1xi64>
      %6 = arith.addi %5, %0 : index
      scf.yield %6, %v0, %v6 : index, tensor<3x4xi64>, tensor<3x1xi64>
    }
    %v8 = "dnn.constant"() {value = dense<[[3], [1], [3]]> : tensor<3x1xi64>} : () -> tensor<3x1xi64>
    %v9 = "dnn.stack"(%r7, %v8, %r7) {axis = 0 : i64} : (tensor<3x1xi64>, tensor<3x1xi64>, tensor<3x1xi64>) -> tensor<3x3x1xi64>
    %v10 = "dnn.reduce_sum"(%x4) {axes = array<i64: 0>, keepdims = true} : (tensor<6xf64>) -> tensor<1xf64>
    func.return %r7 : tensor<3x1xi64>
  }
  func.func @f0(%x0: tensor<6xf64> {dnn.donated}) -> tensor<6xf64> {
    %v0 = "dnn.copy_into"(%x0, %x0) : (tensor<6xf64>, tensor<6xf64>) -> tensor<6xf64>
    %v1 = "dnn.identity"(%v0) : (tensor<6xf64>) -> tensor<6xf64>
    %v2 = "dnn.gelu"(%v1) : (tensor<6xf64>) -> tensor<6xf64>
    func.return %x0 : tensor<6xf64>
  }
}
// optimal: 4 reuse=0 refused=[program-input]; 5 reuse=-1,1 succ_reuse=[-1,0,1]; 8 refused=[control-flow]; 10 inplace=0; 15 refused=[kernel]; 18 inplace=0; 20 refused=[taken]; e1c0628502a0
// paddle: 4 refused=[not-listed]; 8 refused=[not-listed]; 10 refused=[not-listed]; 15 refused=[kernel]; 18 refused=[not-listed]; 20 refused=[not-listed]; c75e349d3be7
// nntrainer: 4 refused=[not-listed] inplace_mode=none; 5 inplace_mode=none; 8 refused=[not-listed] inplace_mode=none; 9 inplace_mode=none; 10 refused=[not-listed] inplace_mode=none; 14 inplace_mode=none; 15 refused=[kernel] inplace_mode=none; 18 refused=[not-listed] inplace_mode=none; 19 inplace_mode=non_restricting; 20 inplace=0 inplace_mode=restricting; 1b8f316c45e3
// reinplace: 4 refused=[program-input]; 8 refused=[broadcast]; 10 inplace=0; 15 refused=[kernel]; 18 refused=[program-input]; 20 inplace=0; d908203efe5a
// transpiler: 4 refused=[not-listed]; 8 refused=[not-listed]; 10 refused=[not-listed]; 15 refused=[kernel]; 18 refused=[not-listed]; 20 inplace=0; 1b8f316c45e3
// pool, optimal: 4 reuse=0 refused=[program-input]; 5 reuse=-1,1 succ_reuse=[-1,0,1]; 8 refused=[control-flow]; 10 inplace=0; 15 refused=[kernel]; 18 inplace=0; 20 refused=[taken]; e1c0628502a0
// pool, transpiler: 4 refused=[not-listed]; 8 refused=[not-listed]; 10 refused=[not-listed]; 15 refused=[kernel]; 18 refused=[not-listed]; 20 inplace=0; 1b8f316c45e3
// random, nntrainer: 4 refused=[not-listed] inplace_mode=none; 5 inplace_mode=none; 8 refused=[not-listed] inplace_mode=none; 9 inplace_mode=none; 10 inplace=0 inplace_mode=none; 14 inplace_mode=none; 15 refused=[kernel] inplace_mode=none; 18 refused=[not-listed] inplace_mode=none; 19 inplace_mode=non_restricting; 20 inplace=0 inplace_mode=restricting; 6ae928b9ccb8
// random, transpiler: 4 refused=[not-listed]; 8 refused=[not-listed]; 10 inplace=0; 15 refused=[kernel]; 18 refused=[not-listed]; 20 inplace=0; 6ae928b9ccb8
