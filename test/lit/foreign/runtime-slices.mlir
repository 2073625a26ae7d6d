// Slices at run-time offsets: a part is written where it lies and put back without a copy; parts that may meet are not.

// RUN: opt-tool %s --inplace-pass --verify-storage-pass | filecheck %s
// RUN: opt-tool %s --inplace-pass --remarks 2>&1 >/dev/null | filecheck %s --check-prefix=WHY
// RUN: opt-tool %s --inplace-pass=strategy=reinplace --verify-storage-pass | filecheck %s --check-prefix=OTHER

// Tiles of a loop: nothing moves.
// CHECK-LABEL: @tiles
// OTHER-LABEL: @tiles
func.func @tiles(%x: tensor<64x8xf32> {dnn.donated}) -> tensor<64x8xf32> {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c64 = arith.constant 64 : index
  // CHECK: scf.for
  %r = scf.for %i = %c0 to %c64 step %c4 iter_args(%t = %x) -> (tensor<64x8xf32>) {
    %s = tensor.extract_slice %t[%i, 0] [4, 8] [1, 1] : tensor<64x8xf32> to tensor<4x8xf32>
    // CHECK: math.exp %s {dnn.inplace = array<i32: 0>}
    // OTHER: math.exp %s {dnn.inplace = array<i32: 0>}
    %a = math.exp %s : tensor<4x8xf32>
    // CHECK: tensor.insert_slice {{.*}}dnn.inplace = array<i32: 1>
    // OTHER: tensor.insert_slice {{.*}}dnn.inplace = array<i32: 1>
    %y = tensor.insert_slice %a into %t[%i, 0] [4, 8] [1, 1] : tensor<4x8xf32> into tensor<64x8xf32>
    scf.yield %y : tensor<64x8xf32>
    // CHECK: } {dnn.inplace = array<i32: 3>}
  }
  func.return %r : tensor<64x8xf32>
}

// Of unknown sizes too. The second part is apart from the first: %b reads what %a does not write.
// CHECK-LABEL: @apart
func.func @apart(%x: tensor<?xf32> {dnn.donated}, %n: index) -> (tensor<?xf32>, tensor<?xf32>) {
  %s = tensor.extract_slice %x[0] [%n] [1] : tensor<?xf32> to tensor<?xf32>
  %t = tensor.extract_slice %x[%n] [%n] [1] : tensor<?xf32> to tensor<?xf32>
  // CHECK: math.exp %s {dnn.inplace = array<i32: 0>}
  %a = math.exp %s : tensor<?xf32>
  // CHECK: math.exp %t {dnn.inplace = array<i32: 0>}
  %b = math.exp %t : tensor<?xf32>
  func.return %a, %b : tensor<?xf32>, tensor<?xf32>
}

// CHECK-LABEL: @may_meet
func.func @may_meet(%x: tensor<?xf32> {dnn.donated}, %i: index, %j: index) -> (tensor<4xf32>, tensor<4xf32>) {
  %s = tensor.extract_slice %x[%i] [4] [1] : tensor<?xf32> to tensor<4xf32>
  %t = tensor.extract_slice %x[%j] [4] [1] : tensor<?xf32> to tensor<4xf32>
  // WHY: remark: math.exp (a): %a is not written over %s{{.*}}%t{{.*}}[used-later]
  // CHECK: math.exp %s :
  %a = math.exp %s : tensor<4xf32>
  // CHECK: math.exp %t {dnn.inplace = array<i32: 0>}
  %b = math.exp %t : tensor<4xf32>
  func.return %a, %b : tensor<4xf32>, tensor<4xf32>
}

// Put back at another offset: the part is copied there, from bytes that it may share.
// CHECK-LABEL: @elsewhere
func.func @elsewhere(%x: tensor<?xf32> {dnn.donated}, %i: index, %j: index) -> tensor<?xf32> {
  %s = tensor.extract_slice %x[%i] [4] [1] : tensor<?xf32> to tensor<4xf32>
  // CHECK: math.exp %s :
  %a = math.exp %s : tensor<4xf32>
  // CHECK: tensor.insert_slice {{.*}}dnn.inplace = array<i32: 1>
  %y = tensor.insert_slice %a into %x[%j] [4] [1] : tensor<4xf32> into tensor<?xf32>
  func.return %y : tensor<?xf32>
}
