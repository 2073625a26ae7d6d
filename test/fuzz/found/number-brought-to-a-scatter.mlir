// exp brings its number to the scatter before it, while the branch's result that has it is read
builtin.module {
  func.func @main(%x0: tensor<6xf32>, %x4: tensor<1xf32>, %c0: i1) -> tensor<2x1x3xi64> {
    %r6, %r7 = scf.if %c0 -> (tensor<6xf32>, tensor<6xf32>) {
      scf.yield %x0, %x0 : tensor<6xf32>, tensor<6xf32>
    } else {
      scf.yield %x0, %x0 : tensor<6xf32>, tensor<6xf32>
    }
    %v8 = "dnn.slice_scatter"(%r7, %x4) {dim = 0 : i64, start = 5 : i64, end = 6 : i64, step = 1 : i64} : (tensor<6xf32>, tensor<1xf32>) -> tensor<6xf32>
    %v9 = "dnn.constant"() {value = dense<2.500000e+00> : tensor<f32>} : () -> tensor<f32>
    %v10 = "dnn.select_scatter"(%r6, %v9) {dim = 0 : i64, index = -2 : i64} : (tensor<6xf32>, tensor<f32>) -> tensor<6xf32>
    %v14 = "dnn.constant"() {value = dense<[[[-1, -3, -2]], [[-2, 2, 3]]]> : tensor<2x1x3xi64>} : () -> tensor<2x1x3xi64>
    %v17 = "dnn.exp"(%v8) : (tensor<6xf32>) -> tensor<6xf32>
    func.return %v14 : tensor<2x1x3xi64>
  }
}
