// Tensors of unknown rank are memrefs of unknown rank: casts are views of all of them.

// RUN: opt-tool --bufferize-pass=unproved=error --split-input-file %s | filecheck %s
// RUN: opt-tool --bufferize-pass=unproved=error,arguments=writable --split-input-file %s | filecheck %s --check-prefix=WRITABLE
// RUN: opt-tool --bufferize-pass=unproved=error,layouts=identity,arena=argument --split-input-file %s | filecheck %s --check-prefix=IDENTITY
// RUN: opt-tool --bufferize-pass=source=keep,arena=none --verify-lowering-pass --split-input-file %s | filecheck %s --check-prefix=KEPT

// CHECK-LABEL: @dim(%x: memref<*xf32>, %i: index) -> index
// CHECK-NEXT: [[N:%.*]] = memref.dim %x, %i : memref<*xf32>
// CHECK-NEXT: func.return [[N]]
func.func @dim(%x: tensor<*xf32>, %i: index) -> index {
  %n = tensor.dim %x, %i : tensor<*xf32>
  func.return %n : index
}

// CHECK-LABEL: @rank(
// CHECK-NEXT: [[N:%.*]] = "memref.rank"(%x) : (memref<*xf32>) -> index
// CHECK-NEXT: func.return [[N]]
// KEPT-LABEL: builtin.module @lastuse.source
// KEPT: func.func @rank(%x: tensor<*xf32>) -> index
// KEPT-NEXT: "tensor.rank"(%x) : (tensor<*xf32>) -> index
func.func @rank(%x: tensor<*xf32>) -> index {
  %n = "tensor.rank"(%x) : (tensor<*xf32>) -> index
  func.return %n : index
}

// The memory may be at any strides, so a row-major result is a copy.
// CHECK-LABEL: @from_unranked(
// CHECK-NEXT: [[R:%.*]] = "memref.cast"(%x) : (memref<*xf32>) -> memref<2xf32, strided<[?], offset: ?>>
// CHECK-NEXT: func.return [[R]]
// IDENTITY-LABEL: @from_unranked(
// IDENTITY: [[C:%.*]] = "memref.cast"(%x) : (memref<*xf32>) -> memref<2xf32, strided<[?], offset: ?>>
// IDENTITY-NEXT: [[R:%.*]] = memref.alloc() : memref<2xf32>
// IDENTITY-NEXT: "memref.copy"([[C]], [[R]])
// IDENTITY-NEXT: func.return [[R]] : memref<2xf32>
func.func @from_unranked(%x: tensor<*xf32>) -> tensor<2xf32> {
  %r = tensor.cast %x : tensor<*xf32> to tensor<2xf32>
  func.return %r : tensor<2xf32>
}

// CHECK-LABEL: @to_unranked(
// CHECK-NEXT: [[U:%.*]] = "memref.cast"(%x) : (memref<2xf32, strided<[?], offset: ?>>) -> memref<*xf32>
// CHECK-NEXT: func.return [[U]]
func.func @to_unranked(%x: tensor<2xf32>) -> tensor<*xf32> {
  %u = tensor.cast %x : tensor<2xf32> to tensor<*xf32>
  func.return %u : tensor<*xf32>
}

// CHECK-LABEL: @unranked_to_unranked(%x: memref<*xi32>) -> memref<*xi32>
// CHECK-NEXT: func.return %x : memref<*xi32>
func.func @unranked_to_unranked(%x: tensor<*xi32>) -> tensor<*xi32> {
  %u = tensor.cast %x : tensor<*xi32> to tensor<*xi32>
  func.return %u : tensor<*xi32>
}

// An argument that no op uses.
// CHECK-LABEL: @unused(
// CHECK-SAME: %u: memref<*xf32>
// CHECK-NEXT: func.return %x
func.func @unused(%x: tensor<2xf32>, %u: tensor<*xf32>) -> tensor<2xf32> {
  func.return %x : tensor<2xf32>
}

// -----

