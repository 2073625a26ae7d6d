// The pass has no options; it may run twice, in a pipeline too, with the same outcome.

// RUN: opt-tool --liveness-pass %s | filecheck %s
// RUN: opt-tool --liveness-pass --liveness-pass %s | filecheck %s
// RUN: opt-tool -p liveness-pass %s | filecheck %s
// RUN: not opt-tool --liveness-pass=deep=true %s 2>&1 | filecheck %s --check-prefix=OPTION
// OPTION: opt-tool: error: liveness-pass: {{.*}}deep

// CHECK: "dnn.identity"(%x) {dnn.live_in = ["x"], dnn.live_out = ["a"]} :
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %a = "dnn.identity"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  func.return %a : tensor<4xf32>
}
