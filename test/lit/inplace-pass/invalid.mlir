// Options that make no sense, and what the pass must not trip over.

// RUN: not opt-tool --inplace-pass=strategy=best %s 2>&1 | filecheck %s --check-prefix=STRATEGY
// STRATEGY: error: {{.*}}no strategy 'best'; there are optimal, paddle

// RUN: not opt-tool --inplace-pass=parts=maybe %s 2>&1 | filecheck %s --check-prefix=PARTS
// PARTS: opt-tool: error: inplace-pass: {{.*}}'maybe'

// RUN: not opt-tool --inplace-pass=part=false %s 2>&1 | filecheck %s --check-prefix=OPTION
// OPTION: opt-tool: error: inplace-pass: {{.*}}part

// RUN: opt-tool --inplace-pass --verify-storage-pass %s | filecheck %s

// A declaration has no ops.
// CHECK: func.func private @declared(tensor<4xf32>) -> tensor<4xf32>
func.func private @declared(tensor<4xf32>) -> tensor<4xf32>

// No tensors, no results.
// CHECK-LABEL: func.func @empty() {
// CHECK-NEXT:  func.return
func.func @empty() {
  func.return
}

// Values without bytes.
// CHECK-LABEL: func.func @zero(
// CHECK-NEXT:  %a = "dnn.zeros"() :
// CHECK-NEXT:  %b = "dnn.relu"(%a) {dnn.inplace = array<i32: 0>} :
func.func @zero() -> tensor<0x4xf32> {
  %a = "dnn.zeros"() : () -> tensor<0x4xf32>
  %b = "dnn.relu"(%a) : (tensor<0x4xf32>) -> tensor<0x4xf32>
  func.return %b : tensor<0x4xf32>
}
