// An op without a memref form, an option that is none, and decisions that are wrong are errors.

// RUN: not opt-tool --bufferize-pass=arena=heap %s 2>&1 | filecheck %s --check-prefix=OPTION
// OPTION: opt-tool: error: bufferize-pass: {{.*}}arena is alloc, argument, none, not 'heap'

// RUN: not opt-tool --bufferize-pass --split-input-file %s 2>&1 | filecheck %s
// CHECK: invalid.mlir:[[# @LINE + 2]]:8: error: 'dnn.relu' has no memref form
func.func @no_form(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = "dnn.relu"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  func.return %y : tensor<4xf32>
}

// -----

// CHECK: invalid.mlir:[[# @LINE + 4]]:8: error: {{.*}}%a
func.func @stale(%x: tensor<4xf32>, %e: tensor<4xf32> {dnn.donated}) -> tensor<4xf32> {
  %a = linalg.add ins(%x, %x : tensor<4xf32>, tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %b = arith.mulf %a, %x {dnn.inplace = array<i32: 0>} : tensor<4xf32>
  %c = linalg.add ins(%a, %b : tensor<4xf32>, tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  func.return %c : tensor<4xf32>
}

// -----

// CHECK: invalid.mlir:[[# @LINE + 1]]:1: error: the function never returns
func.func @endless(%x: tensor<4xf32>) -> tensor<4xf32> {
  cf.br ^again
^again:
  cf.br ^again
}

// -----

// CHECK: invalid.mlir:[[# @LINE + 5]]:8: error: operandSegmentSizes of 'scf.forall' does not fit its operands
"func.func"() <{function_type = (tensor<16xf32>, f32) -> tensor<16xf32>, sym_name = "segments", arg_attrs = [{dnn.donated}, {}]}> ({
^bb0(%x: tensor<16xf32>, %v: f32):
  %c4 = "arith.constant"() <{value = 4 : index}> : () -> index
  %c0 = "arith.constant"() <{value = 0 : index}> : () -> index
  %r = "scf.forall"(%x) <{operandSegmentSizes = array<i32: 0, 0, 1, 1>, staticLowerBound = array<i64: 0>,
      staticUpperBound = array<i64: 4>, staticStep = array<i64: 1>}> ({
  ^bb1(%i: index, %o: tensor<16xf32>):
    %j = "arith.muli"(%i, %c4) : (index, index) -> index
    %s = "tensor.extract_slice"(%o, %j) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 4>, static_strides = array<i64: 1>}> : (tensor<16xf32>, index) -> tensor<4xf32>
    %t = "tensor.insert"(%v, %s, %c0) : (f32, tensor<4xf32>, index) -> tensor<4xf32>
    "scf.forall.in_parallel"() ({
      "tensor.parallel_insert_slice"(%t, %o, %j) <{operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 4>, static_strides = array<i64: 1>}> : (tensor<4xf32>, tensor<16xf32>, index) -> ()
    }) : () -> ()
  }) : (tensor<16xf32>) -> tensor<16xf32>
  "func.return"(%r) : (tensor<16xf32>) -> ()
}) : () -> ()

// -----

// CHECK: invalid.mlir:[[# @LINE + 5]]:8: error: the bounds, arguments and results of 'scf.forall' are not as many as they should be
"func.func"() <{function_type = (tensor<16xf32>, f32) -> tensor<16xf32>, sym_name = "counters", arg_attrs = [{dnn.donated}, {}]}> ({
^bb0(%x: tensor<16xf32>, %v: f32):
  %c4 = "arith.constant"() <{value = 4 : index}> : () -> index
  %c0 = "arith.constant"() <{value = 0 : index}> : () -> index
  %r = "scf.forall"(%x) <{operandSegmentSizes = array<i32: 0, 0, 0, 1>, staticLowerBound = array<i64: 0, 0>,
      staticUpperBound = array<i64: 4>, staticStep = array<i64: 1>}> ({
  ^bb1(%i: index, %o: tensor<16xf32>):
    %j = "arith.muli"(%i, %c4) : (index, index) -> index
    %s = "tensor.extract_slice"(%o, %j) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 4>, static_strides = array<i64: 1>}> : (tensor<16xf32>, index) -> tensor<4xf32>
    %t = "tensor.insert"(%v, %s, %c0) : (f32, tensor<4xf32>, index) -> tensor<4xf32>
    "scf.forall.in_parallel"() ({
      "tensor.parallel_insert_slice"(%t, %o, %j) <{operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 4>, static_strides = array<i64: 1>}> : (tensor<4xf32>, tensor<16xf32>, index) -> ()
    }) : () -> ()
  }) : (tensor<16xf32>) -> tensor<16xf32>
  "func.return"(%r) : (tensor<16xf32>) -> ()
}) : () -> ()

