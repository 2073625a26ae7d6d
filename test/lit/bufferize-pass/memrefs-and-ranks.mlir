// Memrefs of tensors, casts to unknown rank, sizes along axes of run time, and parallel loops.

// RUN: opt-tool --bufferize-pass=layouts=identity,arena=none,arguments=writable --split-input-file %s | filecheck %s
// RUN: opt-tool --bufferize-pass=arena=none,source=keep --split-input-file %s | filecheck %s --check-prefix=KEPT
// RUN: opt-tool --bufferize-pass=arguments=writable --remarks --split-input-file %s 2>&1 | filecheck %s --check-prefix=PROVED

// A memref of a tensor that is only read is the tensor.
// CHECK-LABEL: @loads(
// CHECK: [[E:%.*]] = memref.load %x[%i]
// CHECK: [[N:%.*]] = memref.dim %x
// CHECK: "memref.copy"(%x, %to)
// CHECK-NOT: memref.alloc
// CHECK: func.return [[E]], [[N]]
func.func @loads(%x: tensor<?xf32>, %to: memref<?xf32>, %i: index) -> (f32, index) {
  %c0 = arith.constant 0 : index
  %m = "bufferization.to_memref"(%x) : (tensor<?xf32>) -> memref<?xf32>
  %e = memref.load %m[%i] : memref<?xf32>
  %n = memref.dim %m, %c0 : memref<?xf32>
  "memref.copy"(%m, %to) : (memref<?xf32>, memref<?xf32>) -> ()
  func.return %e, %n : f32, index
}

// -----

// What is written to a memref of a tensor is not the tensor's: here the tensor is read later.
// CHECK-LABEL: @stores(
// CHECK: [[M:%.*]] = memref.alloc() {{.*}} : memref<8xf32>
// CHECK-NEXT: "memref.copy"(%x, [[M]])
// CHECK-NEXT: memref.store %v, [[M]][%i]
// CHECK-NEXT: [[E:%.*]] = memref.load [[M]][%i]
// CHECK: memref.dealloc [[M]]
// CHECK: [[F:%.*]] = memref.load %x[%i]
// CHECK: func.return [[E]], [[F]]
func.func @stores(%x: tensor<8xf32>, %v: f32, %i: index) -> (f32, f32) {
  %m = "bufferization.to_memref"(%x) : (tensor<8xf32>) -> memref<8xf32, strided<[?], offset: ?>>
  memref.store %v, %m[%i] : memref<8xf32, strided<[?], offset: ?>>
  %e = memref.load %m[%i] : memref<8xf32, strided<[?], offset: ?>>
  %f = tensor.extract %x[%i] : tensor<8xf32>
  func.return %e, %f : f32, f32
}

// -----

// A tensor that is not read later is stored to itself; what is read of the memref is what is there then.
// CHECK-LABEL: @stores_last(
// CHECK-NOT: memref.alloc
// CHECK: memref.store %v, %x[%i]
// CHECK-NEXT: [[E:%.*]] = memref.load %x[%i]
// CHECK-NEXT: linalg.fill ins([[E]] : f32) outs(%x : memref<8xf32>)
// CHECK-NEXT: "memref.copy"(%x, %to)
// CHECK-NEXT: func.return %x : memref<8xf32>
func.func @stores_last(%x: tensor<8xf32>, %v: f32, %i: index, %to: memref<8xf32>) -> tensor<8xf32> {
  %m = "bufferization.to_memref"(%x) : (tensor<8xf32>) -> memref<8xf32>
  memref.store %v, %m[%i] : memref<8xf32>
  %c = "memref.cast"(%m) : (memref<8xf32>) -> memref<?xf32>
  %e = memref.load %c[%i] : memref<?xf32>
  linalg.fill ins(%e : f32) outs(%c : memref<?xf32>)
  "memref.copy"(%m, %to) : (memref<8xf32>, memref<8xf32>) -> ()
  %y = bufferization.to_tensor %m restrict writable : memref<8xf32> to tensor<8xf32>
  func.return %y : tensor<8xf32>
}

// -----

