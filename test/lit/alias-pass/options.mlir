// The pass has no options; it may run twice, in a pipeline too, with the same outcome.

// RUN: opt-tool --alias-pass %s | filecheck %s
// RUN: opt-tool --alias-pass --alias-pass %s | filecheck %s
// RUN: opt-tool -p alias-pass %s | filecheck %s
// RUN: not opt-tool --alias-pass=deep=true %s 2>&1 | filecheck %s --check-prefix=OPTION
// OPTION: opt-tool: error: alias-pass: {{.*}}deep

// CHECK: "dnn.identity"(%x) {dnn.alias_class = array<i32: 0>} :
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %a = "dnn.identity"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  func.return %a : tensor<4xf32>
}
