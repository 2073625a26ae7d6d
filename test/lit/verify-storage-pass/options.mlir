// `repair` drops the decision that destroyed the missing byte, says so, and leaves the others.

// RUN: opt-tool --verify-storage-pass=repair=true %s | filecheck %s
// RUN: opt-tool -p 'verify-storage-pass{repair=true}' --remarks %s -o %t 2>&1 | filecheck %s --check-prefix=REMARK
// RUN: not opt-tool --verify-storage-pass=repair=false %s 2>&1 | filecheck %s --check-prefix=NOT

// NOT: error: dnn.add reads %a

// CHECK-LABEL: func.func @main
// CHECK-NEXT: "dnn.exp"(%x) {dnn.reuse = array<i32: 0>}
// CHECK-NEXT: "dnn.relu"(%a) : (tensor<4xf32>)
// CHECK-NEXT: "dnn.add"(%a, %b) {dnn.inplace = array<i32: 1>}
// REMARK: remark: dnn.relu (b): dnn.inplace[0] of dnn.relu dropped: dnn.add reads %a
// REMARK-NOT: remark
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %a = "dnn.exp"(%x) {dnn.reuse = array<i32: 0>} : (tensor<4xf32>) -> tensor<4xf32>
  %b = "dnn.relu"(%a) {dnn.inplace = array<i32: 0>} : (tensor<4xf32>) -> tensor<4xf32>
  %c = "dnn.add"(%a, %b) {dnn.inplace = array<i32: 1>} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  func.return %c : tensor<4xf32>
}
