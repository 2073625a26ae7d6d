// Ops of `tensor` and `scf` that become others which have a memref form, and reshapes of unknown sizes.

// RUN: opt-tool --bufferize-pass=layouts=identity,arena=none --split-input-file %s | filecheck %s

// What is padded is computed in its part of the result, of unknown sizes too.
// CHECK-LABEL: @pad(
// CHECK: [[ROWS:%[0-9]+]] = memref.dim %x
// CHECK: [[MADE:%[0-9]+]] = memref.alloc
// CHECK-NEXT: linalg.fill ins(%v : f32) outs([[MADE]] : memref<?x8xf32>)
// CHECK-NEXT: [[PART:%[0-9]+]] = memref.subview [[MADE]][%n, 1] {{\[}}[[ROWS]], 4]
// CHECK-NEXT: linalg.generic {{.*}} ins(%x : memref<?x4xf32>) outs([[PART]] :
// CHECK-NOT: memref.copy
// CHECK: func.return [[MADE]]
func.func @pad(%x: tensor<?x4xf32>, %v: f32, %n: index) -> tensor<?x8xf32> {
  %e = math.exp %x : tensor<?x4xf32>
  %p = tensor.pad %e low[%n, 1] high[2, 3] {
  ^bb0(%i: index, %j: index):
    tensor.yield %v : f32
  } : tensor<?x4xf32> to tensor<?x8xf32>
  func.return %p : tensor<?x8xf32>
}

// -----

// Elements around that depend on where they stand are computed by a loop.
// CHECK-LABEL: @pad_by_index(
// CHECK: linalg.generic {{.*}} outs([[MADE:%[0-9]+]] : memref<8xf32>)
// CHECK: linalg.index 0
// CHECK-NEXT: memref.load %t
// CHECK: [[PART:%[0-9]+]] = memref.subview [[MADE]][2] [4] [1]
// CHECK-NEXT: "memref.copy"(%x, [[PART]])
func.func @pad_by_index(%x: tensor<4xf32>, %t: tensor<8xf32>) -> tensor<8xf32> {
  %p = tensor.pad %x low[2] high[2] {
  ^bb0(%i: index):
    %v = tensor.extract %t[%i] : tensor<8xf32>
    tensor.yield %v : f32
  } : tensor<4xf32> to tensor<8xf32>
  func.return %p : tensor<8xf32>
}

// -----

// CHECK-LABEL: @generate(
// CHECK: [[MADE:%[0-9]+]] = memref.alloc(%n)
// CHECK-NEXT: linalg.generic {{.*}} outs([[MADE]] : memref<?x4xindex>)
// CHECK: [[I:%i.*]] = linalg.index 0
// CHECK-NEXT: [[J:%j.*]] = linalg.index 1
func.func @generate(%n: index) -> tensor<?x4xindex> {
  %g = "tensor.generate"(%n) ({
  ^bb0(%i: index, %j: index):
    %c4 = arith.constant 4 : index
    %a = arith.muli %i, %c4 : index
    %b = arith.addi %a, %j : index
    "tensor.yield"(%b) : (index) -> ()
  }) : (index) -> tensor<?x4xindex>
  func.return %g : tensor<?x4xindex>
}

// -----

// Each element is an index as it is.
// CHECK-LABEL: @generate_index(
// CHECK: linalg.generic
// CHECK: [[I:%i.*]] = linalg.index 0
// CHECK-NEXT: linalg.yield [[I]] : index
func.func @generate_index(%n: index) -> tensor<?xindex> {
  %g = "tensor.generate"(%n) ({
  ^bb0(%i: index):
    "tensor.yield"(%i) : (index) -> ()
  }) : (index) -> tensor<?xindex>
  func.return %g : tensor<?xindex>
}

// -----

// A reshape of unknown sizes is a view, through which its operand is written.
// CHECK-LABEL: @collapse_unknown(
// CHECK: %c = memref.collapse_shape %x {{.*}} : memref<?x?xf32> into memref<?xf32>
// CHECK-NEXT: memref.store %v, %c[%i]
func.func @collapse_unknown(%x: tensor<?x?xf32> {dnn.donated}, %v: f32, %i: index) -> tensor<?xf32> {
  %c = tensor.collapse_shape %x [[0, 1]] : tensor<?x?xf32> into tensor<?xf32>
  %r = tensor.insert %v into %c[%i] : tensor<?xf32>
  func.return %r : tensor<?xf32>
}

// -----

