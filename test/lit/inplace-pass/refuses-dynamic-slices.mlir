// Where a copy of a cache stays: the caller keeps it, it is read later, or what is written is a part of it.

// RUN: opt-tool %s --inplace-pass --remarks --verify-storage-pass 2>&1 | filecheck %s

// CHECK: %k is not written over %cache: the operand is memory of the caller, neither donated nor tied [program-input]
func.func @kept(%cache: tensor<16x8xf32>, %new: tensor<1x8xf32>, %i: tensor<i64>, %z: tensor<i64>) -> tensor<16x8xf32> {
  %k = "dnn.dynamic_update_slice"(%cache, %new, %i, %z) : (tensor<16x8xf32>, tensor<1x8xf32>, tensor<i64>, tensor<i64>) -> tensor<16x8xf32>
  func.return %k : tensor<16x8xf32>
}

// CHECK: %l is not written over %cache: it is read later, by dnn.dynamic_slice at line 15 [used-later]
func.func @old_rows(%cache: tensor<16x8xf32> {dnn.donated}, %new: tensor<1x8xf32>, %i: tensor<i64>, %z: tensor<i64>)
    -> (tensor<16x8xf32>, tensor<2x8xf32>) {
  %l = "dnn.dynamic_update_slice"(%cache, %new, %i, %z) : (tensor<16x8xf32>, tensor<1x8xf32>, tensor<i64>, tensor<i64>) -> tensor<16x8xf32>
  %s = "dnn.dynamic_slice"(%cache, %i, %z) {slice_sizes = array<i64: 2, 8>} : (tensor<16x8xf32>, tensor<i64>, tensor<i64>) -> tensor<2x8xf32>
  func.return %l, %s : tensor<16x8xf32>, tensor<2x8xf32>
}

// CHECK: %m is not written over %cache: another operand is a different view of the same bytes, as %row [overlapping-view]
func.func @own_row(%cache: tensor<16x8xf32> {dnn.donated}, %i: tensor<i64>, %z: tensor<i64>) -> tensor<16x8xf32> {
  %row = "dnn.slice"(%cache) {starts = array<i64: 3, 0>, ends = array<i64: 4, 8>} : (tensor<16x8xf32>) -> tensor<1x8xf32>
  %m = "dnn.dynamic_update_slice"(%cache, %row, %i, %z) : (tensor<16x8xf32>, tensor<1x8xf32>, tensor<i64>, tensor<i64>) -> tensor<16x8xf32>
  func.return %m : tensor<16x8xf32>
}

// The update is read until the last byte is written, so it may not be written over; a start is no place either.
// CHECK: %n is not written over %cache: {{.*}}[program-input]
func.func @not_over_others(%cache: tensor<1x8xf32>, %new: tensor<1x8xf32> {dnn.donated}, %i: tensor<i64>)
    -> tensor<1x8xf32> {
  %n = "dnn.dynamic_update_slice"(%cache, %new, %i, %i) : (tensor<1x8xf32>, tensor<1x8xf32>, tensor<i64>, tensor<i64>) -> tensor<1x8xf32>
  func.return %n : tensor<1x8xf32>
}

// CHECK-LABEL: @kept
// CHECK-NOT: dnn.inplace
