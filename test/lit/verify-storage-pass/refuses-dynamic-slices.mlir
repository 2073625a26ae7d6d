// A part that is written at a start that is known at run time only destroys all of the cache, as far as is known.

// RUN: not opt-tool --verify-storage-pass --split-input-file %s 2>&1 | filecheck %s

// CHECK: :[[# @LINE + 4]]:8: error: dnn.dynamic_slice reads %cache, but bytes [0, 512) of the memory of %cache were overwritten by dnn.dynamic_update_slice (%c)
func.func @read_later(%x: tensor<16x8xf32>, %new: tensor<1x8xf32>, %i: tensor<i64>, %z: tensor<i64>) -> (tensor<16x8xf32>, tensor<2x8xf32>) {
  %cache = "dnn.exp"(%x) : (tensor<16x8xf32>) -> tensor<16x8xf32>
  %c = "dnn.dynamic_update_slice"(%cache, %new, %i, %z) {dnn.inplace = array<i32: 0>} : (tensor<16x8xf32>, tensor<1x8xf32>, tensor<i64>, tensor<i64>) -> tensor<16x8xf32>
  %s = "dnn.dynamic_slice"(%cache, %i, %z) {slice_sizes = array<i64: 2, 8>} : (tensor<16x8xf32>, tensor<i64>, tensor<i64>) -> tensor<2x8xf32>
  func.return %c, %s : tensor<16x8xf32>, tensor<2x8xf32>
}

// -----

// CHECK: :[[# @LINE + 4]]:8: error: dnn.dynamic_update_slice writes %c over bytes [96, 128) of the memory of %cache while it reads them as %row
func.func @own_row(%x: tensor<16x8xf32>, %i: tensor<i64>, %z: tensor<i64>) -> tensor<16x8xf32> {
  %cache = "dnn.exp"(%x) : (tensor<16x8xf32>) -> tensor<16x8xf32>
  %row = "dnn.slice"(%cache) {starts = array<i64: 3, 0>, ends = array<i64: 4, 8>} : (tensor<16x8xf32>) -> tensor<1x8xf32>
  %c = "dnn.dynamic_update_slice"(%cache, %row, %i, %z) {dnn.inplace = array<i32: 0>} : (tensor<16x8xf32>, tensor<1x8xf32>, tensor<i64>, tensor<i64>) -> tensor<16x8xf32>
  func.return %c : tensor<16x8xf32>
}

// -----

// A start is read until the last element is written.
// CHECK: :[[# @LINE + 3]]:8: error: dnn.dynamic_update_slice writes %c over bytes [0, 8) of storage 0 while it reads them as %i
func.func @over_the_start(%x: tensor<1xi64>, %new: tensor<1xi64>, %n: tensor<i64>) -> tensor<1xi64> {
  %i = "dnn.abs"(%n) {dnn.reuse = array<i32: 0>} : (tensor<i64>) -> tensor<i64>
  %c = "dnn.dynamic_update_slice"(%x, %new, %i) {dnn.reuse = array<i32: 0>} : (tensor<1xi64>, tensor<1xi64>, tensor<i64>) -> tensor<1xi64>
  func.return %c : tensor<1xi64>
}
