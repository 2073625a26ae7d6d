// sqrt goes over a view of a scatter that lies over its base, which the next turn reads
builtin.module {
  func.func @main(%x0: tensor<4xf32>, %x1: tensor<4xf32>, %x2: tensor<f32>, %c0: i1, %c1: index) -> (tensor<4xf32> {dnn.tied = 1 : i32}) {
    %0 = arith.constant 1 : index
    %1 = arith.constant 0 : index
    cf.br ^bb1(%x0, %x1 : tensor<4xf32>, tensor<4xf32>)
  ^bb1(%r2: tensor<4xf32>, %r3: tensor<4xf32>):
    %r9 = scf.for %2 = %1 to %c1 step %0 iter_args(%r4 = %x1) -> (tensor<4xf32>) {
      %v5 = "dnn.select_scatter"(%r3, %x2) {dim = 0 : i64, index = 1 : i64, dnn.inplace = array<i32: 0>} : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
      %v6 = "dnn.select"(%v5) {dim = 0 : i64, index = -4 : i64} : (tensor<4xf32>) -> tensor<f32>
      %v7 = "dnn.sqrt"(%v6) : (tensor<f32>) -> tensor<f32>
      scf.yield %r4 : tensor<4xf32>
    }
    func.return %r9 : tensor<4xf32>
  }
}
