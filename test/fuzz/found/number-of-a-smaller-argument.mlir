// tanh brings the number of an argument to a storage that is larger than the argument
builtin.module {
  func.func @main(%x0: tensor<2x2xf32>, %x1: tensor<2xf32> {dnn.donated}, %x2: tensor<4xf32>) -> tensor<f32> {
    %v0 = "dnn.select_scatter"(%x0, %x1) {dim = 1 : i64, index = 1 : i64} : (tensor<2x2xf32>, tensor<2xf32>) -> tensor<2x2xf32>
    %v1, %v2, %v3, %v4 = "dnn.unbind"(%x2) {axis = 0 : i64} : (tensor<4xf32>) -> (tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>)
    %v5 = "dnn.concat"(%v0) {axis = 1 : i64} : (tensor<2x2xf32>) -> tensor<2x2xf32>
    %v6 = "dnn.as_strided"(%v5) {size = array<i64: 2>, stride = array<i64: 1>, storage_offset = 0 : i64} : (tensor<2x2xf32>) -> tensor<2xf32>
    %v7 = "dnn.tanh"(%v6) : (tensor<2xf32>) -> tensor<2xf32>
    func.return %v3 : tensor<f32>
  }
}
