// Loops and branches pass on the memory of what they compute, where they copied it into one that they have.

// RUN: opt-tool --bufferize-pass=layouts=identity,arguments=writable,unproved=error --split-input-file %s | filecheck %s

// What a call returns is passed on; what the iteration before passed on is given back, unless it is the argument.
// CHECK-LABEL: @calls(
// CHECK: scf.for {{.*}} iter_args([[A:%.*]] = %t)
// CHECK-NEXT: [[X:%.*]] = func.call @product([[A]], %w)
// CHECK-NOT: memref.copy
// CHECK: arith.cmpi ne
// CHECK-NEXT: scf.if
// CHECK-NEXT: memref.dealloc [[A]]
// CHECK: scf.yield [[X]]
func.func private @product(%a: tensor<8x8xf32>, %w: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x8xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %x = linalg.matmul ins(%a, %w : tensor<8x8xf32>, tensor<8x8xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
  func.return %x : tensor<8x8xf32>
}
func.func @calls(%t: tensor<8x8xf32>, %w: tensor<8x8xf32>, %n: index) -> tensor<8x8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %t) -> (tensor<8x8xf32>) {
    %x = func.call @product(%a, %w) : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    scf.yield %x : tensor<8x8xf32>
  }
  func.return %r : tensor<8x8xf32>
}

// -----

// One arm computes, the other passes on what the inner loop was given: a spare tensor of both loops is less memory than
// one for each iteration.
// CHECK-LABEL: @arms(
// CHECK: memref.alloc
// CHECK: scf.for {{.*}} iter_args([[A:%.*]] = %t, [[E:%.*]] =
// CHECK-NOT: memref.alloc
// CHECK: [[S:%.*]], [[LEFT:%.*]] = scf.for {{.*}} iter_args([[B:%.*]] = [[A]], [[F:%.*]] = [[E]])
// CHECK: scf.if %c
// CHECK: linalg.transpose ins([[B]]:{{.*}}) outs([[F]]:
// CHECK: scf.yield [[F]], [[B]]
// CHECK: scf.yield [[B]], [[F]]
// CHECK: linalg.transpose ins([[S]]:{{.*}}) outs([[LEFT]]:
// CHECK: scf.yield [[LEFT]], [[S]]
// CHECK-NOT: memref.copy
// CHECK: return
func.func @arms(%t: tensor<8x8xf32>, %n: index, %c: i1) -> tensor<8x8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %t) -> (tensor<8x8xf32>) {
    %s = scf.for %j = %c0 to %n step %c1 iter_args(%b = %a) -> (tensor<8x8xf32>) {
      %x = scf.if %c -> (tensor<8x8xf32>) {
        %e = tensor.empty() : tensor<8x8xf32>
        %v = linalg.transpose ins(%b : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) permutation = [1, 0]
        scf.yield %v : tensor<8x8xf32>
      } else {
        scf.yield %b : tensor<8x8xf32>
      }
      scf.yield %x : tensor<8x8xf32>
    }
    %f = tensor.empty() : tensor<8x8xf32>
    %y = linalg.transpose ins(%s : tensor<8x8xf32>) outs(%f : tensor<8x8xf32>) permutation = [1, 0]
    scf.yield %y : tensor<8x8xf32>
  }
  func.return %r : tensor<8x8xf32>
}

// -----

// A copy stays where the memory that is passed on is another's too.
// CHECK-LABEL: @kept_beside(
// CHECK: scf.for
// CHECK: memref.copy
func.func @kept_beside(%t: tensor<8x8xf32>, %n: index) -> (tensor<8x8xf32>, tensor<8x8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %t, %b = %t) -> (tensor<8x8xf32>, tensor<8x8xf32>) {
    %e = tensor.empty() : tensor<8x8xf32>
    %x = linalg.transpose ins(%a : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) permutation = [1, 0]
    scf.yield %x, %x : tensor<8x8xf32>, tensor<8x8xf32>
  }
  func.return %r#0, %r#1 : tensor<8x8xf32>, tensor<8x8xf32>
}

// -----

// What a call returned is changed in its memory, and that is passed on.
// CHECK-LABEL: @changed(
// CHECK: scf.for {{.*}} iter_args([[A:%.*]] = %t)
// CHECK: [[X:%.*]] = func.call @fresh([[A]])
// CHECK-NOT: memref.copy
// CHECK: memref.store %v, [[X]]
// CHECK: memref.dealloc [[A]]
// CHECK: scf.yield [[X]]
func.func private @fresh(%a: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %e = tensor.empty() : tensor<8x8xf32>
  %x = linalg.transpose ins(%a : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) permutation = [1, 0]
  func.return %x : tensor<8x8xf32>
}
func.func @changed(%t: tensor<8x8xf32>, %n: index, %v: f32) -> tensor<8x8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %t) -> (tensor<8x8xf32>) {
    %x = func.call @fresh(%a) : (tensor<8x8xf32>) -> tensor<8x8xf32>
    %y = tensor.insert %v into %x[%c0, %c0] : tensor<8x8xf32>
    scf.yield %y : tensor<8x8xf32>
  }
  func.return %r : tensor<8x8xf32>
}

// -----

// The sum of both halves is computed beside them, and not over the first, which the loop could not pass on alone.
// CHECK-LABEL: @halves(
// CHECK: scf.for {{.*}} iter_args([[A:%.*]] = {{%.*}}, [[M:%.*]] = {{%.*}})
// CHECK: [[S:%.*]] = memref.alloc
// CHECK: linalg.add {{.*}} outs([[S]] :
// CHECK-NOT: memref.copy
// CHECK: scf.yield [[S]]
func.func @halves(%t: tensor<64xf32>, %n: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c64 = arith.constant 64 : index
  %b = tensor.cast %t : tensor<64xf32> to tensor<?xf32>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %b, %m = %c64) -> (tensor<?xf32>, index) {
    %h = arith.divui %m, %c2 : index
    %l = tensor.extract_slice %a[0] [%h] [1] : tensor<?xf32> to tensor<?xf32>
    %u = tensor.extract_slice %a[%h] [%h] [1] : tensor<?xf32> to tensor<?xf32>
    %e = tensor.empty(%h) : tensor<?xf32>
    %s = linalg.add ins(%l, %u : tensor<?xf32>, tensor<?xf32>) outs(%e : tensor<?xf32>) -> tensor<?xf32>
    scf.yield %s, %h : tensor<?xf32>, index
  }
  %x = tensor.extract %r#0[%c0] : tensor<?xf32>
  func.return %x : f32
}

// -----

// A loop of blocks that calls is one of scf, which passes on what the call returned.
// CHECK-LABEL: @calls_in_blocks(
// CHECK: scf.while
// CHECK: [[X:%.*]] = func.call @fresh
// CHECK-NOT: memref.copy
// CHECK: scf.yield {{.*}}, [[X]]
func.func private @fresh(%a: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %e = tensor.empty() : tensor<8x8xf32>
  %x = linalg.transpose ins(%a : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) permutation = [1, 0]
  func.return %x : tensor<8x8xf32>
}
func.func @calls_in_blocks(%t: tensor<8x8xf32>, %n: index) -> tensor<8x8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  cf.br ^head(%c0, %t : index, tensor<8x8xf32>)
^head(%i: index, %a: tensor<8x8xf32>):
  %c = arith.cmpi slt, %i, %n : index
  cf.cond_br %c, ^body, ^exit
^body:
  %x = func.call @fresh(%a) : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %j = arith.addi %i, %c1 : index
  cf.br ^head(%j, %x : index, tensor<8x8xf32>)
^exit:
  func.return %a : tensor<8x8xf32>
}
