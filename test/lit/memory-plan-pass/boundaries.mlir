// Slots of blocks and loops, and temporaries of boundaries and calls.

// RUN: opt-tool --memory-plan-pass --verify-storage-pass %s | filecheck %s

// A branch to a block says where the block's arguments are; two that only one of several branches passes may not overlap either.
// CHECK-LABEL: func.func @blocks(
// CHECK-SAME: attributes {dnn.arena_bytes = 256 : i64}
// CHECK:       cf.cond_br {{.*}} {dnn.succ_offset = {{\[}}array<i64: 64, 128>, array<i64: 192>]}
// CHECK:       cf.br ^two(%m : tensor<16xf32>) {dnn.succ_offset = {{\[}}array<i64: 192>]}
func.func @blocks(%x: tensor<16xf32>, %c: i1) -> tensor<16xf32> {
  %a = "dnn.exp"(%x) : (tensor<16xf32>) -> tensor<16xf32>
  cf.cond_br %c, ^one(%a, %x : tensor<16xf32>, tensor<16xf32>), ^two(%a : tensor<16xf32>)
^one(%p: tensor<16xf32>, %q: tensor<16xf32>):
  %m = "dnn.mul"(%p, %q) : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
  cf.br ^two(%m : tensor<16xf32>)
^two(%r: tensor<16xf32>):
  %y = "dnn.sqrt"(%r) : (tensor<16xf32>) -> tensor<16xf32>
  func.return %y : tensor<16xf32>
}

// What a while passes to its condition has a slot of its own: neither the results' nor that of the other region.
// CHECK-LABEL: func.func @before(
// CHECK-SAME: attributes {dnn.arena_bytes = 192 : i64}
// CHECK:         %e = "dnn.exp"(%b) {dnn.offset = array<i64: 64>} :
// CHECK:         %t = "dnn.tanh"(%a) {dnn.offset = array<i64: 64>} :
// CHECK:       } attributes {dnn.succ_offset = {{\[}}array<i64: 0, -1>], dnn.offset = array<i64: 128, -1>}
func.func @before(%x: tensor<16xf32>, %n: index) -> tensor<16xf32> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r:2 = "scf.while"(%x, %zero) ({
  ^bb0(%b: tensor<16xf32>, %i: index):
    %more = arith.cmpi ult, %i, %n : index
    %e = "dnn.exp"(%b) : (tensor<16xf32>) -> tensor<16xf32>
    "scf.condition"(%more, %e, %i) : (i1, tensor<16xf32>, index) -> ()
  }, {
  ^bb0(%a: tensor<16xf32>, %i: index):
    %t = "dnn.tanh"(%a) : (tensor<16xf32>) -> tensor<16xf32>
    %j = arith.addi %i, %one : index
    "scf.yield"(%t, %j) : (tensor<16xf32>, index) -> ()
  }) : (tensor<16xf32>, index) -> (tensor<16xf32>, index)
  %y = "dnn.sqrt"(%r#0) : (tensor<16xf32>) -> tensor<16xf32>
  func.return %y : tensor<16xf32>
}

// Two slots that are results' memory swap: one is copied to a temporary, and that is all the arena.
// CHECK-LABEL: func.func @circle(
// CHECK-SAME: attributes {dnn.arena_bytes = 64 : i64}
func.func @circle(%x: tensor<16xf32>, %n: index) -> (tensor<16xf32>, tensor<16xf32>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%p = %x, %q = %x) -> (tensor<16xf32>, tensor<16xf32>) {
    scf.yield %q, %p : tensor<16xf32>, tensor<16xf32>
  }
  func.return %r#0, %r#1 : tensor<16xf32>, tensor<16xf32>
}

// A result that is a piece of a value does not make the whole of it the result's memory.
// CHECK-LABEL: func.func @piece(
// CHECK-SAME: attributes {dnn.arena_bytes = 64 : i64}
// CHECK-NEXT:  %a = "dnn.exp"(%x) {dnn.offset = array<i64: 0>} :
func.func @piece(%x: tensor<16xf32>) -> tensor<4xf32> {
  %a = "dnn.exp"(%x) : (tensor<16xf32>) -> tensor<16xf32>
  %y = "dnn.slice"(%a) {dim = 0 : i64, start = 4 : i64, end = 8 : i64} : (tensor<16xf32>) -> tensor<4xf32>
  func.return %y : tensor<4xf32>
}

func.func @written(%x: tensor<16xf32> {dnn.donated}) -> tensor<16xf32> {
  %y = "dnn.relu"(%x) {dnn.inplace = array<i32: 0>} : (tensor<16xf32>) -> tensor<16xf32>
  func.return %y : tensor<16xf32>
}

// A call gets a copy of %x, which it may write; %a is given, and its memory is not free before %b is.
// CHECK-LABEL: func.func @calls(
// CHECK-SAME: attributes {dnn.arena_bytes = 128 : i64}
// CHECK-NEXT:  %a = func.call @written(%x) {dnn.offset = array<i64: 0>} :
// CHECK-NEXT:  %b = func.call @written(%a) {dnn.donate = array<i32: 0>, dnn.offset = array<i64: 64>} :
func.func @calls(%x: tensor<16xf32>) -> tensor<16xf32> {
  %a = func.call @written(%x) : (tensor<16xf32>) -> tensor<16xf32>
  %b = func.call @written(%a) {dnn.donate = array<i32: 0>} : (tensor<16xf32>) -> tensor<16xf32>
  %y = "dnn.add"(%x, %b) : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
  func.return %y : tensor<16xf32>
}
