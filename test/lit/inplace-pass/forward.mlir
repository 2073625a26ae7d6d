// With `forward=true` values lie where the path puts them, where that saves a copy and no op writes what is live.

// RUN: opt-tool --inplace-pass=forward=true --verify-storage-pass --remarks %s 2>&1 | filecheck %s

// CHECK-NOT: %r is written over
// CHECK: remark: scf.for (r, s): %r lies where the path taken puts it
// CHECK: remark: arith.select (v): %v lies where the path taken puts it
// CHECK: remark: cf.{{.*}}: %p lies where the path taken puts it

// A loop that swaps two values.
// CHECK-LABEL: func.func @swaps
func.func @swaps(%x: tensor<8xf32> {dnn.donated}, %y: tensor<8xf32> {dnn.donated}, %n: index) -> index {
  %one = arith.constant 1 : index
  // CHECK: "dnn.relu"(%a) {dnn.inplace = array<i32: 0>}
  // CHECK: dnn.forward = array<i32: 1, 1>
  %r, %s = scf.for %i = %one to %n step %one iter_args(%a = %x, %b = %y) -> (tensor<8xf32>, tensor<8xf32>) {
    %c = "dnn.relu"(%a) : (tensor<8xf32>) -> tensor<8xf32>
    scf.yield %b, %c : tensor<8xf32>, tensor<8xf32>
  }
  func.return %one : index
}

// One of two values, none of which is read afterwards; what follows is written over it.
// CHECK-LABEL: func.func @selected
func.func @selected(%x: tensor<8xf32> {dnn.donated}, %y: tensor<8xf32> {dnn.donated}, %c: i1) -> tensor<8xf32> {
  // CHECK: arith.select %c, %x, %y {dnn.forward = array<i32: 1>}
  %v = arith.select %c, %x, %y : tensor<8xf32>
  %w = "dnn.relu"(%v) : (tensor<8xf32>) -> tensor<8xf32>
  func.return %w : tensor<8xf32>
}

// The argument of a block, from two branches.
// CHECK-LABEL: func.func @blocks
func.func @blocks(%x: tensor<8xf32> {dnn.donated}, %y: tensor<8xf32> {dnn.donated}, %c: i1) -> tensor<8xf32> {
  // CHECK: cf.cond_br {{.*}}dnn.succ_forward = [array<i32: 1>, array<i32>]
  "cf.cond_br"(%c, %x)[^join, ^other] {operandSegmentSizes = array<i32: 1, 1, 0>} : (i1, tensor<8xf32>) -> ()
^join(%p: tensor<8xf32>):
  %w = "dnn.relu"(%p) : (tensor<8xf32>) -> tensor<8xf32>
  func.return %w : tensor<8xf32>
^other:
  // CHECK: cf.br {{.*}}dnn.succ_forward = [array<i32: 1>]
  cf.br ^join(%y : tensor<8xf32>)
}

// The next turn would write what it reads: the loop has a slot.
// CHECK-LABEL: func.func @kept
// CHECK-NOT: dnn.forward
func.func @kept(%x: tensor<8x8xf32> {dnn.donated}, %y: tensor<8x8xf32> {dnn.donated}, %n: index) -> (tensor<8x8xf32>, tensor<8x8xf32>) {
  %one = arith.constant 1 : index
  %r = scf.for %i = %one to %n step %one iter_args(%a = %x) -> (tensor<8x8xf32>) {
    %b = "dnn.matmul"(%a, %y) : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    scf.yield %b : tensor<8x8xf32>
  }
  func.return %r, %x : tensor<8x8xf32>, tensor<8x8xf32>
}
