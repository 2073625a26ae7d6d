// Where oneDNN has no right kernel for the places, or none at all, the op's own kernel runs.

// RUN: opt-tool --lower-to-onednn-pass %s | filecheck %s

// No primitive computes with f64, and none is declared for the cumulative sum.
// CHECK-LABEL: func.func @no_primitive(
// CHECK:         onednn.call "dnn.exp" ins(%x : memref<4xf64>)
// CHECK-NEXT:    onednn.call "dnn.cumsum"
func.func @no_primitive(%x: tensor<4xf64>) -> tensor<4xf64> {
  %a = "dnn.exp"(%x) : (tensor<4xf64>) -> tensor<4xf64>
  %b = "dnn.cumsum"(%a) {axis = 0 : i64} : (tensor<4xf64>) -> tensor<4xf64>
  func.return %b : tensor<4xf64>
}

// Only the first source may be broadcast by numpy's rules faster than by oneDNN's reference kernel.
// CHECK-LABEL: func.func @broadcast_first(
// CHECK:         onednn.call "dnn.sub" ins(%b, %x : memref<8xf32>, memref<2x8xf32>)
func.func @broadcast_first(%x: tensor<2x8xf32>, %b: tensor<8xf32>) -> tensor<2x8xf32> {
  %y = "dnn.sub"(%b, %x) : (tensor<8xf32>, tensor<2x8xf32>) -> tensor<2x8xf32>
  func.return %y : tensor<2x8xf32>
}

// A strided source and a dense result are not one layout.
// CHECK-LABEL: func.func @strided(
// CHECK:         onednn.call "dnn.relu" ins({{%[0-9]+}} : memref<2x4xf32, strided<[8, 1]>>) outs(%r : memref<2x4xf32>)
func.func @strided(%x: tensor<2x8xf32>) -> tensor<2x4xf32> {
  %s = "dnn.slice"(%x) {dim = 1 : i64, start = 0 : i64, end = 4 : i64} : (tensor<2x8xf32>) -> tensor<2x4xf32>
  %r = "dnn.relu"(%s) : (tensor<2x4xf32>) -> tensor<2x4xf32>
  func.return %r : tensor<2x4xf32>
}
