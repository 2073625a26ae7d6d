// A flag, or a member of a pipeline; run again it changes nothing; constants it leaves
// without readers are gone, and only those.

// RUN: opt-tool --gru-fusion-pass %s | filecheck %s
// RUN: opt-tool -p gru-fusion-pass %s | filecheck %s
// RUN: opt-tool --gru-fusion-pass --gru-fusion-pass -p 'gru-fusion-pass,gru-fusion-pass' %s | filecheck %s
// RUN: opt-tool --gru-fusion-pass --gru-fusion-pass --remarks %s 2>&1 | filecheck %s --check-prefix=ONCE

// ONCE:     remark: dnn.gru (h): fused with the matmul that produces %g
// ONCE-NOT: remark: {{.*}}is computed
// CHECK-LABEL: func.func @main(
// CHECK-NEXT:    %unread = "dnn.constant"
// CHECK-NEXT:    %{{.*}} = "dnn.constant"() {value = dense<3.500000e+00> : tensor<1x3xf32>
// CHECK-NEXT:    %h = "dnn.fused_gru"
// CHECK-NEXT:    func.return
func.func @main(%x: tensor<5x2xf32>, %wx: tensor<2x3xf32>, %wh: tensor<1x3xf32>, %o: tensor<3xi64>) -> tensor<5x1xf32> {
  %unread = "dnn.constant"() {value = dense<9.0> : tensor<3xf32>} : () -> tensor<3xf32>
  %row = "dnn.constant"() {value = dense<0.5> : tensor<3xf32>} : () -> tensor<3xf32>
  %b = "dnn.constant"() {value = dense<3.0> : tensor<1x3xf32>} : () -> tensor<1x3xf32>
  %g = "dnn.matmul"(%x, %wx) : (tensor<5x2xf32>, tensor<2x3xf32>) -> tensor<5x3xf32>
  %s = "dnn.add"(%g, %row) : (tensor<5x3xf32>, tensor<3xf32>) -> tensor<5x3xf32>
  %h = "dnn.gru"(%s, %wh, %b, %o) {operandSegmentSizes = array<i32: 1, 1, 1, 0, 1>} : (tensor<5x3xf32>, tensor<1x3xf32>, tensor<1x3xf32>, tensor<3xi64>) -> tensor<5x1xf32>
  func.return %h : tensor<5x1xf32>
}

// With Paddle's rules alone the weights must be constants; one of its passes by itself knows no sum.

// RUN: opt-tool --gru-fusion-pass=strategy=paddle --remarks %s 2>&1 | filecheck %s --check-prefix=PADDLE
// RUN: opt-tool -p 'gru-fusion-pass{strategy=paddle passes="mul_gru_fuse_pass"}' --remarks %s 2>&1 | filecheck %s --check-prefix=PADDLE
// PADDLE: remark: dnn.gru (h): the product before it is not fused with it: the strategy's system does not do that ({{.*}}) [not-listed]
