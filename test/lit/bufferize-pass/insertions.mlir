// What control flow results in is computed in the part of the tensor that it is inserted into.

// RUN: opt-tool --bufferize-pass=layouts=identity,unproved=error --split-input-file %s | filecheck %s

// Both arms fill the part.
// CHECK-LABEL: @both_arms
// CHECK-NOT: memref.copy
// CHECK-NOT: memref.alloc
// CHECK: scf.if %c
// CHECK-NEXT: [[ONE:%.*]] = memref.subview %t[40] [8] [1]
// CHECK-NEXT: linalg.fill ins(%z : f32) outs([[ONE]]
// CHECK: else
// CHECK-NEXT: [[TWO:%.*]] = memref.subview %t[40] [8] [1]
// CHECK-NEXT: linalg.exp ins(%x : memref<8xf32>) outs([[TWO]]
// CHECK: func.return %t
func.func @both_arms(%t: tensor<64xf32> {dnn.donated}, %x: tensor<8xf32>, %c: i1) -> tensor<64xf32> {
  %z = arith.constant 0.0 : f32
  %r = scf.if %c -> (tensor<8xf32>) {
    %a = tensor.empty() : tensor<8xf32>
    %b = linalg.fill ins(%z : f32) outs(%a : tensor<8xf32>) -> tensor<8xf32>
    scf.yield %b : tensor<8xf32>
  } else {
    %a = tensor.empty() : tensor<8xf32>
    %b = linalg.exp ins(%x : tensor<8xf32>) outs(%a : tensor<8xf32>) -> tensor<8xf32>
    scf.yield %b : tensor<8xf32>
  }
  %s = tensor.insert_slice %r into %t[40] [8] [1] : tensor<8xf32> into tensor<64xf32>
  func.return %s : tensor<64xf32>
}

// -----

// Both results go into one tensor, one after the other.
// CHECK-LABEL: @two_results
// CHECK-NOT: memref.copy
// CHECK-NOT: memref.alloc
// CHECK: scf.if %c
// CHECK: memref.subview %t[40] [8] [1]
// CHECK: memref.subview %t[8] [8] [1]
// CHECK: func.return %t
func.func @two_results(%t: tensor<64xf32> {dnn.donated}, %c: i1, %z: f32, %o: f32) -> tensor<64xf32> {
  %r, %q = scf.if %c -> (tensor<8xf32>, tensor<8xf32>) {
    %a = tensor.empty() : tensor<8xf32>
    %b = linalg.fill ins(%z : f32) outs(%a : tensor<8xf32>) -> tensor<8xf32>
    %d = linalg.fill ins(%o : f32) outs(%a : tensor<8xf32>) -> tensor<8xf32>
    scf.yield %b, %d : tensor<8xf32>, tensor<8xf32>
  } else {
    %a = tensor.empty() : tensor<8xf32>
    %b = linalg.fill ins(%o : f32) outs(%a : tensor<8xf32>) -> tensor<8xf32>
    %d = linalg.fill ins(%z : f32) outs(%a : tensor<8xf32>) -> tensor<8xf32>
    scf.yield %b, %d : tensor<8xf32>, tensor<8xf32>
  }
  %s = tensor.insert_slice %r into %t[40] [8] [1] : tensor<8xf32> into tensor<64xf32>
  %u = tensor.insert_slice %q into %s[8] [8] [1] : tensor<8xf32> into tensor<64xf32>
  func.return %u : tensor<64xf32>
}

// -----