// One view is read after another one is changed: the change is made in a copy, which is of known rank.
// CHECK-LABEL: @read_later(
// CHECK: [[A:%.*]] = "memref.cast"(%u) : (memref<*xf32>) -> memref<?xf32
// CHECK: [[B:%.*]] = memref.alloc({{%.*}}) {{.*}} : memref<?xf32>
// CHECK-NEXT: "memref.copy"([[A]], [[B]])
// CHECK-NEXT: memref.store %v, [[B]][%i]
// CHECK-NEXT: [[C:%.*]] = "memref.cast"(%u) : (memref<*xf32>) -> memref<4xf32
// CHECK-NEXT: memref.load [[C]][%i]
// CHECK-NEXT: [[W:%.*]] = "memref.cast"([[B]]) : (memref<?xf32>) -> memref<*xf32>
// CHECK-NEXT: func.return {{.*}}, [[W]]
// WRITABLE-LABEL: @read_later(
// WRITABLE: "memref.copy"(
func.func @read_later(%u: tensor<*xf32>, %i: index, %v: f32) -> (f32, tensor<*xf32>) {
  %a = tensor.cast %u : tensor<*xf32> to tensor<?xf32>
  %b = tensor.insert %v into %a[%i] : tensor<?xf32>
  %c = tensor.cast %u : tensor<*xf32> to tensor<4xf32>
  %e = tensor.extract %c[%i] : tensor<4xf32>
  %w = tensor.cast %b : tensor<?xf32> to tensor<*xf32>
  func.return %e, %w : f32, tensor<*xf32>
}

// Nothing reads it later: the change is made in place, where the argument may be written.
// CHECK-LABEL: @not_read_later(
// CHECK: "memref.copy"(
// WRITABLE-LABEL: @not_read_later(
// WRITABLE-NEXT: [[A:%.*]] = "memref.cast"(%u)
// WRITABLE-NEXT: memref.store %v, [[A]][%i]
// WRITABLE-NEXT: [[W:%.*]] = "memref.cast"([[A]])
// WRITABLE-NEXT: func.return [[W]] : memref<*xf32>
func.func @not_read_later(%u: tensor<*xf32>, %i: index, %v: f32) -> tensor<*xf32> {
  %a = tensor.cast %u : tensor<*xf32> to tensor<?xf32>
  %b = tensor.insert %v into %a[%i] : tensor<?xf32>
  %w = tensor.cast %b : tensor<?xf32> to tensor<*xf32>
  func.return %w : tensor<*xf32>
}

// -----

// Calls: what a function returns is given back where it is new memory. A function elsewhere may write what it is given.
// CHECK: func.func private @elsewhere(memref<*xf32>)
// CHECK-LABEL: @made(
// CHECK: [[E:%.*]] = memref.alloc() {{.*}} : memref<2x3xf32>
// CHECK: [[U:%.*]] = "memref.cast"([[E]]) : (memref<2x3xf32>) -> memref<*xf32>
// CHECK-NEXT: func.return [[U]]
// CHECK-LABEL: @uses(
// CHECK: [[U:%.*]] = func.call @made({{.*}} -> memref<*xf32>
// CHECK-NEXT: [[Y:%.*]] = "memref.cast"([[U]]) : (memref<*xf32>) -> memref<?x?xf32, strided<[?, ?], offset: ?>>
// CHECK-NEXT: memref.load [[Y]]
// CHECK-NEXT: memref.dealloc [[U]] : memref<*xf32>
// CHECK-LABEL: @passes(
// CHECK: [[T:%.*]] = memref.alloc() : memref<4xf32>
// CHECK-NEXT: "memref.copy"(%x, [[T]])
// CHECK-NEXT: [[P:%.*]] = "memref.cast"([[T]]) : (memref<4xf32>) -> memref<*xf32>
// CHECK-NEXT: func.call @elsewhere([[P]])
// CHECK-NEXT: memref.dealloc [[T]]
// CHECK-NEXT: memref.load %x[%i]
func.func private @elsewhere(tensor<*xf32>)
func.func private @made(%x: tensor<2x3xf32>) -> tensor<*xf32> attributes {no_inline} {
  %e = tensor.empty() : tensor<2x3xf32>
  %y = linalg.exp ins(%x : tensor<2x3xf32>) outs(%e : tensor<2x3xf32>) -> tensor<2x3xf32>
  %u = tensor.cast %y : tensor<2x3xf32> to tensor<*xf32>
  func.return %u : tensor<*xf32>
}
func.func @uses(%x: tensor<2x3xf32>, %i: index) -> f32 {
  %u = func.call @made(%x) : (tensor<2x3xf32>) -> tensor<*xf32>
  %y = tensor.cast %u : tensor<*xf32> to tensor<?x?xf32>
  %f = tensor.extract %y[%i, %i] : tensor<?x?xf32>
  func.return %f : f32
}
func.func @passes(%x: tensor<4xf32>, %i: index) -> f32 {
  %u = tensor.cast %x : tensor<4xf32> to tensor<*xf32>
  func.call @elsewhere(%u) : (tensor<*xf32>) -> ()
  %f = tensor.extract %x[%i] : tensor<4xf32>
  func.return %f : f32
}

