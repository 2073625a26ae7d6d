// IR that does not verify never reaches the pass; declarations and functions without tensors pass through it.

// RUN: opt-tool --alias-pass %s | filecheck %s
// RUN: echo '"dnn.relu"() : () -> ()' | not opt-tool --alias-pass - 2>&1 | filecheck %s --check-prefix=BAD
// BAD: <stdin>:1:1: error:

// CHECK: func.func private @declared(tensor<4xf32>) -> tensor<4xf32>
func.func private @declared(tensor<4xf32>) -> tensor<4xf32>

// CHECK-LABEL: func.func @empty() {
// CHECK-NEXT:  func.return
func.func @empty() {
  func.return
}
