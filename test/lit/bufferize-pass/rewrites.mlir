// Results in place share a memref, views are views, parts are computed where they belong, loops keep one memory.

// RUN: opt-tool --bufferize-pass=layouts=identity --split-input-file %s | filecheck %s
// RUN: opt-tool --bufferize-pass=layouts=identity,results=out --split-input-file %s | filecheck %s --check-prefix=OUT
// RUN: opt-tool --bufferize-pass=layouts=identity,arena=argument --split-input-file %s | filecheck %s --check-prefix=ARENA
// RUN: opt-tool --bufferize-pass=layouts=identity,arena=none --split-input-file %s | filecheck %s --check-prefix=NONE

// CHECK-LABEL: @chain(%x: memref<4xf32>, %w: memref<4xf32>) -> memref<4xf32>
// CHECK-NEXT: %e = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
// CHECK-NEXT: linalg.add ins(%x, %w : memref<4xf32>, memref<4xf32>) outs(%e : memref<4xf32>)
// CHECK-NEXT: linalg.mul ins(%e, %w : memref<4xf32>, memref<4xf32>) outs(%e : memref<4xf32>)
// CHECK-NEXT: func.return %e : memref<4xf32>
// OUT-LABEL: @chain(%x: memref<4xf32>, %w: memref<4xf32>, %b: memref<4xf32>) {
// OUT-NEXT: linalg.add ins(%x, %w : memref<4xf32>, memref<4xf32>) outs(%b : memref<4xf32>)
// OUT-NEXT: linalg.mul ins(%b, %w : memref<4xf32>, memref<4xf32>) outs(%b : memref<4xf32>)
// OUT-NEXT: func.return
func.func @chain(%x: tensor<4xf32>, %w: tensor<4xf32>) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %a = linalg.add ins(%x, %w : tensor<4xf32>, tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %b = linalg.mul ins(%a, %w : tensor<4xf32>, tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  func.return %b : tensor<4xf32>
}

// -----

// Two values that are live one after the other, and one beside them.
// CHECK-LABEL: @planned
// CHECK: %arena = memref.alloc() {alignment = 64 : i64} : memref<128xi8>
// CHECK: memref.view %arena[%c0][] : memref<128xi8> to memref<8xf32>
// CHECK: memref.view %arena[%c64][] : memref<128xi8> to memref<8xf32>
// CHECK: memref.dealloc %arena
// ARENA-LABEL: @planned
// ARENA-SAME: %arena: memref<128xi8>) -> f32
// ARENA-NOT: memref.alloc
// ARENA-NOT: memref.dealloc
// NONE-LABEL: @planned
// NONE: %e = memref.alloc() {alignment = 64 : i64} : memref<8xf32>
// NONE: linalg.reduce
// NONE-NOT: memref.alloc
// NONE: memref.dealloc %e : memref<8xf32>
func.func @planned(%x: tensor<8xf32>, %w: tensor<8x8xf32>) -> f32 {
  %z = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %e = tensor.empty() : tensor<8xf32>
  %a = linalg.add ins(%x, %x : tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %f = tensor.empty() : tensor<8xf32>
  %i = linalg.fill ins(%z : f32) outs(%f : tensor<8xf32>) -> tensor<8xf32>
  %r = linalg.reduce ins(%w : tensor<8x8xf32>) outs(%i : tensor<8xf32>) dimensions = [0]
    (%p: f32, %q: f32) {
      %s = arith.addf %p, %q : f32
      linalg.yield %s : f32
    }
  %m = linalg.mul ins(%a, %r : tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %v = tensor.extract %m[%c0] : tensor<8xf32>
  func.return %v : f32
}

// -----

// ARENA-LABEL: @update
// NONE-LABEL: @update
// CHECK-LABEL: @update(%x: memref<8x4xf32>, %v: memref<4x4xf32>) -> memref<8x4xf32>
// CHECK-NEXT: %s = memref.subview %x[2, 0] [4, 4] [1, 1] : memref<8x4xf32> to memref<4x4xf32, strided<[4, 1], offset: 8>>
// CHECK-NEXT: linalg.add ins(%s, %v : {{.*}}) outs(%s : memref<4x4xf32, strided<[4, 1], offset: 8>>)
// CHECK-NEXT: func.return %x
func.func @update(%x: tensor<8x4xf32> {dnn.donated}, %v: tensor<4x4xf32>) -> tensor<8x4xf32> {
  %s = tensor.extract_slice %x[2, 0] [4, 4] [1, 1] : tensor<8x4xf32> to tensor<4x4xf32>
  %e = tensor.empty() : tensor<4x4xf32>
  %t = linalg.add ins(%s, %v : tensor<4x4xf32>, tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
  %y = tensor.insert_slice %t into %x[2, 0] [4, 4] [1, 1] : tensor<4x4xf32> into tensor<8x4xf32>
  func.return %y : tensor<8x4xf32>
}

// -----

// CHECK-LABEL: @loop
// CHECK-NOT: memref.copy
// CHECK: scf.for %i = %lo to %hi step %st {
// CHECK-NEXT: memref.store %v, %x[%i] : memref<24xf32>
// CHECK-NEXT: }
// CHECK-NEXT: func.return %x
func.func @loop(%x: tensor<24xf32> {dnn.donated}, %v: f32, %lo: index, %hi: index, %st: index) -> tensor<24xf32> {
  %r = scf.for %i = %lo to %hi step %st iter_args(%t = %x) -> (tensor<24xf32>) {
    %u = tensor.insert %v into %t[%i] : tensor<24xf32>
    scf.yield %u : tensor<24xf32>
  }
  func.return %r : tensor<24xf32>
}

// -----

// Elementwise ops on tensors are loops with the op on scalars; a constant is a global.
// CHECK: "memref.global"() <{sym_name = "__constant_0"
// CHECK-LABEL: @scalar_ops
// CHECK: memref.get_global @__constant_0 : memref<4xf32>
// CHECK: linalg.generic
// CHECK: arith.addf
// CHECK-NOT: tensor<
func.func @scalar_ops(%x: tensor<4xf32>) -> tensor<4xf32> {
  %c = arith.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %a = arith.addf %x, %c : tensor<4xf32>
  func.return %a : tensor<4xf32>
}

// -----

// A size that is known at run time only.
// CHECK-LABEL: @unknown
// CHECK: [[M:%.*]] = memref.dim %x, %c0
// CHECK: memref.alloc([[M]]) {alignment = 64 : i64} : memref<?xf32>
func.func @unknown(%x: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %m = tensor.dim %x, %c0 : tensor<?xf32>
  %e = tensor.empty(%m) : tensor<?xf32>
  %a = linalg.add ins(%x, %x : tensor<?xf32>, tensor<?xf32>) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  func.return %a : tensor<?xf32>
}

// -----

// CHECK-LABEL: @caller
// CHECK: [[C:%.*]] = func.call @callee(%x) : (memref<4xf32>) -> memref<4xf32>
// OUT-LABEL: @caller(%x: memref<4xf32>, %y: memref<4xf32>)
// OUT: func.call @callee(%x, %y) : (memref<4xf32>, memref<4xf32>) -> ()
func.func @callee(%x: tensor<4xf32>) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %a = linalg.add ins(%x, %x : tensor<4xf32>, tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  func.return %a : tensor<4xf32>
}
func.func @caller(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = func.call @callee(%x) : (tensor<4xf32>) -> tensor<4xf32>
  func.return %y : tensor<4xf32>
}

// -----

// Two buffers that a loop swaps are memrefs that it carries, with a kernel that has a body in the loop.
// CHECK-LABEL: @swaps
// CHECK-NOT: memref.copy
// CHECK: scf.for %i = %lo to %hi step %st iter_args(%a = %p, %b = %q) -> (memref<24xf32>, memref<24xf32>) {
// CHECK: outs(%a : memref<24xf32>)
// CHECK: scf.yield %b, %a
func.func @swaps(%p: tensor<24xf32> {dnn.donated}, %q: tensor<24xf32> {dnn.donated}, %lo: index, %hi: index, %st: index) -> (tensor<24xf32>, tensor<24xf32>) {
  %r, %s = scf.for %i = %lo to %hi step %st iter_args(%a = %p, %b = %q) -> (tensor<24xf32>, tensor<24xf32>) {
    %c = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%a : tensor<24xf32>) {
    ^bb0(%o: f32):
      %t = arith.addf %o, %o : f32
      linalg.yield %t : f32
    } -> tensor<24xf32>
    scf.yield %b, %c : tensor<24xf32>, tensor<24xf32>
  }
  func.return %r, %s : tensor<24xf32>, tensor<24xf32>
}

// -----

// A value computed in its part of a larger one, in the arena.
// CHECK-LABEL: @part_of_arena
// CHECK: [[W:%.*]] = memref.view %arena[%c0][] : memref<{{.*}}xi8> to memref<12xi64>
// CHECK-NEXT: [[P:%.*]] = memref.subview [[W]][4] [4] [1]
// CHECK-NEXT: linalg.fill ins(%v : i64) outs([[P]] :
func.func @part_of_arena(%r: tensor<4xi64>, %v: i64, %i: index) -> i64 {
  %f = linalg.fill ins(%v : i64) outs(%r : tensor<4xi64>) -> tensor<4xi64>
  %w = tensor.concat dim(0) %r, %f, %r : (tensor<4xi64>, tensor<4xi64>, tensor<4xi64>) -> tensor<12xi64>
  %e = tensor.extract %w[%i] : tensor<12xi64>
  func.return %e : i64
}

// -----

// The size is known from a cast, though the type does not say it.
// CHECK-LABEL: @known_by_cast
// CHECK: memref.view %arena[%c0][%c12] : memref<96xi8> to memref<?xi64>
func.func @known_by_cast(%b: tensor<12xi64>, %u: tensor<?xi64>, %i: index) -> i64 {
  %c = tensor.cast %b : tensor<12xi64> to tensor<?xi64>
  %s = linalg.add ins(%u, %u : tensor<?xi64>, tensor<?xi64>) outs(%c : tensor<?xi64>) -> tensor<?xi64>
  %e = tensor.extract %s[%i] : tensor<?xi64>
  func.return %e : i64
}

// -----

// What a call returns is given back after its last use. A callee without an arena gets no bytes of the caller's.
// CHECK-LABEL: @frees
// CHECK: [[R:%.*]] = func.call @makes
// CHECK-NEXT: memref.load [[R]]
// CHECK-NEXT: memref.dealloc [[R]]
// ARENA-LABEL: @frees
// ARENA-SAME: %arena: memref<64xi8>
// ARENA: memref.view %arena[%c0][] : memref<64xi8> to memref<0xi8>
func.func @makes(%v: i64) -> tensor<4xi64> {
  %e = tensor.empty() : tensor<4xi64>
  %f = linalg.fill ins(%v : i64) outs(%e : tensor<4xi64>) -> tensor<4xi64>
  func.return %f : tensor<4xi64>
}
func.func @frees(%v: i64, %i: index) -> i64 {
  %e = tensor.empty() : tensor<4xi64>
  %f = linalg.fill ins(%v : i64) outs(%e : tensor<4xi64>) -> tensor<4xi64>
  %o = tensor.extract %f[%i] : tensor<4xi64>
  %r = func.call @makes(%o) : (i64) -> tensor<4xi64>
  %x = tensor.extract %r[%i] : tensor<4xi64>
  func.return %x : i64
}

// -----

// What is inserted at a run-time offset is computed there.
// CHECK-LABEL: @inserted
// CHECK-NOT: memref.copy
// CHECK: scf.for %i = %lo to %hi step %st {
// CHECK-NEXT: %[[PART:.*]] = memref.subview %t[%i] [6] [1] : memref<?xf32> to memref<6xf32, strided<[1], offset: ?>>
// CHECK-NEXT: linalg.fill ins(%v : f32) outs(%[[PART]] : memref<6xf32, strided<[1], offset: ?>>)
// CHECK-NEXT: }
func.func @inserted(%t: tensor<?xf32> {dnn.donated}, %lo: index, %hi: index, %st: index, %v: f32) -> tensor<?xf32> {
  %e = tensor.empty() : tensor<6xf32>
  %r = scf.for %i = %lo to %hi step %st iter_args(%u = %t) -> (tensor<?xf32>) {
    %f = linalg.fill ins(%v : f32) outs(%e : tensor<6xf32>) -> tensor<6xf32>
    %w = tensor.insert_slice %f into %u[%i] [6] [1] : tensor<6xf32> into tensor<?xf32>
    scf.yield %w : tensor<?xf32>
  }
  func.return %r : tensor<?xf32>
}

// -----

// What no op has written is not copied.
// CHECK-LABEL: @undefined
// CHECK-NOT: memref.copy
// CHECK: memref.store %v, %{{.*}}[%i]
func.func @undefined(%v: f32, %i: index) -> (tensor<7xf32>, tensor<7xf32>) {
  %e = tensor.empty() : tensor<7xf32>
  %a = tensor.insert %v into %e[%i] : tensor<7xf32>
  func.return %e, %a : tensor<7xf32>, tensor<7xf32>
}

// -----

// A source of lower rank than its part, of memory whose strides are not known: axes of one element are left out.
// CHECK-LABEL: @lower_rank
// CHECK: %[[PART:.*]] = memref.subview %t[2, 3, 0] [1, 1, 64] [1, 1, 1]
// CHECK-NEXT: %[[ROW:.*]] = memref.subview %[[PART]][0, 0, 0] [1, 1, 64] [1, 1, 1] : {{.*}} to memref<64xf32,
// CHECK-NEXT: linalg.fill ins(%v : f32) outs(%[[ROW]]
// CHECK-NOT: memref.copy
func.func @lower_rank(%t: tensor<4x6x64xf32> {dnn.donated}) -> tensor<4x6x64xf32> {
  %v = arith.constant 8.0 : f32
  %e = tensor.empty() : tensor<64xf32>
  %f = linalg.fill ins(%v : f32) outs(%e : tensor<64xf32>) -> tensor<64xf32>
  %g = tensor.expand_shape %f [[0, 1, 2]] output_shape [1, 1, 64] : tensor<64xf32> into tensor<1x1x64xf32>
  %h = tensor.insert_slice %g into %t[2, 3, 0] [1, 1, 64] [1, 1, 1] : tensor<1x1x64xf32> into tensor<4x6x64xf32>
  func.return %h : tensor<4x6x64xf32>
}