// -----

// CHECK: invalid.mlir:[[# @LINE + 12]]:12: error: 'tensor.insert_slice' has no memref form
"func.func"() <{function_type = (tensor<16xf32>, f32) -> tensor<16xf32>, sym_name = "inserts", arg_attrs = [{dnn.donated}, {}]}> ({
^bb0(%x: tensor<16xf32>, %v: f32):
  %c4 = "arith.constant"() <{value = 4 : index}> : () -> index
  %c0 = "arith.constant"() <{value = 0 : index}> : () -> index
  %r = "scf.forall"(%x) <{operandSegmentSizes = array<i32: 0, 0, 0, 1>, staticLowerBound = array<i64: 0>,
      staticUpperBound = array<i64: 4>, staticStep = array<i64: 1>}> ({
  ^bb1(%i: index, %o: tensor<16xf32>):
    %j = "arith.muli"(%i, %c4) : (index, index) -> index
    %s = "tensor.extract_slice"(%o, %j) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 4>, static_strides = array<i64: 1>}> : (tensor<16xf32>, index) -> tensor<4xf32>
    %t = "tensor.insert"(%v, %s, %c0) : (f32, tensor<4xf32>, index) -> tensor<4xf32>
    "scf.forall.in_parallel"() ({
      %q = "tensor.insert_slice"(%t, %o, %j) <{operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 4>, static_strides = array<i64: 1>}> : (tensor<4xf32>, tensor<16xf32>, index) -> tensor<16xf32>
    }) : () -> ()
  }) : (tensor<16xf32>) -> tensor<16xf32>
  "func.return"(%r) : (tensor<16xf32>) -> ()
}) : () -> ()

// -----

// CHECK: invalid.mlir:[[# @LINE + 12]]:7: error: 'tensor.parallel_insert_slice' needs the attribute static_sizes
"func.func"() <{function_type = (tensor<16xf32>, f32) -> tensor<16xf32>, sym_name = "sizes", arg_attrs = [{dnn.donated}, {}]}> ({
^bb0(%x: tensor<16xf32>, %v: f32):
  %c4 = "arith.constant"() <{value = 4 : index}> : () -> index
  %c0 = "arith.constant"() <{value = 0 : index}> : () -> index
  %r = "scf.forall"(%x) <{operandSegmentSizes = array<i32: 0, 0, 0, 1>, staticLowerBound = array<i64: 0>,
      staticUpperBound = array<i64: 4>, staticStep = array<i64: 1>}> ({
  ^bb1(%i: index, %o: tensor<16xf32>):
    %j = "arith.muli"(%i, %c4) : (index, index) -> index
    %s = "tensor.extract_slice"(%o, %j) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 4>, static_strides = array<i64: 1>}> : (tensor<16xf32>, index) -> tensor<4xf32>
    %t = "tensor.insert"(%v, %s, %c0) : (f32, tensor<4xf32>, index) -> tensor<4xf32>
    "scf.forall.in_parallel"() ({
      "tensor.parallel_insert_slice"(%t, %o, %j) <{operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808>, sizes = array<i64: 4>, static_strides = array<i64: 1>}> : (tensor<4xf32>, tensor<16xf32>, index) -> ()
    }) : () -> ()
  }) : (tensor<16xf32>) -> tensor<16xf32>
  "func.return"(%r) : (tensor<16xf32>) -> ()
}) : () -> ()

// -----

