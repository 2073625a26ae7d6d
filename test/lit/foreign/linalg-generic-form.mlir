// Structured ops that xDSL does not know, in generic form: over `outs`; over an input of equal map and type.

// RUN: opt-tool %s --inplace-pass --verify-storage-pass | filecheck %s
// RUN: opt-tool %s --inplace-pass --remarks 2>&1 >/dev/null | filecheck %s --check-prefix=WHY

// CHECK-LABEL: @map
func.func @map(%x: tensor<8xf32>, %y: tensor<8xf32>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  %a = linalg.exp ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  // CHECK: "linalg.map"(%y, %a, %e)
  // CHECK: dnn.inplace = array<i32: 1>
  %b = "linalg.map"(%y, %a, %e) ({
  ^bb0(%p: f32, %q: f32):
    %s = arith.addf %p, %q : f32
    "linalg.yield"(%s) : (f32) -> ()
  }) : (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  func.return %b : tensor<8xf32>
}

// A product reads its factors to the end: over the accumulator alone, without maps too.
#left = affine_map<(d0, d1) -> (d0, d1)>
#right = affine_map<(d0, d1) -> (d1)>
#rows = affine_map<(d0, d1) -> (d0)>
// CHECK-LABEL: @matvec
func.func @matvec(%a: tensor<8x8xf32>, %x: tensor<8xf32> {dnn.donated}, %z: f32) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  // CHECK: "linalg.matvec"
  // CHECK: dnn.inplace = array<i32: 2>
  %y = "linalg.matvec"(%a, %x, %f) <{operandSegmentSizes = array<i32: 2, 1>}> ({
  ^bb0(%p: f32, %q: f32, %o: f32):
    %m = arith.mulf %p, %q : f32
    %s = arith.addf %o, %m : f32
    "linalg.yield"(%s) : (f32) -> ()
  }) {linalg.memoized_indexing_maps = [#left, #right, #rows]} : (tensor<8x8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  // CHECK: "linalg.matvec"
  // CHECK: dnn.inplace = array<i32: 2>
  %w = "linalg.matvec"(%a, %x, %y) <{operandSegmentSizes = array<i32: 2, 1>}> ({
  }) : (tensor<8x8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  func.return %w : tensor<8xf32>
}

// The accumulator is read again: no op may go over it.
// CHECK-LABEL: @kept
func.func @kept(%x: tensor<8xf32>, %z: f32) -> (tensor<f32>, tensor<f32>) {
  %e = tensor.empty() : tensor<f32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<f32>) -> tensor<f32>
  // WHY: linalg.dot (d): %d is not written over %f{{.*}}[returned]
  // CHECK: "linalg.dot"
  // CHECK-NOT: dnn.inplace
  // CHECK: func.return
  %d = "linalg.dot"(%x, %x, %f) <{operandSegmentSizes = array<i32: 2, 1>}> ({
  }) : (tensor<8xf32>, tensor<8xf32>, tensor<f32>) -> tensor<f32>
  func.return %d, %f : tensor<f32>, tensor<f32>
}

// Its region has an argument for each operand: the accumulator is read.
// CHECK-LABEL: @reduce
func.func @reduce(%x: tensor<8x4xf32>, %p: tensor<8xf32> {dnn.donated}) -> tensor<8xf32> {
  // CHECK: "linalg.reduce"
  // CHECK: dnn.inplace = array<i32: 1>
  %r = "linalg.reduce"(%x, %p) <{dimensions = array<i64: 1>}> ({
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %a, %b : f32
    "linalg.yield"(%s) : (f32) -> ()
  }) : (tensor<8x4xf32>, tensor<8xf32>) -> tensor<8xf32>
  func.return %r : tensor<8xf32>
}

// Segments that do not add up, or another type than that of `outs`: nothing is known of the op.
// CHECK-LABEL: @wrong
func.func @wrong(%x: tensor<8xf32>, %z: f32) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  // CHECK: "linalg.tanh"
  // CHECK-NOT: dnn.inplace
  // CHECK: func.return
  %d = "linalg.tanh"(%x, %f) <{operandSegmentSizes = array<i32: 2, 1>}> ({
  }) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %g = "linalg.tanh"(%x, %d) <{operandSegmentSizes = array<i32: -1, 3>}> ({
  }) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  func.return %g : tensor<8xf32>
}
