// Loops that compute what they carry next beside what they carry: with one tensor more nothing is copied in them.

// RUN: opt-tool --bufferize-pass=layouts=identity,arguments=writable --split-input-file %s | filecheck %s
// RUN: opt-tool --bufferize-pass=unproved=error,arguments=writable --split-input-file %s | filecheck %s --check-prefix=PROVED

// A product is computed in the memory that the iteration before has read. The result is memory of the argument or of the
// function, which gives it back if it is not the result.
// CHECK-LABEL: @products(
// CHECK: [[S:%.*]] = memref.alloc
// CHECK: [[R:%.*]], {{%.*}} = scf.for {{.*}} iter_args([[A:%.*]] = %t, [[B:%.*]] = [[S]])
// CHECK-NEXT: linalg.fill ins({{.*}}) outs([[B]] :
// CHECK-NEXT: linalg.matmul ins([[A]], %w : {{.*}}) outs([[B]] :
// CHECK-NEXT: scf.yield [[B]], [[A]]
// CHECK: [[P:%.*]] = "memref.extract_aligned_pointer_as_index"([[S]])
// CHECK-NEXT: [[Q:%.*]] = "memref.extract_aligned_pointer_as_index"([[R]])
// CHECK-NEXT: [[OTHER:%.*]] = arith.cmpi ne, [[P]], [[Q]] : index
// CHECK-NEXT: scf.if [[OTHER]] {
// CHECK-NEXT: memref.dealloc [[S]]
// CHECK-NEXT: }
// CHECK-NEXT: func.return [[R]]
// PROVED-LABEL: @products(
func.func @products(%t: tensor<8x8xf32>, %w: tensor<8x8xf32>, %n: index) -> tensor<8x8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f32
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %t) -> (tensor<8x8xf32>) {
    %e = tensor.empty() : tensor<8x8xf32>
    %f = linalg.fill ins(%z : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
    %x = linalg.matmul ins(%a, %w : tensor<8x8xf32>, tensor<8x8xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
    scf.yield %x : tensor<8x8xf32>
  }
  func.return %r : tensor<8x8xf32>
}

// -----

// No iteration computes into a tensor that may not be written: each takes memory of the size of the tensor.
// CHECK-LABEL: @kept(
// CHECK-NOT: memref.copy
// CHECK: scf.for {{.*}} iter_args([[A:%.*]] = %t)
// CHECK: [[B:%.*]] = memref.alloc
// CHECK: linalg.matmul ins([[A]], %w : {{.*}}) outs([[B]] :
// CHECK: memref.dealloc [[A]]
// CHECK: scf.yield [[B]]
// PROVED-LABEL: @kept(
func.func @kept(%t: tensor<?x?xf32> {bufferization.writable = false}, %w: tensor<?x?xf32>, %n: index) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f32
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %t) -> (tensor<?x?xf32>) {
    %m = tensor.dim %a, %c0 : tensor<?x?xf32>
    %k = tensor.dim %a, %c1 : tensor<?x?xf32>
    %e = tensor.empty(%m, %k) : tensor<?x?xf32>
    %f = linalg.fill ins(%z : f32) outs(%e : tensor<?x?xf32>) -> tensor<?x?xf32>
    %x = linalg.matmul ins(%a, %w : tensor<?x?xf32>, tensor<?x?xf32>) outs(%f : tensor<?x?xf32>) -> tensor<?x?xf32>
    scf.yield %x : tensor<?x?xf32>
  }
  func.return %r : tensor<?x?xf32>
}

// -----

