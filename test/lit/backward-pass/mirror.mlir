// The mirrored graph: what an op reads and computes is there until its gradients are, and updates come last.

// RUN: opt-tool -p "backward-pass{optimizer=sgd mirror=true}" %s | filecheck %s
// RUN: opt-tool -p "backward-pass{optimizer=sgd},plan-pass" %s | filecheck %s --check-prefix=EXPLICIT
// RUN: opt-tool -p "backward-pass{optimizer=sgd mirror=true},plan-pass,verify-storage-pass" %s | filecheck %s --check-prefix=PLANNED
// RUN: opt-tool -p "backward-pass{optimizer=sgd mirror=true},plan-pass,lower-to-onednn-pass,verify-lowering-pass" %s | filecheck %s --check-prefix=LOWERED

// CHECK: %c_grad = "dnn.expand"
// CHECK-NEXT: "dnn.keep"(%c_grad, %c, %loss)
// CHECK: %b_grad = "dnn.mul"
// CHECK: %v_grad = "dnn.reduce_sum"
// CHECK-NEXT: "dnn.keep"(%b_grad, %v_grad, %b, %c)
// CHECK-NEXT: %a_grad = "dnn.relu_grad"(%b, %b_grad)
// CHECK-NEXT: "dnn.keep"(%a_grad, %a, %b) : (tensor<32x8xf32>, tensor<32x8xf32>, tensor<32x8xf32>) -> ()
// CHECK: %w_grad = "dnn.reduce_sum"
// CHECK-NEXT: "dnn.keep"(%w_grad, %a)
// CHECK-NEXT: "dnn.sgd"(%v
// CHECK-NEXT: "dnn.sgd"(%w

// relu is written over its operand, which its gradient does not read; in the mirrored graph the operand is kept.

// EXPLICIT: %b = "dnn.relu"(%a) {dnn.inplace = array<i32: 0>
// PLANNED: %b = "dnn.relu"(%a) {dnn.offset
// PLANNED: "dnn.keep"(%a_grad, %a, %b)
// LOWERED: onednn.call "dnn.keep"
func.func @main(%x: tensor<32x8xf32>, %w: tensor<8xf32> {dnn.trainable}, %v: tensor<8xf32> {dnn.trainable}) -> (tensor<f32> {dnn.loss}) {
  %a = "dnn.add"(%x, %w) : (tensor<32x8xf32>, tensor<8xf32>) -> tensor<32x8xf32>
  %b = "dnn.relu"(%a) : (tensor<32x8xf32>) -> tensor<32x8xf32>
  %c = "dnn.mul"(%b, %v) : (tensor<32x8xf32>, tensor<8xf32>) -> tensor<32x8xf32>
  %loss = "dnn.reduce_sum"(%c) : (tensor<32x8xf32>) -> tensor<f32>
  func.return %loss : tensor<f32>
}
