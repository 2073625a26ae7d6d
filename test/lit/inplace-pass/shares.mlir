// What ops share with those around them, `dnn.shares`: by nntrainer's table, and where decisions are best.

// RUN: opt-tool --inplace-pass=strategy=nntrainer,shares=true --split-input-file %s | filecheck %s
// RUN: opt-tool --inplace-pass=shares=true --split-input-file %s | filecheck %s --check-prefix=BEST
// RUN: opt-tool --inplace-pass=shares=true --inplace-pass --verify-storage-pass --split-input-file %s | filecheck %s --check-prefix=BEST
// RUN: opt-tool --inplace-pass --split-input-file %s | filecheck %s --check-prefix=NONE

// NONE-NOT: dnn.shares
// NONE: func.return %a, %b, %c

// A layer in place shares both. The results of a multiout have gradients of their own. The gradient of an addition is
// that of both operands, so only the gradients are shared where the values are not.
// CHECK-LABEL: @layers
// BEST-LABEL: @layers
func.func @layers(%x: tensor<2x8xf32>, %w: tensor<8x8xf32>, %k: tensor<8xf32>) -> tensor<2x8xf32> {
  // CHECK:     "dnn.matmul"(%x, %w) {dnn.inplace_mode = "none"}
  // BEST:      "dnn.matmul"(%x, %w) :
  %a = "dnn.matmul"(%x, %w) : (tensor<2x8xf32>, tensor<8x8xf32>) -> tensor<2x8xf32>
  // CHECK:     "dnn.batch_norm"{{.*}}dnn.shares = "both"
  // BEST:      "dnn.batch_norm"{{.*}}dnn.shares = "both"
  %b = "dnn.batch_norm"(%a, %k, %k, %k, %k)
    : (tensor<2x8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<2x8xf32>
  // CHECK:     "dnn.multiout"{{.*}}dnn.shares = "values"
  // BEST:      "dnn.multiout"{{.*}}dnn.shares = "values"
  %p, %q = "dnn.multiout"(%b) : (tensor<2x8xf32>) -> (tensor<2x8xf32>, tensor<2x8xf32>)
  // CHECK:     "dnn.softmax"
  // CHECK-NOT: dnn.shares = "values"
  // CHECK:     "dnn.add"(%c, %q) {dnn.inplace_mode = "none", dnn.shares = "gradients"}
  // BEST:      "dnn.add"(%c, %q) {dnn.inplace = array<i32: 0>, dnn.shares = "both"}
  %c = "dnn.softmax"(%p) {axis = 1 : i64} : (tensor<2x8xf32>) -> tensor<2x8xf32>
  %d = "dnn.add"(%c, %q) : (tensor<2x8xf32>, tensor<2x8xf32>) -> tensor<2x8xf32>
  func.return %d : tensor<2x8xf32>
}

// -----

// Nothing is written over the caller's %x and %y, and their sum has the gradient of both. That of %x, summed along an
// axis, is not the gradient of the result, and neither is one that is wider.
// CHECK-LABEL: @additions
// BEST-LABEL: @additions
func.func @additions(%x: tensor<8xf32>, %y: tensor<8xf32>, %z: tensor<2x8xf32>) -> (tensor<8xf32>, tensor<2x8xf32>, tensor<16xf32>) {
  // CHECK:     "dnn.add"(%x, %y) {dnn.inplace_mode = "none", dnn.shares = "gradients"}
  // BEST:      "dnn.add"(%x, %y) {dnn.shares = "gradients"}
  %a = "dnn.add"(%x, %y) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  // BEST-NEXT: "dnn.add"(%x, %z) {dnn.shares = "gradients"}
  %b = "dnn.add"(%x, %z) : (tensor<8xf32>, tensor<2x8xf32>) -> tensor<2x8xf32>
  // BEST-NEXT: "dnn.expand"(%x) {dnn.shares = "values"}
  %v = "dnn.expand"(%x) : (tensor<8xf32>) -> tensor<2x8xf32>
  // BEST-NEXT: "dnn.less"(%a, %y) :
  %l = "dnn.less"(%a, %y) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1>
  // BEST-NEXT: "dnn.concat"(%a, %x) {axis = 0 : i64, dnn.shares = "gradients"}
  %c = "dnn.concat"(%a, %x) {axis = 0 : i64} : (tensor<8xf32>, tensor<8xf32>) -> tensor<16xf32>
  func.return %a, %b, %c : tensor<8xf32>, tensor<2x8xf32>, tensor<16xf32>
}