// -----

// Branches, loops and selects carry memrefs of unknown rank.
// CHECK-LABEL: @chosen(
// CHECK-NEXT: [[S:%.*]] = scf.if %c -> (memref<*xf32>) {
// CHECK-NEXT: scf.yield %x : memref<*xf32>
// CHECK: scf.yield %y : memref<*xf32>
// CHECK: func.return [[S]]
func.func @chosen(%x: tensor<*xf32>, %y: tensor<*xf32>, %c: i1) -> tensor<*xf32> {
  %s = scf.if %c -> (tensor<*xf32>) {
    scf.yield %x : tensor<*xf32>
  } else {
    scf.yield %y : tensor<*xf32>
  }
  func.return %s : tensor<*xf32>
}

// CHECK-LABEL: @selected(
// CHECK: [[Y:%.*]] = "memref.cast"(%x) : (memref<2x3xf32
// CHECK: [[Z:%.*]] = "memref.cast"(%y) : (memref<?x?xf32
// CHECK: [[S:%.*]] = arith.select %c, [[Y]], [[Z]] : memref<*xf32>
// CHECK: "memref.rank"([[S]])
// CHECK: memref.dim [[S]], %i
func.func @selected(%x: tensor<2x3xf32>, %y: tensor<?x?xf32>, %c: i1, %i: index) -> (index, index) {
  %a = tensor.cast %x : tensor<2x3xf32> to tensor<*xf32>
  %b = tensor.cast %y : tensor<?x?xf32> to tensor<*xf32>
  %s = arith.select %c, %a, %b : tensor<*xf32>
  %r = "tensor.rank"(%s) : (tensor<*xf32>) -> index
  %d = tensor.dim %s, %i : tensor<*xf32>
  func.return %r, %d : index, index
}

// CHECK-LABEL: @swapped(
// CHECK: scf.for {{.*}} iter_args([[A:%.*]] = %x, [[B:%.*]] = %y) -> (memref<*xf32>, memref<*xf32>)
// CHECK-NEXT: scf.yield [[B]], [[A]]
func.func @swapped(%x: tensor<*xf32>, %y: tensor<*xf32>, %n: index) -> (tensor<*xf32>, tensor<*xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %s, %t = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %b = %y) -> (tensor<*xf32>, tensor<*xf32>) {
    scf.yield %b, %a : tensor<*xf32>, tensor<*xf32>
  }
  func.return %s, %t : tensor<*xf32>, tensor<*xf32>
}

// CHECK-LABEL: @in_while(
// CHECK: scf.while ([[A:%.*]] = %x, {{.*}}) : (memref<*xf32>, index) -> (memref<*xf32>, index)
// CHECK: scf.yield %y, {{.*}} : memref<*xf32>, index
func.func @in_while(%x: tensor<*xf32>, %y: tensor<*xf32>, %n: index) -> tensor<*xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r, %k = scf.while (%a = %x, %i = %n) : (tensor<*xf32>, index) -> (tensor<*xf32>, index) {
    %c = arith.cmpi ne, %i, %c0 : index
    scf.condition(%c) %a, %i : tensor<*xf32>, index
  } do {
  ^bb0(%a: tensor<*xf32>, %i: index):
    %j = arith.subi %i, %c1 : index
    scf.yield %y, %j : tensor<*xf32>, index
  }
  func.return %r : tensor<*xf32>
}

// CHECK-LABEL: @in_region(
// CHECK: [[C:%.*]] = arith.cmpi eq, %i,
// CHECK: scf.if [[C]] -> (memref<*xf32>)
func.func @in_region(%x: tensor<*xf32>, %y: tensor<*xf32>, %i: index) -> index {
  %r = scf.execute_region -> tensor<*xf32> {
    scf.yield %x : tensor<*xf32>
  }
  %s = scf.index_switch %i -> tensor<*xf32>
  case 3 {
    scf.yield %r : tensor<*xf32>
  }
  default {
    scf.yield %y : tensor<*xf32>
  }
  %n = "tensor.rank"(%s) : (tensor<*xf32>) -> index
  func.return %n : index
}