// CHECK-LABEL: @expand_unknown(
// CHECK: %c = memref.expand_shape %x {{.*}} output_shape [%n, 4, 8] : memref<?x8xf32> into memref<?x4x8xf32>
// CHECK-NEXT: memref.store %v, %c[
func.func @expand_unknown(%x: tensor<?x8xf32> {dnn.donated}, %v: f32, %n: index, %c0: index) -> tensor<?x4x8xf32> {
  %c = tensor.expand_shape %x [[0, 1], [2]] output_shape [%n, 4, 8] : tensor<?x8xf32> into tensor<?x4x8xf32>
  %r = tensor.insert %v into %c[%c0, %c0, %c0] : tensor<?x4x8xf32>
  func.return %r : tensor<?x4x8xf32>
}

// -----

// Columns of a matrix do not run on into one another: they are copied, as what they are.
// CHECK-LABEL: @collapse_columns(
// CHECK: %s = memref.subview %x
// CHECK: [[APART:%[0-9]+]] = memref.expand_shape %c {{.*}} : memref<8xf32> into memref<4x2xf32>
// CHECK-NEXT: "memref.copy"(%s, [[APART]])
// CHECK-NEXT: func.return %c
func.func @collapse_columns(%x: tensor<4x6xf32>, %i: index) -> tensor<8xf32> {
  %s = tensor.extract_slice %x[0, %i] [4, 2] [1, 1] : tensor<4x6xf32> to tensor<4x2xf32>
  %c = tensor.collapse_shape %s [[0, 1]] : tensor<4x2xf32> into tensor<8xf32>
  func.return %c : tensor<8xf32>
}

// -----

// CHECK-LABEL: @reshape(
// CHECK: [[FLAT:%[0-9]+]] = memref.collapse_shape %x
// CHECK-NEXT: %r = memref.expand_shape [[FLAT]] {{.*}} into memref<2x4x3xf32>
// CHECK-NEXT: memref.load %r[
func.func @reshape(%x: tensor<4x6xf32>, %s: tensor<3xi64>) -> f32 {
  %c1 = arith.constant 1 : index
  %r = tensor.reshape %x(%s) : (tensor<4x6xf32>, tensor<3xi64>) -> tensor<2x4x3xf32>
  %e = tensor.extract %r[%c1, %c1, %c1] : tensor<2x4x3xf32>
  func.return %e : f32
}

// -----

// CHECK-LABEL: @rank(
// CHECK-NEXT: %r = arith.constant 2 : index
// CHECK-NEXT: func.return %r
func.func @rank(%x: tensor<?x6xf32>) -> index {
  %r = "tensor.rank"(%x) : (tensor<?x6xf32>) -> index
  func.return %r : index
}

// -----

// A region op that chooses by a number asks for one number after the other.
// CHECK-LABEL: @index_switch(
// CHECK: [[TWO:%[0-9]+]] = arith.constant 2
// CHECK: arith.cmpi eq, %k, [[TWO]]
// CHECK-NEXT: %r = scf.if
// CHECK-NEXT: memref.store %v, %x[%k]
// CHECK-NEXT: scf.yield %x
// CHECK: [[FIVE:%[0-9]+]] = arith.constant 5
// CHECK: arith.cmpi eq, %k, [[FIVE]]
// CHECK-NEXT: scf.if
// CHECK-NEXT: scf.yield %y
func.func @index_switch(%k: index, %x: tensor<8xf32> {dnn.donated}, %y: tensor<8xf32> {dnn.donated}, %v: f32) -> tensor<8xf32> {
  %r = "scf.index_switch"(%k) <{cases = array<i64: 2, 5>}> ({
    scf.yield %x : tensor<8xf32>
  }, {
    %s = tensor.insert %v into %x[%k] : tensor<8xf32>
    scf.yield %s : tensor<8xf32>
  }, {
    scf.yield %y : tensor<8xf32>
  }) : (index) -> tensor<8xf32>
  func.return %r : tensor<8xf32>
}

// -----

// Memory is given back once.
// CHECK-LABEL: @given_back(
// CHECK: memref.load %a
// CHECK-NEXT: memref.dealloc %a
// CHECK-NEXT: func.return
func.func @given_back(%v: f32, %i: index) -> f32 {
  %a = bufferization.alloc_tensor() : tensor<8xf32>
  %f = linalg.fill ins(%v : f32) outs(%a : tensor<8xf32>) -> tensor<8xf32>
  %e = tensor.extract %f[%i] : tensor<8xf32>
  "bufferization.dealloc_tensor"(%f) : (tensor<8xf32>) -> ()
  func.return %e : f32
}

// -----

// Tensors of other sizes are exchanged as they are.
// CHECK-LABEL: @swap_other_sizes(
// CHECK: scf.for %i = {{.*}} iter_args(%a = %p, %b = %q)
// CHECK-NEXT: memref.store %v, %a[
// CHECK-NEXT: scf.yield %b, %a
// CHECK-NOT: memref.copy
func.func @swap_other_sizes(%p: tensor<?xf32> {dnn.donated}, %q: tensor<?xf32> {dnn.donated}, %n: index, %v: f32) -> (tensor<?xf32>, tensor<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %p, %b = %q) -> (tensor<?xf32>, tensor<?xf32>) {
    %x = tensor.insert %v into %a[%c0] : tensor<?xf32>
    scf.yield %b, %x : tensor<?xf32>, tensor<?xf32>
  }
  func.return %r#0, %r#1 : tensor<?xf32>, tensor<?xf32>
}

