// sum goes over the argument; the call's result was given the same number
builtin.module {
  func.func @main(%x0: tensor<4x1xf32>, %x1: tensor<3x4xf32> {dnn.donated, dnn.reuse = 0 : i32}, %x2: tensor<3x1xf32>, %c0: index) -> (tensor<3x4xf32> {dnn.tied = 1 : i32}) {
    %v9 = "dnn.sum"(%x1) : (tensor<3x4xf32>) -> tensor<3x4xf32>
    %v10 = "dnn.constant"() {value = dense<-5.000000e-01> : tensor<f32>} : () -> tensor<f32>
    %r11, %r12 = func.call @f0(%v10) {dnn.reuse = array<i32: 0, -1>} : (tensor<f32>) -> (tensor<f32>, tensor<f32>)
    func.return %v9 : tensor<3x4xf32>
  }
  func.func @f0(%x0: tensor<f32>) -> (tensor<f32>, tensor<f32> {dnn.tied = 0 : i32}) {
    func.return %x0, %x0 : tensor<f32>, tensor<f32>
  }
}