// CHECK: invalid.mlir:[[# @LINE + 12]]:7: error: 'tensor.parallel_insert_slice' has a range for each axis
"func.func"() <{function_type = (tensor<16xf32>, f32) -> tensor<16xf32>, sym_name = "axes", arg_attrs = [{dnn.donated}, {}]}> ({
^bb0(%x: tensor<16xf32>, %v: f32):
  %c4 = "arith.constant"() <{value = 4 : index}> : () -> index
  %c0 = "arith.constant"() <{value = 0 : index}> : () -> index
  %r = "scf.forall"(%x) <{operandSegmentSizes = array<i32: 0, 0, 0, 1>, staticLowerBound = array<i64: 0>,
      staticUpperBound = array<i64: 4>, staticStep = array<i64: 1>}> ({
  ^bb1(%i: index, %o: tensor<16xf32>):
    %j = "arith.muli"(%i, %c4) : (index, index) -> index
    %s = "tensor.extract_slice"(%o, %j) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 4>, static_strides = array<i64: 1>}> : (tensor<16xf32>, index) -> tensor<4xf32>
    %t = "tensor.insert"(%v, %s, %c0) : (f32, tensor<4xf32>, index) -> tensor<4xf32>
    "scf.forall.in_parallel"() ({
      "tensor.parallel_insert_slice"(%t, %o, %j) <{operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 4, 1>, static_strides = array<i64: 1>}> : (tensor<4xf32>, tensor<16xf32>, index) -> ()
    }) : () -> ()
  }) : (tensor<16xf32>) -> tensor<16xf32>
  "func.return"(%r) : (tensor<16xf32>) -> ()
}) : () -> ()

// -----

// What blocks pass on to each other has as many elements as %x at first, and then as many as %j. Two of them go back.
// CHECK: invalid.mlir:{{.*}}: error: the size of the memory of %a is not known
func.func @blocks_of_other_sizes(%x: tensor<?xf32>, %n: index, %v: f32, %p: i1) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  cf.br ^head(%x, %c0 : tensor<?xf32>, index)
^head(%a: tensor<?xf32>, %i: index):
  %c = arith.cmpi slt, %i, %n : index
  cf.cond_br %c, ^body, ^end
^body:
  %j = arith.addi %i, %c1 : index
  %e = tensor.empty(%j) : tensor<?xf32>
  %f = linalg.fill ins(%v : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  cf.cond_br %p, ^head(%f, %j : tensor<?xf32>, index), ^again
^again:
  cf.br ^head(%a, %j : tensor<?xf32>, index)
^end:
  func.return %a : tensor<?xf32>
}

// -----

// A start has to be a number of arith.
// CHECK: invalid.mlir:[[# @LINE + 2]]:8: error: 'dnn.dynamic_slice' with a start of ui32 has no memref form
func.func @unsigned_start(%x: tensor<4xf32>, %i: tensor<ui32>) -> tensor<2xf32> {
  %y = "dnn.dynamic_slice"(%x, %i) {slice_sizes = array<i64: 2>} : (tensor<4xf32>, tensor<ui32>) -> tensor<2xf32>
  func.return %y : tensor<2xf32>
}

// -----

// CHECK: invalid.mlir:[[# @LINE + 2]]:8: error: a tensor of a memref that others may write, without `restrict`, has no memref form
func.func @not_restrict(%m: memref<8xf32>, %i: index) -> f32 {
  %t = "bufferization.to_tensor"(%m) : (memref<8xf32>) -> tensor<8xf32>
  %e = tensor.extract %t[%i] : tensor<8xf32>
  func.return %e : f32
}

// -----

// CHECK: invalid.mlir:[[# @LINE + 5]]:10: error: the memref of a tensor is used behind the block that makes it: no memref form
func.func @leaves(%x: tensor<8xf32>, %n: index, %q: memref<8xf32>) -> memref<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%p = %q) -> (memref<8xf32>) {
    %m = bufferization.to_buffer %x : tensor<8xf32> to memref<8xf32>
    scf.yield %m : memref<8xf32>
  }
  func.return %r : memref<8xf32>
}

// -----

// A cast that is none of elements is none of tensors.
// CHECK: invalid.mlir:[[# @LINE + 2]]:8: error: 'arith.sitofp' op operand 'input' at position 0 does not verify
func.func @cast(%x: tensor<4xf32>) -> tensor<4xi32> {
  %f = "arith.sitofp"(%x) : (tensor<4xf32>) -> tensor<4xi32>
  func.return %f : tensor<4xi32>
}

// -----

// An op of linalg without a body that upstream has on tensors alone.
// CHECK: invalid.mlir:[[# @LINE + 3]]:8: error: 'linalg.winograd_input_transform' has no memref form
func.func @transforms(%x: tensor<1x6x6x1xf32>) -> tensor<6x6x1x1x1x1xf32> {
  %e = tensor.empty() : tensor<6x6x1x1x1x1xf32>
  %y = "linalg.winograd_input_transform"(%x, %e) <{m = 4 : i64, r = 3 : i64}> : (tensor<1x6x6x1xf32>, tensor<6x6x1x1x1x1xf32>) -> tensor<6x6x1x1x1x1xf32>
  func.return %y : tensor<6x6x1x1x1x1xf32>
}