// Of two tensors that move on, the first one is needed no more: three take turns. The product is squared in place.
// CHECK-LABEL: @moves_on(
// CHECK: scf.while ([[I:%.*]] = {{%.*}}, [[A:%.*]] = %t, [[B:%.*]] = %u, [[S:%.*]] = {{%.*}})
// CHECK: scf.condition({{.*}}) [[I]], [[A]], [[B]], [[S]]
// CHECK-NEXT: } do {
// CHECK-NEXT: ^{{.*}}({{%.*}}: index, [[C:%.*]]: memref<8x8xf32>, [[D:%.*]]: memref<8x8xf32>, [[E:%.*]]: memref<8x8xf32>):
// CHECK-NOT: memref.copy
// CHECK: linalg.matmul ins([[C]], [[D]] : {{.*}}) outs([[E]] :
// CHECK-NEXT: linalg.mul ins([[E]], [[E]] : {{.*}}) outs([[E]] :
// CHECK: scf.yield {{%.*}}, [[D]], [[E]], [[C]]
// PROVED-LABEL: @moves_on(
func.func @moves_on(%t: tensor<8x8xf32>, %u: tensor<8x8xf32>, %n: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f32
  %r:3 = scf.while (%i = %c0, %a = %t, %b = %u) : (index, tensor<8x8xf32>, tensor<8x8xf32>) -> (index, tensor<8x8xf32>, tensor<8x8xf32>) {
    %go = arith.cmpi slt, %i, %n : index
    scf.condition(%go) %i, %a, %b : index, tensor<8x8xf32>, tensor<8x8xf32>
  } do {
  ^bb0(%i: index, %a: tensor<8x8xf32>, %b: tensor<8x8xf32>):
    %e = tensor.empty() : tensor<8x8xf32>
    %f = linalg.fill ins(%z : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
    %x = linalg.matmul ins(%a, %b : tensor<8x8xf32>, tensor<8x8xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
    %y = linalg.mul ins(%x, %x : tensor<8x8xf32>, tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
    %j = arith.addi %i, %c1 : index
    scf.yield %j, %b, %y : index, tensor<8x8xf32>, tensor<8x8xf32>
  }
  %s = tensor.extract %r#2[%c0, %c0] : tensor<8x8xf32>
  func.return %s : f32
}

// -----

// The loop around carries the tensor too.
// CHECK-LABEL: @nested(
// CHECK: scf.for {{.*}} iter_args([[A:%.*]] = %t, [[B:%.*]] = {{%.*}})
// CHECK: scf.for {{.*}} iter_args([[C:%.*]] = [[A]], [[D:%.*]] = [[B]])
// CHECK-NOT: memref.copy
// CHECK: linalg.transpose ins([[C]]:{{.*}}) outs([[D]]:
// CHECK-NEXT: scf.yield [[D]], [[C]]
// PROVED-LABEL: @nested(
func.func @nested(%t: tensor<8x8xf32>, %n: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %t) -> (tensor<8x8xf32>) {
    %s = scf.for %j = %c0 to %n step %c1 iter_args(%b = %a) -> (tensor<8x8xf32>) {
      %e = tensor.empty() : tensor<8x8xf32>
      %x = linalg.transpose ins(%b : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) permutation = [1, 0]
      scf.yield %x : tensor<8x8xf32>
    }
    scf.yield %s : tensor<8x8xf32>
  }
  %s = tensor.extract %r[%c0, %c1] : tensor<8x8xf32>
  func.return %s : f32
}

// -----

// A loop of blocks is one of `scf` where that saves copies.
// CHECK-LABEL: @blocks(
// CHECK: scf.while ({{.*}}, [[A:%.*]] = %t, [[S:%.*]] = {{%.*}})
// CHECK-NOT: memref.copy
// CHECK: scf.yield
// PROVED-LABEL: @blocks(
func.func @blocks(%t: tensor<8x8xf32>, %n: index) -> tensor<8x8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  cf.br ^head(%c0, %t : index, tensor<8x8xf32>)
^head(%i: index, %a: tensor<8x8xf32>):
  %go = arith.cmpi slt, %i, %n : index
  cf.cond_br %go, ^body, ^end
^body:
  %e = tensor.empty() : tensor<8x8xf32>
  %x = linalg.transpose ins(%a : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) permutation = [1, 0]
  %j = arith.addi %i, %c1 : index
  cf.br ^head(%j, %x : index, tensor<8x8xf32>)
^end:
  func.return %a : tensor<8x8xf32>
}

// -----

// Both arms compute what is carried next: in the spare tensor.
// CHECK-LABEL: @arms(
// CHECK: scf.for {{.*}} iter_args([[A:%.*]] = %t, [[S:%.*]] = {{%.*}})
// CHECK-NEXT: [[R:%.*]] = scf.if %c
// CHECK-NEXT: linalg.transpose ins([[A]]:{{.*}}) outs([[S]]:
// CHECK-NEXT: scf.yield [[S]]
// CHECK: linalg.matmul ins([[A]], [[A]] : {{.*}}) outs([[S]] :
// CHECK-NEXT: scf.yield [[S]]
// CHECK: scf.yield [[R]], [[A]]
// PROVED-LABEL: @arms(
func.func @arms(%t: tensor<8x8xf32>, %n: index, %c: i1) -> tensor<8x8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f32
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %t) -> (tensor<8x8xf32>) {
    %e = tensor.empty() : tensor<8x8xf32>
    %s = scf.if %c -> (tensor<8x8xf32>) {
      %x = linalg.transpose ins(%a : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) permutation = [1, 0]
      scf.yield %x : tensor<8x8xf32>
    } else {
      %o = tensor.empty() : tensor<8x8xf32>
      %f = linalg.fill ins(%z : f32) outs(%o : tensor<8x8xf32>) -> tensor<8x8xf32>
      %x = linalg.matmul ins(%a, %a : tensor<8x8xf32>, tensor<8x8xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
      scf.yield %x : tensor<8x8xf32>
    }
    scf.yield %s : tensor<8x8xf32>
  }
  func.return %r : tensor<8x8xf32>
}

