// Two results of a loop whose branches pass on what it carries in another order are never the same memory: neither is copied.

// RUN: opt-tool --bufferize-pass=layouts=identity,arguments=writable,unproved=error --split-input-file %s | filecheck %s
// RUN: opt-tool --bufferize-pass=layouts=identity --split-input-file %s | filecheck %s --check-prefix=ORDER

// CHECK-LABEL: @two_results(
// CHECK-NOT: memref.copy
// CHECK: return
// What the function does not return is given back in the order in which it was taken.
// ORDER-LABEL: @two_results(
// ORDER: [[A:%[a-z_0-9]+]] = memref.alloc()
// ORDER: [[B:%[a-z_0-9]+]] = memref.alloc()
// ORDER: [[C:%[a-z_0-9]+]] = memref.alloc()
// ORDER: [[D:%[a-z_0-9]+]] = memref.alloc()
// ORDER: memref.dealloc [[A]]
// ORDER: memref.dealloc [[B]]
// ORDER: memref.dealloc [[C]]
// ORDER: memref.dealloc [[D]]
// ORDER: return
func.func @two_results(%a: tensor<8x8xf32>, %b: tensor<8x8xf32>, %n: index, %c: i1, %d: i1) -> (tensor<8x8xf32>, tensor<8x8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r, %s = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a, %y = %b) -> (tensor<8x8xf32>, tensor<8x8xf32>) {
    %p, %q = scf.if %c -> (tensor<8x8xf32>, tensor<8x8xf32>) {
      %e = tensor.empty() : tensor<8x8xf32>
      %t = linalg.transpose ins(%x : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) permutation = [1, 0]
      scf.yield %t, %y : tensor<8x8xf32>, tensor<8x8xf32>
    } else {
      %u, %v = scf.if %d -> (tensor<8x8xf32>, tensor<8x8xf32>) {
        %e = tensor.empty() : tensor<8x8xf32>
        %t = linalg.transpose ins(%y : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) permutation = [1, 0]
        scf.yield %x, %t : tensor<8x8xf32>, tensor<8x8xf32>
      } else {
        scf.yield %y, %x : tensor<8x8xf32>, tensor<8x8xf32>
      }
      scf.yield %u, %v : tensor<8x8xf32>, tensor<8x8xf32>
    }
    scf.yield %p, %q : tensor<8x8xf32>, tensor<8x8xf32>
  }
  func.return %r, %s : tensor<8x8xf32>, tensor<8x8xf32>
}

// -----

// On one path both results are one memory: one of them is copied when the function returns.
// CHECK-LABEL: @one_memory(
// CHECK: memref.copy
// CHECK: return
func.func @one_memory(%a: tensor<8x8xf32> {bufferization.writable = false}, %b: tensor<8x8xf32> {bufferization.writable = false}, %n: index, %c: i1) -> (tensor<8x8xf32>, tensor<8x8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r, %s = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a, %y = %b) -> (tensor<8x8xf32>, tensor<8x8xf32>) {
    %p, %q = scf.if %c -> (tensor<8x8xf32>, tensor<8x8xf32>) {
      %e = tensor.empty() : tensor<8x8xf32>
      %t = linalg.transpose ins(%x : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) permutation = [1, 0]
      scf.yield %t, %t : tensor<8x8xf32>, tensor<8x8xf32>
    } else {
      scf.yield %y, %x : tensor<8x8xf32>, tensor<8x8xf32>
    }
    scf.yield %p, %q : tensor<8x8xf32>, tensor<8x8xf32>
  }
  func.return %r, %s : tensor<8x8xf32>, tensor<8x8xf32>
}
