// What makes a gradient adds it to the velocity, and the parameter is updated from that.

// RUN: opt-tool --accumulate-pass %s | filecheck %s
// RUN: opt-tool --accumulate-pass --remarks %s -o %t 2>&1 | filecheck %s --check-prefix=REMARK
// REMARK: rewrites.mlir:[[# @LINE + 12]]:12: remark: dnn.gemm (s): adds %g to %v
// RUN: opt-tool --accumulate-pass --plan-pass --verify-storage-pass %s | filecheck %s --check-prefix=PLANNED

// The product has an alpha of its own, which stays.
// CHECK-LABEL: @gemm
// CHECK-NEXT: %s = "dnn.gemm"(%d, %x, %v) {alpha = 2.000000e+00 : f32, beta = 5.000000e-01 : f64, transA = 1 : i64} : (tensor<8x4xf32>, tensor<8x3xf32>, tensor<4x3xf32>) -> tensor<4x3xf32>
// CHECK-NEXT: %u = "dnn.sgd"(%w, %s, %lr) : (tensor<4x3xf32>, tensor<4x3xf32>, tensor<f32>) -> tensor<4x3xf32>
// CHECK-NEXT: func.return %u, %s
// PLANNED: %s = "dnn.gemm"({{.*}}dnn.inplace = array<i32: 2>
// PLANNED: %u = "dnn.sgd"({{.*}}dnn.inplace = array<i32: 0>
func.func @gemm(%d: tensor<8x4xf32>, %x: tensor<8x3xf32>, %w: tensor<4x3xf32> {dnn.donated}, %v: tensor<4x3xf32> {dnn.donated}, %lr: tensor<f32>) -> (tensor<4x3xf32> {dnn.tied = 2 : i32}, tensor<4x3xf32> {dnn.tied = 3 : i32}) {
  %g = "dnn.gemm"(%d, %x) {transA = 1 : i64, alpha = 2.0 : f32} : (tensor<8x4xf32>, tensor<8x3xf32>) -> tensor<4x3xf32>
  %u, %s = "dnn.momentum"(%w, %g, %v, %lr) {momentum = 0.5 : f32} : (tensor<4x3xf32>, tensor<4x3xf32>, tensor<4x3xf32>, tensor<f32>) -> (tensor<4x3xf32>, tensor<4x3xf32>)
  func.return %u, %s : tensor<4x3xf32>, tensor<4x3xf32>
}

// CHECK-LABEL: @matmul
// CHECK-NEXT: "dnn.gemm"(%x, %d, %v) {beta = 9.000000e-01 : f64, transA = 1 : i64}
// CHECK-NEXT: "dnn.sgd"
func.func @matmul(%d: tensor<8x4xf64>, %x: tensor<8x3xf64>, %w: tensor<3x4xf64>, %v: tensor<3x4xf64>, %lr: tensor<f32>) -> (tensor<3x4xf64>, tensor<3x4xf64>) {
  %g = "dnn.matmul"(%x, %d) {transA = 1 : i64} : (tensor<8x3xf64>, tensor<8x4xf64>) -> tensor<3x4xf64>
  %u, %s = "dnn.momentum"(%w, %g, %v, %lr) : (tensor<3x4xf64>, tensor<3x4xf64>, tensor<3x4xf64>, tensor<f32>) -> (tensor<3x4xf64>, tensor<3x4xf64>)
  func.return %u, %s : tensor<3x4xf64>, tensor<3x4xf64>
}

// One term of a sum after the other, each where it was.
// CHECK-LABEL: @sums
// CHECK-NEXT: %[[A:[0-9]+]] = "dnn.gemm"(%d, %x, %v) {beta = 9.000000e-01 : f64, transA = 1 : i64}
// CHECK-NEXT: %e = "dnn.tanh"(%d)
// CHECK-NEXT: %[[B:[0-9]+]] = "dnn.gemm"(%e, %x, %[[A]]) {transA = 1 : i64}
// CHECK-NEXT: %s = "dnn.gemm"(%d, %x, %[[B]]) {transA = 1 : i64}
// CHECK-NEXT: "dnn.sgd"(%w, %s, %lr)
func.func @sums(%d: tensor<8x4xf32>, %x: tensor<8x3xf32>, %w: tensor<4x3xf32>, %v: tensor<4x3xf32>, %lr: tensor<f32>) -> (tensor<4x3xf32>, tensor<4x3xf32>) {
  %0 = "dnn.gemm"(%d, %x) {transA = 1 : i64} : (tensor<8x4xf32>, tensor<8x3xf32>) -> tensor<4x3xf32>
  %e = "dnn.tanh"(%d) : (tensor<8x4xf32>) -> tensor<8x4xf32>
  %1 = "dnn.gemm"(%e, %x) {transA = 1 : i64} : (tensor<8x4xf32>, tensor<8x3xf32>) -> tensor<4x3xf32>
  %2 = "dnn.add"(%0, %1) : (tensor<4x3xf32>, tensor<4x3xf32>) -> tensor<4x3xf32>
  %3 = "dnn.gemm"(%d, %x) {transA = 1 : i64} : (tensor<8x4xf32>, tensor<8x3xf32>) -> tensor<4x3xf32>
  %g = "dnn.sum"(%2, %3) : (tensor<4x3xf32>, tensor<4x3xf32>) -> tensor<4x3xf32>
  %u, %s = "dnn.momentum"(%w, %g, %v, %lr) : (tensor<4x3xf32>, tensor<4x3xf32>, tensor<4x3xf32>, tensor<f32>) -> (tensor<4x3xf32>, tensor<4x3xf32>)
  func.return %u, %s : tensor<4x3xf32>, tensor<4x3xf32>
}