// A memref that another block stores to is memory of its own, which ends with the block that makes it: a tensor of it
// that the block passes on is a copy.
// CHECK-LABEL: @stores_in_loop(
// CHECK: [[M:%.*]] = memref.alloc() : memref<8xf32>
// CHECK-NEXT: "memref.copy"(%x, [[M]])
// CHECK: memref.store %v, [[M]][
// CHECK: [[R:%.*]] = memref.alloc() {{.*}} : memref<8xf32>
// CHECK-NEXT: "memref.copy"([[M]], [[R]])
// CHECK: memref.dealloc [[M]]
// CHECK-NEXT: func.return [[R]]
func.func @stores_in_loop(%x: tensor<8xf32>, %v: f32, %n: index) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = "bufferization.to_memref"(%x) : (tensor<8xf32>) -> memref<8xf32>
  scf.for %i = %c0 to %n step %c1 {
    memref.store %v, %m[%i] : memref<8xf32>
  }
  %y = bufferization.to_tensor %m restrict writable : memref<8xf32> to tensor<8xf32>
  func.return %y : tensor<8xf32>
}

// -----

// A memref that is returned is the caller's.
// CHECK-LABEL: @returns(
// CHECK-NEXT: [[M:%.*]] = memref.alloc() : memref<8xf32>
// CHECK-NEXT: "memref.copy"(%x, [[M]])
// CHECK-NEXT: func.return [[M]]
func.func @returns(%x: tensor<8xf32>) -> memref<8xf32> {
  %m = bufferization.to_buffer %x : tensor<8xf32> to memref<8xf32>
  func.return %m : memref<8xf32>
}

// -----

// A function elsewhere that takes tensors of any rank takes memrefs of any rank. It only reads this one.
// CHECK: sym_name = "print", function_type = (memref<*xf32>) -> ()
// CHECK-LABEL: @unranked(
// CHECK: memref.store %v, %x[%i]
// CHECK: [[M:%.*]] = "memref.cast"({{.*}}) : (memref<8xf32>) -> memref<*xf32>
// CHECK-NEXT: func.call @print([[M]]) : (memref<*xf32>) -> ()
// KEPT-LABEL: builtin.module @lastuse.source
// KEPT: func.func @unranked(
// KEPT: [[U:%.*]] = tensor.cast {{.*}} : tensor<8xf32> to tensor<*xf32>
// KEPT-NEXT: func.call @print([[U]])
func.func private @print(tensor<*xf32> {bufferization.access = "read"})
func.func @unranked(%x: tensor<8xf32>, %v: f32, %i: index) -> (index, f32) {
  %c0 = arith.constant 0 : index
  %y = tensor.insert %v into %x[%i] : tensor<8xf32>
  %u = tensor.cast %y : tensor<8xf32> to tensor<*xf32>
  func.call @print(%u) : (tensor<*xf32>) -> ()
  %n = tensor.dim %u, %c0 : tensor<*xf32>
  %r = tensor.cast %u : tensor<*xf32> to tensor<?xf32>
  %e = tensor.extract %r[%i] : tensor<?xf32>
  func.return %n, %e : index, f32
}

// -----

// Along an axis of run time, in a body too: one of all sizes, which are there before.
// CHECK-LABEL: @sizes(
// CHECK-DAG: [[A:%.*]] = memref.dim %x, %c0
// CHECK-DAG: [[B:%.*]] = memref.dim %x, %c1
// CHECK: linalg.generic
// CHECK: [[AXIS:%.*]] = linalg.index 0
// CHECK-NEXT: [[IS:%.*]] = arith.cmpi eq, [[AXIS]],
// CHECK-NEXT: [[N:%.*]] = arith.select [[IS]], [[A]], [[B]] : index
// CHECK-NEXT: linalg.yield [[N]]
func.func @sizes(%x: tensor<?x?xf32>) -> tensor<2xindex> {
  %g = "tensor.generate"() ({
  ^bb0(%i: index):
    %n = tensor.dim %x, %i : tensor<?x?xf32>
    "tensor.yield"(%n) : (index) -> ()
  }) : () -> tensor<2xindex>
  func.return %g : tensor<2xindex>
}

// -----

