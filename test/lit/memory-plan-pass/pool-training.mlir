// The memory transpiler on a step of training: the pool first, then results over operands, as its document has it.

// RUN: opt-tool --backward-pass=optimizer=sgd --memory-plan-pass=algorithm=pool --inplace-pass=strategy=transpiler --verify-storage-pass %s | filecheck %s

// The product is dead once relu has read it, because relu's gradient reads the result; relu's own result is served
// before the product joins the pool. Ops of the backward part take both in turn. The scale of a number is in place.
// CHECK: %a = "dnn.matmul"(%x, %w) {dnn.reuse = array<i32: [[A:[0-9]+]]>}
// CHECK: %b = "dnn.relu"(%a) {dnn.reuse = array<i32: [[B:[0-9]+]]>}
// CHECK: %1 = "dnn.sub"(%b, %t) {dnn.reuse = array<i32: [[A]]>}
// CHECK: "dnn.scale"{{.*}}dnn.inplace = array<i32: 0>
// CHECK: %a_grad = "dnn.relu_grad"(%b, %b_grad) {dnn.reuse = array<i32: [[A]]>}
// CHECK: %w_grad = "dnn.gemm"(%x, %a_grad) {{{.*}}dnn.reuse = array<i32: [[B]]>}
// CHECK: "dnn.sgd"(%w, %w_grad, %lr) :
func.func @main(%x: tensor<4x4xf32>, %t: tensor<4x4xf32>, %w: tensor<4x4xf32> {dnn.trainable}) -> (tensor<f32> {dnn.loss}) {
  %a = "dnn.matmul"(%x, %w) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %b = "dnn.relu"(%a) : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %loss = "dnn.mse"(%b, %t) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<f32>
  func.return %loss : tensor<f32>
}
