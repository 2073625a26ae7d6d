// `dnn.dynamic_slice` and `dnn.dynamic_update_slice` are subviews at clamped starts.

// RUN: opt-tool --bufferize-pass=layouts=identity,unproved=error --split-input-file %s | filecheck %s
// RUN: opt-tool --bufferize-pass=layouts=identity --remarks --split-input-file %s 2>&1 >/dev/null | filecheck %s --check-prefix=WHY

// CHECK-LABEL: @append
// CHECK-DAG: [[ZERO:%.*]] = arith.constant 0 : index
// CHECK-DAG: [[LAST:%.*]] = arith.constant 15 : index
// CHECK: [[I:%.*]] = memref.load %i[]
// CHECK: [[N:%.*]] = arith.index_cast [[I]] : i64 to index
// CHECK: [[LOW:%.*]] = arith.minsi [[N]], [[LAST]]
// CHECK: [[AT:%.*]] = arith.maxsi [[LOW]], [[ZERO]]
// CHECK: [[PART:%.*]] = memref.subview %cache{{\[}}[[AT]], 0] [1, 8] [1, 1]
// CHECK: "memref.copy"(%new, [[PART]])
// CHECK-NOT: memref.copy
// CHECK: func.return %cache
// WHY: %new is copied into %c, 32 bytes
func.func @append(%cache: tensor<16x8xf32> {dnn.donated}, %new: tensor<1x8xf32>, %i: tensor<i64>) -> tensor<16x8xf32> {
  %z = arith.constant dense<0> : tensor<i64>
  %c = "dnn.dynamic_update_slice"(%cache, %new, %i, %z) : (tensor<16x8xf32>, tensor<1x8xf32>, tensor<i64>, tensor<i64>) -> tensor<16x8xf32>
  func.return %c : tensor<16x8xf32>
}

// -----

