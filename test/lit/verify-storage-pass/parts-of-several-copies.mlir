// What several copies make together is whole: a part at a run-time offset is computed in it, and so is what is around.
// RUN: opt-tool --verify-storage-pass --split-input-file %s | filecheck %s

// CHECK-LABEL: @into_concat
// CHECK: tensor.insert_slice {{.*}} {dnn.inplace = array<i32: 1>, dnn.parts = array<i32: 0>}
func.func @into_concat(%r: tensor<4xi64>, %i: index, %v: i64) -> (tensor<12xi64>) {
  %c = tensor.concat dim(0) %r, %r, %r : (tensor<4xi64>, tensor<4xi64>, tensor<4xi64>) -> tensor<12xi64>
  %p = tensor.insert %v into %r[%i] : tensor<4xi64>
  %w = tensor.insert_slice %p into %c[%i] [4] [1] {dnn.inplace = array<i32: 1>, dnn.parts = array<i32: 0>} : tensor<4xi64> into tensor<12xi64>
  func.return %w : tensor<12xi64>
}

// -----

// CHECK-LABEL: @into_insertion
// CHECK: tensor.insert_slice %p into {{.*}} {dnn.inplace = array<i32: 1>, dnn.parts = array<i32: 0>}
func.func @into_insertion(%b: tensor<12xi64> {dnn.donated}, %r: tensor<4xi64>, %i: index, %v: i64) -> (tensor<12xi64>) {
  %c = tensor.insert_slice %r into %b[0] [4] [1] {dnn.inplace = array<i32: 1>} : tensor<4xi64> into tensor<12xi64>
  %s = tensor.extract_slice %c[%i] [4] [1] : tensor<12xi64> to tensor<4xi64>
  %p = arith.xori %s, %s {dnn.inplace = array<i32: 0>} : tensor<4xi64>
  %w = tensor.insert_slice %p into %c[%i] [4] [1] {dnn.inplace = array<i32: 1>, dnn.parts = array<i32: 0>} : tensor<4xi64> into tensor<12xi64>
  func.return %w : tensor<12xi64>
}
