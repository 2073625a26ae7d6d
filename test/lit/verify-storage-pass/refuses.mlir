// The violation, its location, and the decision that causes it.

// RUN: not opt-tool --verify-storage-pass --split-input-file %s 2>&1 | filecheck %s

// CHECK: refuses.mlir:[[# @LINE + 4]]:8: error: dnn.add reads %a, but bytes [0, 16) of the memory of %a were overwritten by dnn.relu (%b) at {{.*}}:[[# @LINE + 3]]:8
func.func @used_later(%x: tensor<4xf32>) -> tensor<4xf32> {
  %a = "dnn.exp"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %b = "dnn.relu"(%a) {dnn.inplace = array<i32: 0>} : (tensor<4xf32>) -> tensor<4xf32>
  %c = "dnn.add"(%a, %b) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  func.return %c : tensor<4xf32>
}

// -----

// CHECK: refuses.mlir:[[# @LINE + 2]]:8: error: dnn.relu writes %a over bytes [0, 16) of the memory of argument 0, which is read-only
func.func @argument(%x: tensor<4xf32>) -> tensor<4xf32> {
  %a = "dnn.relu"(%x) {dnn.inplace = array<i32: 0>} : (tensor<4xf32>) -> tensor<4xf32>
  func.return %a : tensor<4xf32>
}

// -----

// CHECK: refuses.mlir:[[# @LINE + 4]]:8: error: dnn.div writes %r over bytes [8, 12) of the memory of %a while it reads them as %s
func.func @view_of_itself(%x: tensor<4xf32>) -> tensor<4xf32> {
  %a = "dnn.relu"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %s = "dnn.slice"(%a) {dim = 0 : i64, start = 2 : i64, end = 3 : i64, step = 1 : i64} : (tensor<4xf32>) -> tensor<1xf32>
  %r = "dnn.div"(%a, %s) {dnn.inplace = array<i32: 0>} : (tensor<4xf32>, tensor<1xf32>) -> tensor<4xf32>
  func.return %r : tensor<4xf32>
}

// -----

// CHECK: refuses.mlir:[[# @LINE + 4]]:8: error: dnn.slice_scatter copies into %r over bytes [8, 16) of the memory of %a, which it has yet to read of %b
func.func @shifted_scatter(%x: tensor<6xf32>) -> tensor<6xf32> {
  %a = "dnn.relu"(%x) : (tensor<6xf32>) -> tensor<6xf32>
  %b = "dnn.slice"(%a) {dim = 0 : i64, start = 0 : i64, end = 4 : i64, step = 1 : i64} : (tensor<6xf32>) -> tensor<4xf32>
  %r = "dnn.slice_scatter"(%a, %b) {dim = 0 : i64, start = 2 : i64, end = 6 : i64, step = 1 : i64, dnn.inplace = array<i32: 0>} : (tensor<6xf32>, tensor<4xf32>) -> tensor<6xf32>
  func.return %r : tensor<6xf32>
}

// -----

// CHECK: refuses.mlir:[[# @LINE + 4]]:8: error: dnn.add reads %a, but bytes [64, 128) of the arena were overwritten by dnn.neg (%b)
func.func @arena(%x: tensor<32xf32>) -> tensor<32xf32> attributes {dnn.arena_bytes = 384 : i64} {
  %a = "dnn.exp"(%x) {dnn.offset = array<i64: 0>} : (tensor<32xf32>) -> tensor<32xf32>
  %b = "dnn.neg"(%x) {dnn.offset = array<i64: 64>} : (tensor<32xf32>) -> tensor<32xf32>
  %c = "dnn.add"(%a, %b) {dnn.offset = array<i64: 256>} : (tensor<32xf32>, tensor<32xf32>) -> tensor<32xf32>
  func.return %c : tensor<32xf32>
}

// -----

// CHECK: refuses.mlir:[[# @LINE + 7]]:10: error: dnn.exp reads %a, but bytes [0, 12) of the memory of %a were overwritten by dnn.exp (%t) at {{.*}} (in an earlier turn of scf.for)
func.func @every_turn(%x: tensor<3xf32>, %w: tensor<3xf32>, %n: index) -> tensor<3xf32> {
  %c0 = "arith.constant"() {value = 0 : index} : () -> index
  %c1 = "arith.constant"() {value = 1 : index} : () -> index
  %a = "dnn.relu"(%w) : (tensor<3xf32>) -> tensor<3xf32>
  %r = "scf.for"(%c0, %n, %c1, %x) ({
  ^bb0(%i: index, %p: tensor<3xf32>):
    %t = "dnn.exp"(%a) {dnn.inplace = array<i32: 0>} : (tensor<3xf32>) -> tensor<3xf32>
    "scf.yield"(%t) : (tensor<3xf32>) -> ()
  }) : (index, index, index, tensor<3xf32>) -> tensor<3xf32>
  func.return %r : tensor<3xf32>
}

// -----

// CHECK: refuses.mlir:[[# @LINE + 5]]:8: error: dnn.add reads %f, but bytes [0, 16) of the memory of %a were overwritten by dnn.relu (%b)
func.func @may_be_an_alias(%x: tensor<4xf32>) -> tensor<4xf32> {
  %a = "dnn.exp"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %f = "other.op"(%a) : (tensor<4xf32>) -> tensor<4xf32>
  %b = "dnn.relu"(%a) {dnn.inplace = array<i32: 0>} : (tensor<4xf32>) -> tensor<4xf32>
  %c = "dnn.add"(%f, %b) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  func.return %c : tensor<4xf32>
}

// -----

// Two equal ops that another pass made one: the decision is stale.
// CHECK: refuses.mlir:[[# @LINE + 4]]:3: error: func.return reads %a, but bytes [0, 16) of the memory of %a were overwritten by dnn.relu (%b)
func.func @stale(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %a = "dnn.exp"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %b = "dnn.relu"(%a) {dnn.inplace = array<i32: 0>} : (tensor<4xf32>) -> tensor<4xf32>
  func.return %b, %a : tensor<4xf32>, tensor<4xf32>
}

// -----

// A forwarded value lies where the path put it: the loop's second argument is the one that may not be written.
// CHECK: refuses.mlir:[[# @LINE + 4]]:10: error: dnn.relu writes %c over bytes [0, 16) of the memory of argument 1, which is read-only
func.func @swapped(%p: tensor<4xf32> {dnn.donated}, %q: tensor<4xf32>, %n: index) -> tensor<4xf32> {
  %one = arith.constant 1 : index
  %r, %s = scf.for %i = %one to %n step %one iter_args(%a = %p, %b = %q) -> (tensor<4xf32>, tensor<4xf32>) {
    %c = "dnn.relu"(%a) {dnn.inplace = array<i32: 0>} : (tensor<4xf32>) -> tensor<4xf32>
    scf.yield %b, %c : tensor<4xf32>, tensor<4xf32>
  } {dnn.forward = array<i32: 1, 1>}
  func.return %r : tensor<4xf32>
}
