// Ops that nothing is known of: what they are given, and what their regions capture, may live on in their results.

// RUN: opt-tool %s --inplace-pass --memory-plan-pass --verify-storage-pass | filecheck %s
// RUN: opt-tool %s --inplace-pass=strategy=nntrainer --memory-plan-pass --verify-storage-pass | filecheck %s
// RUN: opt-tool %s --inplace-pass=strategy=reinplace --memory-plan-pass --verify-storage-pass | filecheck %s
// RUN: opt-tool %s --inplace-pass=strategy=transpiler --memory-plan-pass --verify-storage-pass | filecheck %s
// RUN: opt-tool %s --memory-plan-pass=algorithm=pool --inplace-pass --memory-plan-pass --verify-storage-pass | filecheck %s

// %b may not be over %a while %r lives, which may be %a: not in place, and not by the plan.
// CHECK-LABEL: func.func @given(
// CHECK: %a = "dnn.exp"(%x) {{.*}}dnn.offset = array<i64: [[A:[0-9]+]]>
// CHECK: %b = "dnn.tanh"(%a)
// CHECK-NOT: dnn.inplace =
// CHECK-NOT: dnn.offset = array<i64: [[A]]>
// CHECK: %d = "dnn.add"
func.func @given(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %a = "dnn.exp"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %r = "other.op"(%a) : (tensor<4xf32>) -> tensor<4xf32>
  %b = "dnn.tanh"(%a) : (tensor<4xf32>) -> tensor<4xf32>
  %d = "dnn.add"(%b, %r) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  func.return %d, %b : tensor<4xf32>, tensor<4xf32>
}

// CHECK-LABEL: func.func @captured(
// CHECK: %a = "dnn.exp"(%x) {{.*}}dnn.offset = array<i64: [[A:[0-9]+]]>
// CHECK: %b = "dnn.tanh"(%a)
// CHECK-NOT: dnn.inplace =
// CHECK-NOT: dnn.offset = array<i64: [[A]]>
// CHECK: %d = "dnn.add"
func.func @captured(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %a = "dnn.exp"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %r = "other.region"(%x) ({
    "other.use"(%a) : (tensor<4xf32>) -> ()
  }) : (tensor<4xf32>) -> tensor<4xf32>
  %b = "dnn.tanh"(%a) : (tensor<4xf32>) -> tensor<4xf32>
  %d = "dnn.add"(%b, %r) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  func.return %d, %b : tensor<4xf32>, tensor<4xf32>
}

// An argument of the region is what the op was given, perhaps; %m may live on in %r.
// CHECK-LABEL: func.func @lent(
// CHECK: %k = "dnn.neg"(%q)
// CHECK-NOT: dnn.inplace =
// CHECK-SAME: dnn.offset = array<i64: [[K:[0-9]+]]>
// CHECK: %b = "dnn.tanh"(%x)
// CHECK-NOT: dnn.offset = array<i64: [[K]]>
// CHECK: func.return
func.func @lent(%x: tensor<4xf32>) -> tensor<4xf32> {
  %r = "other.region"(%x) ({
  ^bb0(%q: tensor<4xf32>):
    %k = "dnn.neg"(%q) : (tensor<4xf32>) -> tensor<4xf32>
    "other.yield"(%k) : (tensor<4xf32>) -> ()
  }) : (tensor<4xf32>) -> tensor<4xf32>
  %b = "dnn.tanh"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %c = "dnn.softmax"(%b) : (tensor<4xf32>) -> tensor<4xf32>
  %d = "dnn.add"(%c, %r) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  func.return %d : tensor<4xf32>
}
