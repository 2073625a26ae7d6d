// Sizes that are one index value, the size of one tensor or one constant are equal: values of these sizes are written over
// one another, in loops and branches too.
// RUN: opt-tool --bufferize-pass --split-input-file %s | filecheck %s
// RUN: opt-tool --bufferize-pass=arena=argument --split-input-file %s | filecheck %s --check-prefix=ARGUMENT

// CHECK-LABEL: @index_argument
// CHECK: [[E:%.*]] = memref.alloc(%n)
// CHECK-NEXT: linalg.fill {{.*}} outs([[E]] :
// CHECK-NEXT: linalg.exp ins([[E]] : {{.*}}) outs([[E]] :
// CHECK-NEXT: func.return [[E]]
func.func @index_argument(%n: index, %v: f32) -> tensor<?xf32> {
  %s = tensor.splat %v[%n] : tensor<?xf32>
  %e = tensor.empty(%n) : tensor<?xf32>
  %r = linalg.exp ins(%s : tensor<?xf32>) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  func.return %r : tensor<?xf32>
}

// -----

// Two ops take the size of one axis.
// CHECK-LABEL: @size_of_a_tensor
// CHECK: [[E:%.*]] = memref.alloc(
// CHECK: linalg.fill {{.*}} outs([[E]] :
// CHECK-NEXT: linalg.matmul {{.*}} outs([[E]] :
// CHECK-NOT: memref.alloc
// CHECK: linalg.exp ins([[E]] : {{.*}}) outs([[E]] :
func.func @size_of_a_tensor(%x: tensor<?x4xf32>, %y: tensor<4x8xf32>, %z: f32) -> tensor<?x8xf32> {
  %c0 = arith.constant 0 : index
  %m = tensor.dim %x, %c0 : tensor<?x4xf32>
  %e = tensor.empty(%m) : tensor<?x8xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<?x8xf32>) -> tensor<?x8xf32>
  %g = linalg.matmul ins(%x, %y : tensor<?x4xf32>, tensor<4x8xf32>) outs(%f : tensor<?x8xf32>) -> tensor<?x8xf32>
  %k = tensor.dim %x, %c0 : tensor<?x4xf32>
  %e2 = tensor.empty(%k) : tensor<?x8xf32>
  %h = linalg.exp ins(%g : tensor<?x8xf32>) outs(%e2 : tensor<?x8xf32>) -> tensor<?x8xf32>
  func.return %h : tensor<?x8xf32>
}

// -----

// The loop carries one size.
// CHECK-LABEL: @loop
// CHECK: [[A:%.*]] = memref.alloc(
// CHECK: scf.for
// CHECK-NEXT: [[E:%.*]] = memref.alloc(
// CHECK-NEXT: linalg.log ins([[A]] : {{.*}}) outs([[E]] :
// CHECK-NEXT: linalg.add ins([[A]], [[E]] : {{.*}}) outs([[A]] :
// CHECK-NOT: memref.copy
// CHECK: func.return [[A]]
func.func @loop(%x: tensor<?xf32>, %n: index) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %d = tensor.dim %x, %c0 : tensor<?xf32>
  %e0 = tensor.empty(%d) : tensor<?xf32>
  %a0 = linalg.exp ins(%x : tensor<?xf32>) outs(%e0 : tensor<?xf32>) -> tensor<?xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %a0) -> (tensor<?xf32>) {
    %e = tensor.empty(%d) : tensor<?xf32>
    %b = linalg.log ins(%a : tensor<?xf32>) outs(%e : tensor<?xf32>) -> tensor<?xf32>
    %e2 = tensor.empty(%d) : tensor<?xf32>
    %b2 = linalg.add ins(%a, %b : tensor<?xf32>, tensor<?xf32>) outs(%e2 : tensor<?xf32>) -> tensor<?xf32>
    scf.yield %b2 : tensor<?xf32>
  }
  func.return %r : tensor<?xf32>
}

// -----

// Each iteration has a size of its own: %t is written over %s, but the loop carries neither in one memory.
// CHECK-LABEL: @size_of_an_iteration
// CHECK: scf.for %i
// CHECK: [[S:%.*]] = memref.alloc(%i)
// CHECK-NEXT: linalg.fill {{.*}} outs([[S]] :
// CHECK-NEXT: linalg.exp ins([[S]] : {{.*}}) outs([[S]] :
// CHECK: memref.load [[S]]
// CHECK: memref.dealloc [[S]]
// CHECK-NEXT: scf.yield
func.func @size_of_an_iteration(%n: index, %v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c1 to %n step %c1 iter_args(%a = %v) -> (f32) {
    %s = tensor.splat %a[%i] : tensor<?xf32>
    %e = tensor.empty(%i) : tensor<?xf32>
    %t = linalg.exp ins(%s : tensor<?xf32>) outs(%e : tensor<?xf32>) -> tensor<?xf32>
    %b = tensor.extract %t[%c0] : tensor<?xf32>
    scf.yield %b : f32
  }
  func.return %r : f32
}

// -----

// Different index values are different sizes, whatever they are when it runs.
// CHECK-LABEL: @other_numbers
// CHECK: scf.if %c -> (memref<?xf32>)
func.func @other_numbers(%v: f32, %n: index, %m: index, %c: i1) -> tensor<?xf32> {
  %r = scf.if %c -> (tensor<?xf32>) {
    %a = tensor.splat %v[%n] : tensor<?xf32>
    scf.yield %a : tensor<?xf32>
  } else {
    %b = tensor.splat %v[%m] : tensor<?xf32>
    scf.yield %b : tensor<?xf32>
  }
  func.return %r : tensor<?xf32>
}

// -----

// The caller does not compute the size of an arena of unknown size: memory is taken apart from the argument.
// ARGUMENT-LABEL: @not_an_argument
// ARGUMENT-SAME: %arena: memref<0xi8>)
// ARGUMENT: [[E:%.*]] = memref.alloc(
// ARGUMENT: linalg.fill {{.*}} outs([[E]] :
// ARGUMENT: linalg.broadcast
// ARGUMENT: memref.dealloc [[E]]
// CHECK-LABEL: @not_an_argument
// CHECK: %arena = memref.alloc({{%[0-9]+}}) {{.*}} : memref<?xi8>
func.func @not_an_argument(%x: tensor<?x8xf32>, %y: tensor<8x16xf32>, %w: tensor<16x4xf32>, %z: f32, %b: tensor<4xf32>) -> tensor<?x4xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x8xf32>
  %e = tensor.empty(%n) : tensor<?x16xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<?x16xf32>) -> tensor<?x16xf32>
  %m = linalg.matmul ins(%x, %y : tensor<?x8xf32>, tensor<8x16xf32>) outs(%f : tensor<?x16xf32>) -> tensor<?x16xf32>
  %o = tensor.empty(%n) : tensor<?x4xf32>
  %i = linalg.broadcast ins(%b : tensor<4xf32>) outs(%o : tensor<?x4xf32>) dimensions = [0]
  %r = linalg.matmul ins(%m, %w : tensor<?x16xf32>, tensor<16x4xf32>) outs(%i : tensor<?x4xf32>) -> tensor<?x4xf32>
  func.return %r : tensor<?x4xf32>
}
