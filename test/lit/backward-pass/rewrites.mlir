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

// -----

// The gradient of a branch is a branch on the same condition. An arm runs again what its gradients read, and no more;
// the arm that does not read %v gives it zeros.

// CHECK-LABEL: @branch
// CHECK: %a = scf.if %c
// CHECK: %[[W:.*]], %[[V:.*]] = scf.if %c -> (tensor<3xf32>, tensor<3xf32>) {
// CHECK-NEXT: %[[E:.*]] = "dnn.exp"(%w)
// CHECK-NEXT: %[[M:.*]] = "dnn.mul"(%[[E]], %v)
// CHECK-NEXT: %[[COS:.*]] = "dnn.cos"(%[[M]])
// CHECK-NOT: dnn.sin
// CHECK: } else {
// CHECK-NEXT: %[[ZERO:.*]] = "dnn.fill"(%v) {value = 0 : i64}
// CHECK-NEXT: scf.yield %a_grad, %[[ZERO]]
// CHECK: func.return %loss, %[[W]], %[[V]]
func.func @branch(%c: i1, %w: tensor<3xf32> {dnn.trainable}, %v: tensor<3xf32> {dnn.trainable}) -> (tensor<f32> {dnn.loss}) {
  %a = scf.if %c -> (tensor<3xf32>) {
    %e = "dnn.exp"(%w) : (tensor<3xf32>) -> tensor<3xf32>
    %m = "dnn.mul"(%e, %v) : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
    %s = "dnn.sin"(%m) : (tensor<3xf32>) -> tensor<3xf32>
    scf.yield %s : tensor<3xf32>
  } else {
    scf.yield %w : tensor<3xf32>
  }
  %loss = "dnn.reduce_sum"(%a) : (tensor<3xf32>) -> tensor<f32>
  func.return %loss : tensor<f32>
}

// -----

// The gradient of a loop is a loop from the last iteration to the first. The state of each iteration is kept in a row;
// the gradient of %w is summed up in the loop.

// CHECK-LABEL: @loop
// CHECK: %[[ROWS:.*]] = "dnn.zeros"() : () -> tensor<4x3xf32>
// CHECK: %h, %{{.*}}, %[[KEPT:.*]] = scf.for %i = {{.*}} iter_args(%[[S:.*]] = %x, %[[N:.*]] = %{{.*}}, %[[ROW:.*]] = %[[ROWS]])
// CHECK: %[[PART:.*]] = "dnn.unsqueeze"(%[[S]])
// CHECK: "dnn.scatter_nd"(%[[ROW]], %{{.*}}, %[[PART]])
// CHECK: %[[NONE:.*]] = "dnn.fill"(%w) {value = 0 : i64}
// CHECK: %[[LAST:.*]] = "dnn.constant"() {value = dense<3> : tensor<1xi64>}
// CHECK: %[[DS:.*]], %[[DW:.*]], %{{.*}} = scf.for {{.*}} iter_args(%[[DH:.*]] = %h_grad, %[[SUM:.*]] = %[[NONE]], %[[PLACE:.*]] = %[[LAST]])
// CHECK-NEXT: %[[FOUND:.*]] = "dnn.gather"(%[[KEPT]], %[[PLACE]])
// CHECK: "dnn.tanh_grad"(%{{.*}}, %[[DH]])
// CHECK: %w_grad = "dnn.add"(%[[SUM]], %{{.*}})
// CHECK: "dnn.sub"(%[[PLACE]], %{{.*}})
// CHECK: func.return %loss, %[[DW]]
func.func @loop(%x: tensor<3xf32>, %w: tensor<3xf32> {dnn.trainable}) -> (tensor<f32> {dnn.loss}) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %four = arith.constant 4 : index
  %h = scf.for %i = %zero to %four step %one iter_args(%s = %x) -> (tensor<3xf32>) {
    %p = "dnn.mul"(%s, %w) : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
    %t = "dnn.tanh"(%p) : (tensor<3xf32>) -> tensor<3xf32>
    scf.yield %t : tensor<3xf32>
  }
  %loss = "dnn.reduce_sum"(%h) : (tensor<3xf32>) -> tensor<f32>
  func.return %loss : tensor<f32>
}

// -----

// What the body computes is of no use to the gradient: nothing is kept, and nothing runs again. A loop that never runs
// passes gradients on.