// Rows of an embedding: the velocity is scaled, and rows are added to it.
// CHECK-LABEL: @rows
// CHECK-NEXT: %[[A:[0-9]+]] = "dnn.scale"(%v) {scale = 9.000000e-01 : f64}
// CHECK-NEXT: %s = "dnn.index_add"(%[[A]], %i, %d) {axis = 0 : i64}
// CHECK-NEXT: "dnn.sgd"(%w, %s, %lr)
func.func @rows(%d: tensor<2x3xf32>, %i: tensor<2xi64>, %w: tensor<5x3xf32>, %v: tensor<5x3xf32>, %lr: tensor<f32>) -> (tensor<5x3xf32>, tensor<5x3xf32>) {
  %z = "dnn.fill"(%w) {value = 0 : i64} : (tensor<5x3xf32>) -> tensor<5x3xf32>
  %g = "dnn.index_add"(%z, %i, %d) {axis = 0 : i64} : (tensor<5x3xf32>, tensor<2xi64>, tensor<2x3xf32>) -> tensor<5x3xf32>
  %u, %s = "dnn.momentum"(%w, %g, %v, %lr) : (tensor<5x3xf32>, tensor<5x3xf32>, tensor<5x3xf32>, tensor<f32>) -> (tensor<5x3xf32>, tensor<5x3xf32>)
  func.return %u, %s : tensor<5x3xf32>, tensor<5x3xf32>
}

// The velocity waits for the loss as the rate does: neither is written if the loss is not finite.
// CHECK-LABEL: @checked
// CHECK-NEXT: %loss = "dnn.reduce_sum"(%x)
// CHECK-NEXT: %[[A:[0-9]+]] = "dnn.require_finite"(%v, %loss)
// CHECK-NEXT: %s = "dnn.gemm"(%d, %x, %[[A]])
// CHECK-NEXT: %r = "dnn.require_finite"(%lr, %loss)
// CHECK-NEXT: "dnn.sgd"(%w, %s, %r)
func.func @checked(%d: tensor<8x4xf32>, %x: tensor<8x3xf32>, %w: tensor<4x3xf32>, %v: tensor<4x3xf32>, %lr: tensor<f32>) -> (tensor<4x3xf32>, tensor<4x3xf32>) {
  %loss = "dnn.reduce_sum"(%x) : (tensor<8x3xf32>) -> tensor<f32>
  %g = "dnn.gemm"(%d, %x) {transA = 1 : i64} : (tensor<8x4xf32>, tensor<8x3xf32>) -> tensor<4x3xf32>
  %r = "dnn.require_finite"(%lr, %loss) : (tensor<f32>, tensor<f32>) -> tensor<f32>
  %u, %s = "dnn.momentum"(%w, %g, %v, %r) : (tensor<4x3xf32>, tensor<4x3xf32>, tensor<4x3xf32>, tensor<f32>) -> (tensor<4x3xf32>, tensor<4x3xf32>)
  func.return %u, %s : tensor<4x3xf32>, tensor<4x3xf32>
}

// An op that is kept from oneDNN keeps what replaces it from there.
// CHECK-LABEL: @placed
// CHECK-NEXT: "dnn.gemm"(%d, %x, %v) {{.*}}dnn.engine = "cpu"
// CHECK-NEXT: "dnn.sgd"({{.*}}dnn.engine = "cpu"
func.func @placed(%d: tensor<8x4xf32>, %x: tensor<8x3xf32>, %w: tensor<4x3xf32>, %v: tensor<4x3xf32>, %lr: tensor<f32>) -> (tensor<4x3xf32>, tensor<4x3xf32>) {
  %g = "dnn.gemm"(%d, %x) {transA = 1 : i64, dnn.engine = "cpu"} : (tensor<8x4xf32>, tensor<8x3xf32>) -> tensor<4x3xf32>
  %u, %s = "dnn.momentum"(%w, %g, %v, %lr) : (tensor<4x3xf32>, tensor<4x3xf32>, tensor<4x3xf32>, tensor<f32>) -> (tensor<4x3xf32>, tensor<4x3xf32>)
  func.return %u, %s : tensor<4x3xf32>, tensor<4x3xf32>
}
