// Within a limit ops run again. %b is read when %c and %d are dead: it is made again of %a, which is kept for the last product.

// RUN: opt-tool --plan-pass=limit=8192,recompute=cheap,measure=false --verify-storage-pass %s | filecheck %s
// RUN: opt-tool --plan-pass=limit=8192,recompute=cheap,measure=false --remarks -o /dev/null %s 2>&1 | filecheck %s --check-prefix=REMARK

// Without need, without `recompute`, or without a limit nothing runs again.
// RUN: opt-tool --plan-pass=limit=12288,recompute=cheap,measure=false %s | filecheck %s --check-prefix=KEPT
// RUN: opt-tool --plan-pass=recompute=all,measure=false %s | filecheck %s --check-prefix=KEPT
// RUN: not opt-tool --plan-pass=limit=8192,measure=false %s 2>&1 | filecheck %s --check-prefix=LIMIT
// LIMIT: error: the arena has 12,288 bytes, the limit is 8,192

// A limit below all choices, which is proved.
// RUN: not opt-tool --plan-pass=limit=7000,recompute=all,measure=false --remarks %s 2>&1 | filecheck %s --check-prefix=LESS
// LESS: error: {{.*}}the arena has 12,288 bytes, the limit is 7,000
// LESS: remark: func.func: no ops run again: no choice was found within the limit of 7,000 bytes; proved = true [recompute]

// RUN: not opt-tool --plan-pass=limit=8192,recompute=some %s 2>&1 | filecheck %s --check-prefix=OPTION
// OPTION: error: plan-pass: recompute is none, cheap, all, not 'some'

// REMARK: recompute.mlir:[[# @LINE + 11]]:8: remark: dnn.tanh (b): 'dnn.tanh' runs again here: its result is not kept until then
// REMARK: remark: func.func: 1 op runs again: the arena has 8,192 bytes, without that 12,288; 10.53% more work; proved = true: nothing takes less
// CHECK-LABEL: @main
// CHECK-SAME: dnn.arena_bytes = 8192
// KEPT-LABEL: @main
// KEPT-SAME: dnn.arena_bytes = 12288
// KEPT-COUNT-2: "dnn.tanh"
// KEPT-NOT: "dnn.tanh"
func.func @main(%x: tensor<64x16xf32>) -> tensor<64x16xf32> {
  %a = "dnn.exp"(%x) : (tensor<64x16xf32>) -> tensor<64x16xf32>
  // CHECK: %b = "dnn.tanh"(%a)
  %b = "dnn.tanh"(%a) : (tensor<64x16xf32>) -> tensor<64x16xf32>
  // CHECK-NEXT: %c = "dnn.exp"(%b)
  %c = "dnn.exp"(%b) : (tensor<64x16xf32>) -> tensor<64x16xf32>
  %d = "dnn.tanh"(%c) : (tensor<64x16xf32>) -> tensor<64x16xf32>
  // CHECK: %e = "dnn.mul"(%c, %d)
  // CHECK-NEXT: %[[AGAIN:.*]] = "dnn.tanh"(%a)
  %e = "dnn.mul"(%c, %d) : (tensor<64x16xf32>, tensor<64x16xf32>) -> tensor<64x16xf32>
  // CHECK-NEXT: %f = "dnn.mul"(%[[AGAIN]], %e)
  %f = "dnn.mul"(%b, %e) : (tensor<64x16xf32>, tensor<64x16xf32>) -> tensor<64x16xf32>
  %g = "dnn.mul"(%a, %f) : (tensor<64x16xf32>, tensor<64x16xf32>) -> tensor<64x16xf32>
  %y = "dnn.relu"(%g) : (tensor<64x16xf32>) -> tensor<64x16xf32>
  func.return %y : tensor<64x16xf32>
}

// A view through which the second copy alone is read stays nowhere: it would keep the first copy.

// RUN: opt-tool --plan-pass=limit=8192,recompute=cheap,measure=false --verify-storage-pass %S/Inputs/late_view.mlir | filecheck %s --check-prefix=VIEW
// VIEW-LABEL: @main
// VIEW-SAME: dnn.arena_bytes = 8192
// VIEW: "dnn.mul"
// VIEW-NEXT: %[[AGAIN:.*]] = "dnn.tanh"
// VIEW-NEXT: %[[TURNED:.*]] = "dnn.transpose"(%[[AGAIN]])
// VIEW-NEXT: "dnn.mul"(%[[TURNED]], %e)
// VIEW-NOT: "dnn.transpose"

// What one op needs is a bound for all choices.

// RUN: not opt-tool --plan-pass=limit=4000,recompute=all --remarks %S/Inputs/two_factors.mlir 2>&1 | filecheck %s --check-prefix=LEAST
// LEAST: remark: func.func: no ops run again: no choice was found within the limit of 4,000 bytes; at least {{[0-9,]+}} bytes are live whatever runs again; proved = true [recompute]

// Only with recompute=all does a product of matrices run again.

// RUN: opt-tool --plan-pass=limit=10000,recompute=all --verify-storage-pass %S/Inputs/products.mlir | filecheck %s --check-prefix=ALL
// RUN: not opt-tool --plan-pass=limit=10000,recompute=cheap %S/Inputs/products.mlir 2>&1 | filecheck %s --check-prefix=CHEAP
// ALL-COUNT-3: "dnn.matmul"
// CHEAP: error: {{.*}}the limit is 10,000
