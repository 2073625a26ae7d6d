// Results that are memory of an argument or of the function, as the path decides.

// RUN: opt-tool --bufferize-pass=layouts=identity,arguments=writable --split-input-file %s | filecheck %s
// RUN: opt-tool --bufferize-pass=unproved=error,arguments=writable --split-input-file %s | filecheck %s --check-prefix=PROVED
// RUN: opt-tool --bufferize-pass=layouts=identity,results=out,arguments=writable --split-input-file %s | filecheck %s --check-prefix=OUT

// The memory of what one arm computes is given back where the other arm was taken.
// CHECK-LABEL: @either(
// CHECK: [[M:%.*]] = memref.alloc() {{.*}} : memref<8x8xf32>
// CHECK: [[R:%.*]] = scf.if %c
// CHECK-NEXT: linalg.transpose ins(%x:{{.*}}) outs([[M]]:
// CHECK-NEXT: scf.yield [[M]]
// CHECK: scf.yield %x
// CHECK-NOT: memref.copy
// CHECK: [[P:%.*]] = "memref.extract_aligned_pointer_as_index"([[M]])
// CHECK-NEXT: [[Q:%.*]] = "memref.extract_aligned_pointer_as_index"([[R]])
// CHECK-NEXT: [[OTHER:%.*]] = arith.cmpi ne, [[P]], [[Q]] : index
// CHECK-NEXT: scf.if [[OTHER]] {
// CHECK-NEXT: memref.dealloc [[M]]
// CHECK-NEXT: }
// CHECK-NEXT: func.return [[R]]
// PROVED-LABEL: @either(
// OUT-LABEL: @either(
// OUT-NOT: extract_aligned_pointer
// OUT: func.return
func.func @either(%x: tensor<8x8xf32>, %c: i1) -> tensor<8x8xf32> {
  %r = scf.if %c -> (tensor<8x8xf32>) {
    %e = tensor.empty() : tensor<8x8xf32>
    %y = linalg.transpose ins(%x : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) permutation = [1, 0]
    scf.yield %y : tensor<8x8xf32>
  } else {
    scf.yield %x : tensor<8x8xf32>
  }
  func.return %r : tensor<8x8xf32>
}

// -----

