// A tensor of unknown rank has no place: what it is cast from and to may share bytes, so deciding passes refuse it.

// RUN: not opt-tool --inplace-pass %s 2>&1 | filecheck %s
// RUN: not opt-tool --alias-pass %s 2>&1 | filecheck %s
// RUN: not opt-tool --verify-storage-pass %s 2>&1 | filecheck %s
// CHECK: unknown-rank.mlir:[[# @LINE + 2]]:8: error: no place is known of tensors of unknown rank; --bufferize-pass alone takes them
func.func @main(%t: tensor<8xf32> {dnn.donated}, %v: f32, %i: index) -> (tensor<8xf32>, tensor<8xf32>) {
  %w = tensor.cast %t : tensor<8xf32> to tensor<*xf32>
  %x = tensor.cast %w : tensor<*xf32> to tensor<8xf32>
  %z = tensor.insert %v into %t[%i] : tensor<8xf32>
  func.return %x, %z : tensor<8xf32>, tensor<8xf32>
}