// Threads run one after the other, and what they reduce is carried.
// CHECK-LABEL: @reduces(
// CHECK: [[R:%.*]] = scf.for [[I:%.*]] = {{.*}} iter_args([[S:%.*]] = %v) -> (f32)
// CHECK-NEXT: [[T:%.*]] = scf.for [[J:%.*]] = {{.*}} iter_args([[U:%.*]] = [[S]]) -> (f32)
// CHECK-NEXT: [[E:%.*]] = memref.load %x{{\[}}[[I]], [[J]]]
// CHECK-NEXT: memref.store [[E]], %m{{\[}}[[I]], [[J]]]
// CHECK-NEXT: [[W:%.*]] = arith.addf [[U]], [[E]]
// CHECK-NEXT: scf.yield [[W]]
// CHECK: scf.yield [[T]]
// CHECK: func.return [[R]]
func.func @reduces(%x: tensor<4x8xf32>, %m: memref<4x8xf32>, %v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %r = "scf.parallel"(%c0, %c0, %c4, %c8, %c1, %c1, %v) <{operandSegmentSizes = array<i32: 2, 2, 2, 1>}> ({
  ^bb0(%i: index, %j: index):
    %e = tensor.extract %x[%i, %j] : tensor<4x8xf32>
    memref.store %e, %m[%i, %j] : memref<4x8xf32>
    "scf.reduce"(%e) ({
    ^bb1(%a: f32, %b: f32):
      %s = arith.addf %a, %b : f32
      "scf.reduce.return"(%s) : (f32) -> ()
    }) : (f32) -> ()
  }) : (index, index, index, index, index, index, f32) -> f32
  func.return %r : f32
}

// -----

// The tensor of a memref that it may write is that memory; what lies there already is not moved there.
// CHECK-LABEL: @in_memref(
// CHECK: scf.for
// CHECK-NEXT: linalg.add ins(%m, %x : {{.*}}) outs(%m :
// CHECK-NOT: memref.copy
// CHECK: func.return
func.func @in_memref(%m: memref<16xf32>, %x: tensor<16xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = "bufferization.to_tensor"(%m) <{restrict, writable}> : (memref<16xf32>) -> tensor<16xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%u = %t) -> (tensor<16xf32>) {
    %a = linalg.add ins(%u, %x : tensor<16xf32>, tensor<16xf32>) outs(%u : tensor<16xf32>) -> tensor<16xf32>
    scf.yield %a : tensor<16xf32>
  }
  "bufferization.materialize_in_destination"(%r, %m) <{writable}> : (tensor<16xf32>, memref<16xf32>) -> ()
  func.return
}

// -----

// The tensor is read after it is changed: the change is made in a copy.
// CHECK-LABEL: @kept_in_memref(
// CHECK: [[NEW:%.*]] = memref.alloc() {{.*}} : memref<4xf32>
// CHECK: "memref.copy"(%m, [[NEW]])
// CHECK-NEXT: memref.store %v, [[NEW]][%i]
// CHECK: memref.load %m[%i]
// CHECK: [[S:%.*]] = arith.select %c, %m, [[NEW]] : memref<4xf32>
// CHECK: memref.load [[S]][%i]
func.func @kept_in_memref(%m: memref<4xf32>, %v: f32, %i: index, %c: i1) -> (f32, f32) {
  %t = "bufferization.to_tensor"(%m) <{restrict, writable}> : (memref<4xf32>) -> tensor<4xf32>
  %a = tensor.insert %v into %t[%i] : tensor<4xf32>
  %e = tensor.extract %t[%i] : tensor<4xf32>
  %s = arith.select %c, %t, %a : tensor<4xf32>
  %f = tensor.extract %s[%i] : tensor<4xf32>
  func.return %e, %f : f32, f32
}

// -----

// Memrefs that the program is given: one is a tensor from here on, another one gets a tensor. Both forms are proved.
// PROVED-LABEL: @memrefs_given(
// PROVED-NOT: not proved
// CHECK-LABEL: @memrefs_given(
// CHECK: linalg.exp ins(%m : {{.*}}) outs(%m :
// CHECK: "memref.copy"(%m, %o)
func.func @memrefs_given(%m: memref<8xf32>, %o: memref<8xf32>) {
  %x = bufferization.to_tensor %m restrict writable : memref<8xf32> to tensor<8xf32>
  %y = linalg.exp ins(%x : tensor<8xf32>) outs(%x : tensor<8xf32>) -> tensor<8xf32>
  bufferization.materialize_in_destination %y in writable %o : (tensor<8xf32>, memref<8xf32>) -> ()
  func.return
}