// A loop that computes a tile is a loop over the tensor that the tile is a part of.
// CHECK-LABEL: @tiles
// CHECK-NOT: memref.copy
// CHECK-NOT: memref.alloc
// CHECK: scf.for %j
// CHECK: [[TILE:%.*]] = memref.subview %t[%j, 0] [4, 8] [1, 1]
// CHECK-NEXT: linalg.fill ins(%z : f32) outs([[TILE]]
// CHECK: scf.for %i
// CHECK: [[PART:%.*]] = memref.subview %t[%j, 0] [4, 8] [1, 1]
// CHECK: linalg.matmul {{.*}} outs([[PART]]
// CHECK: func.return %t
func.func @tiles(%x: tensor<8x8xf32>, %y: tensor<8x8xf32>, %t: tensor<8x8xf32> {dnn.donated}) -> tensor<8x8xf32> {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %z = arith.constant 0.0 : f32
  %q = scf.for %j = %c0 to %c8 step %c4 iter_args(%w = %t) -> (tensor<8x8xf32>) {
    %e = tensor.empty() : tensor<4x8xf32>
    %f = linalg.fill ins(%z : f32) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
    %r = scf.for %i = %c0 to %c8 step %c4 iter_args(%a = %f) -> (tensor<4x8xf32>) {
      %l = tensor.extract_slice %x[%j, %i] [4, 4] [1, 1] : tensor<8x8xf32> to tensor<4x4xf32>
      %m = tensor.extract_slice %y[%i, 0] [4, 8] [1, 1] : tensor<8x8xf32> to tensor<4x8xf32>
      %u = linalg.matmul ins(%l, %m : tensor<4x4xf32>, tensor<4x8xf32>) outs(%a : tensor<4x8xf32>) -> tensor<4x8xf32>
      scf.yield %u : tensor<4x8xf32>
    }
    %s = tensor.insert_slice %r into %w[%j, 0] [4, 8] [1, 1] : tensor<4x8xf32> into tensor<8x8xf32>
    scf.yield %s : tensor<8x8xf32>
  }
  func.return %q : tensor<8x8xf32>
}

// -----

// The loop reads another part of the tensor, which it would change: it computes the part apart.
// CHECK-LABEL: @reads_other_part
// CHECK: [[APART:%.*]] = memref.view
// CHECK: scf.for
// CHECK-NEXT: memref.load
// CHECK-NEXT: memref.store {{.*}}, [[APART]]
// CHECK: "memref.copy"([[APART]]
func.func @reads_other_part(%t: tensor<64xf32> {dnn.donated}) -> tensor<64xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %e = tensor.empty() : tensor<8xf32>
  %r = scf.for %i = %c0 to %c8 step %c1 iter_args(%a = %e) -> (tensor<8xf32>) {
    %v = tensor.extract %t[%i] : tensor<64xf32>
    %u = tensor.insert %v into %a[%i] : tensor<8xf32>
    scf.yield %u : tensor<8xf32>
  }
  %s = tensor.insert_slice %r into %t[4] [8] [1] : tensor<8xf32> into tensor<64xf32>
  func.return %s : tensor<64xf32>
}

// -----

// A part whose size is a value, in each of the iterations.
// CHECK-LABEL: @part_of_unknown_size
// CHECK-NOT: memref.copy
// CHECK-NOT: memref.alloc
// CHECK: [[PART:%.*]] = memref.subview %t[40] [%n] [1]
// CHECK-NEXT: linalg.fill ins(%z : f32) outs([[PART]]
func.func @part_of_unknown_size(%t: tensor<?xf32> {dnn.donated}, %n: index, %z: f32) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%o = %t) -> (tensor<?xf32>) {
    %e = tensor.empty(%n) : tensor<?xf32>
    %f = linalg.fill ins(%z : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
    %s = tensor.insert_slice %f into %o[40] [%n] [1] : tensor<?xf32> into tensor<?xf32>
    scf.yield %s : tensor<?xf32>
  }
  func.return %r : tensor<?xf32>
}

// -----

// A cast on the way says the size.
// CHECK-LABEL: @part_behind_cast
// CHECK-NOT: memref.copy
// CHECK-NOT: memref.alloc
// CHECK: [[PART:%.*]] = memref.subview %t[2] [64] [1]
// CHECK-NEXT: linalg.fill ins(%v : f32) outs([[PART]]
func.func @part_behind_cast(%t: tensor<128xf32> {dnn.donated}, %v: f32) -> tensor<128xf32> {
  %n = arith.constant 64 : index
  %e = tensor.empty(%n) : tensor<?xf32>
  %f = linalg.fill ins(%v : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  %g = tensor.cast %f : tensor<?xf32> to tensor<64xf32>
  %h = tensor.insert_slice %g into %t[2] [64] [1] : tensor<64xf32> into tensor<128xf32>
  func.return %h : tensor<128xf32>
}