// -----

// What is materialised in a tensor is computed there, of unknown size too.
// CHECK-LABEL: @materialize(
// CHECK-NOT: memref.alloc
// CHECK: linalg.exp ins(%x : memref<?xf32>) outs(%y : memref<?xf32>)
// CHECK-NEXT: func.return %y
func.func @materialize(%x: tensor<?xf32>, %y: tensor<?xf32> {dnn.donated}) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  %e = tensor.empty(%n) : tensor<?xf32>
  %r = linalg.exp ins(%x : tensor<?xf32>) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  %m = bufferization.materialize_in_destination %r in %y : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  func.return %m : tensor<?xf32>
}

// -----

// A masked transfer, and a gather.
// CHECK-LABEL: @masked(
// CHECK: "vector.gather"(%x, %i, %at, %m, %v) : (memref<?xf32>,
// CHECK-NEXT: vector.transfer_write %g, %x[%i], %m :
// CHECK-NOT: vector.mask
func.func @masked(%x: tensor<?xf32> {dnn.donated}, %v: vector<8xf32>, %at: vector<8xi32>, %i: index, %m: vector<8xi1>) -> tensor<?xf32> {
  %g = "vector.gather"(%x, %i, %at, %m, %v) : (tensor<?xf32>, index, vector<8xi32>, vector<8xi1>, vector<8xf32>) -> vector<8xf32>
  %r = "vector.mask"(%m) ({
    %w = "vector.transfer_write"(%g, %x, %i) <{in_bounds = [false], operandSegmentSizes = array<i32: 1, 1, 1, 0>, permutation_map = affine_map<(d0) -> (d0)>}> : (vector<8xf32>, tensor<?xf32>, index) -> tensor<?xf32>
    "vector.yield"(%w) : (tensor<?xf32>) -> ()
  }) : (vector<8xi1>) -> tensor<?xf32>
  func.return %r : tensor<?xf32>
}

// -----

// Memory that a call returns is given to the caller in turn.
// CHECK-LABEL: @returns_of_callee(
// CHECK: [[MADE:%.*]] = func.call @makes
// CHECK-NEXT: memref.store %v, [[MADE]]
// CHECK-NEXT: func.return [[MADE]]
func.func @makes(%n: index, %v: f32) -> tensor<?xf32> {
  %e = tensor.empty(%n) : tensor<?xf32>
  %f = linalg.fill ins(%v : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  func.return %f : tensor<?xf32>
}
func.func @returns_of_callee(%n: index, %v: f32, %i: index) -> tensor<?xf32> {
  %r = func.call @makes(%n, %v) : (index, f32) -> tensor<?xf32>
  %w = tensor.insert %v into %r[%i] : tensor<?xf32>
  func.return %w : tensor<?xf32>
}

// -----

// Softmax goes over its `outs`, whose elements it does not read.
// CHECK-LABEL: @softmax(
// CHECK: "linalg.softmax"(%x, %o)
// CHECK-NEXT: func.return %o
func.func @softmax(%x: tensor<8x16xf32>, %o: tensor<8x16xf32> {dnn.donated}) -> tensor<8x16xf32> {
  %r = "linalg.softmax"(%x, %o) <{dimension = 1 : i64}> : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
  func.return %r : tensor<8x16xf32>
}

// -----

// Axes of size 1 are where they would be without gaps: upstream joins axes only then.
// CHECK-LABEL: @unit_axes(
// CHECK: memref.expand_shape {{.*}} into memref<1x1x128xf32, strided<[128, 128, 1], offset: 1920>>
// CHECK: memref.collapse_shape
func.func @unit_axes(%o: tensor<5x6x128xf32> {dnn.donated}, %v: f32) -> tensor<5x6x128xf32> {
  %e = tensor.empty() : tensor<1x1x128xf32>
  %f = linalg.fill ins(%v : f32) outs(%e : tensor<1x1x128xf32>) -> tensor<1x1x128xf32>
  %c = tensor.collapse_shape %f [[0, 1, 2]] : tensor<1x1x128xf32> into tensor<128xf32>
  %i = tensor.insert_slice %c into %o[2, 3, 0] [1, 1, 128] [1, 1, 1] : tensor<128xf32> into tensor<5x6x128xf32>
  func.return %i : tensor<5x6x128xf32>
}

// -----

// A tensor of a memref is that memory, which is copied before it is changed; what is materialised in one is copied.
// CHECK-LABEL: @of_memref(
// CHECK: [[COPY:%.*]] = memref.alloc
// CHECK: "memref.copy"(%m, [[COPY]])
// CHECK-NEXT: memref.store %v, [[COPY]][%i]
// CHECK: memref.load %m[%i]
// CHECK: "memref.copy"([[COPY]], %to)
func.func @of_memref(%m: memref<8xf32>, %to: memref<8xf32>, %v: f32, %i: index) -> f32 {
  %t = "bufferization.to_tensor"(%m) <{restrict}> : (memref<8xf32>) -> tensor<8xf32>
  %r = tensor.insert %v into %t[%i] : tensor<8xf32>
  %e = tensor.extract %t[%i] : tensor<8xf32>
  "bufferization.materialize_in_destination"(%r, %to) <{restrict, writable}> : (tensor<8xf32>, memref<8xf32>) -> ()
  func.return %e : f32
}

// -----

// Of text that xDSL's verifiers take only with more said: strides that are left out are 1, and what is padded by as
// much as is known at run time only may have known sizes.
// CHECK-LABEL: @stated(
// CHECK: [[P:%.*]] = memref.alloc() {{.*}} : memref<1x3x10x10xf32>
// CHECK: linalg.fill ins(%z : f32) outs([[P]] :
// CHECK: memref.subview [[P]][0, 0, 0, 0] [1, 3, %{{.*}}, 10] [1, 1, 1, 1]
// CHECK: linalg.conv_2d_nchw_fchw {{.*}} ins([[P]], %w :
func.func @stated(%x: tensor<1x3x?x10xf32>, %w: tensor<4x3x3x3xf32>, %o: tensor<1x4x8x8xf32> {dnn.donated}, %h: index, %z: f32) -> tensor<1x4x8x8xf32> {
  %p = tensor.pad %x low[0, 0, 0, 0] high[0, 0, %h, 0] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %z : f32
  } : tensor<1x3x?x10xf32> to tensor<1x3x10x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%p, %w : tensor<1x3x10x10xf32>, tensor<4x3x3x3xf32>) outs(%o : tensor<1x4x8x8xf32>) -> tensor<1x4x8x8xf32>
  func.return %c : tensor<1x4x8x8xf32>
}

