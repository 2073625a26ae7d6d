// vector.transfer_write, bufferization.alloc_tensor and materialize_in_destination; tensor.pad makes a fresh result.

// RUN: opt-tool %s --inplace-pass --verify-storage-pass | filecheck %s
// RUN: opt-tool %s --inplace-pass --remarks 2>&1 >/dev/null | filecheck %s --check-prefix=WHY

// CHECK-LABEL: @written
func.func @written(%x: tensor<?xf32> {dnn.donated}, %v: vector<4xf32>, %i: index) -> tensor<?xf32> {
  // CHECK: transfer_write{{.*}}dnn.inplace = array<i32: 1>
  %y = vector.transfer_write %v, %x[%i] : vector<4xf32>, tensor<?xf32>
  func.return %y : tensor<?xf32>
}

// The vector is read of the tensor before, but the tensor itself is read behind: a write over it would show.
// CHECK-LABEL: @read
func.func @read(%x: tensor<8xf32> {dnn.donated}, %i: index, %z: f32) -> (tensor<8xf32>, tensor<8xf32>) {
  %v = vector.transfer_read %x[%i], %z : tensor<8xf32>, vector<4xf32>
  // CHECK: transfer_write
  // CHECK-NOT: dnn.inplace
  // CHECK: func.return
  // WHY: vector.transfer_write (y): %y is not written over %x{{.*}}[returned]
  %y = vector.transfer_write %v, %x[%i] : vector<4xf32>, tensor<8xf32>
  func.return %x, %y : tensor<8xf32>, tensor<8xf32>
}

// Both fills go where the tensor is allocated: the first at once, the second beside it.
// CHECK-LABEL: @allocated
func.func @allocated(%z: f32, %o: f32) -> (tensor<8xf32>, tensor<8xf32>) {
  %e = bufferization.alloc_tensor() : tensor<8xf32>
  // CHECK: %a = linalg.fill {dnn.inplace = array<i32: 1>}
  %a = linalg.fill ins(%z : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  // CHECK: %b = linalg.fill ins
  // WHY: linalg.fill (b): %b is not written over %e{{.*}}[returned]
  %b = linalg.fill ins(%o : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  func.return %a, %b : tensor<8xf32>, tensor<8xf32>
}

// CHECK-LABEL: @copied
func.func @copied(%x: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %a = math.exp %x : tensor<8xf32>
  // WHY: bufferization.alloc_tensor (c): %a is copied into %c, 32 bytes
  %c = bufferization.alloc_tensor() copy(%a) : tensor<8xf32>
  // CHECK: math.sqrt %c {dnn.inplace = array<i32: 0>}
  %b = math.sqrt %c : tensor<8xf32>
  func.return %a, %b : tensor<8xf32>, tensor<8xf32>
}

// CHECK-LABEL: @materialized
func.func @materialized(%x: tensor<8xf32>, %d: tensor<8xf32> {dnn.donated}) -> tensor<8xf32> {
  // CHECK: materialize_in_destination{{.*}}dnn.inplace = array<i32: 1>
  %a = bufferization.materialize_in_destination %x in %d : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  func.return %a : tensor<8xf32>
}

// CHECK-LABEL: @padded
func.func @padded(%x: tensor<8xf32>, %z: f32) -> tensor<12xf32> {
  %p = "tensor.pad"(%x) <{static_low = array<i64: 2>, static_high = array<i64: 2>, operandSegmentSizes = array<i32: 1, 0, 0>}> ({
  ^bb0(%i: index):
    tensor.yield %z : f32
  }) : (tensor<8xf32>) -> tensor<12xf32>
  // CHECK: math.exp %p {dnn.inplace = array<i32: 0>}
  %y = math.exp %p : tensor<12xf32>
  func.return %y : tensor<12xf32>
}
