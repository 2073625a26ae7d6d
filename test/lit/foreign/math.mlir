// Ops of math on tensors go over an operand of the result's type; scalars take no decisions.

// RUN: opt-tool %s --inplace-pass --verify-storage-pass | filecheck %s
// RUN: opt-tool %s --inplace-pass --remarks 2>&1 >/dev/null | filecheck %s --check-prefix=WHY

// CHECK-LABEL: @chain
func.func @chain(%x: tensor<?xf32> {dnn.donated}, %s: f32) -> (tensor<?xf32>, f32) {
  // CHECK: math.exp %x {dnn.inplace = array<i32: 0>}
  %a = math.exp %x : tensor<?xf32>
  // CHECK: math.powf %a, %a {dnn.inplace = array<i32: 0>}
  %b = math.powf %a, %a : tensor<?xf32>
  // CHECK: math.sin %s : f32
  %t = math.sin %s : f32
  func.return %b, %t : tensor<?xf32>, f32
}

// CHECK-LABEL: @kept
func.func @kept(%x: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %a = math.exp %x : tensor<8xf32>
  // CHECK: math.sqrt %a :
  // WHY: math.sqrt (b): %b is not written over %a{{.*}}[returned]
  %b = math.sqrt %a : tensor<8xf32>
  func.return %a, %b : tensor<8xf32>, tensor<8xf32>
}
