// `scf.execute_region` is the ops in it, and `scf.forall` a nest of loops over memory of its operands.

// RUN: opt-tool --bufferize-pass=layouts=identity --split-input-file %s | filecheck %s

// The region's result is memory of the argument.
// CHECK-LABEL: @region_writes(%x: memref<24xf32>, %v: f32, %i: index) -> memref<24xf32>
// CHECK-NEXT: memref.store %v, %x[%i] : memref<24xf32>
// CHECK-NEXT: func.return %x : memref<24xf32>
func.func @region_writes(%x: tensor<24xf32> {dnn.donated}, %v: f32, %i: index) -> tensor<24xf32> {
  %b = scf.execute_region -> (tensor<24xf32>) {
    %t = tensor.insert %v into %x[%i] : tensor<24xf32>
    scf.yield %t : tensor<24xf32>
  }
  func.return %b : tensor<24xf32>
}

// -----

// Of several blocks, they are blocks of the function.
// CHECK-LABEL: @region_branches
// CHECK-NEXT: cf.br [[ENTER:\^[a-z0-9]+]]
// CHECK-NEXT: [[ENTER]]:
// CHECK-NEXT: cf.cond_br %c, [[ONE:\^[a-z0-9]+]], [[TWO:\^[a-z0-9]+]]
// CHECK-NOT: memref.copy
// CHECK-NOT: scf.execute_region
func.func @region_branches(%x: tensor<24xf32> {dnn.donated}, %v: f32, %i: index, %c: i1) -> tensor<24xf32> {
  %b = scf.execute_region -> (tensor<24xf32>) {
    cf.cond_br %c, ^one, ^two
  ^one:
    %t = tensor.insert %v into %x[%i] : tensor<24xf32>
    scf.yield %t : tensor<24xf32>
  ^two:
    scf.yield %x : tensor<24xf32>
  }
  func.return %b : tensor<24xf32>
}

// -----

// Threads write parts that are apart: the part is written where it is.
// CHECK-LABEL: @own_part
// CHECK: scf.for %i = {{.*}} {
// CHECK-NEXT: %j = arith.muli %i, %c4
// CHECK-NEXT: [[S:%.*]] = memref.subview %x[%j] [4] [1]
// CHECK-NEXT: memref.store %v, [[S]]
// CHECK-NEXT: }
// CHECK-NEXT: func.return %x
"func.func"() <{function_type = (tensor<16xf32>, f32) -> tensor<16xf32>, sym_name = "own_part", arg_attrs = [{dnn.donated}, {}]}> ({
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
      "tensor.parallel_insert_slice"(%t, %o, %j) <{operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 4>, static_strides = array<i64: 1>}> : (tensor<4xf32>, tensor<16xf32>, index) -> ()
    }) : () -> ()
  }) : (tensor<16xf32>) -> tensor<16xf32>
  "func.return"(%r) : (tensor<16xf32>) -> ()
}) : () -> ()

// -----

// Elements of a tensor from outside are loaded in the body.
// CHECK-LABEL: @rows_by_number
// CHECK: linalg.generic
// CHECK: %v = memref.load %t[%i, %j] : memref<8x4xf32>
// CHECK-NEXT: linalg.yield %v
func.func @rows_by_number(%t: tensor<8x4xf32>, %ids: tensor<2xi32>, %o: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%ids : tensor<2xi32>) outs(%o : tensor<2x4xf32>) {
  ^bb0(%id: i32, %old: f32):
    %j = linalg.index 1 : index
    %i = arith.index_cast %id : i32 to index
    %v = tensor.extract %t[%i, %j] : tensor<8x4xf32>
    linalg.yield %v : f32
  } -> tensor<2x4xf32>
  func.return %r : tensor<2x4xf32>
}

// -----

