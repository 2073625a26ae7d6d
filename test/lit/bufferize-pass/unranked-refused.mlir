// Memory of unknown rank cannot be taken: what would need a copy of it, or memory of the caller for it, is an error.

// RUN: not opt-tool --bufferize-pass --split-input-file %s 2>&1 | filecheck %s
// RUN: not opt-tool --bufferize-pass=results=out --split-input-file %s 2>&1 | filecheck %s --check-prefix=OUT

// OUT: unranked-refused.mlir:[[# @LINE + 2]]:1: error: result 0 has no known rank: the caller can give no memory for it
// CHECK-NOT: unranked-refused.mlir:[[# @LINE + 1]]:
func.func @returned(%x: tensor<*xf32>) -> tensor<*xf32> {
  func.return %x : tensor<*xf32>
}

// -----

// The argument may not be written.
// CHECK: unranked-refused.mlir:[[# @LINE + 4]]:8: error: %x needs memory of its own here, but its rank is not known: it cannot be copied
func.func @written_in_loop(%x: tensor<*xf32>, %v: f32, %n: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %s = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> (tensor<*xf32>) {
    %w = tensor.cast %a : tensor<*xf32> to tensor<2xf32>
    %y = tensor.insert %v into %w[%i] : tensor<2xf32>
    %z = tensor.cast %y : tensor<2xf32> to tensor<*xf32>
    scf.yield %z : tensor<*xf32>
  }
  %t = tensor.cast %s : tensor<*xf32> to tensor<2xf32>
  %e = tensor.extract %t[%c0] : tensor<2xf32>
  func.return %e : f32
}

// -----

// A function elsewhere may write what it is given.
// CHECK: unranked-refused.mlir:[[# @LINE + 3]]:3: error: %x needs memory of its own here, but its rank is not known: it cannot be copied
func.func private @elsewhere(tensor<*xf32>)
func.func @passed(%x: tensor<*xf32>) -> index {
  func.call @elsewhere(%x) : (tensor<*xf32>) -> ()
  %r = "tensor.rank"(%x) : (tensor<*xf32>) -> index
  func.return %r : index
}

// -----

// A slice has gaps: no value is the one or the other.
// CHECK: unranked-refused.mlir:[[# @LINE + 4]]:8: error: %s needs memory of its own here, but its rank is not known: it cannot be copied
func.func @slice_or_all(%x: tensor<4x6xf32>, %c: i1, %y: tensor<*xf32>) -> index {
  %b = tensor.extract_slice %x[1, 1] [2, 2] [1, 1] : tensor<4x6xf32> to tensor<2x2xf32>
  %u = tensor.cast %b : tensor<2x2xf32> to tensor<*xf32>
  %s = arith.select %c, %u, %y : tensor<*xf32>
  %r = "tensor.rank"(%s) : (tensor<*xf32>) -> index
  func.return %r : index
}

// -----

// What is stored to the memref is not the tensor's.
// CHECK: unranked-refused.mlir:[[# @LINE + 2]]:8: error: 'bufferization.to_memref' of a tensor of unknown rank has no memref form
func.func @memref_of_tensor(%x: tensor<*xf32>) -> memref<*xf32> {
  %m = "bufferization.to_memref"(%x) : (tensor<*xf32>) -> memref<*xf32>
  func.return %m : memref<*xf32>
}