// A loop that takes new memory in each turn gives back what it carries, unless that is the argument.
// CHECK-LABEL: @grows(
// CHECK: scf.for {{.*}} iter_args([[A:%.*]] = %x) -> (memref<*xf32>)
// CHECK: [[E:%.*]] = memref.alloc(
// CHECK: [[ONE:%.*]] = "memref.extract_aligned_pointer_as_index"([[A]]) : (memref<*xf32>) -> index
// CHECK: [[TWO:%.*]] = "memref.extract_aligned_pointer_as_index"(%x) : (memref<*xf32>) -> index
// CHECK: [[OTHER:%.*]] = arith.cmpi ne, [[ONE]], [[TWO]]
// CHECK: scf.if [[OTHER]]
// CHECK-NEXT: memref.dealloc [[A]] : memref<*xf32>
func.func @grows(%x: tensor<*xf32>, %n: index, %v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %s = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> (tensor<*xf32>) {
    %e = tensor.empty(%i) : tensor<?xf32>
    %g = linalg.fill ins(%v : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
    %h = tensor.cast %g : tensor<?xf32> to tensor<*xf32>
    scf.yield %h : tensor<*xf32>
  }
  %t = tensor.cast %s : tensor<*xf32> to tensor<?xf32>
  %r = tensor.extract %t[%c0] : tensor<?xf32>
  func.return %r : f32
}

// -----

// A body that asks for sizes reads them from a list.
// CHECK-LABEL: @sizes_in_body(
// CHECK: [[R:%.*]] = "memref.rank"(%x)
// CHECK: [[L:%.*]] = memref.alloc([[R]]) {{.*}} : memref<?xindex>
// CHECK: scf.for [[K:%.*]] = {{.*}} to [[R]]
// CHECK-NEXT: [[D:%.*]] = memref.dim %x, [[K]]
// CHECK-NEXT: memref.store [[D]], [[L]]{{\[}}[[K]]]
// CHECK: [[I:%.*]] = linalg.index 0
// CHECK-NEXT: memref.load [[L]]{{\[}}[[I]]]
// CHECK: memref.dealloc [[L]]
func.func @sizes_in_body(%x: tensor<*xf32>, %n: index) -> tensor<?xindex> {
  %g = "tensor.generate"(%n) ({
  ^bb0(%i: index):
    %d = tensor.dim %x, %i : tensor<*xf32>
    "tensor.yield"(%d) : (index) -> ()
  }) : (index) -> tensor<?xindex>
  func.return %g : tensor<?xindex>
}

// Axes are joined of a copy: the memory may have gaps.
// CHECK-LABEL: @joined(
// CHECK: [[A:%.*]] = "memref.cast"(%x) : (memref<*xf32>) -> memref<4x6xf32, strided
// CHECK: [[T:%.*]] = memref.alloc() {{.*}} : memref<4x6xf32>
// CHECK: "memref.copy"([[A]], [[T]])
// CHECK: memref.collapse_shape [[T]]
func.func @joined(%x: tensor<*xf32>) -> tensor<24xf32> {
  %a = tensor.cast %x : tensor<*xf32> to tensor<4x6xf32>
  %b = tensor.collapse_shape %a [[0, 1]] : tensor<4x6xf32> into tensor<24xf32>
  func.return %b : tensor<24xf32>
}

// -----

// Decisions of the module hold for views of an argument of unknown rank that may be written.
// CHECK-LABEL: @decided(
// CHECK: [[A:%.*]] = "memref.cast"(%u)
// CHECK: linalg.generic {{.*}} ins([[A]], %x {{.*}} outs([[A]]
// CHECK: [[W:%.*]] = "memref.cast"([[A]])
// CHECK-NEXT: func.return [[W]] : memref<*xf32>
func.func @decided(%u: tensor<*xf32> {dnn.donated}, %x: tensor<4xf32>) -> tensor<*xf32> {
  %a = tensor.cast %u : tensor<*xf32> to tensor<4xf32>
  %b = arith.addf %a, %x {dnn.inplace = array<i32: 0>} : tensor<4xf32>
  %c = tensor.cast %b : tensor<4xf32> to tensor<*xf32>
  func.return %c : tensor<*xf32>
}
