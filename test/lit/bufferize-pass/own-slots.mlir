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

// One arm computes, the other passes on what the inner loop was given: that belongs to the loop around, which gives it
// back.
// CHECK-LABEL: @arms(
// CHECK-NOT: memref.copy
// CHECK: scf.for {{.*}} iter_args([[A:%.*]] = %t)
// CHECK: [[S:%.*]] = scf.for {{.*}} iter_args([[B:%.*]] = [[A]])
// CHECK: scf.if %c
// CHECK: [[V:%.*]] = memref.alloc
// CHECK: linalg.transpose ins([[B]]:{{.*}}) outs([[V]]:
// CHECK: scf.yield [[V]]
// CHECK: scf.yield [[B]]
// CHECK: memref.dealloc [[B]]
// CHECK: [[Y:%.*]] = memref.alloc
// CHECK: linalg.transpose ins([[S]]:{{.*}}) outs([[Y]]:
// CHECK: scf.yield [[Y]]
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
