// A branch that passes on a slice of a tensor or all of it passes on a slice at offsets and of sizes that are chosen.
// What its arms compute over slices of one tensor, they compute in that tensor.
//
// RUN: opt-tool --bufferize-pass=arguments=writable %s | filecheck %s

// The slice is read after %x was copied, to which it is moved.
// CHECK-LABEL: func.func @slice_or_all
// CHECK: %[[AT:.*]] = arith.select %c, %i, %{{.*}} : index
// CHECK: %[[SIZE:.*]] = arith.select %c, %i, %{{.*}} : index
// CHECK: %[[PART:.*]] = memref.subview %x[%[[AT]]] [%[[SIZE]]] [1]
// CHECK: "memref.copy"(%x, %[[NEW:[^)]*]])
// CHECK-NEXT: %[[TO:.*]] = memref.subview %[[NEW]][%k] [%k] [1]
// CHECK-NEXT: "memref.copy"(%[[PART]], %[[TO]])
// CHECK-NEXT: func.return %[[NEW]]
func.func @slice_or_all(%x: tensor<?xf32>, %i: index, %k: index, %c: i1) -> tensor<?xf32> {
  %r = scf.if %c -> (tensor<?xf32>) {
    %a = tensor.extract_slice %x[%i] [%i] [1] : tensor<?xf32> to tensor<?xf32>
    scf.yield %a : tensor<?xf32>
  } else {
    scf.yield %x : tensor<?xf32>
  }
  %s = tensor.insert_slice %r into %x[%k] [%k] [1] : tensor<?xf32> into tensor<?xf32>
  func.return %s : tensor<?xf32>
}

// CHECK-LABEL: func.func @computed_over
// CHECK-NOT: memref.copy
// CHECK-NOT: memref.alloc
// CHECK: scf.if %c {
// CHECK-NEXT: vector.transfer_write %v, %[[PART:.*]][%i]
// CHECK-NEXT: } else {
// CHECK-NEXT: vector.transfer_write %w, %[[PART]][%i]
// CHECK-NEXT: }
// CHECK-NEXT: %[[SAME:.*]] = memref.subview %x
// CHECK-NEXT: func.return %[[SAME]]
func.func @computed_over(%x: tensor<?xf32>, %v: vector<5xf32>, %w: vector<5xf32>, %i: index, %c: i1) -> tensor<?xf32> {
  %a = tensor.extract_slice %x[%i] [%i] [1] : tensor<?xf32> to tensor<?xf32>
  %r = scf.if %c -> (tensor<?xf32>) {
    %b = vector.transfer_write %v, %a[%i] : vector<5xf32>, tensor<?xf32>
    scf.yield %b : tensor<?xf32>
  } else {
    %b = vector.transfer_write %w, %x[%i] : vector<5xf32>, tensor<?xf32>
    scf.yield %b : tensor<?xf32>
  }
  func.return %r : tensor<?xf32>
}

// One arm passes the slice on as it is. The other result stays as it was.
// CHECK-LABEL: func.func @one_arm
// CHECK-NOT: memref.copy
// CHECK: scf.if %c -> (index)
// CHECK-NOT: memref.copy
// CHECK: func.return
func.func @one_arm(%x: tensor<8xf32>, %v: f32, %i: index, %c: i1) -> (tensor<2xf32>, index) {
  %c0 = arith.constant 0 : index
  %r, %s = scf.if %c -> (tensor<2xf32>, index) {
    %a = tensor.extract_slice %x[%i] [2] [1] : tensor<8xf32> to tensor<2xf32>
    %b = tensor.insert %v into %a[%c0] : tensor<2xf32>
    scf.yield %b, %i : tensor<2xf32>, index
  } else {
    %a = tensor.extract_slice %x[4] [2] [1] : tensor<8xf32> to tensor<2xf32>
    scf.yield %a, %c0 : tensor<2xf32>, index
  }
  func.return %r, %s : tensor<2xf32>, index
}
