// Offsets were made together: where one is wrong the whole plan goes, with its slots of block arguments.

// RUN: not opt-tool --verify-storage-pass %s 2>&1 | filecheck %s --check-prefix=REFUSED
// RUN: opt-tool --verify-storage-pass=repair=true %s | filecheck %s
// RUN: opt-tool --verify-storage-pass=repair=true --remarks %s -o %t 2>&1 | filecheck %s --check-prefix=REMARK

// REFUSED: error: dnn.add reads %a, but bytes [0, 64) of the arena were overwritten by cf.br
// REMARK: remark: func.func: the plan of the arena dropped: dnn.add reads %a

// CHECK-LABEL: func.func @stale(%x: tensor<16xf32>) -> tensor<16xf32> {
// CHECK-NEXT:    %a = "dnn.exp"(%x) : (tensor<16xf32>) -> tensor<16xf32>
// CHECK-NEXT:    cf.br ^next(%x : tensor<16xf32>){{$}}
func.func @stale(%x: tensor<16xf32>) -> tensor<16xf32> attributes {dnn.arena_bytes = 64 : i64} {
  %a = "dnn.exp"(%x) {dnn.offset = array<i64: 0>} : (tensor<16xf32>) -> tensor<16xf32>
  cf.br ^next(%x : tensor<16xf32>) {dnn.succ_offset = [array<i64: 0>]}
^next(%p: tensor<16xf32>):
  %y = "dnn.add"(%a, %p) : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
  func.return %y : tensor<16xf32>
}
