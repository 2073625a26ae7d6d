// Loops and branches carry memory of the size that each value needs, where it is not known before.

// RUN: opt-tool --bufferize-pass=layouts=identity --split-input-file %s | filecheck %s

// What an iteration makes is passed on; what it was given is given back, and the last one is the result.
// CHECK-LABEL: @grows(
// CHECK: [[FIRST:%.*]] = memref.alloc({{%[0-9]+}}) : memref<?xf32>
// CHECK-NEXT: "memref.copy"(%x, [[FIRST]])
// CHECK-NEXT: [[LAST:%.*]] = scf.for %k = {{.*}} iter_args(%a = [[FIRST]])
// CHECK: memref.dim %a
// CHECK: memref.alloc(%more)
// CHECK: "memref.copy"(%a,
// CHECK-NEXT: memref.dealloc %a
// CHECK-NEXT: scf.yield %e
// CHECK: func.return [[LAST]]
func.func @grows(%x: tensor<?xf32>, %n: index, %v: f32) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%a = %x) -> (tensor<?xf32>) {
    %size = tensor.dim %a, %c0 : tensor<?xf32>
    %more = arith.addi %size, %c1 : index
    %e = tensor.empty(%more) : tensor<?xf32>
    %f = linalg.fill ins(%v : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
    %i = tensor.insert_slice %a into %f[0] [%size] [1] : tensor<?xf32> into tensor<?xf32>
    scf.yield %i : tensor<?xf32>
  }
  func.return %r : tensor<?xf32>
}

// -----

// What the condition passes on is the same memory; the result is given back after its last use.
// CHECK-LABEL: @while_grows(
// CHECK: %r = scf.while ([[A:%.*]] = {{%.*}}) : (memref<?xf32>) -> memref<?xf32>
// CHECK-NOT: memref.copy
// CHECK: scf.condition({{%.*}}) [[A]]
// CHECK: ^bb0(%b: memref<?xf32>):
// CHECK: linalg.fill
// CHECK-NEXT: memref.dealloc %b
// CHECK-NEXT: scf.yield %e
// CHECK: memref.load %r
// CHECK-NEXT: memref.dealloc %r
func.func @while_grows(%x: tensor<?xf32>, %n: index, %v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.while (%a = %x) : (tensor<?xf32>) -> tensor<?xf32> {
    %size = tensor.dim %a, %c0 : tensor<?xf32>
    %more = arith.cmpi slt, %size, %n : index
    scf.condition(%more) %a : tensor<?xf32>
  } do {
  ^bb0(%b: tensor<?xf32>):
    %size = tensor.dim %b, %c0 : tensor<?xf32>
    %next = arith.addi %size, %c1 : index
    %e = tensor.empty(%next) : tensor<?xf32>
    %f = linalg.fill ins(%v : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
    scf.yield %f : tensor<?xf32>
  }
  %first = tensor.extract %r[%c0] : tensor<?xf32>
  func.return %first : f32
}

// -----

// What the body of the loop reads too is not passed on to it: it would be given back there.
// CHECK-LABEL: @read_in_loop(
// CHECK: linalg.fill ins(%v : f32) outs([[FILLED:%.*]] : memref<?xf32>)
// CHECK: [[FIRST:%.*]] = memref.alloc
// CHECK-NEXT: "memref.copy"([[FILLED]], [[FIRST]])
// CHECK: iter_args(%a = [[FIRST]])
// CHECK: memref.load [[FILLED]]
// CHECK: memref.dealloc %a
// CHECK: memref.dealloc [[FILLED]]
func.func @read_in_loop(%n: index, %v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %e = tensor.empty(%n) : tensor<?xf32>
  %x = linalg.fill ins(%v : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%a = %x) -> (tensor<?xf32>) {
    %w = tensor.extract %x[%k] : tensor<?xf32>
    %size = tensor.dim %a, %c0 : tensor<?xf32>
    %more = arith.addi %size, %c1 : index
    %m = tensor.empty(%more) : tensor<?xf32>
    %f = linalg.fill ins(%w : f32) outs(%m : tensor<?xf32>) -> tensor<?xf32>
    scf.yield %f : tensor<?xf32>
  }
  %first = tensor.extract %r[%c0] : tensor<?xf32>
  func.return %first : f32
}

// -----

// Each arm makes what it passes on, and the function returns that.
// CHECK-LABEL: @arms(
// CHECK: %r = scf.if %c -> (memref<?xf32>) {
// CHECK-NEXT: [[ONE:%.*]] = memref.alloc(%n)
// CHECK: scf.yield [[ONE]]
// CHECK: [[SIZE:%.*]] = arith.muli %n, %n
// CHECK-NEXT: [[TWO:%.*]] = memref.alloc([[SIZE]])
// CHECK: scf.yield [[TWO]]
// CHECK-NOT: memref.copy
// CHECK: func.return %r
func.func @arms(%c: i1, %n: index, %v: f32) -> tensor<?xf32> {
  %r = scf.if %c -> (tensor<?xf32>) {
    %e = tensor.empty(%n) : tensor<?xf32>
    %f = linalg.fill ins(%v : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
    scf.yield %f : tensor<?xf32>
  } else {
    %m = arith.muli %n, %n : index
    %e = tensor.empty(%m) : tensor<?xf32>
    %f = linalg.fill ins(%v : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
    scf.yield %f : tensor<?xf32>
  }
  func.return %r : tensor<?xf32>
}

// -----

// What is passed on is copied before its memory is written.
// CHECK-LABEL: @before_writes(
// CHECK: linalg.generic {{.*}} ins([[A:%.*]] : {{.*}}) outs([[S:%.*]] :
// CHECK: [[B:%.*]] = memref.alloc
// CHECK-NEXT: "memref.copy"([[A]], [[B]])
// CHECK-NEXT: "memref.copy"([[S]], [[A]])
// CHECK: scf.yield [[B]]
func.func @before_writes(%x: tensor<?xf32>, %y: tensor<4xf32>, %n: index) -> (tensor<?xf32>, tensor<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = tensor.cast %y : tensor<4xf32> to tensor<?xf32>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %b = %z) -> (tensor<?xf32>, tensor<?xf32>) {
    %s = arith.mulf %a, %a : tensor<?xf32>
    scf.yield %s, %a : tensor<?xf32>, tensor<?xf32>
  }
  func.return %r#0, %r#1 : tensor<?xf32>, tensor<?xf32>
}

// -----

// A reshape of memory of the function's own is returned as that.
// CHECK-LABEL: @returned_flat(
// CHECK: [[FLAT:%.*]] = memref.collapse_shape
// CHECK-NOT: memref.copy
// CHECK: func.return [[FLAT]]
func.func @returned_flat(%x: tensor<?x8xf32>) -> tensor<?xf32> {
  %z = math.exp %x : tensor<?x8xf32>
  %c = tensor.collapse_shape %z [[0, 1]] : tensor<?x8xf32> into tensor<?xf32>
  func.return %c : tensor<?xf32>
}
