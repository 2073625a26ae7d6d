// Where every size is so many bytes for each unit of one unknown size, the plan is made once, for a unit.

// RUN: opt-tool --memory-plan-pass --verify-storage-pass %s | filecheck %s
// RUN: opt-tool --memory-plan-pass --specialize-pass=words=10 --verify-storage-pass %s | filecheck %s --check-prefix=TEN
// RUN: opt-tool --memory-plan-pass --specialize-pass=words=0 --verify-storage-pass %s | filecheck %s --check-prefix=NONE
// RUN: opt-tool --memory-plan-pass --remarks -o /dev/null %s 2>&1 | filecheck %s --check-prefix=REMARK
// RUN: not opt-tool --memory-plan-pass=limit=1MiB %s 2>&1 | filecheck %s --check-prefix=LIMIT
// LIMIT: per-unit.mlir:{{.*}}: error: no limit can be kept: nothing is planned: size 'words' is not known; --specialize-pass=words=N before this pass binds it

// CHECK-LABEL: func.func @main(
// CHECK-SAME:  attributes {dnn.unit = "words", dnn.arena_bytes = 256 : i64}
// CHECK-NEXT:  %a = "dnn.exp"(%x) {dnn.offset = array<i64: 128>} :
// CHECK-NEXT:  %b = "dnn.matmul"(%a, %w) {dnn.offset = array<i64: 0>} :
// CHECK-NEXT:  %c = "dnn.relu"(%b) {dnn.offset = array<i64: 128>} :
// TEN-LABEL: func.func @main(
// TEN-NOT:   dnn.unit
// TEN-SAME:  attributes {dnn.arena_bytes = 2560 : i64}
// TEN-NEXT:  %a = "dnn.exp"(%x) {dnn.offset = array<i64: 1280>} :
// TEN-NEXT:  %b = "dnn.matmul"(%a, %w) {dnn.offset = array<i64: 0>} :
// TEN-NEXT:  %c = "dnn.relu"(%b) {dnn.offset = array<i64: 1280>} :
// NONE-LABEL: func.func @main(
// NONE-SAME:  attributes {dnn.arena_bytes = 0 : i64}
// REMARK: per-unit.mlir:{{.*}}: the arena has 256 bytes, the smallest possible (reached) for each unit of words
func.func @main(%x: tensor<?x16xf32> {dnn.name = "words"}, %w: tensor<16x32xf32>) -> tensor<?x32xf32> {
  %a = "dnn.exp"(%x) : (tensor<?x16xf32>) -> tensor<?x16xf32>
  %b = "dnn.matmul"(%a, %w) : (tensor<?x16xf32>, tensor<16x32xf32>) -> tensor<?x32xf32>
  %c = "dnn.relu"(%b) : (tensor<?x32xf32>) -> tensor<?x32xf32>
  %d = "dnn.mul"(%b, %c) : (tensor<?x32xf32>, tensor<?x32xf32>) -> tensor<?x32xf32>
  func.return %d : tensor<?x32xf32>
}

// Slots of a loop, in the memory of its results, and what a circle puts aside, have so many bytes for each unit too.
// CHECK-LABEL: func.func @loop(
// CHECK-SAME:  attributes {dnn.unit = "words", dnn.arena_bytes = 192 : i64}
// CHECK:       scf.for
// CHECK:       dnn.offset = array<i64: 0, 64>
// TEN-LABEL: func.func @loop(
// TEN-SAME:  attributes {dnn.arena_bytes = 1920 : i64}
// TEN:       dnn.offset = array<i64: 0, 640>
func.func @loop(%x: tensor<?x16xf32> {dnn.name = "words"}, %n: index) -> tensor<?x16xf32> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%p = %x, %q = %x) -> (tensor<?x16xf32>, tensor<?x16xf32>) {
    scf.yield %q, %p : tensor<?x16xf32>, tensor<?x16xf32>
  }
  %y = "dnn.sub"(%r#0, %r#1) : (tensor<?x16xf32>, tensor<?x16xf32>) -> tensor<?x16xf32>
  func.return %y : tensor<?x16xf32>
}

