// The pass has no options, and packed weights have the bytes that their sizes say.

// RUN: not opt-tool --pack-weights-pass=deep=true %s 2>&1 | filecheck %s --check-prefix=OPTION
// OPTION: opt-tool: error: pack-weights-pass: {{.*}}deep

// RUN: not opt-tool --pack-weights-pass %s --split-input-file 2>&1 | filecheck %s
// CHECK: invalid.mlir:[[# @LINE + 2]]:8: error: {{.*}}packed weights of sizes [3, 4] have 128 elements on one axis
func.func @bytes(%x: tensor<2x3xui8>, %w: tensor<127xi8>) -> tensor<2x4xi32> {
  %y = "dnn.matmul_integer"(%x, %w) {operandSegmentSizes = array<i32: 1, 1, 0, 0>, packed = array<i64: 3, 4>} : (tensor<2x3xui8>, tensor<127xi8>) -> tensor<2x4xi32>
  func.return %y : tensor<2x4xi32>
}
