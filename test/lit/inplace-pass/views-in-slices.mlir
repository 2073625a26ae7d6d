// A reshape to sizes that are not known is a copy of memory of its own, and a view of a slice at an offset that is known
// at run time only. What is decided holds for both.
// RUN: opt-tool --inplace-pass --verify-storage-pass --split-input-file %s | filecheck %s
// RUN: opt-tool --inplace-pass=forward=true --verify-storage-pass --split-input-file %s | filecheck %s --check-prefix=FORWARD
// RUN: opt-tool --inplace-pass=strategy=transpiler --verify-storage-pass --split-input-file %s -o /dev/null
// RUN: opt-tool --inplace-pass --bufferize-pass=unproved=error --split-input-file %s -o /dev/null

// The sum is over the slice, so that the copy reads bytes of %u.
// CHECK-LABEL: func.func @copied_to_where_it_is
// CHECK: arith.addi {{.*}} {dnn.inplace = array<i32: 0>}
// CHECK-NOT: dnn.inplace
func.func @copied_to_where_it_is(%u: tensor<?x4xi64> {dnn.donated}, %i: index, %n: index) -> tensor<?x4xi64> {
  %s = tensor.extract_slice %u[%i, 0] [3, 4] [1, 1] : tensor<?x4xi64> to tensor<3x4xi64>
  %t = tensor.collapse_shape %s [[0, 1]] : tensor<3x4xi64> into tensor<12xi64>
  %d = tensor.cast %t : tensor<12xi64> to tensor<?xi64>
  %a = arith.addi %d, %d : tensor<?xi64>
  %e = tensor.expand_shape %a [[0, 1]] output_shape [%n, 4] : tensor<?xi64> into tensor<?x4xi64>
  %r = linalg.copy ins(%e : tensor<?x4xi64>) outs(%u : tensor<?x4xi64>) -> tensor<?x4xi64>
  func.return %r : tensor<?x4xi64>
}

// -----

// The size is known, but not by the op alone.
// CHECK-LABEL: func.func @size_of_another_tensor
// CHECK: arith.addi %d, %d : tensor<?xi64>
// CHECK: linalg.copy {dnn.inplace = array<i32: 1>}
func.func @size_of_another_tensor(%u: tensor<?x4xi64> {dnn.donated}, %i: index, %k: tensor<3xi64>) -> tensor<?x4xi64> {
  %c0 = arith.constant 0 : index
  %k0 = tensor.cast %k : tensor<3xi64> to tensor<?xi64>
  %n = tensor.dim %k0, %c0 : tensor<?xi64>
  %s = tensor.extract_slice %u[%i, 0] [3, 4] [1, 1] : tensor<?x4xi64> to tensor<3x4xi64>
  %t = tensor.collapse_shape %s [[0, 1]] : tensor<3x4xi64> into tensor<12xi64>
  %d = tensor.cast %t : tensor<12xi64> to tensor<?xi64>
  %a = arith.addi %d, %d : tensor<?xi64>
  %e = tensor.expand_shape %a [[0, 1]] output_shape [%n, 4] : tensor<?xi64> into tensor<?x4xi64>
  %r = linalg.copy ins(%e : tensor<?x4xi64>) outs(%u : tensor<?x4xi64>) -> tensor<?x4xi64>
  func.return %r : tensor<?x4xi64>
}

// -----

// Both %a and %r over the slice would leave nothing of %e, which is read later.
// CHECK-LABEL: func.func @read_after_its_operand_ends
// CHECK-COUNT-1: dnn.inplace
// CHECK-NOT: dnn.inplace
func.func @read_after_its_operand_ends(%u: tensor<?x4xi64> {dnn.donated}, %i: index, %j: index, %n: index) -> (tensor<?xi64>, i64) {
  %s = tensor.extract_slice %u[%i, 0] [3, 4] [1, 1] : tensor<?x4xi64> to tensor<3x4xi64>
  %t = tensor.collapse_shape %s [[0, 1]] : tensor<3x4xi64> into tensor<12xi64>
  %d = tensor.cast %t : tensor<12xi64> to tensor<?xi64>
  %a = arith.addi %d, %d : tensor<?xi64>
  %e = tensor.expand_shape %a [[0, 1]] output_shape [%n, 4] : tensor<?xi64> into tensor<?x4xi64>
  %r = arith.muli %a, %a : tensor<?xi64>
  %x = tensor.extract %e[%i, %j] : tensor<?x4xi64>
  func.return %r, %x : tensor<?xi64>, i64
}

