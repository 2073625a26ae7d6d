// oneDNN keeps the sizes of a product in 32 bits. Where they do not fit, the kernel of the op computes it.

// RUN: opt-tool --memory-plan-pass --lower-to-onednn-pass %s | filecheck %s

// CHECK-LABEL: func.func @rows(
// CHECK: onednn.call "dnn.matmul"
func.func @rows(%x: tensor<4294967296x4xf32>, %w: tensor<4x2xf32>) -> tensor<4294967296x2xf32> {
  %y = "dnn.matmul"(%x, %w) : (tensor<4294967296x4xf32>, tensor<4x2xf32>) -> tensor<4294967296x2xf32>
  func.return %y : tensor<4294967296x2xf32>
}

// CHECK-LABEL: func.func @batch(
// CHECK: onednn.call "dnn.matmul"
func.func @batch(%x: tensor<1073741824x4x4xf32>, %w: tensor<4x2xf32>) -> tensor<1073741824x4x2xf32> {
  %y = "dnn.matmul"(%x, %w) : (tensor<1073741824x4x4xf32>, tensor<4x2xf32>) -> tensor<1073741824x4x2xf32>
  func.return %y : tensor<1073741824x4x2xf32>
}
