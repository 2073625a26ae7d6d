// The algorithms: the default finds the least there is here, by size alone does not; the pool gives numbers instead.

// RUN: opt-tool --memory-plan-pass --verify-storage-pass %s | filecheck %s
// RUN: opt-tool --memory-plan-pass=algorithm=best --verify-storage-pass %s | filecheck %s
// RUN: opt-tool --memory-plan-pass=algorithm=greedy --memory-plan-pass --verify-storage-pass %s | filecheck %s --check-prefix=GREEDY
// RUN: opt-tool --memory-plan-pass=algorithm=greedy --verify-storage-pass %s | filecheck %s --check-prefix=GREEDY
// RUN: opt-tool -p 'memory-plan-pass{algorithm=greedy}' --verify-storage-pass %s | filecheck %s --check-prefix=GREEDY
// RUN: opt-tool --memory-plan-pass=algorithm=pool --verify-storage-pass %s | filecheck %s --check-prefix=POOL
// RUN: opt-tool --memory-plan-pass=algorithm=pool,level=1,order=sound --verify-storage-pass %s | filecheck %s --check-prefix=LEVEL1
// RUN: opt-tool --memory-plan-pass --remarks -o /dev/null %s 2>&1 | filecheck %s --check-prefix=REMARK
// RUN: opt-tool --memory-plan-pass=algorithm=exact --verify-storage-pass %s | filecheck %s
// RUN: opt-tool --memory-plan-pass=algorithm=greedy --remarks -o /dev/null %s 2>&1 | filecheck %s --check-prefix=MORE
// MORE: options.mlir:{{.*}}: remark: func.func: the arena has 320 bytes; not proved to be the smallest: 256 are needed
// REMARK: options.mlir:{{.*}}: remark: func.func: the arena has 256 bytes, the smallest possible (reached)

// CHECK-LABEL: func.func @main(
// CHECK-SAME:  attributes {dnn.arena_bytes = 256 : i64}
// CHECK-NOT:   dnn.reuse

// GREEDY-LABEL: func.func @main(
// GREEDY-SAME:  attributes {dnn.arena_bytes = 320 : i64}
// GREEDY:       %a = "dnn.opaque"(%x) {kind = "conv", dnn.offset = array<i64: 0>} :
// GREEDY-NEXT:  %b = "dnn.opaque"(%a) {kind = "conv", dnn.offset = array<i64: 128>} :
// GREEDY-NEXT:  %c = "dnn.opaque"(%b) {kind = "conv", dnn.offset = array<i64: 256>} :
// GREEDY-NEXT:  %d = "dnn.opaque"(%c) {kind = "conv", dnn.offset = array<i64: 0>} :

// POOL-NOT: dnn.offset
// POOL:     %a = "dnn.opaque"(%x) {kind = "conv", dnn.reuse = array<i32: [[A:[0-9]+]]>} :
// POOL:     %c = "dnn.opaque"(%b) {kind = "conv"} :
// POOL:     %d = "dnn.opaque"(%c) {kind = "conv", dnn.reuse = array<i32: [[A]]>} :

// LEVEL1: %a = "dnn.opaque"(%x) {kind = "conv", dnn.reuse = array<i32: [[A:[0-9]+]]>} :
// LEVEL1: %c = "dnn.opaque"(%b) {kind = "conv", dnn.reuse = array<i32: [[A]]>} :
func.func @main(%x: tensor<32xf32>) -> tensor<32xf32> {
  %a = "dnn.opaque"(%x) {kind = "conv"} : (tensor<32xf32>) -> tensor<32xf32>
  %b = "dnn.opaque"(%a) {kind = "conv"} : (tensor<32xf32>) -> tensor<32xf32>
  %c = "dnn.opaque"(%b) {kind = "conv"} : (tensor<32xf32>) -> tensor<16xf32>
  %d = "dnn.opaque"(%c) {kind = "conv"} : (tensor<16xf32>) -> tensor<32xf32>
  %e = "dnn.opaque"(%d) {kind = "conv"} : (tensor<32xf32>) -> tensor<32xf32>
  func.return %e : tensor<32xf32>
}
