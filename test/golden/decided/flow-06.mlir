builtin.module {
  func.func @main(%x0: tensor<6xf32>, %x1: tensor<2x3x2xi64>, %c0: i1, %c1: i1) -> (tensor<2x3x2xi64>, tensor<2x3x2xi64>, tensor<2x3x2xi64> {dnn.tied = 1 : i32}) {
    %r1 = scf.if %c0 -> (tensor<6xf32>) {
      %v0 = "dnn.pow"(%x0, %x0) : (tensor<6xf32>, tensor<6xf32>) -> tensor<6xf32>
      scf.yield %v0 : tensor<6xf32>
    } else {
      scf.yield %x0 : tensor<6xf32>
    }
    cf.cond_br %c1, ^bb1(%r1 : tensor<6xf32>), ^bb2
  ^bb1(%r2: tensor<6xf32>):
    %r3 = func.call @f0(%x1) : (tensor<2x3x2xi64>) -> tensor<2x3x2xi64>
    %r4 = func.call @f0(%r3) : (tensor<2x3x2xi64>) -> tensor<2x3x2xi64>
    %v5 = "dnn.relu"(%x1) : (tensor<2x3x2xi64>) -> tensor<2x3x2xi64>
    cf.br ^bb3(%x1, %x1 : tensor<2x3x2xi64>, tensor<2x3x2xi64>)
  ^bb2:
    %v6 = "dnn.constant"() {value = dense<[[-3, 3], [-1, 0]]> : tensor<2x2xi64>} : () -> tensor<2x2xi64>
    %v7 = "dnn.select_scatter"(%x1, %v6) {dim = 1 : i64, index = -1 : i64} : (tensor<2x3x2xi64>, tensor<2x2xi64>) -> tensor<2x3x2xi64>
    cf.br ^bb3(%v7, %v7 : tensor<2x3x2xi64>, tensor<2x3x2xi64>)
  ^bb3(%r8: tensor<2x3x2xi64>, %r9: tensor<2x3x2xi64>):
    func.return %r8, %x1, %r8 : tensor<2x3x2xi64>, tensor<2x3x2xi64>, tensor<2x3x2xi64>
  }
  func.func @f0(%x0: tensor<2x3x2xi64> {dnn.donated}) -> tensor<2x3x2xi64> {
    %v0 = "dnn.transpose"(%x0) {perm = array<i64: 0, 1, 2>} : (tensor<2x3x2xi64>) -> tensor<2x3x2xi64>
    func.return %x0 : tensor<2x3x2xi64>
  }
}
// optimal: 2 reuse=0; 3 reuse=0 refused=[program-input]; 6 succ_reuse=[0 ]; 9 refused=[used-later]; 10 succ_reuse=[1,1]; 12 reuse=1 refused=[control-flow]; 13 succ_reuse=[1,1]; 4810aefba9aa
// paddle: 2 reuse=0; 3 reuse=0 refused=[not-listed]; 9 refused=[engine]; 12 refused=[not-listed]; c9d01f91c3da
// nntrainer: 2 reuse=0 inplace_mode=none; 3 reuse=0 refused=[not-listed] inplace_mode=none; 7 inplace_mode=none; 8 inplace_mode=none; 9 refused=[restricting-input] inplace_mode=none; 12 refused=[not-listed] inplace_mode=none; 16 inplace_mode=none; c6d612882d3b
// reinplace: 2 reuse=0; 3 reuse=0 refused=[program-input]; 9 refused=[program-input]; 12 refused=[program-input]; c0047b1a3cbd
// transpiler: 2 reuse=0; 3 reuse=0 refused=[not-listed]; 9 refused=[used-later]; 12 refused=[not-listed]; 97958fa9fbca
// pool, optimal: 2 reuse=0; 3 reuse=0 refused=[program-input]; 6 succ_reuse=[0 ]; 9 refused=[used-later]; 10 succ_reuse=[1,1]; 12 reuse=1 refused=[control-flow]; 13 succ_reuse=[1,1]; 4810aefba9aa
// pool, transpiler: 2 reuse=0; 3 reuse=0 refused=[not-listed]; 9 refused=[used-later]; 12 refused=[not-listed]; 97958fa9fbca
// random, nntrainer: 2 reuse=0 inplace_mode=none; 3 reuse=0 refused=[not-listed] inplace_mode=none; 7 inplace_mode=none; 8 inplace_mode=none; 9 refused=[restricting-input] inplace_mode=none; 12 refused=[not-listed] inplace_mode=none; 16 inplace_mode=none; c6d612882d3b
// random, transpiler: 2 reuse=0; 3 reuse=0 refused=[not-listed]; 9 refused=[used-later]; 12 refused=[not-listed]; 97958fa9fbca
