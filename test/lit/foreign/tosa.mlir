// Elementwise ops of tosa and arith go over an operand of the result's type.

// RUN: opt-tool %s --inplace-pass --verify-storage-pass | filecheck %s
// RUN: opt-tool %s --inplace-pass --remarks 2>&1 >/dev/null | filecheck %s --check-prefix=WHY

// The row is broadcast: it is read at other places than it would be written at.
// CHECK-LABEL: @broadcast
func.func @broadcast(%x: tensor<4x4xf32>, %r: tensor<1x4xf32>) -> tensor<8x4xf32> {
  %row = tosa.sin %r : (tensor<1x4xf32>) -> tensor<1x4xf32>
  // WHY: :8: remark: tosa.add (a): %a is not written over %x{{.*}}[program-input]
  %a = tosa.add %x, %row : (tensor<4x4xf32>, tensor<1x4xf32>) -> tensor<4x4xf32>
  // CHECK: tosa.sub {{.*}}dnn.inplace = array<i32: 1>
  %b = tosa.sub %row, %a : (tensor<1x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  // CHECK: tosa.clamp {{.*}}dnn.inplace = array<i32: 0>
  %c = tosa.clamp %b {min_val = 0.0 : f32, max_val = 6.0 : f32} : (tensor<4x4xf32>) -> tensor<4x4xf32>
  // CHECK: %d = tosa.cos %c :
  %d = tosa.cos %c : (tensor<4x4xf32>) -> tensor<4x4xf32>
  // CHECK: tosa.concat {{.*}}dnn.parts = array<i32: 0, 1>
  %e = "tosa.concat"(%c, %d) {axis = 0 : i32} : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<8x4xf32>
  func.return %e : tensor<8x4xf32>
}

// Constants are read-only; a product reads its operands to the end.
// CHECK-LABEL: @constants
func.func @constants(%x: tensor<1x2x2xf32> {dnn.donated}) -> tensor<1x2x2xf32> {
  %w = "tosa.const"() {values = dense<2.0> : tensor<1x2x2xf32>} : () -> tensor<1x2x2xf32>
  // CHECK: %a = tosa.sin %w :
  // WHY: :8: remark: tosa.sin (a): %a is not written over %w{{.*}}[constant]
  %a = tosa.sin %w : (tensor<1x2x2xf32>) -> tensor<1x2x2xf32>
  %k = arith.constant dense<3.0> : tensor<1x2x2xf32>
  // WHY: :8: remark: arith.negf (b): %b is not written over %k{{.*}}[constant]
  %b = arith.negf %k : tensor<1x2x2xf32>
  // CHECK: arith.addf %a, %b {dnn.inplace = array<i32: 0>}
  %c = arith.addf %a, %b : tensor<1x2x2xf32>
  // CHECK: arith.subf %x, %c {dnn.inplace = array<i32: 0>}
  %d = arith.subf %x, %c : tensor<1x2x2xf32>
  func.return %d : tensor<1x2x2xf32>
}

// The same bytes as integers, and as numbers again.
// CHECK-LABEL: @bits
func.func @bits(%x: tensor<4xf32>) -> tensor<4xf32> {
  %a = arith.negf %x : tensor<4xf32>
  %i = arith.bitcast %a : tensor<4xf32> to tensor<4xi32>
  // CHECK: arith.addi %i, %i {dnn.inplace = array<i32: 0>}
  %j = arith.addi %i, %i : tensor<4xi32>
  %b = arith.bitcast %j : tensor<4xi32> to tensor<4xf32>
  // CHECK: arith.negf %b {dnn.inplace = array<i32: 0>}
  %c = arith.negf %b : tensor<4xf32>
  func.return %c : tensor<4xf32>
}

// Of two sizes that are not known one may be broadcast to the other; ops of arith broadcast nothing.
// CHECK-LABEL: @unknown
func.func @unknown(%x: tensor<?xf32> {dnn.donated}, %y: tensor<?xf32> {dnn.donated}) -> tensor<?xf32> {
  // CHECK: %a = tosa.add %x, %y :
  // WHY: :8: remark: tosa.add (a): %a is not written over %x{{.*}}[size]
  %a = tosa.add %x, %y : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  // CHECK: tosa.sin {{.*}}dnn.inplace = array<i32: 0>
  %b = tosa.sin %a : (tensor<?xf32>) -> tensor<?xf32>
  // CHECK: arith.addf %b, %b {dnn.inplace = array<i32: 0>}
  %c = arith.addf %b, %b : tensor<?xf32>
  func.return %c : tensor<?xf32>
}
