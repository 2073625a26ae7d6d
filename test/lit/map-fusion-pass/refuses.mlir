// What is read elsewhere, is smaller, would keep more memory, or is faster alone, is not part of a map.

// RUN: opt-tool --map-fusion-pass %s --remarks 2>&1 | filecheck %s

// CHECK-DAG: remark: dnn.neg (n1): not one map with what reads %n1: a value that would be gone is read elsewhere, or returned [used-elsewhere]
// CHECK-DAG: remark: dnn.neg (n2): not one map with what reads %n2: it does not have the same sizes, or is not known to [size]
// CHECK-DAG: remark: dnn.greater (g): not one map with what reads %g: its operands would be live longer, and take more bytes than its result [kept-longer]
// CHECK-DAG: remark: dnn.tanh (t4): not one map with what reads %t4: oneDNN computes the op faster alone [faster-alone]
// CHECK-DAG: remark: dnn.neg (n5): not one map with what reads %n5: an engine is asked for [asked-engine]
// CHECK-DAG: remark: dnn.neg (n6): not one map with what reads %n6: a decision that was there before gives its place [decided]
// CHECK-DAG: remark: dnn.neg (n7): not one map with what reads %n7: the map has as many ops as it may have [largest-map]

// CHECK-LABEL: @read_elsewhere
// CHECK-NOT: dnn.map
func.func @read_elsewhere(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %n1 = "dnn.neg"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %r = "dnn.relu"(%n1) : (tensor<4xf32>) -> tensor<4xf32>
  func.return %n1, %r : tensor<4xf32>, tensor<4xf32>
}

// It would be computed once for each row.
// CHECK-LABEL: @smaller
// CHECK-NOT: dnn.map
func.func @smaller(%x: tensor<4xf32>, %y: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %n2 = "dnn.neg"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %a = "dnn.add"(%n2, %y) : (tensor<4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
  func.return %a : tensor<2x4xf32>
}

// The softmax and its operand would be live while the sum is computed; the truth values take a quarter.
// CHECK-LABEL: @kept_longer
// CHECK-NOT: dnn.map
func.func @kept_longer(%x: tensor<4x4xf32>, %y: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %s = "dnn.softmax"(%x) : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %g = "dnn.greater"(%s, %y) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xi1>
  %m = "dnn.matmul"(%y, %y) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %w = "dnn.where"(%g, %m, %y) : (tensor<4x4xi1>, tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  func.return %w : tensor<4x4xf32>
}

// CHECK-LABEL: @faster_alone
// CHECK-NOT: dnn.map
func.func @faster_alone(%x: tensor<100x100xf32>) -> tensor<100x100xf32> {
  %t4 = "dnn.tanh"(%x) : (tensor<100x100xf32>) -> tensor<100x100xf32>
  %m = "dnn.mul"(%t4, %x) : (tensor<100x100xf32>, tensor<100x100xf32>) -> tensor<100x100xf32>
  func.return %m : tensor<100x100xf32>
}

// CHECK-LABEL: @asked_engine
// CHECK-NOT: dnn.map
func.func @asked_engine(%x: tensor<4xf32>) -> tensor<4xf32> {
  %n5 = "dnn.neg"(%x) {dnn.engine = "cpu"} : (tensor<4xf32>) -> tensor<4xf32>
  %r = "dnn.relu"(%n5) : (tensor<4xf32>) -> tensor<4xf32>
  func.return %r : tensor<4xf32>
}

// CHECK-LABEL: @decided
// CHECK-NOT: dnn.map
func.func @decided(%x: tensor<4xf32> {dnn.donated}) -> tensor<4xf32> {
  %n6 = "dnn.neg"(%x) {dnn.inplace = array<i32: 0>} : (tensor<4xf32>) -> tensor<4xf32>
  %r = "dnn.relu"(%n6) : (tensor<4xf32>) -> tensor<4xf32>
  func.return %r : tensor<4xf32>
}

// Ops of other element types, and those that read other places.
// CHECK-LABEL: @no_instructions
// CHECK-NOT: dnn.map
func.func @no_instructions(%x: tensor<4xbf16>, %y: tensor<4xf32>) -> (tensor<4xbf16>, tensor<4xf32>) {
  %n = "dnn.neg"(%x) : (tensor<4xbf16>) -> tensor<4xbf16>
  %r = "dnn.relu"(%n) : (tensor<4xbf16>) -> tensor<4xbf16>
  %s = "dnn.softmax"(%y) : (tensor<4xf32>) -> tensor<4xf32>
  %t = "dnn.relu"(%s) : (tensor<4xf32>) -> tensor<4xf32>
  func.return %r, %t : tensor<4xbf16>, tensor<4xf32>
}

// 24 ops are one map, the first one is left.
// CHECK-LABEL: @long
// CHECK-NEXT: %n7 = "dnn.neg"(%x)
// CHECK-NEXT: "dnn.map"(%n7)
// CHECK-NEXT: func.return
func.func @long(%x: tensor<4xf32>) -> tensor<4xf32> {
  %n7 = "dnn.neg"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %l0 = "dnn.relu"(%n7) : (tensor<4xf32>) -> tensor<4xf32>
  %l1 = "dnn.relu"(%l0) : (tensor<4xf32>) -> tensor<4xf32>
  %l2 = "dnn.relu"(%l1) : (tensor<4xf32>) -> tensor<4xf32>
  %l3 = "dnn.relu"(%l2) : (tensor<4xf32>) -> tensor<4xf32>
  %l4 = "dnn.relu"(%l3) : (tensor<4xf32>) -> tensor<4xf32>
  %l5 = "dnn.relu"(%l4) : (tensor<4xf32>) -> tensor<4xf32>
  %l6 = "dnn.relu"(%l5) : (tensor<4xf32>) -> tensor<4xf32>
  %l7 = "dnn.relu"(%l6) : (tensor<4xf32>) -> tensor<4xf32>
  %l8 = "dnn.relu"(%l7) : (tensor<4xf32>) -> tensor<4xf32>
  %l9 = "dnn.relu"(%l8) : (tensor<4xf32>) -> tensor<4xf32>
  %l10 = "dnn.relu"(%l9) : (tensor<4xf32>) -> tensor<4xf32>
  %l11 = "dnn.relu"(%l10) : (tensor<4xf32>) -> tensor<4xf32>
  %l12 = "dnn.relu"(%l11) : (tensor<4xf32>) -> tensor<4xf32>
  %l13 = "dnn.relu"(%l12) : (tensor<4xf32>) -> tensor<4xf32>
  %l14 = "dnn.relu"(%l13) : (tensor<4xf32>) -> tensor<4xf32>
  %l15 = "dnn.relu"(%l14) : (tensor<4xf32>) -> tensor<4xf32>
  %l16 = "dnn.relu"(%l15) : (tensor<4xf32>) -> tensor<4xf32>
  %l17 = "dnn.relu"(%l16) : (tensor<4xf32>) -> tensor<4xf32>
  %l18 = "dnn.relu"(%l17) : (tensor<4xf32>) -> tensor<4xf32>
  %l19 = "dnn.relu"(%l18) : (tensor<4xf32>) -> tensor<4xf32>
  %l20 = "dnn.relu"(%l19) : (tensor<4xf32>) -> tensor<4xf32>
  %l21 = "dnn.relu"(%l20) : (tensor<4xf32>) -> tensor<4xf32>
  %l22 = "dnn.relu"(%l21) : (tensor<4xf32>) -> tensor<4xf32>
  %l23 = "dnn.relu"(%l22) : (tensor<4xf32>) -> tensor<4xf32>
  func.return %l23 : tensor<4xf32>
}
