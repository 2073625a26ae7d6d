// A value that is forwarded in one set of decisions may be memory of the caller in another: no op of the loop writes over it there.

// RUN: opt-tool --inplace-pass=forward=true --verify-storage-pass %s | filecheck %s

// CHECK-LABEL: @kept(
// CHECK: tensor.insert %v into %y[%c1] {dnn.reuse = array<i32: 1>}
// CHECK: dnn.succ_forward = [array<i32: 1, -1>]
func.func @kept(%u: tensor<16xf32>, %n: index, %v: f32, %c: i1) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r, %k = scf.while (%x = %u, %i = %c0) : (tensor<16xf32>, index) -> (tensor<16xf32>, index) {
    %q = arith.cmpi slt, %i, %n : index
    scf.condition(%q) %u, %i : tensor<16xf32>, index
  } do {
  ^bb0(%y: tensor<16xf32>, %i: index):
    %w = tensor.insert %v into %y[%c1] : tensor<16xf32>
    %j = arith.addi %i, %c1 : index
    scf.yield %w, %j : tensor<16xf32>, index
  }
  %s = scf.if %c -> (tensor<16xf32>) {
    scf.yield %r : tensor<16xf32>
  } else {
    scf.yield %u : tensor<16xf32>
  }
  %z = tensor.extract %s[%c0] : tensor<16xf32>
  func.return %z : f32
}

// What is read later, by another name, stays as it is, though nothing writes it where the value is not forwarded.
// CHECK-LABEL: @needed_later(
// CHECK: tensor.insert %v into %s[%c0] {dnn.reuse = array<i32: 0>}
func.func @needed_later(%r: tensor<4xi64> {dnn.donated}, %q: tensor<4xi64> {dnn.donated}, %n: index, %v: i64, %c: i1) -> (tensor<2x2xi64>, tensor<4xi64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %e = tensor.expand_shape %r [[0, 1]] output_shape [2, 2] : tensor<4xi64> into tensor<2x2xi64>
  %s = scf.for %i = %c0 to %n step %c1 iter_args(%x = %r) -> (tensor<4xi64>) {
    scf.yield %x : tensor<4xi64>
  }

  %y = scf.if %c -> (tensor<4xi64>) {
    %w = tensor.insert %v into %s[%c0] : tensor<4xi64>
    scf.yield %w : tensor<4xi64>
  } else {
    scf.yield %q : tensor<4xi64>
  }
  func.return %e, %y : tensor<2x2xi64>, tensor<4xi64>
}

// What is lent to an op of which nothing is known is copied where its result is needed later: that may be the same memory.
// CHECK-LABEL: @lent(
// CHECK: scf.for
// CHECK-NOT: dnn.forward
func.func @lent(%b: tensor<12xi64> {dnn.donated}, %s: tensor<2xindex>, %lo: index, %hi: index) -> tensor<3x4xi64> {
  %r = tensor.reshape %b(%s) : (tensor<12xi64>, tensor<2xindex>) -> tensor<3x4xi64>
  %t = scf.for %i = %lo to %hi step %hi iter_args(%x = %b) -> (tensor<12xi64>) {
    %y = arith.muli %x, %x : tensor<12xi64>
    scf.yield %y : tensor<12xi64>
  }
  func.return %r : tensor<3x4xi64>
}