// And so has the argument of a block.
// CHECK-LABEL: func.func @blocks(
// CHECK-SAME:  attributes {dnn.unit = "words", dnn.arena_bytes = 128 : i64}
// CHECK:       cf.br ^{{.*}} {dnn.succ_offset = [array<i64: 64>]}
// TEN-LABEL: func.func @blocks(
// TEN:       cf.br ^{{.*}} {dnn.succ_offset = [array<i64: 640>]}
func.func @blocks(%x: tensor<?x16xf32> {dnn.name = "words"}) -> tensor<?x16xf32> {
  %a = "dnn.exp"(%x) : (tensor<?x16xf32>) -> tensor<?x16xf32>
  cf.br ^next(%a : tensor<?x16xf32>)
^next(%p: tensor<?x16xf32>):
  %y = "dnn.sub"(%p, %a) : (tensor<?x16xf32>, tensor<?x16xf32>) -> tensor<?x16xf32>
  func.return %y : tensor<?x16xf32>
}

// Not so: two unknown sizes; a size that is not; one that goes with its square; scratch; a call; rows that are no multiple of 64.
// CHECK-LABEL: func.func @two(
// CHECK-NOT:   dnn.offset
func.func @two(%x: tensor<?x16xf32> {dnn.name = "words"}, %z: tensor<?x16xf32>) -> (tensor<?x16xf32>, tensor<?x16xf32>) {
  %a = "dnn.exp"(%x) : (tensor<?x16xf32>) -> tensor<?x16xf32>
  %b = "dnn.relu"(%a) : (tensor<?x16xf32>) -> tensor<?x16xf32>
  %c = "dnn.exp"(%z) : (tensor<?x16xf32>) -> tensor<?x16xf32>
  func.return %b, %c : tensor<?x16xf32>, tensor<?x16xf32>
}

func.func @fixed(%x: tensor<?x16xf32> {dnn.name = "words"}, %w: tensor<16xf32>) -> tensor<?x16xf32> {
  %a = "dnn.exp"(%w) : (tensor<16xf32>) -> tensor<16xf32>
  %b = "dnn.add"(%x, %a) : (tensor<?x16xf32>, tensor<16xf32>) -> tensor<?x16xf32>
  func.return %b : tensor<?x16xf32>
}

func.func @square(%x: tensor<?x16xf32> {dnn.name = "words"}) -> tensor<?x16xf32> {
  %t = "dnn.transpose"(%x) {perm = array<i64: 1, 0>} : (tensor<?x16xf32>) -> tensor<16x?xf32>
  %s = "dnn.matmul"(%x, %t) : (tensor<?x16xf32>, tensor<16x?xf32>) -> tensor<?x?xf32>
  %y = "dnn.matmul"(%s, %x) : (tensor<?x?xf32>, tensor<?x16xf32>) -> tensor<?x16xf32>
  func.return %y : tensor<?x16xf32>
}

func.func @scratch(%x: tensor<?x16xf32> {dnn.name = "words"}) -> tensor<?x16xf32> {
  %a = "dnn.opaque"(%x) {kind = "conv", dnn.scratch_bytes = 64 : i64} : (tensor<?x16xf32>) -> tensor<?x16xf32>
  %b = "dnn.relu"(%a) : (tensor<?x16xf32>) -> tensor<?x16xf32>
  func.return %b : tensor<?x16xf32>
}

func.func @calls(%x: tensor<?x16xf32> {dnn.name = "words"}) -> tensor<?x16xf32> {
  %a = "dnn.exp"(%x) : (tensor<?x16xf32>) -> tensor<?x16xf32>
  %b = func.call @called(%a) : (tensor<?x16xf32>) -> tensor<?x16xf32>
  %c = func.call @also(%b) : (tensor<?x16xf32>) -> tensor<?x16xf32>
  func.return %c : tensor<?x16xf32>
}

func.func @called(%x: tensor<?x16xf32>) -> tensor<?x16xf32> {
  %a = "dnn.exp"(%x) : (tensor<?x16xf32>) -> tensor<?x16xf32>
  %b = "dnn.relu"(%a) : (tensor<?x16xf32>) -> tensor<?x16xf32>
  func.return %b : tensor<?x16xf32>
}

func.func @odd(%x: tensor<?x4xf32> {dnn.name = "words"}) -> tensor<?x4xf32> {
  %a = "dnn.exp"(%x) : (tensor<?x4xf32>) -> tensor<?x4xf32>
  %b = "dnn.relu"(%a) : (tensor<?x4xf32>) -> tensor<?x4xf32>
  func.return %b : tensor<?x4xf32>
}

func.func @also(%x: tensor<?x16xf32>) -> tensor<?x16xf32> {
  %a = "dnn.exp"(%x) : (tensor<?x16xf32>) -> tensor<?x16xf32>
  %b = "dnn.relu"(%a) : (tensor<?x16xf32>) -> tensor<?x16xf32>
  func.return %b : tensor<?x16xf32>
}