// CHECK-LABEL: @linear
// CHECK: scf.for {{.*}} -> (tensor<3xf32>)
// CHECK: %[[D:.*]], %[[DW:.*]] = scf.for %{{.*}} iter_args(%[[DA:.*]] = %{{.*}}, %[[SUM:.*]] = %{{.*}}) -> (tensor<3xf32>, tensor<3xf32>) {
// CHECK-NEXT: %w_grad = "dnn.add"(%[[SUM]], %[[DA]])
// CHECK-NEXT: scf.yield %[[DA]], %w_grad
// CHECK: %w_grad{{.*}} = "dnn.add"(%[[DW]], %[[D]])
func.func @linear(%w: tensor<3xf32> {dnn.trainable}) -> (tensor<f32> {dnn.loss}) {
  %zero = arith.constant 0 : index
  %two = arith.constant 2 : index
  %five = arith.constant 5 : index
  %h = scf.for %i = %zero to %five step %two iter_args(%a = %w) -> (tensor<3xf32>) {
    %b = "dnn.add"(%a, %w) : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
    scf.yield %b : tensor<3xf32>
  }
  %k = scf.for %i = %five to %zero step %two iter_args(%a = %h) -> (tensor<3xf32>) {
    %b = "dnn.mul"(%a, %w) : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
    scf.yield %b : tensor<3xf32>
  }
  %loss = "dnn.reduce_sum"(%k) : (tensor<3xf32>) -> tensor<f32>
  func.return %loss : tensor<f32>
}

// -----

// The gradient of a concat is its parts: each is a product of its own, which needs memory only from its first use on.

// CHECK-LABEL: @parts
// CHECK: %[[HALF:.*]] = "dnn.slice"(%w) {dim = 0 : i64, end = 3 : i64, start = 0 : i64} : (tensor<6x2xf32>) -> tensor<3x2xf32>
// CHECK-NEXT: %{{.*}} = "dnn.gemm"(%{{.*}}, %[[HALF]]) {{.*}} : (tensor<4x2xf32>, tensor<3x2xf32>) -> tensor<4x3xf32>
// CHECK-NEXT: %[[OTHER:.*]] = "dnn.slice"(%w) {dim = 0 : i64, end = 6 : i64, start = 3 : i64}
// CHECK-NEXT: %{{.*}} = "dnn.gemm"(%{{.*}}, %[[OTHER]])
// CHECK-NOT: -> tensor<4x6xf32>
func.func @parts(%a: tensor<4x3xf32> {dnn.trainable}, %b: tensor<4x3xf32> {dnn.trainable}, %w: tensor<6x2xf32>) -> (tensor<f32> {dnn.loss}) {
  %c = "dnn.concat"(%a, %b) {axis = 1 : i64} : (tensor<4x3xf32>, tensor<4x3xf32>) -> tensor<4x6xf32>
  %y = "dnn.gemm"(%c, %w) : (tensor<4x6xf32>, tensor<6x2xf32>) -> tensor<4x2xf32>
  %loss = "dnn.reduce_sum"(%y) : (tensor<4x2xf32>) -> tensor<f32>
  func.return %loss : tensor<f32>
}

// -----

// The gradient of a GRU that multiplies its input is one op: no value holds the gates of all rows, 3x6. x is not trained: its gradient is
// left out.

// CHECK-LABEL: @gru
// CHECK: %[[H:.*]] = "dnn.fused_gru"
// CHECK-NOT: tensor<3x6xf32>
// CHECK: %wx_grad, %wh_grad, %b_grad = "dnn.fused_gru_grad"(%x, %wx, %wh, %b, %offsets, %[[H]], %{{.*}}) {is_reverse = true, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 1, 1, 1>}
// CHECK-NOT: tensor<3x6xf32>
// CHECK: func.return
func.func @gru(%x: tensor<3x4xf32>, %offsets: tensor<3xi64>, %wx: tensor<4x6xf32> {dnn.trainable}, %wh: tensor<2x6xf32> {dnn.trainable}, %b: tensor<1x6xf32> {dnn.trainable}) -> (tensor<f32> {dnn.loss}) {
  %h = "dnn.fused_gru"(%x, %wx, %wh, %b, %offsets) {is_reverse = true, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 1>} : (tensor<3x4xf32>, tensor<4x6xf32>, tensor<2x6xf32>, tensor<1x6xf32>, tensor<3xi64>) -> tensor<3x2xf32>
  %loss = "dnn.reduce_sum"(%h) : (tensor<3x2xf32>) -> tensor<f32>
  func.return %loss : tensor<f32>
}

// -----

// A product of a value with itself has one product in its gradient, which is added to itself.

// CHECK-LABEL: @square
// CHECK: "dnn.reduce_sum"
// CHECK: %[[P:[0-9]+]] = "dnn.mul"(%q_grad, %w)
// CHECK-NEXT: %w_grad = "dnn.add"(%[[P]], %[[P]])
// CHECK-NEXT: func.return
func.func @square(%w: tensor<3xf32> {dnn.trainable}) -> (tensor<f32> {dnn.loss}) {
  %q = "dnn.mul"(%w, %w) : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  %loss = "dnn.reduce_sum"(%q) : (tensor<3xf32>) -> tensor<f32>
  func.return %loss : tensor<f32>
}
