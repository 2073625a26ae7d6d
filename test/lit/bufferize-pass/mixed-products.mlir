// The body of a product whose factors have other elements than its result casts them, as upstream's does.
// RUN: opt-tool --bufferize-pass=layouts=identity,arguments=writable,unproved=error --print-op-generic --split-input-file %s | filecheck %s

// CHECK-LABEL: sym_name = "bytes"
// CHECK: "linalg.matmul"(%x, %y, %z)
// CHECK: [[A:%.*]] = "arith.extsi"({{%.*}}) : (i8) -> i32
// CHECK-NEXT: [[B:%.*]] = "arith.extsi"({{%.*}}) : (i8) -> i32
// CHECK-NEXT: [[P:%.*]] = "arith.muli"([[A]], [[B]])
// CHECK-NEXT: [[S:%.*]] = "arith.addi"({{%.*}}, [[P]])
// CHECK-NEXT: "linalg.yield"([[S]])
func.func @bytes(%x: tensor<4x8xi8>, %y: tensor<8x4xi8>, %z: tensor<4x4xi32>) -> tensor<4x4xi32> {
  %m = linalg.matmul ins(%x, %y : tensor<4x8xi8>, tensor<8x4xi8>) outs(%z : tensor<4x4xi32>) -> tensor<4x4xi32>
  func.return %m : tensor<4x4xi32>
}

// -----

// CHECK-LABEL: sym_name = "halves"
// CHECK: "arith.extf"({{%.*}}) : (bf16) -> f32
// CHECK: "arith.mulf"
// CHECK-NEXT: "arith.addf"
func.func @halves(%x: tensor<4x8xbf16>, %y: tensor<8x4xbf16>, %z: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %m = linalg.matmul ins(%x, %y : tensor<4x8xbf16>, tensor<8x4xbf16>) outs(%z : tensor<4x4xf32>) -> tensor<4x4xf32>
  func.return %m : tensor<4x4xf32>
}
