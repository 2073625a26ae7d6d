// A part that is in its place already, of a tensor that is copied around it, at offsets that are known at run time.

// RUN: opt-tool --bufferize-pass=layouts=identity,unproved=error --split-input-file %s | filecheck %s

// What is before the part and behind it is copied, on one axis after the other.
// CHECK-LABEL: @rows(
// CHECK: [[PART:%.*]] = memref.subview %b[%i, 2] [%k, 3] [1, 1]
// CHECK: scf.if %c {
// CHECK-NEXT: [[END:%.*]] = arith.addi %i, %k : index
// CHECK-NEXT: [[LEFT:%.*]] = arith.subi %c12, [[END]] : index
// CHECK: memref.subview %b[0, 0] [%i, 8] [1, 1]
// CHECK-NEXT: memref.copy
// CHECK: memref.subview %b{{\[}}[[END]], 0] {{\[}}[[LEFT]], 8] [1, 1]
// CHECK-NEXT: memref.copy
// CHECK: memref.subview %b[%i, 0] [%k, 2] [1, 1]
// CHECK-NEXT: memref.copy
// CHECK: memref.subview %b[%i, 5] [%k, 3] [1, 1]
// CHECK-NEXT: memref.copy
// CHECK-NOT: memref.copy
// CHECK: func.return %b
func.func @rows(%a: tensor<12x8xi64>, %b: tensor<12x8xi64> {dnn.donated, dnn.reuse = 0 : i32}, %k: index, %i: index, %c: i1) -> tensor<12x8xi64> {
  %v = math.absi %b {dnn.inplace = array<i32: 0>} : tensor<12x8xi64>
  %part = tensor.extract_slice %v[%i, 2] [%k, 3] [1, 1] : tensor<12x8xi64> to tensor<?x3xi64>
  %r = scf.if %c -> (tensor<12x8xi64>) {
    %w = "tensor.insert_slice"(%part, %a, %i, %k) <{static_offsets = array<i64: -9223372036854775808, 2>, static_sizes = array<i64: -9223372036854775808, 3>, static_strides = array<i64: 1, 1>, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0>}> {dnn.reuse = array<i32: 0>} : (tensor<?x3xi64>, tensor<12x8xi64>, index, index) -> tensor<12x8xi64>
    scf.yield %w : tensor<12x8xi64>
  } else {
    scf.yield %v : tensor<12x8xi64>
  } {dnn.reuse = array<i32: 0>}
  func.return %r : tensor<12x8xi64>
}

// -----

// Of a part in steps no boxes are known: it lies aside while all is copied.
// CHECK-LABEL: @steps(
// CHECK: scf.if %c {
// CHECK-NEXT: [[PART:%.*]] = memref.subview %v[%i] [%k] [2]
// CHECK: [[ASIDE:%.*]] = memref.alloc(
// CHECK-NEXT: "memref.copy"([[PART]], [[ASIDE]])
// CHECK-NEXT: "memref.copy"(%a, %v)
// CHECK-NEXT: "memref.copy"([[ASIDE]], [[PART]])
// CHECK-NEXT: memref.dealloc [[ASIDE]]
// CHECK-NOT: memref.copy
// CHECK: func.return
func.func @steps(%a: tensor<12xi64>, %b: tensor<12xi64>, %k: index, %i: index, %c: i1) -> tensor<12xi64> {
  %v = math.absi %b {dnn.reuse = array<i32: 0>} : tensor<12xi64>
  %part = tensor.extract_slice %v[%i] [%k] [2] : tensor<12xi64> to tensor<?xi64>
  %r = scf.if %c -> (tensor<12xi64>) {
    %w = "tensor.insert_slice"(%part, %a, %i, %k) <{static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: -9223372036854775808>, static_strides = array<i64: 2>, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0>}> {dnn.reuse = array<i32: 0>} : (tensor<?xi64>, tensor<12xi64>, index, index) -> tensor<12xi64>
    scf.yield %w : tensor<12xi64>
  } else {
    scf.yield %v : tensor<12xi64>
  } {dnn.reuse = array<i32: 0>}
  func.return %r : tensor<12xi64>
}
