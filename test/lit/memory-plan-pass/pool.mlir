// The memory transpiler's pool: numbers of storages, served first, filled after.

// RUN: opt-tool --memory-plan-pass=algorithm=pool --verify-storage-pass --split-input-file %s | filecheck %s
// RUN: opt-tool --memory-plan-pass=algorithm=pool,level=1 --verify-storage-pass --split-input-file %s | filecheck %s --check-prefix=LEVEL1
// RUN: opt-tool --memory-plan-pass=algorithm=pool --remarks %s --split-input-file 2>&1 -o /dev/null | filecheck %s --check-prefix=SAID
// RUN: not opt-tool --memory-plan-pass=algorithm=pool,order=seed --verify-storage-pass --split-input-file %s 2>&1 | filecheck %s --check-prefix=SEED
// RUN: not opt-tool --memory-plan-pass=algorithm=pool,level=2 --split-input-file %s 2>&1 | filecheck %s --check-prefix=LEVEL
// RUN: not opt-tool --memory-plan-pass=algorithm=pool,order=any --split-input-file %s 2>&1 | filecheck %s --check-prefix=ORDER
// LEVEL: error: {{.*}}no level 2; there are 0 and 1
// ORDER: error: {{.*}}no order 'any'; there are sound, seed
// SEED: error: dnn.opaque writes %b over {{.*}} while it reads them as %a

// %b may not have the memory of %a, which it is computed from; %c may.
// CHECK-LABEL: @chain
// CHECK-NEXT: "dnn.opaque"(%x) {kind = "conv", dnn.reuse = array<i32: 0>}
// CHECK-NEXT: "dnn.opaque"(%a) {kind = "conv"}
// CHECK-NEXT: "dnn.opaque"(%b) {kind = "conv", dnn.reuse = array<i32: 0>}
// CHECK-NEXT: "dnn.opaque"(%c) {kind = "conv"}
// SAID: remark: dnn.opaque (c): %c takes the memory of %a
func.func @chain(%x: tensor<8xf32>) -> tensor<8xf32> {
  %a = "dnn.opaque"(%x) {kind = "conv"} : (tensor<8xf32>) -> tensor<8xf32>
  %b = "dnn.opaque"(%a) {kind = "conv"} : (tensor<8xf32>) -> tensor<8xf32>
  %c = "dnn.opaque"(%b) {kind = "conv"} : (tensor<8xf32>) -> tensor<8xf32>
  %d = "dnn.opaque"(%c) {kind = "conv"} : (tensor<8xf32>) -> tensor<8xf32>
  func.return %d : tensor<8xf32>
}

// -----

// A donated argument gives its memory; a smaller value takes it at level 1 only.
// CHECK-LABEL: @donated
// CHECK-NOT: dnn.reuse
// LEVEL1-LABEL: @donated
// LEVEL1-SAME: %x: tensor<8xf32> {dnn.donated, dnn.reuse = 0 : i32}
// LEVEL1-NEXT: "dnn.opaque"(%x) {kind = "conv"}
// LEVEL1-NEXT: "dnn.opaque"(%a) {kind = "conv", dnn.reuse = array<i32: 0>}
func.func @donated(%x: tensor<8xf32> {dnn.donated}) -> tensor<4xf32> {
  %a = "dnn.opaque"(%x) {kind = "conv"} : (tensor<8xf32>) -> tensor<2xf32>
  %b = "dnn.opaque"(%a) {kind = "conv"} : (tensor<2xf32>) -> tensor<4xf32>
  %c = "dnn.opaque"(%b) {kind = "conv"} : (tensor<4xf32>) -> tensor<4xf32>
  func.return %c : tensor<4xf32>
}

// -----

// In-place decisions are kept: %b is in the memory of %a, and %d gets it when both are dead.
// CHECK-LABEL: @with_decisions
// CHECK-NEXT: "dnn.opaque"(%x) {kind = "conv", dnn.reuse = array<i32: 0>}
// CHECK-NEXT: "dnn.relu"(%a) {dnn.inplace = array<i32: 0>}
// CHECK-NEXT: "dnn.opaque"(%b) {kind = "conv"}
// CHECK-NEXT: "dnn.opaque"(%c) {kind = "conv", dnn.reuse = array<i32: 0>}
func.func @with_decisions(%x: tensor<8xf32>) -> tensor<8xf32> {
  %a = "dnn.opaque"(%x) {kind = "conv"} : (tensor<8xf32>) -> tensor<8xf32>
  %b = "dnn.relu"(%a) {dnn.inplace = array<i32: 0>} : (tensor<8xf32>) -> tensor<8xf32>
  %c = "dnn.opaque"(%b) {kind = "conv"} : (tensor<8xf32>) -> tensor<8xf32>
  %d = "dnn.opaque"(%c) {kind = "conv"} : (tensor<8xf32>) -> tensor<8xf32>
  %e = "dnn.opaque"(%d) {kind = "conv"} : (tensor<8xf32>) -> tensor<8xf32>
  func.return %e : tensor<8xf32>
}

// -----

// Every block has a pool of its own. %b dies at the branch, which is passed over; its result joins when it dies.
// CHECK-LABEL: @arms
// CHECK: scf.if
// CHECK-NEXT: "dnn.opaque"(%b) {kind = "conv", dnn.reuse = array<i32: [[INNER:.*]]>}
// CHECK-NEXT: "dnn.opaque"(%t) {kind = "conv"}
// CHECK-NEXT: "dnn.opaque"(%u) {kind = "conv", dnn.reuse = array<i32: [[INNER]]>}
// CHECK: {dnn.reuse = array<i32: [[OUTER:.*]]>}
// CHECK-NEXT: "dnn.opaque"(%y) {kind = "conv"}
// CHECK-NEXT: "dnn.opaque"(%c) {kind = "conv", dnn.reuse = array<i32: [[OUTER]]>}
func.func @arms(%p: i1, %x: tensor<8xf32>) -> tensor<8xf32> {
  %b = "dnn.opaque"(%x) {kind = "conv"} : (tensor<8xf32>) -> tensor<8xf32>
  %y = scf.if %p -> (tensor<8xf32>) {
    %t = "dnn.opaque"(%b) {kind = "conv"} : (tensor<8xf32>) -> tensor<8xf32>
    %u = "dnn.opaque"(%t) {kind = "conv"} : (tensor<8xf32>) -> tensor<8xf32>
    %v = "dnn.opaque"(%u) {kind = "conv"} : (tensor<8xf32>) -> tensor<8xf32>
    %w = "dnn.opaque"(%v) {kind = "conv"} : (tensor<8xf32>) -> tensor<8xf32>
    scf.yield %w : tensor<8xf32>
  } else {
    scf.yield %b : tensor<8xf32>
  }
  %c = "dnn.opaque"(%y) {kind = "conv"} : (tensor<8xf32>) -> tensor<8xf32>
  %d = "dnn.opaque"(%c) {kind = "conv"} : (tensor<8xf32>) -> tensor<8xf32>
  %e = "dnn.opaque"(%d) {kind = "conv"} : (tensor<8xf32>) -> tensor<8xf32>
  func.return %e : tensor<8xf32>
}
