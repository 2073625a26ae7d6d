// Offsets of slices of one memory under two shapes say nothing about each other.

// RUN: opt-tool --inplace-pass=explain=true --verify-storage-pass %s | filecheck %s

// Row 2 of four has elements that row 1 of three has.
// CHECK-LABEL: func.func @other_rows(
// CHECK: %f = linalg.fill {dnn.refused = ["used-later"]}
// CHECK: %y = tensor.insert_slice %f into %a[%i, 0] [1, 4] [1, 1] {dnn.refused = ["used-later"
func.func @other_rows(%x: tensor<12xi64> {dnn.donated}, %i: index, %v: i64) -> (tensor<12xi64>, i64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %j = arith.addi %i, %c1 : index
  %a = tensor.expand_shape %x [[0, 1]] output_shape [3, 4] : tensor<12xi64> into tensor<3x4xi64>
  %b = tensor.expand_shape %x [[0, 1]] output_shape [4, 3] : tensor<12xi64> into tensor<4x3xi64>
  %s = tensor.extract_slice %a[%i, 0] [1, 4] [1, 1] : tensor<3x4xi64> to tensor<1x4xi64>
  %r = tensor.extract_slice %b[%j, 0] [1, 3] [1, 1] : tensor<4x3xi64> to tensor<1x3xi64>
  %f = linalg.fill ins(%v : i64) outs(%s : tensor<1x4xi64>) -> tensor<1x4xi64>
  %y = tensor.insert_slice %f into %a[%i, 0] [1, 4] [1, 1] : tensor<1x4xi64> into tensor<3x4xi64>
  %e = tensor.extract %r[%c0, %c0] : tensor<1x3xi64>
  %z = tensor.collapse_shape %y [[0, 1]] : tensor<3x4xi64> into tensor<12xi64>
  func.return %z, %e : tensor<12xi64>, i64
}

// The slices have different ranks.
// CHECK-LABEL: func.func @other_rank(
// CHECK: %f = linalg.fill {dnn.refused = ["used-later"]}
func.func @other_rank(%x: tensor<12xi64> {dnn.donated}, %i: index, %j: index, %v: i64) -> (tensor<12xi64>, i64) {
  %c0 = arith.constant 0 : index
  %a = tensor.expand_shape %x [[0, 1]] output_shape [3, 4] : tensor<12xi64> into tensor<3x4xi64>
  %r = tensor.extract_slice %a[%i, 0] [1, 4] [1, 1] : tensor<3x4xi64> to tensor<4xi64>
  %s = tensor.extract_slice %x[%j] [4] [1] : tensor<12xi64> to tensor<4xi64>
  %f = linalg.fill ins(%v : i64) outs(%s : tensor<4xi64>) -> tensor<4xi64>
  %y = tensor.insert_slice %f into %x[%j] [4] [1] : tensor<4xi64> into tensor<12xi64>
  %e = tensor.extract %r[%c0] : tensor<4xi64>
  func.return %y, %e : tensor<12xi64>, i64
}

// Under one shape the next row is apart.
// CHECK-LABEL: func.func @next_row(
// CHECK: %f = linalg.fill {dnn.inplace = array<i32: 1>}
func.func @next_row(%x: tensor<12xi64> {dnn.donated}, %i: index, %v: i64) -> (tensor<12xi64>, i64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %j = arith.addi %i, %c1 : index
  %a = tensor.expand_shape %x [[0, 1]] output_shape [3, 4] : tensor<12xi64> into tensor<3x4xi64>
  %b = tensor.expand_shape %x [[0, 1]] output_shape [3, 4] : tensor<12xi64> into tensor<3x4xi64>
  %s = tensor.extract_slice %a[%i, 0] [1, 4] [1, 1] : tensor<3x4xi64> to tensor<4xi64>
  %r = tensor.extract_slice %b[%j, 0] [1, 4] [1, 1] : tensor<3x4xi64> to tensor<4xi64>
  %f = linalg.fill ins(%v : i64) outs(%s : tensor<4xi64>) -> tensor<4xi64>
  %y = tensor.insert_slice %f into %a[%i, 0] [1, 4] [1, 1] : tensor<4xi64> into tensor<3x4xi64>
  %e = tensor.extract %r[%c0] : tensor<4xi64>
  %z = tensor.collapse_shape %y [[0, 1]] : tensor<3x4xi64> into tensor<12xi64>
  func.return %z, %e : tensor<12xi64>, i64
}