// -----

// The loop around computes into the tensor that the inner loop needs no more, and passes on the other one.
// CHECK-LABEL: @nested(
// CHECK: [[S:%.*]] = memref.alloc
// CHECK-NOT: memref.alloc
// CHECK: scf.for {{.*}} iter_args([[A:%.*]] = %t, [[B:%.*]] = {{%.*}})
// CHECK: [[U:%.*]], [[V:%.*]] = scf.for {{.*}} iter_args([[C:%.*]] = [[A]], [[D:%.*]] = [[B]])
// CHECK-NEXT: linalg.transpose ins([[C]]:{{.*}}) outs([[D]]:
// CHECK-NEXT: scf.yield [[D]], [[C]]
// CHECK: linalg.transpose ins([[U]]:{{.*}}) outs([[V]]:
// CHECK-NEXT: scf.yield [[V]], [[U]]
// PROVED-LABEL: @nested(
func.func @nested(%t: tensor<8x8xf32>, %n: index) -> tensor<8x8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %t) -> (tensor<8x8xf32>) {
    %s = scf.for %j = %c0 to %n step %c1 iter_args(%b = %a) -> (tensor<8x8xf32>) {
      %e = tensor.empty() : tensor<8x8xf32>
      %x = linalg.transpose ins(%b : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) permutation = [1, 0]
      scf.yield %x : tensor<8x8xf32>
    }
    %f = tensor.empty() : tensor<8x8xf32>
    %y = linalg.transpose ins(%s : tensor<8x8xf32>) outs(%f : tensor<8x8xf32>) permutation = [1, 0]
    scf.yield %y : tensor<8x8xf32>
  }
  func.return %r : tensor<8x8xf32>
}

// -----

// The loop of blocks around a loop carries the spare tensor of that.
// CHECK-LABEL: @loop_in_blocks(
// CHECK: [[SPARE:%.*]] = memref.alloc()
// CHECK: scf.while
// CHECK-NOT: memref.alloc
// CHECK: scf.for
// CHECK-NOT: memref.copy
// CHECK: return
func.func @loop_in_blocks(%a: tensor<8x8xf32> {dnn.donated}, %n: index) -> tensor<8x8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  cf.br ^head(%c0, %a : index, tensor<8x8xf32>)
^head(%i: index, %x: tensor<8x8xf32>):
  %q = arith.cmpi slt, %i, %n : index
  cf.cond_br %q, ^body, ^end
^body:
  %s = scf.for %k = %c0 to %n step %c1 iter_args(%y = %x) -> (tensor<8x8xf32>) {
    %e = tensor.empty() : tensor<8x8xf32>
    %t = linalg.transpose ins(%y : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) permutation = [1, 0]
    scf.yield %t : tensor<8x8xf32>
  }
  %j = arith.addi %i, %c1 : index
  cf.br ^head(%j, %s : index, tensor<8x8xf32>)
^end:
  func.return %x : tensor<8x8xf32>
}

// -----