// One part of a base of unknown size, at one clamped start: what is computed over the slice is in its place.
// CHECK-LABEL: @same_part
// CHECK: [[MANY:%.*]] = memref.dim %cache
// CHECK: [[LAST:%.*]] = arith.subi [[MANY]]
// CHECK: arith.minsi {{%.*}}, [[LAST]]
// CHECK: %s = memref.subview %cache[{{%.*}}, 0] [2, 8] [1, 1]
// CHECK-NOT: memref.subview
// CHECK: linalg.generic {{.*}}ins(%s : {{.*}}) outs(%s :
// CHECK-NOT: memref.copy
func.func @same_part(%cache: tensor<?x8xf32> {dnn.donated}, %i: tensor<i32>) -> tensor<?x8xf32> {
  %z = "dnn.constant"() {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %s = "dnn.dynamic_slice"(%cache, %i, %z) {slice_sizes = array<i64: 2, 8>} : (tensor<?x8xf32>, tensor<i32>, tensor<i32>) -> tensor<2x8xf32>
  %e = math.exp %s : tensor<2x8xf32>
  %c = "dnn.dynamic_update_slice"(%cache, %e, %i, %z) : (tensor<?x8xf32>, tensor<2x8xf32>, tensor<i32>, tensor<i32>) -> tensor<?x8xf32>
  func.return %c : tensor<?x8xf32>
}

// -----

// A slice of another size at the same start may be clamped elsewhere: it is not the part.
// CHECK-LABEL: @other_size
// CHECK: linalg.generic {{.*}}outs([[E:%.*]] : memref<2x8xf32>)
// CHECK: [[ROW:%.*]] = memref.subview [[E]][0, 0] [1, 8] [1, 1]
// CHECK: "memref.copy"([[ROW]], {{%.*}})
// WHY: is copied into %c, 32 bytes
func.func @other_size(%cache: tensor<16x8xf32> {dnn.donated}, %i: tensor<i64>) -> tensor<16x8xf32> {
  %z = arith.constant dense<0> : tensor<i64>
  %s = "dnn.dynamic_slice"(%cache, %i, %z) {slice_sizes = array<i64: 2, 8>} : (tensor<16x8xf32>, tensor<i64>, tensor<i64>) -> tensor<2x8xf32>
  %e = math.exp %s : tensor<2x8xf32>
  %r = tensor.extract_slice %e[0, 0] [1, 8] [1, 1] : tensor<2x8xf32> to tensor<1x8xf32>
  %c = "dnn.dynamic_update_slice"(%cache, %r, %i, %z) : (tensor<16x8xf32>, tensor<1x8xf32>, tensor<i64>, tensor<i64>) -> tensor<16x8xf32>
  func.return %c : tensor<16x8xf32>
}

// -----

// The counter of the loop is a start that needs no clamp; what is appended is computed in its part.
// CHECK-LABEL: @counted
// CHECK: scf.for %k =
// CHECK-NOT: arith.minsi
// CHECK: [[PART:%.*]] = memref.subview %cache[%k, 0] [1, 8] [1, 1]
// CHECK: linalg.generic {{.*}}outs([[PART]] :
// CHECK-NOT: memref.copy
// WHY: %e computed in place in %c
func.func @counted(%cache: tensor<16x8xf32> {dnn.donated}, %x: tensor<1x8xf32>) -> tensor<16x8xf32> {
  %z = arith.constant dense<0> : tensor<i64>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %r = scf.for %k = %c0 to %c16 step %c1 iter_args(%t = %cache) -> (tensor<16x8xf32>) {
    %number = arith.index_cast %k : index to i64
    %i = tensor.from_elements %number : tensor<i64>
    %e = math.exp %x : tensor<1x8xf32>
    %c = "dnn.dynamic_update_slice"(%t, %e, %i, %z) : (tensor<16x8xf32>, tensor<1x8xf32>, tensor<i64>, tensor<i64>) -> tensor<16x8xf32>
    scf.yield %c : tensor<16x8xf32>
  }
  func.return %r : tensor<16x8xf32>
}

// -----

// A cache and a position that a loop carries, each in one place; the position is loaded before it is counted up.
// CHECK-LABEL: @generate
// CHECK: scf.while
// CHECK: } do {
// CHECK: [[I:%.*]] = memref.load [[K:%.*]][]
// CHECK: [[PART:%.*]] = memref.subview %cache[{{%.*}}, 0] [1, 8] [1, 1]
// CHECK: linalg.generic {{.*}}outs([[PART]] :
// CHECK: linalg.generic {{.*}}outs([[K]] : memref<i64>)
// CHECK-NOT: memref.copy
// CHECK: func.return %cache
func.func @generate(%cache: tensor<16x8xf32> {dnn.donated}, %x: tensor<1x8xf32>, %n: i64) -> tensor<16x8xf32> {
  %z = arith.constant dense<0> : tensor<i64>
  %one = arith.constant dense<1> : tensor<i64>
  %f = arith.constant dense<0.5> : tensor<1x8xf32>
  %r, %k, %y = scf.while (%t = %cache, %i = %z, %a = %x) : (tensor<16x8xf32>, tensor<i64>, tensor<1x8xf32>) -> (tensor<16x8xf32>, tensor<i64>, tensor<1x8xf32>) {
    %now = tensor.extract %i[] : tensor<i64>
    %go = arith.cmpi slt, %now, %n : i64
    scf.condition(%go) %t, %i, %a : tensor<16x8xf32>, tensor<i64>, tensor<1x8xf32>
  } do {
  ^bb0(%t: tensor<16x8xf32>, %i: tensor<i64>, %a: tensor<1x8xf32>):
    %e = arith.mulf %a, %f : tensor<1x8xf32>
    %c = "dnn.dynamic_update_slice"(%t, %e, %i, %z) : (tensor<16x8xf32>, tensor<1x8xf32>, tensor<i64>, tensor<i64>) -> tensor<16x8xf32>
    %j = arith.addi %i, %one : tensor<i64>
    %s = "dnn.dynamic_slice"(%c, %j, %z) {slice_sizes = array<i64: 1, 8>} : (tensor<16x8xf32>, tensor<i64>, tensor<i64>) -> tensor<1x8xf32>
    %b = arith.addf %s, %e : tensor<1x8xf32>
    scf.yield %c, %j, %b : tensor<16x8xf32>, tensor<i64>, tensor<1x8xf32>
  }
  func.return %r : tensor<16x8xf32>
}

// -----

// With decisions, a slice has the place that these give it: memory of its own.
// CHECK-LABEL: @decided
// CHECK: "memref.copy"({{.*}}memref<2x8xf32
func.func @decided(%cache: tensor<16x8xf32> {dnn.donated}, %i: tensor<i64>) -> (tensor<16x8xf32>, tensor<2x8xf32>) {
  %z = arith.constant dense<0> : tensor<i64>
  %s = "dnn.dynamic_slice"(%cache, %i, %z) {slice_sizes = array<i64: 2, 8>} : (tensor<16x8xf32>, tensor<i64>, tensor<i64>) -> tensor<2x8xf32>
  %e = math.exp %s : tensor<2x8xf32>
  %c = "dnn.dynamic_update_slice"(%cache, %e, %i, %z) {dnn.inplace = array<i32: 0>} : (tensor<16x8xf32>, tensor<2x8xf32>, tensor<i64>, tensor<i64>) -> tensor<16x8xf32>
  func.return %c, %s : tensor<16x8xf32>, tensor<2x8xf32>
}
