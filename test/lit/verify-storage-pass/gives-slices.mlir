// A call may be given a slice that does not lie row-major only if the function takes strides.

// RUN: not opt-tool --verify-storage-pass %s --split-input-file 2>&1 | filecheck %s --check-prefix=ACCEPTS
// RUN: not opt-tool --verify-storage-pass %s --split-input-file 2>&1 | filecheck %s

// ACCEPTS: func.call @adds(%c) {dnn.inplace = array<i32: 0>}
// ACCEPTS-NEXT: tensor.insert_slice
func.func @adds(%p: tensor<4x1xf32> {dnn.donated}) -> (tensor<4x1xf32> {dnn.tied = 0 : i32}) attributes {dnn.strided} {
  %s = "dnn.relu"(%p) {dnn.inplace = array<i32: 0>} : (tensor<4x1xf32>) -> tensor<4x1xf32>
  func.return %s : tensor<4x1xf32>
}
func.func @column(%x: tensor<4x8xf32> {dnn.donated}, %i: index) -> tensor<4x8xf32> {
  %c = tensor.extract_slice %x[0, %i] [4, 1] [1, 1] : tensor<4x8xf32> to tensor<4x1xf32>
  %s = func.call @adds(%c) {dnn.inplace = array<i32: 0>} : (tensor<4x1xf32>) -> tensor<4x1xf32>
  %r = "tensor.insert_slice"(%s, %x, %i) <{static_offsets = array<i64: 0, -9223372036854775808>, static_sizes = array<i64: 4, 1>, static_strides = array<i64: 1, 1>, operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>}> {dnn.inplace = array<i32: 1>} : (tensor<4x1xf32>, tensor<4x8xf32>, index) -> tensor<4x8xf32>
  func.return %r : tensor<4x8xf32>
}

// -----

// CHECK: gives-slices.mlir:[[# @LINE + 8]]:8: error: func.call does not take strides, but %c lies at strides in
func.func @sums(%p: tensor<4x1xf32> {dnn.donated}) -> (tensor<4x1xf32> {dnn.lent = array<i32>}) {
  %s = "dnn.relu"(%p) {dnn.inplace = array<i32: 0>} : (tensor<4x1xf32>) -> tensor<4x1xf32>
  %t = "dnn.exp"(%s) : (tensor<4x1xf32>) -> tensor<4x1xf32>
  func.return %t : tensor<4x1xf32>
}
func.func @column(%x: tensor<4x8xf32> {dnn.donated}, %i: index) -> tensor<4x1xf32> {
  %c = tensor.extract_slice %x[0, %i] [4, 1] [1, 1] : tensor<4x8xf32> to tensor<4x1xf32>
  %s = func.call @sums(%c) {dnn.donate = array<i32: 0>} : (tensor<4x1xf32>) -> tensor<4x1xf32>
  func.return %s : tensor<4x1xf32>
}

// -----

// CHECK: gives-slices.mlir:[[# @LINE + 2]]:8: error: 'dnn.exp': dnn.strided is for functions
func.func @not_on_ops(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = "dnn.exp"(%x) {dnn.strided} : (tensor<4xf32>) -> tensor<4xf32>
  func.return %y : tensor<4xf32>
}