// Three memrefs take turns in a loop, and two of them are returned: no two of them are the same memory.
// CHECK-LABEL: @two_of_three(
// CHECK: [[M:%.*]] = memref.alloc()
// CHECK: [[R:%.*]], [[S:%.*]], {{%.*}} = scf.for {{.*}} iter_args({{%.*}} = %x, {{%.*}} = %y, {{%.*}} = [[M]])
// CHECK-NOT: memref.copy
// CHECK: [[P:%.*]] = "memref.extract_aligned_pointer_as_index"([[M]])
// CHECK: "memref.extract_aligned_pointer_as_index"([[R]])
// CHECK: [[A:%.*]] = arith.cmpi ne
// CHECK: "memref.extract_aligned_pointer_as_index"([[S]])
// CHECK: [[B:%.*]] = arith.cmpi ne
// CHECK: [[BOTH:%.*]] = arith.andi [[A]], [[B]]
// CHECK-NEXT: scf.if [[BOTH]] {
// CHECK-NEXT: memref.dealloc [[M]]
// CHECK: func.return [[R]], [[S]]
// PROVED-LABEL: @two_of_three(
func.func @two_of_three(%x: tensor<8x8xf32>, %y: tensor<8x8xf32>, %n: index) -> (tensor<8x8xf32>, tensor<8x8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f32
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %b = %y) -> (tensor<8x8xf32>, tensor<8x8xf32>) {
    %e = tensor.empty() : tensor<8x8xf32>
    %f = linalg.fill ins(%z : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
    %p = linalg.matmul ins(%a, %b : tensor<8x8xf32>, tensor<8x8xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
    scf.yield %b, %p : tensor<8x8xf32>, tensor<8x8xf32>
  }
  func.return %r#0, %r#1 : tensor<8x8xf32>, tensor<8x8xf32>
}

// -----

// One arm passes on the same memory as both results. The caller frees each result, so one of them is copied.
// CHECK-LABEL: @twice(
// CHECK: {{%.*}}, [[R:%.*]] = scf.if
// CHECK: "memref.copy"([[R]],
// CHECK: func.return
// PROVED-LABEL: @twice(
func.func @twice(%x: tensor<8x8xf32>, %z: tensor<8x8xf32> {bufferization.writable = false}, %c: i1) -> (tensor<8x8xf32>, tensor<8x8xf32>) {
  %r:2 = scf.if %c -> (tensor<8x8xf32>, tensor<8x8xf32>) {
    %e = tensor.empty() : tensor<8x8xf32>
    %y = linalg.transpose ins(%x : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) permutation = [1, 0]
    scf.yield %y, %y : tensor<8x8xf32>, tensor<8x8xf32>
  } else {
    scf.yield %x, %z : tensor<8x8xf32>, tensor<8x8xf32>
  }
  func.return %r#0, %r#1 : tensor<8x8xf32>, tensor<8x8xf32>
}

// -----

// Branches to a block choose too, and the argument is read after that.
// CHECK-LABEL: @blocks(
// CHECK: [[M:%.*]] = memref.alloc()
// CHECK: "memref.copy"(%x, [[M]])
// CHECK-NEXT: memref.store %v, [[M]][%i]
// CHECK-NEXT: cf.br ^[[END:.*]]([[M]]
// CHECK: cf.br ^[[END]](%x
// CHECK: ^[[END]]([[Y:%.*]]: memref<16xf32>):
// CHECK-NEXT: memref.load %x[%i]
// CHECK: scf.if
// CHECK-NEXT: memref.dealloc [[M]]
// CHECK: func.return [[Y]]
// PROVED-LABEL: @blocks(
func.func @blocks(%x: tensor<16xf32>, %c: i1, %v: f32, %i: index) -> (tensor<16xf32>, f32) {
  cf.cond_br %c, ^a, ^b
^a:
  %s = tensor.insert %v into %x[%i] : tensor<16xf32>
  cf.br ^end(%s : tensor<16xf32>)
^b:
  cf.br ^end(%x : tensor<16xf32>)
^end(%y: tensor<16xf32>):
  %z = tensor.extract %x[%i] : tensor<16xf32>
  func.return %y, %z : tensor<16xf32>, f32
}

// -----

// What is inserted into goes to memory of its own, with one copy: both arms pass on what is read later.
// CHECK-LABEL: @read_later(
// CHECK: [[R:%.*]] = scf.if %c
// CHECK-NEXT: scf.yield %a
// CHECK: scf.yield %b
// CHECK: "memref.copy"([[R]], [[W:%.*]]) :
// CHECK-NEXT: memref.store %v, [[W]][%i]
// CHECK-NOT: memref.copy
// CHECK: memref.load %a[%i]
// CHECK: memref.load %b[%i]
func.func @read_later(%a: tensor<16xf32>, %b: tensor<16xf32>, %c: i1, %v: f32, %i: index) -> (tensor<16xf32>, f32, f32) {
  %r = scf.if %c -> (tensor<16xf32>) {
    scf.yield %a : tensor<16xf32>
  } else {
    scf.yield %b : tensor<16xf32>
  }
  %w = tensor.insert %v into %r[%i] : tensor<16xf32>
  %x = tensor.extract %a[%i] : tensor<16xf32>
  %y = tensor.extract %b[%i] : tensor<16xf32>
  func.return %w, %x, %y : tensor<16xf32>, f32, f32
}

// -----

// What reads a choice is not written over it, as the argument is read with it.
// CHECK-LABEL: @read_beside(
// CHECK: [[R:%.*]] = scf.if %c
// CHECK-NOT: memref.copy
// CHECK: linalg.add ins([[R]], %a : {{.*}}) outs([[Y:%.*]] : memref<8x8xf32>)
// CHECK: func.return [[Y]]
func.func @read_beside(%a: tensor<8x8xf32>, %c: i1) -> tensor<8x8xf32> {
  %e = tensor.empty() : tensor<8x8xf32>
  %r = scf.if %c -> (tensor<8x8xf32>) {
    %x = linalg.transpose ins(%a : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) permutation = [1, 0]
    scf.yield %x : tensor<8x8xf32>
  } else {
    scf.yield %a : tensor<8x8xf32>
  }
  %y = linalg.add ins(%r, %a : tensor<8x8xf32>, tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  func.return %y : tensor<8x8xf32>
}
