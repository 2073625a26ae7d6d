// What stays a copy is a memref.copy, and a remark says why.

// RUN: opt-tool --bufferize-pass %s --remarks -o /dev/null 2>&1 | filecheck %s
// RUN: opt-tool --bufferize-pass=arguments=writable %s | filecheck %s --check-prefix=WRITABLE
// RUN: opt-tool --bufferize-pass %s | filecheck %s --check-prefix=FORM

// The argument is the caller's.
// CHECK: refuses.mlir:[[# @LINE + 6]]:8: remark: tensor.insert (y): %x is copied into %y, 32 bytes: {{.*}} [program-input]
// FORM-LABEL: @read_only
// FORM: "memref.copy"(%x
// WRITABLE-LABEL: @read_only
// WRITABLE-NOT: memref.copy
func.func @read_only(%x: tensor<8xf32>, %v: f32, %i: index) -> tensor<8xf32> {
  %y = tensor.insert %v into %x[%i] : tensor<8xf32>
  func.return %y : tensor<8xf32>
}

// This one is the caller's under either rule.
// CHECK: refuses.mlir:[[# @LINE + 4]]:8: remark: tensor.insert (y): %x is copied into %y
// WRITABLE-LABEL: @kept
// WRITABLE: "memref.copy"(%x
func.func @kept(%x: tensor<8xf32> {bufferization.writable = false}, %v: f32, %i: index) -> tensor<8xf32> {
  %y = tensor.insert %v into %x[%i] : tensor<8xf32>
  func.return %y : tensor<8xf32>
}

// The old value is read later.
// CHECK: refuses.mlir:[[# @LINE + 4]]:8: remark: tensor.insert (y): %x is copied into %y, 32 bytes: {{.*}} [used-later]
// FORM-LABEL: @read_later
// FORM: "memref.copy"(%x
func.func @read_later(%x: tensor<8xf32> {dnn.donated}, %v: f32, %i: index) -> (tensor<8xf32>, f32) {
  %y = tensor.insert %v into %x[%i] : tensor<8xf32>
  %o = tensor.extract %x[%i] : tensor<8xf32>
  func.return %y, %o : tensor<8xf32>, f32
}

// Threads insert parts that overlap, and read them: each reads what was there before all threads.
// FORM-LABEL: @overlapping
// FORM: [[M:%.*]] = memref.alloc() {{.*}} : memref<16xf32>
// FORM: "memref.copy"(%x, [[M]])
// FORM: scf.for
// FORM: memref.subview %x[%j] [5] [1]
"func.func"() <{function_type = (tensor<16xf32>, f32) -> tensor<16xf32>, sym_name = "overlapping", arg_attrs = [{dnn.donated}, {}]}> ({
^bb0(%x: tensor<16xf32>, %v: f32):
  %c4 = "arith.constant"() <{value = 4 : index}> : () -> index
  %c0 = "arith.constant"() <{value = 0 : index}> : () -> index
  %r = "scf.forall"(%x) <{operandSegmentSizes = array<i32: 0, 0, 0, 1>, staticLowerBound = array<i64: 0>,
      staticUpperBound = array<i64: 4>, staticStep = array<i64: 1>}> ({
  ^bb1(%i: index, %o: tensor<16xf32>):
    %j = "arith.muli"(%i, %c4) : (index, index) -> index
    %s = "tensor.extract_slice"(%o, %j) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 5>, static_strides = array<i64: 1>}> : (tensor<16xf32>, index) -> tensor<5xf32>
    %t = "tensor.insert"(%v, %s, %c0) : (f32, tensor<5xf32>, index) -> tensor<5xf32>
    "scf.forall.in_parallel"() ({
      "tensor.parallel_insert_slice"(%t, %o, %j) <{operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 5>, static_strides = array<i64: 1>}> : (tensor<5xf32>, tensor<16xf32>, index) -> ()
    }) : () -> ()
  }) : (tensor<16xf32>) -> tensor<16xf32>
  "func.return"(%r) : (tensor<16xf32>) -> ()
}) : () -> ()

// On the path without the cast the size need not be that of the part.
// FORM-LABEL: @part_behind_cast_in_arm
// FORM: [[APART:%.*]] = memref.alloc(%n)
// FORM-NEXT: linalg.fill ins(%v : f32) outs([[APART]]
// FORM: "memref.copy"
func.func @part_behind_cast_in_arm(%t: tensor<128xf32> {dnn.donated}, %v: f32, %n: index, %c: i1) -> tensor<128xf32> {
  %e = tensor.empty(%n) : tensor<?xf32>
  %f = linalg.fill ins(%v : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  %r = scf.if %c -> (tensor<128xf32>) {
    %g = tensor.cast %f : tensor<?xf32> to tensor<64xf32>
    %h = tensor.insert_slice %g into %t[2] [64] [1] : tensor<64xf32> into tensor<128xf32>
    scf.yield %h : tensor<128xf32>
  } else {
    scf.yield %t : tensor<128xf32>
  }
  func.return %r : tensor<128xf32>
}
