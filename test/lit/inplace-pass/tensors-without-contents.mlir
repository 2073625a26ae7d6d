// A tensor without contents writes nothing: what is computed before it may lie in its memory, in the part of it that the result is
// inserted into.

// RUN: opt-tool --inplace-pass=forward=true --verify-storage-pass --split-input-file %s | filecheck %s

// CHECK-LABEL: @computed_before
// CHECK: %x = tensor.insert_slice %s into %e[0] [4] [1] {dnn.inplace = array<i32: 1>, dnn.parts = array<i32: 0>}
// CHECK: %y = tensor.insert_slice %d into %x[4] [4] [1] {dnn.inplace = array<i32: 1>, dnn.parts = array<i32: 0>}
func.func @computed_before(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<8xf32> {
  %e4 = tensor.empty() : tensor<4xf32>
  %s = linalg.add ins(%a, %b : tensor<4xf32>, tensor<4xf32>) outs(%e4 : tensor<4xf32>) -> tensor<4xf32>
  %d = linalg.sub ins(%a, %b : tensor<4xf32>, tensor<4xf32>) outs(%e4 : tensor<4xf32>) -> tensor<4xf32>
  %e = tensor.empty() : tensor<8xf32>
  %x = tensor.insert_slice %s into %e[0] [4] [1] : tensor<4xf32> into tensor<8xf32>
  %y = tensor.insert_slice %d into %x[4] [4] [1] : tensor<4xf32> into tensor<8xf32>
  func.return %y : tensor<8xf32>
}

// -----

// What an op reads has contents: it is written where it begins.
// CHECK-LABEL: @read_before
// CHECK: %x = tensor.insert_slice %s into %e[0] [4] [1] {dnn.inplace = array<i32: 1>}
func.func @read_before(%a: tensor<4xf32>, %b: tensor<4xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %e4 = tensor.empty() : tensor<4xf32>
  %s = linalg.add ins(%a, %b : tensor<4xf32>, tensor<4xf32>) outs(%e4 : tensor<4xf32>) -> tensor<4xf32>
  %e = tensor.empty() : tensor<8xf32>
  %e8 = tensor.empty() : tensor<8xf32>
  %r = linalg.exp ins(%e : tensor<8xf32>) outs(%e8 : tensor<8xf32>) -> tensor<8xf32>
  %x = tensor.insert_slice %s into %e[0] [4] [1] : tensor<4xf32> into tensor<8xf32>
  func.return %x, %r : tensor<8xf32>, tensor<8xf32>
}
