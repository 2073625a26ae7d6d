// Sizes that depend on data, and numbers that do not fit.

// RUN: not opt-tool --refine-pass --split-input-file %s 2>&1 | filecheck %s

// CHECK: invalid.mlir:[[# @LINE + 2]]:8: error: dnn.reshape: shape must be known while compiling, and depend on %shape
func.func @argument(%x: tensor<6xf32>, %shape: tensor<2xi64>) -> tensor<?x?xf32> {
  %y = "dnn.dynamic"(%x, %shape) {op = "reshape", names = ["shape"]} : (tensor<6xf32>, tensor<2xi64>) -> tensor<?x?xf32>
  func.return %y : tensor<?x?xf32>
}

// -----

// CHECK: invalid.mlir:[[# @LINE + 3]]:8: error: dnn.dynamic: 6 elements do not fill a shape of 8
func.func @elements(%x: tensor<6xf32>) -> tensor<?x?xf32> {
  %shape = "dnn.constant"() {value = dense<[2, 4]> : tensor<2xi64>} : () -> tensor<2xi64>
  %y = "dnn.dynamic"(%x, %shape) {op = "reshape", names = ["shape"]} : (tensor<6xf32>, tensor<2xi64>) -> tensor<?x?xf32>
  func.return %y : tensor<?x?xf32>
}

// -----

// CHECK: invalid.mlir:[[# @LINE + 2]]:8: error: dnn.dynamic: there is no op 'dnn.nothing'
func.func @kind(%x: tensor<6xf32>, %shape: tensor<2xi64>) -> tensor<?x?xf32> {
  %y = "dnn.dynamic"(%x, %shape) {op = "nothing", names = ["shape"]} : (tensor<6xf32>, tensor<2xi64>) -> tensor<?x?xf32>
  func.return %y : tensor<?x?xf32>
}
