// Arguments without a gradient: a warning names each.

// RUN: opt-tool --backward-pass=optimizer=sgd %s 2>&1 | filecheck %s

// CHECK: warning: {{.*}}the loss does not depend on the trainable argument w
// CHECK: warning: {{.*}}the loss does not depend on the trainable argument u
// CHECK: func.func @main
// CHECK-SAME: -> (tensor<f32> {dnn.loss}, tensor<4xf32> {dnn.name = "v", dnn.tied = 1 : i32})
// CHECK: "dnn.sgd"(%v, %v_grad, %lr)
// CHECK-NEXT: func.return
func.func @main(%w: tensor<4xf32> {dnn.trainable}, %v: tensor<4xf32> {dnn.trainable}, %u: tensor<4xf32> {dnn.trainable})
    -> (tensor<f32> {dnn.loss}) {
  %c = "dnn.ceil"(%w) : (tensor<4xf32>) -> tensor<4xf32>
  %a = "dnn.mul"(%c, %v) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %loss = "dnn.reduce_sum"(%a) : (tensor<4xf32>) -> tensor<f32>
  func.return %loss : tensor<f32>
}
