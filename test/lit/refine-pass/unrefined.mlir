// The mark of a module that a front end made goes once all that it holds is used.

// RUN: opt-tool --refine-pass --split-input-file %s | filecheck %s
// RUN: opt-tool --split-input-file %s | filecheck %s --check-prefix=KEPT

// KEPT: builtin.module attributes {dnn.unrefined} {

// CHECK: builtin.module {
// CHECK-NEXT: func.func @known(
builtin.module attributes {dnn.unrefined} {
  func.func @known(%x: tensor<2xf32>) -> tensor<2xf32> {
    %a = "dnn.constant"() {value = dense<[1.0, 2.0]> : tensor<2xf32>} : () -> tensor<2xf32>
    %b = "dnn.exp"(%a) : (tensor<2xf32>) -> tensor<2xf32>
    %y = "dnn.mul"(%x, %b) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    func.return %y : tensor<2xf32>
  }
}

// -----

// Nothing depends on the elements of a shape: sizes alone are not waited for.
// CHECK: builtin.module {
// CHECK-NEXT: func.func @sizes(
builtin.module attributes {dnn.unrefined} {
  func.func @sizes(%x: tensor<?xf32>) -> tensor<?xf32> {
    %s = "dnn.shape"(%x) : (tensor<?xf32>) -> tensor<1xi64>
    %y = "dnn.exp"(%x) : (tensor<?xf32>) -> tensor<?xf32>
    func.return %y : tensor<?xf32>
  }
}

// -----

// The count is a number, and its root a constant, once the size is known.
// CHECK: builtin.module attributes {dnn.unrefined} {
// CHECK-NEXT: func.func @elements(
builtin.module attributes {dnn.unrefined} {
  func.func @elements(%x: tensor<?xf32>) -> tensor<?xf32> {
    %s = "dnn.shape"(%x) : (tensor<?xf32>) -> tensor<1xi64>
    %n = "dnn.cast"(%s) : (tensor<1xi64>) -> tensor<1xf32>
    %r = "dnn.sqrt"(%n) : (tensor<1xf32>) -> tensor<1xf32>
    %y = "dnn.div"(%x, %r) : (tensor<?xf32>, tensor<1xf32>) -> tensor<?xf32>
    func.return %y : tensor<?xf32>
  }
}
