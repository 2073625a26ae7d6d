// Gradients read what contracts say, in the reverse order of the forward part.

// RUN: opt-tool --backward-pass --split-input-file %s | filecheck %s

// relu reads its result, add nothing: %a has no use behind the forward part.

// CHECK-LABEL: @gradients
// CHECK-SAME: (tensor<f32> {dnn.loss, dnn.name = "loss"}, tensor<3xf32> {dnn.name = "w.gradient"})
// CHECK: %loss = "dnn.reduce_sum"(%b)
// CHECK-NEXT: %{{.*}} = "dnn.ones"() : () -> tensor<f32>
// CHECK: %a_grad = "dnn.relu_grad"(%b, %b_grad)
// CHECK-NEXT: %w_grad = "dnn.reduce_sum"(%a_grad) {axes = array<i64: 0>}
// CHECK-NEXT: func.return %loss, %w_grad
func.func @gradients(%x: tensor<4x3xf32>, %w: tensor<3xf32> {dnn.trainable}) -> (tensor<f32> {dnn.loss, dnn.name = "loss"}) {
  %a = "dnn.add"(%x, %w) : (tensor<4x3xf32>, tensor<3xf32>) -> tensor<4x3xf32>
  %b = "dnn.relu"(%a) : (tensor<4x3xf32>) -> tensor<4x3xf32>
  %loss = "dnn.reduce_sum"(%b) : (tensor<4x3xf32>) -> tensor<f32>
  func.return %loss : tensor<f32>
}

// -----

// Several uses: their gradients are added up. The value that is not trainable has no gradient.

// CHECK-LABEL: @fan_out
// CHECK: %w_grad = "dnn.add"(%{{.*}}, %{{.*}})
// CHECK-NOT: x.gradient
// CHECK: func.return %loss, %w_grad
func.func @fan_out(%x: tensor<3xf32>, %w: tensor<3xf32> {dnn.trainable}) -> (tensor<f32> {dnn.loss}) {
  %a = "dnn.mul"(%w, %x) : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  %b = "dnn.sub"(%a, %w) : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  %loss = "dnn.reduce_sum"(%b) : (tensor<3xf32>) -> tensor<f32>
  func.return %loss : tensor<f32>
}

// -----

// What does not lead to the loss is left alone, an op without a gradient too.

// CHECK-LABEL: @aside
// CHECK: "dnn.opaque"
// CHECK: %w_grad = "dnn.expand"
// CHECK: func.return %o, %loss, %w_grad
func.func @aside(%w: tensor<3xf32> {dnn.trainable}) -> (tensor<3xf32>, tensor<f32> {dnn.loss}) {
  %o = "dnn.opaque"(%w) {kind = "custom"} : (tensor<3xf32>) -> tensor<3xf32>
  %loss = "dnn.reduce_sum"(%w) : (tensor<3xf32>) -> tensor<f32>
  func.return %o, %loss : tensor<3xf32>, tensor<f32>
}