// So does an scf.while, and the loop around that.
// CHECK-LABEL: @loop_in_while(
// CHECK: memref.alloc()
// CHECK: scf.for
// CHECK-NOT: memref.alloc
// CHECK: scf.while
// CHECK-NOT: memref.alloc
// CHECK: scf.for
// CHECK-NOT: memref.copy
// CHECK: return
func.func @loop_in_while(%a: tensor<8x8xf32> {dnn.donated}, %n: index) -> tensor<8x8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %h = %c0 to %n step %c1 iter_args(%z = %a) -> (tensor<8x8xf32>) {
    %i, %s = scf.while (%i0 = %c0, %x0 = %z) : (index, tensor<8x8xf32>) -> (index, tensor<8x8xf32>) {
      %q = arith.cmpi slt, %i0, %n : index
      scf.condition(%q) %i0, %x0 : index, tensor<8x8xf32>
    } do {
    ^bb0(%i1: index, %x1: tensor<8x8xf32>):
      %s1 = scf.for %k = %c0 to %n step %c1 iter_args(%y = %x1) -> (tensor<8x8xf32>) {
        %e = tensor.empty() : tensor<8x8xf32>
        %t = linalg.transpose ins(%y : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) permutation = [1, 0]
        scf.yield %t : tensor<8x8xf32>
      }
      %j = arith.addi %i1, %c1 : index
      scf.yield %j, %s1 : index, tensor<8x8xf32>
    }
    scf.yield %s : tensor<8x8xf32>
  }
  func.return %r : tensor<8x8xf32>
}

// -----

// An arm that computes nothing beside what the loop carries passes the spare tensor on.
// CHECK-LABEL: @in_one_arm(
// CHECK: memref.alloc()
// CHECK: scf.for {{.*}} iter_args([[X:%.*]] = {{.*}}, [[SPARE:%.*]] = {{.*}})
// CHECK-NOT: memref.alloc
// CHECK: scf.if
// CHECK: linalg.transpose ins([[X]]{{.*}} outs([[SPARE]]
// CHECK-NEXT: scf.yield [[SPARE]], [[X]]
// CHECK: linalg.exp {{.*}} outs([[X]]
// CHECK-NEXT: scf.yield [[X]], [[SPARE]]
// CHECK-NOT: memref.copy
// CHECK: return
func.func @in_one_arm(%a: tensor<8x8xf32>, %n: index, %c: i1) -> tensor<8x8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a) -> (tensor<8x8xf32>) {
    %y = scf.if %c -> (tensor<8x8xf32>) {
      %e = tensor.empty() : tensor<8x8xf32>
      %t = linalg.transpose ins(%x : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) permutation = [1, 0]
      scf.yield %t : tensor<8x8xf32>
    } else {
      %t = linalg.exp ins(%x : tensor<8x8xf32>) outs(%x : tensor<8x8xf32>) -> tensor<8x8xf32>
      scf.yield %t : tensor<8x8xf32>
    }
    scf.yield %y : tensor<8x8xf32>
  }
  func.return %r : tensor<8x8xf32>
}

// -----

// So do arms of branches in others, and of a switch; one changes what is carried, one leaves it as it is.
// CHECK-LABEL: @in_switch(
// CHECK: memref.alloc()
// CHECK: scf.while
// CHECK-NOT: memref.alloc
// CHECK-NOT: memref.copy
// CHECK: return
func.func @in_switch(%a: tensor<8x8xf32>, %n: index, %v: f32) -> tensor<8x8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %j, %r = scf.while (%i0 = %c0, %x0 = %a) : (index, tensor<8x8xf32>) -> (index, tensor<8x8xf32>) {
    %q = arith.cmpi slt, %i0, %n : index
    scf.condition(%q) %i0, %x0 : index, tensor<8x8xf32>
  } do {
  ^bb0(%i: index, %x: tensor<8x8xf32>):
    %y = scf.index_switch %i -> tensor<8x8xf32>
    case 0 {
      %e = tensor.empty() : tensor<8x8xf32>
      %t = linalg.transpose ins(%x : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) permutation = [1, 0]
      scf.yield %t : tensor<8x8xf32>
    }
    case 1 {
      %t = tensor.insert %v into %x[%c0, %c1] : tensor<8x8xf32>
      scf.yield %t : tensor<8x8xf32>
    }
    case 2 {
      %e = tensor.empty() : tensor<8x8xf32>
      %f = linalg.fill ins(%v : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
      %t = linalg.matmul ins(%x, %x : tensor<8x8xf32>, tensor<8x8xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
      scf.yield %t : tensor<8x8xf32>
    }
    default {
      scf.yield %x : tensor<8x8xf32>
    }
    %k = arith.addi %i, %c1 : index
    scf.yield %k, %y : index, tensor<8x8xf32>
  }
  func.return %r : tensor<8x8xf32>
}
