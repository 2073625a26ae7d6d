// What lowering makes is accepted, planned or not, from text too, and left as it is.

// RUN: opt-tool --lower-to-onednn-pass --verify-lowering-pass %S/../lower-to-onednn-pass/control.mlir | opt-tool --verify-lowering-pass - | filecheck %s --check-prefix=FLOW
// RUN: opt-tool --plan-pass --lower-to-onednn-pass --verify-lowering-pass %S/../lower-to-onednn-pass/control.mlir | filecheck %s --check-prefix=FLOW
// RUN: opt-tool --lower-to-onednn-pass --verify-lowering-pass %S/../lower-to-onednn-pass/rewrites.mlir | opt-tool --verify-lowering-pass - | filecheck %s --check-prefix=STEPS
// RUN: opt-tool --specialize-pass=x=3 --plan-pass --lower-to-onednn-pass --verify-lowering-pass %S/../../../examples/loops/rnn.mlir | filecheck %s --check-prefix=LOOP
// RUN: opt-tool --lower-to-onednn-pass --verify-lowering-pass %s | opt-tool --cse --dce --verify-lowering-pass - | filecheck %s

// FLOW:  onednn.copy ins(%{{.*}}) outs(%{{.*}}) {onednn.op = "r"}
// FLOW:  onednn.source {
// STEPS: onednn.matmul ins(%{{.*}}) outs(%{{.*}}) {{.*}}onednn.op = "m"}
// STEPS: onednn.source {
// LOOP:  scf.for
// LOOP:  onednn.source {

// Stock passes leave what steps refer to alone.
// CHECK: onednn.eltwise "exp" {{.*}} {onednn.op = "a"}
// CHECK: onednn.eltwise "exp" {{.*}} {onednn.op = "b"}
// CHECK: onednn.source {
// CHECK:   %a = "dnn.exp"(%x) {onednn.op = "a"}
// CHECK:   %b = "dnn.exp"(%x) {onednn.op = "b"}
func.func @main(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %a = "dnn.exp"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %b = "dnn.exp"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  func.return %a, %b : tensor<4xf32>, tensor<4xf32>
}