// Both branches compute as many elements as %n says, in the memory of the result.
// CHECK-LABEL: @size_of_both
// CHECK: [[RESULT:%.*]] = memref.alloc(%n)
// CHECK-NEXT: scf.if %c {
// CHECK-NEXT: linalg.fill {{.*}} outs([[RESULT]] :
// CHECK-NEXT: } else {
// CHECK-NEXT: linalg.fill {{.*}} outs([[RESULT]] :
// CHECK-NOT: memref.copy
// CHECK: func.return [[RESULT]]
func.func @size_of_both(%v: f32, %n: index, %c: i1) -> tensor<?xf32> {
  %r = scf.if %c -> (tensor<?xf32>) {
    %a = tensor.splat %v[%n] : tensor<?xf32>
    scf.yield %a : tensor<?xf32>
  } else {
    %e = tensor.empty(%n) : tensor<?xf32>
    %b = linalg.fill ins(%v : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
    scf.yield %b : tensor<?xf32>
  }
  func.return %r : tensor<?xf32>
}

// -----

// The last part may be smaller: its size is a minimum with a constant, by which the parts are apart.
// CHECK-LABEL: @smaller_last_part
// CHECK-NOT: memref.copy
// CHECK-NOT: memref.alloc
// CHECK: linalg.exp
"func.func"() <{function_type = (tensor<?xf32>, index) -> tensor<?xf32>, sym_name = "smaller_last_part", arg_attrs = [{dnn.donated}, {}]}> ({
^bb0(%x: tensor<?xf32>, %n: index):
  %c8 = "arith.constant"() <{value = 8 : index}> : () -> index
  %r = "scf.forall"(%n, %x) <{operandSegmentSizes = array<i32: 0, 1, 0, 1>, staticLowerBound = array<i64: 0>,
      staticUpperBound = array<i64: -9223372036854775808>, staticStep = array<i64: 8>}> ({
  ^bb1(%i: index, %o: tensor<?xf32>):
    %left = "arith.subi"(%n, %i) : (index, index) -> index
    %m = "arith.minsi"(%left, %c8) : (index, index) -> index
    %s = "tensor.extract_slice"(%o, %i, %m) <{operandSegmentSizes = array<i32: 1, 1, 1, 0>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: -9223372036854775808>, static_strides = array<i64: 1>}> : (tensor<?xf32>, index, index) -> tensor<?xf32>
    %t = linalg.exp ins(%s : tensor<?xf32>) outs(%s : tensor<?xf32>) -> tensor<?xf32>
    "scf.forall.in_parallel"() ({
      "tensor.parallel_insert_slice"(%t, %o, %i, %m) <{operandSegmentSizes = array<i32: 1, 1, 1, 1, 0>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: -9223372036854775808>, static_strides = array<i64: 1>}> : (tensor<?xf32>, tensor<?xf32>, index, index) -> ()
    }) : () -> ()
  }) : (index, tensor<?xf32>) -> tensor<?xf32>
  "func.return"(%r) : (tensor<?xf32>) -> ()
}) : () -> ()

// -----

// The parts overlap: a thread reads what was there before all threads, of a copy.
// CHECK-LABEL: @parts_that_overlap
// CHECK: memref.copy
"func.func"() <{function_type = (tensor<?xf32>, index) -> tensor<?xf32>, sym_name = "parts_that_overlap", arg_attrs = [{dnn.donated}, {}]}> ({
^bb0(%x: tensor<?xf32>, %n: index):
  %c9 = "arith.constant"() <{value = 9 : index}> : () -> index
  %r = "scf.forall"(%n, %x) <{operandSegmentSizes = array<i32: 0, 1, 0, 1>, staticLowerBound = array<i64: 0>,
      staticUpperBound = array<i64: -9223372036854775808>, staticStep = array<i64: 8>}> ({
  ^bb1(%i: index, %o: tensor<?xf32>):
    %left = "arith.subi"(%n, %i) : (index, index) -> index
    %m = "arith.minsi"(%left, %c9) : (index, index) -> index
    %s = "tensor.extract_slice"(%o, %i, %m) <{operandSegmentSizes = array<i32: 1, 1, 1, 0>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: -9223372036854775808>, static_strides = array<i64: 1>}> : (tensor<?xf32>, index, index) -> tensor<?xf32>
    %t = linalg.exp ins(%s : tensor<?xf32>) outs(%s : tensor<?xf32>) -> tensor<?xf32>
    "scf.forall.in_parallel"() ({
      "tensor.parallel_insert_slice"(%t, %o, %i, %m) <{operandSegmentSizes = array<i32: 1, 1, 1, 1, 0>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: -9223372036854775808>, static_strides = array<i64: 1>}> : (tensor<?xf32>, tensor<?xf32>, index, index) -> ()
    }) : () -> ()
  }) : (index, tensor<?xf32>) -> tensor<?xf32>
  "func.return"(%r) : (tensor<?xf32>) -> ()
}) : () -> ()

// -----

// The offset of each part is a multiple of its size.
// CHECK-LABEL: @multiple_of_size
// CHECK-NOT: memref.copy
// CHECK-NOT: memref.alloc
// CHECK: linalg.exp
"func.func"() <{function_type = (tensor<?xf32>, index, index) -> tensor<?xf32>, sym_name = "multiple_of_size", arg_attrs = [{dnn.donated}, {}, {}]}> ({
^bb0(%x: tensor<?xf32>, %n: index, %k: index):
  %r = "scf.forall"(%n, %x) <{operandSegmentSizes = array<i32: 0, 1, 0, 1>, staticLowerBound = array<i64: 0>,
      staticUpperBound = array<i64: -9223372036854775808>, staticStep = array<i64: 1>}> ({
  ^bb1(%i: index, %o: tensor<?xf32>):
    %j = "arith.muli"(%i, %k) : (index, index) -> index
    %s = "tensor.extract_slice"(%o, %j, %k) <{operandSegmentSizes = array<i32: 1, 1, 1, 0>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: -9223372036854775808>, static_strides = array<i64: 1>}> : (tensor<?xf32>, index, index) -> tensor<?xf32>
    %t = linalg.exp ins(%s : tensor<?xf32>) outs(%s : tensor<?xf32>) -> tensor<?xf32>
    "scf.forall.in_parallel"() ({
      "tensor.parallel_insert_slice"(%t, %o, %j, %k) <{operandSegmentSizes = array<i32: 1, 1, 1, 1, 0>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: -9223372036854775808>, static_strides = array<i64: 1>}> : (tensor<?xf32>, tensor<?xf32>, index, index) -> ()
    }) : () -> ()
  }) : (index, tensor<?xf32>) -> tensor<?xf32>
  "func.return"(%r) : (tensor<?xf32>) -> ()
}) : () -> ()

// -----

// What nothing uses is left out; of a filled tensor what is used is filled.
// CHECK-LABEL: @used_alone
// CHECK-NOT: memref<12x12xf32>
// CHECK: memref.view {{.*}} to memref<2x4xf32>
// CHECK-NEXT: linalg.fill
// CHECK-NOT: linalg.exp
// CHECK: func.return
func.func @used_alone(%x: tensor<8xf32>, %v: f32, %i: index) -> f32 {
  %e = tensor.empty() : tensor<12x12xf32>
  %f = linalg.fill ins(%v : f32) outs(%e : tensor<12x12xf32>) -> tensor<12x12xf32>
  %s = tensor.extract_slice %f[%i, 2] [2, 4] [1, 1] : tensor<12x12xf32> to tensor<2x4xf32>
  %g = tensor.empty() : tensor<8xf32>
  %d = linalg.exp ins(%x : tensor<8xf32>) outs(%g : tensor<8xf32>) -> tensor<8xf32>
  %r = tensor.extract %s[%i, %i] : tensor<2x4xf32>
  func.return %r : f32
}
