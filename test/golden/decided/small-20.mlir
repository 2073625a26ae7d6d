builtin.module {
  func.func @main(%x0: tensor<2x3x2xi32>, %x1: tensor<f32> {dnn.donated}, %x2: tensor<f32> {dnn.donated}, %x3: tensor<2xi32>, %x4: tensor<1xf32>, %c0: i1, %c1: index) -> (tensor<f32> {dnn.tied = 1 : i32}, tensor<2xi32>) {
    %0 = arith.constant 1 : index
    %1 = arith.constant 0 : index
    %r4 = scf.if %c0 -> (tensor<f32>) {
      %v0, %v1, %v2 = "dnn.split"(%x0) {axis = 1 : i64, split_size = 1 : i64} : (tensor<2x3x2xi32>) -> (tensor<2x1x2xi32>, tensor<2x1x2xi32>, tensor<2x1x2xi32>)
      %v3 = "dnn.sigmoid"(%x1) : (tensor<f32>) -> tensor<f32>
      scf.yield %x1 : tensor<f32>
    } else {
      scf.yield %x2 : tensor<f32>
    }
    %v5 = "dnn.select"(%x0) {dim = 1 : i64, index = -1 : i64} : (tensor<2x3x2xi32>) -> tensor<2x2xi32>
    %r9 = scf.for %2 = %1 to %c1 step %0 iter_args(%r6 = %x2) -> (tensor<f32>) {
      %v7 = "dnn.diagonal_scatter"(%v5, %x3) {offset = 0 : i64, dim1 = 0 : i64, dim2 = 1 : i64} : (tensor<2x2xi32>, tensor<2xi32>) -> tensor<2x2xi32>
      %v8 = "dnn.as_strided_scatter"(%r6, %x4) {size = array<i64: 1>, stride = array<i64: 1>, storage_offset = 0 : i64, dnn.engine = "cpu"} : (tensor<f32>, tensor<1xf32>) -> tensor<f32>
      scf.yield %r6 : tensor<f32>
    }
    func.return %r4, %x3 : tensor<f32>, tensor<2xi32>
  }
}
// optimal: 4 reuse=0; 6 refused=[used-later]; 10 inplace=3; 11 refused=[program-input]; 12 refused=[used-later]; c46e66268adf
// paddle: 6 refused=[not-listed]; 10 inplace=3; 11 refused=[not-listed]; 12 refused=[not-listed]; b42fef5c0e82
// nntrainer: 4 inplace_mode=none; 5 inplace_mode=none; 6 refused=[used-later] inplace_mode=none; 9 inplace_mode=none; 10 inplace=3 inplace_mode=none; 11 refused=[not-listed] inplace_mode=none; 12 refused=[not-listed] inplace_mode=none; b448c5019905
// reinplace: 6 refused=[program-input]; 10 inplace=3; 11 refused=[program-input]; 12 refused=[used-later]; 21ead97569f3
// transpiler: 6 refused=[used-later]; 10 inplace=3; 11 refused=[not-listed]; 12 refused=[not-listed]; b448c5019905
// pool, optimal: 4 reuse=0; 6 refused=[used-later]; 10 inplace=3; 11 refused=[program-input]; 12 refused=[used-later]; c46e66268adf
// pool, transpiler: 6 refused=[used-later]; 10 inplace=3; 11 refused=[not-listed]; 12 refused=[not-listed]; b448c5019905
// random, nntrainer: 4 inplace_mode=none; 5 inplace_mode=none; 6 refused=[used-later] inplace_mode=none; 9 inplace_mode=none; 10 inplace=3 inplace_mode=none; 11 refused=[not-listed] inplace_mode=none; 12 refused=[not-listed] inplace_mode=none; b448c5019905
// random, transpiler: 6 refused=[used-later]; 10 inplace=3; 11 refused=[not-listed]; 12 refused=[not-listed]; b448c5019905