// -----

// Sizes that the types leave open follow from where the operand lies: the collapse is a view of memory of its own too.
// CHECK-LABEL: func.func @known_by_where_it_lies
// CHECK: arith.addi %v, %v : tensor<?x4xi64>
// CHECK: linalg.copy {dnn.inplace = array<i32: 1>}
func.func @known_by_where_it_lies(%u: tensor<?xi64> {dnn.donated}, %k: index) -> tensor<?xi64> {
  %c3 = arith.constant 3 : index
  %s = tensor.extract_slice %u[0] [%k] [1] : tensor<?xi64> to tensor<?xi64>
  %v = tensor.expand_shape %s [[0, 1]] output_shape [%c3, 4] : tensor<?xi64> into tensor<?x4xi64>
  %a = arith.addi %v, %v : tensor<?x4xi64>
  %c = tensor.collapse_shape %a [[0, 1]] : tensor<?x4xi64> into tensor<?xi64>
  %r = linalg.copy ins(%c : tensor<?xi64>) outs(%u : tensor<?xi64>) -> tensor<?xi64>
  func.return %r : tensor<?xi64>
}

// -----

// The row is a slice that is reshaped: the kernel reads it, so that no result of that is over the whole. The branch is
// forwarded, and its arms are looked at once more for that.
// FORWARD-LABEL: func.func @row_of_the_destination
// FORWARD: linalg.generic
// FORWARD-NOT: dnn.inplace
// FORWARD: dnn.forward = array<i32: 1>
func.func @row_of_the_destination(%m: tensor<3x4xi64> {dnn.donated}, %i: index, %c: i1) -> i64 {
  %row = tensor.extract_slice %m[%i, 0] [1, 4] [1, 1] : tensor<3x4xi64> to tensor<1x4xi64>
  %flat = tensor.collapse_shape %row [[0, 1]] : tensor<1x4xi64> into tensor<4xi64>
  %r = scf.if %c -> (tensor<3x4xi64>) {
    %s = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%flat : tensor<4xi64>) outs(%m : tensor<3x4xi64>) {
    ^bb0(%x: i64, %y: i64):
      %z = arith.subi %x, %y : i64
      linalg.yield %z : i64
    } -> tensor<3x4xi64>
    scf.yield %s : tensor<3x4xi64>
  } else {
    scf.yield %m : tensor<3x4xi64>
  }
  %x = tensor.extract %r[%i, %i] : tensor<3x4xi64>
  func.return %x : i64
}

// -----

// What is carried is a copy of %a, which may not be where the loop carries it: its sizes are others.
// CHECK-LABEL: func.func @carried
// CHECK: arith.addi %d, %d : tensor<?xi64>
func.func @carried(%u: tensor<?x4xi64> {dnn.donated}, %i: index, %n: index) -> tensor<?x4xi64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %s = tensor.extract_slice %u[%i, 0] [3, 4] [1, 1] : tensor<?x4xi64> to tensor<3x4xi64>
  %t = tensor.collapse_shape %s [[0, 1]] : tensor<3x4xi64> into tensor<12xi64>
  %d = tensor.cast %t : tensor<12xi64> to tensor<?xi64>
  %a = arith.addi %d, %d : tensor<?xi64>
  %e = tensor.expand_shape %a [[0, 1]] output_shape [%n, 4] : tensor<?xi64> into tensor<?x4xi64>
  %p, %q = scf.for %k = %c0 to %n step %c1 iter_args(%f = %u, %g = %e) -> (tensor<?x4xi64>, tensor<?x4xi64>) {
    %h = arith.subi %g, %f : tensor<?x4xi64>
    scf.yield %g, %h : tensor<?x4xi64>, tensor<?x4xi64>
  }
  func.return %p : tensor<?x4xi64>
}
