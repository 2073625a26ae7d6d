// run-tool says what each step took, as a table and in the JSON object.

// RUN: run-tool --profile --repeat 3 %s | filecheck %s
// RUN: run-tool --profile --json %s | filecheck %s --check-prefix=JSON

// CHECK:      engine  us/call   share  bytes  calls  op
// CHECK-NEXT: onednn {{.*}}% 128 3 {{.*}}profile.mlir:{{[0-9]+}}:{{[0-9]+}}: onednn.eltwise
// CHECK-NEXT: cpu {{.*}}% 128 3 {{.*}}: onednn.call dnn.cumsum
// CHECK-NEXT: all

// JSON: "gru_primitives": {"hits": 0, "misses": 0, "entries": 0, "capacity": 1024}
// JSON-SAME: "profile": [{"name": "{{.*}}onednn.eltwise", "engine": "onednn", "calls": 1, "seconds": {{.*}}, "nbytes": 128}
func.func @main(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %a = "dnn.exp"(%x) : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %b = "dnn.cumsum"(%a) {axis = 1 : i64} : (tensor<4x4xf32>) -> tensor<4x4xf32>
  return %b : tensor<4x4xf32>
}