// -----

// Types of reshapes are those that upstream infers: a slice of one axis from its start has no layout.
// CHECK-LABEL: @to_scalar(
// CHECK: [[S:%.*]] = memref.subview %x[0] [1] [1] : memref<2xi32> to memref<1xi32, strided<[1]>>
// CHECK-NEXT: memref.collapse_shape [[S]] [] : memref<1xi32, strided<[1]>> into memref<i32>
func.func @to_scalar(%x: tensor<2xi32>) -> i32 {
  %s = tensor.extract_slice %x[0] [1] [1] : tensor<2xi32> to tensor<1xi32>
  %c = tensor.collapse_shape %s [] : tensor<1xi32> into tensor<i32>
  %v = tensor.extract %c[] : tensor<i32>
  func.return %v : i32
}

// -----

// An axis of unknown size behind another may have one element: its stride says nothing.
// CHECK-LABEL: @row(
// CHECK: memref.collapse_shape {{.*}} : memref<1x?xf32, strided<[?, 1], offset: ?>> into memref<?xf32, strided<[?], offset: ?>>
func.func @row(%x: tensor<6x?xf32>, %i: index, %n: index) -> f32 {
  %s = tensor.extract_slice %x[%i, 0] [1, %n] [1, 1] : tensor<6x?xf32> to tensor<1x?xf32>
  %c = tensor.collapse_shape %s [[0, 1]] : tensor<1x?xf32> into tensor<?xf32>
  %v = tensor.extract %c[%i] : tensor<?xf32>
  func.return %v : f32
}

// -----

// LLVM 19 does not lower an `expand_shape` of an axis to two of unknown size: what is copied is seen through a cast.
// CHECK-LABEL: @joined_by_a_copy(
// CHECK: [[C:%.*]] = memref.alloc(
// CHECK: [[S:%.*]] = memref.reinterpret_cast [[C]] to offset: [0], sizes: [%{{.*}}, %{{.*}}], strides: [%{{.*}}, 1]
// CHECK-NEXT: "memref.copy"({{%.*}}, [[S]])
// CHECK: func.return [[C]]
func.func @joined_by_a_copy(%x: tensor<?x?xi64>, %i: index, %n: index) -> tensor<?xi64> {
  %s = tensor.extract_slice %x[%i, %i] [%n, %n] [1, 1] : tensor<?x?xi64> to tensor<?x?xi64>
  %c = tensor.collapse_shape %s [[0, 1]] : tensor<?x?xi64> into tensor<?xi64>
  func.return %c : tensor<?xi64>
}
