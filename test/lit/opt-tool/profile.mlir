// run-tool says what starting and each step took, as tables and in the JSON object.

// RUN: run-tool --profile --repeat 3 %s | filecheck %s
// RUN: run-tool --profile --json %s | filecheck %s --check-prefix=JSON

// CHECK:      stage{{ +}}ms  share
// CHECK-NEXT: front end {{.*}}%
// CHECK-NEXT: read {{.*}}%
// CHECK:      gru-fusion-pass {{.*}}%
// CHECK:      plan-pass {{.*}}%
// CHECK-NEXT: verify-storage-pass {{.*}}%
// CHECK:      first run {{.*}}%
// CHECK-NEXT: all
// CHECK-EMPTY:
// CHECK-NEXT: engine  us/call   share  bytes  calls  kernel {{.*}}op
// CHECK-NEXT: onednn {{.*}}% 128 3 {{[a-z0-9:_]+}} {{.*}}profile.mlir:{{[0-9]+}}:{{[0-9]+}}: onednn.eltwise
// CHECK-NEXT: native {{.*}}% 128 3 cumsum {{.*}}: onednn.call dnn.cumsum
// CHECK-NEXT: all

// JSON: "gru_primitives": {"hits": 0, "misses": 0, "entries": 0, "capacity": 1024}
// JSON-SAME: "profile": [{"name": "{{.*}}onednn.eltwise", "engine": "onednn", "kernel": "{{.+}}", "calls": 1, "seconds": {{.*}}, "nbytes": 128}
// JSON-SAME: "startup": [{"name": "front end", "seconds": {{.*}}, {"name": "first run", "seconds": {{[0-9.e-]+}}}]}
func.func @main(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %a = "dnn.exp"(%x) : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %b = "dnn.cumsum"(%a) {axis = 1 : i64} : (tensor<4x4xf32>) -> tensor<4x4xf32>
  return %b : tensor<4x4xf32>
}
