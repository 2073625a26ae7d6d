// RUN: opt-tool --recompute-pass=limit=7000,measure=false --remarks %s 2>&1 | filecheck %s
// RUN: opt-tool --recompute-pass=limit=12288,measure=false --remarks %s 2>&1 | filecheck %s --check-prefix=FITS
// RUN: opt-tool --recompute-pass=limit=8192,measure=false --remarks %s 2>&1 | filecheck %s --check-prefix=AGAIN

// No choice is small enough.

// CHECK: remark: func.func: 0 ops run again: the arena of 12,288 bytes is still above the limit of 7,000; proved = true
// CHECK-NOT: runs again here
// FITS: recompute-pass changed nothing
// AGAIN: refuses.mlir:14:8: remark: dnn.tanh (b): 'dnn.tanh' runs again here: its result is not kept until then
// AGAIN: remark: func.func: 1 ops run again: the arena of 12,288 bytes is within the limit of 8,192; proved = true
func.func @main(%x: tensor<64x16xf32>) -> tensor<64x16xf32> {
  %a = "dnn.exp"(%x) : (tensor<64x16xf32>) -> tensor<64x16xf32>
  %b = "dnn.tanh"(%a) : (tensor<64x16xf32>) -> tensor<64x16xf32>
  %c = "dnn.exp"(%b) : (tensor<64x16xf32>) -> tensor<64x16xf32>
  %d = "dnn.tanh"(%c) : (tensor<64x16xf32>) -> tensor<64x16xf32>
  %e = "dnn.mul"(%c, %d) : (tensor<64x16xf32>, tensor<64x16xf32>) -> tensor<64x16xf32>
  %f = "dnn.mul"(%b, %e) : (tensor<64x16xf32>, tensor<64x16xf32>) -> tensor<64x16xf32>
  %g = "dnn.mul"(%a, %f) : (tensor<64x16xf32>, tensor<64x16xf32>) -> tensor<64x16xf32>
  %y = "dnn.relu"(%g) : (tensor<64x16xf32>) -> tensor<64x16xf32>
  func.return %y : tensor<64x16xf32>
}
