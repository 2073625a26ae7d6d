// What one arm of a branch reads is not there in the other: that one's values may lie in its place.

// RUN: opt-tool --memory-plan-pass --verify-storage-pass %s | filecheck %s

// CHECK-LABEL: func.func @arms(
// CHECK-SAME:  attributes {dnn.arena_bytes = 1024 : i64}
// CHECK:       %a = "dnn.exp"(%x) {dnn.offset = array<i64: [[A:[0-9]+]]>}
// CHECK:       %b = "dnn.neg"(%x) {dnn.offset = array<i64: [[B:[0-9]+]]>}
// CHECK:       %c = "dnn.neg"(%a) {dnn.offset = array<i64: [[B]]>}
// CHECK:       %e = "dnn.exp"(%b) {dnn.offset = array<i64: [[A]]>}
func.func @arms(%x: tensor<128xf32>, %go: i1) -> tensor<128xf32> {
  %a = "dnn.exp"(%x) : (tensor<128xf32>) -> tensor<128xf32>
  %b = "dnn.neg"(%x) : (tensor<128xf32>) -> tensor<128xf32>
  %r = scf.if %go -> (tensor<128xf32>) {
    %c = "dnn.neg"(%a) : (tensor<128xf32>) -> tensor<128xf32>
    %d = "dnn.exp"(%c) : (tensor<128xf32>) -> tensor<128xf32>
    scf.yield %d : tensor<128xf32>
  } else {
    %e = "dnn.exp"(%b) : (tensor<128xf32>) -> tensor<128xf32>
    %f = "dnn.neg"(%e) : (tensor<128xf32>) -> tensor<128xf32>
    scf.yield %f : tensor<128xf32>
  }
  func.return %r : tensor<128xf32>
}
