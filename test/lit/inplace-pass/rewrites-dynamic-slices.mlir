// `dnn.dynamic_update_slice` writes its part of a cache in place: in a step, and in loops that carry the cache.

// RUN: opt-tool %s --inplace-pass --verify-storage-pass | filecheck %s
// RUN: opt-tool %s --inplace-pass --remarks 2>&1 >/dev/null | filecheck %s --check-prefix=WHY

// CHECK-LABEL: @append
// WHY: dnn.dynamic_update_slice (c): %c is written over %cache, operand 0
func.func @append(%cache: tensor<16x8xf32> {dnn.donated}, %new: tensor<1x8xf32>, %i: tensor<i64>, %z: tensor<i64>)
    -> (tensor<16x8xf32> {dnn.tied = 0 : i32}) {
  // CHECK: dnn.dynamic_update_slice{{.*}}dnn.inplace = array<i32: 0>
  %c = "dnn.dynamic_update_slice"(%cache, %new, %i, %z) : (tensor<16x8xf32>, tensor<1x8xf32>, tensor<i64>, tensor<i64>) -> tensor<16x8xf32>
  func.return %c : tensor<16x8xf32>
}

// The slice is read behind the update: it is a copy of its own, so the cache stays in place.
// CHECK-LABEL: @generate
// WHY: scf.while (r, i, a): %r is written over %cache, operand 0
// WHY: dnn.dynamic_update_slice (c): %c is written over %t, operand 0
func.func @generate(%cache: tensor<16x8xf32> {dnn.donated}, %x: tensor<1x8xf32>, %n: tensor<i64>) -> tensor<16x8xf32> {
  %z = "dnn.constant"() {value = dense<0> : tensor<i64>} : () -> tensor<i64>
  %one = "dnn.constant"() {value = dense<1> : tensor<i64>} : () -> tensor<i64>
  %last = tensor.extract %n[] : tensor<i64>
  %r, %i, %a = scf.while (%t = %cache, %i = %z, %a = %x)
      : (tensor<16x8xf32>, tensor<i64>, tensor<1x8xf32>) -> (tensor<16x8xf32>, tensor<i64>, tensor<1x8xf32>) {
    %now = tensor.extract %i[] : tensor<i64>
    %go = arith.cmpi slt, %now, %last : i64
    scf.condition(%go) %t, %i, %a : tensor<16x8xf32>, tensor<i64>, tensor<1x8xf32>
  } do {
  ^bb0(%t: tensor<16x8xf32>, %i: tensor<i64>, %a: tensor<1x8xf32>):
    // CHECK: dnn.dynamic_update_slice{{.*}}dnn.inplace = array<i32: 0>
    %c = "dnn.dynamic_update_slice"(%t, %a, %i, %z) : (tensor<16x8xf32>, tensor<1x8xf32>, tensor<i64>, tensor<i64>) -> tensor<16x8xf32>
    %s = "dnn.dynamic_slice"(%c, %i, %z) {slice_sizes = array<i64: 2, 8>} : (tensor<16x8xf32>, tensor<i64>, tensor<i64>) -> tensor<2x8xf32>
    %b = "dnn.reduce_sum"(%s) {axes = array<i64: 0>, keepdims = true} : (tensor<2x8xf32>) -> tensor<1x8xf32>
    %j = "dnn.add"(%i, %one) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    scf.yield %c, %j, %b : tensor<16x8xf32>, tensor<i64>, tensor<1x8xf32>
    // CHECK: } attributes {dnn.inplace = array<i32: 0, -1, -1>
  }
  func.return %r : tensor<16x8xf32>
}

// CHECK-LABEL: @counted
func.func @counted(%cache: tensor<16x8xf32> {dnn.donated}, %x: tensor<1x8xf32>, %n: index) -> tensor<16x8xf32> {
  %z = "dnn.constant"() {value = dense<0> : tensor<i64>} : () -> tensor<i64>
  %one = "dnn.constant"() {value = dense<1> : tensor<i64>} : () -> tensor<i64>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r, %e = scf.for %k = %c0 to %n step %c1 iter_args(%t = %cache, %i = %z) -> (tensor<16x8xf32>, tensor<i64>) {
    // CHECK: dnn.dynamic_update_slice{{.*}}dnn.inplace = array<i32: 0>
    %c = "dnn.dynamic_update_slice"(%t, %x, %i, %z) : (tensor<16x8xf32>, tensor<1x8xf32>, tensor<i64>, tensor<i64>) -> tensor<16x8xf32>
    %j = "dnn.add"(%i, %one) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    scf.yield %c, %j : tensor<16x8xf32>, tensor<i64>
    // CHECK: } {dnn.inplace = array<i32: 3, -1>}
  }
  func.return %r : tensor<16x8xf32>
}
