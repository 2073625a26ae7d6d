// Each reason for which a result is not written over an operand, alone.

// RUN: opt-tool --inplace-pass=explain=true --verify-storage-pass %s | filecheck %s
// RUN: opt-tool --inplace-pass --remarks -o /dev/null %s 2>&1 | filecheck %s --check-prefix=REMARK

// kernel: matmul reads every element of %a for several of the result.
// REMARK: refuses.mlir:[[# @LINE + 6]]:8: remark: dnn.matmul (b): %b is not written over %a: no kernel of this op writes over that operand [kernel]
// CHECK-LABEL: func.func @kernel(
// CHECK-NEXT:  %a = "dnn.zeros"() :
// CHECK-NEXT:  %b = "dnn.matmul"(%a, %w) {dnn.refused = ["kernel"]} :
func.func @kernel(%w: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %a = "dnn.zeros"() : () -> tensor<4x4xf32>
  %b = "dnn.matmul"(%a, %w) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  func.return %b : tensor<4x4xf32>
}

// kernel: of an opaque op nothing is known.
// CHECK-LABEL: func.func @opaque(
// CHECK-NEXT:  %a = "dnn.zeros"() :
// CHECK-NEXT:  %b = "dnn.opaque"(%a, %x) {kind = "conv", dnn.refused = ["kernel"]} :
func.func @opaque(%x: tensor<4xf32>) -> tensor<4xf32> {
  %a = "dnn.zeros"() : () -> tensor<4xf32>
  %b = "dnn.opaque"(%a, %x) {kind = "conv"} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  func.return %b : tensor<4xf32>
}

// kernel, whatever the element types.
// REMARK: dnn.cast (b): %b is not written over %a: no kernel of this op writes over that operand [kernel]
// CHECK-LABEL: func.func @element_type(
// CHECK-NEXT:  %a = "dnn.zeros"() :
// CHECK-NEXT:  %b = "dnn.cast"(%a) {dnn.refused = ["kernel"]} :
func.func @element_type() -> tensor<4xi32> {
  %a = "dnn.zeros"() : () -> tensor<4xf32>
  %b = "dnn.cast"(%a) : (tensor<4xf32>) -> tensor<4xi32>
  func.return %b : tensor<4xi32>
}

// broadcast: one element of each is read for four.
// REMARK: %c is not written over %a: the operand is broadcast: one of its elements is read for several of the result (16 bytes, 64 wanted) [broadcast]
// CHECK-LABEL: func.func @broadcast(
// CHECK-NEXT:  %a = "dnn.zeros"() :
// CHECK-NEXT:  %b = "dnn.ones"() :
// CHECK-NEXT:  %c = "dnn.mul"(%a, %b) {dnn.refused = ["broadcast"]} :
func.func @broadcast() -> tensor<4x4xf32> {
  %a = "dnn.zeros"() : () -> tensor<4x1xf32>
  %b = "dnn.ones"() : () -> tensor<4xf32>
  %c = "dnn.mul"(%a, %b) : (tensor<4x1xf32>, tensor<4xf32>) -> tensor<4x4xf32>
  func.return %c : tensor<4x4xf32>
}

// kernel, whatever the sizes: a weight is no candidate.
// REMARK: %b is not written over %a: no kernel of this op writes over that operand [kernel]
// REMARK: %m is not written over %b: no kernel of this op writes over that operand [kernel]
// CHECK-LABEL: func.func @size(
// CHECK-NEXT:  %a = "dnn.zeros"() :
// CHECK-NEXT:  %b = "dnn.reduce_sum"(%a) {axes = array<i64: 1>, dnn.refused = ["kernel"]} :
// CHECK-NEXT:  %m = "dnn.matmul"(%b, %w) {dnn.refused = ["kernel"]} :
func.func @size(%w: tensor<4x4xf32>) -> tensor<4xf32> {
  %a = "dnn.zeros"() : () -> tensor<4x4xf32>
  %b = "dnn.reduce_sum"(%a) {axes = array<i64: 1>} : (tensor<4x4xf32>) -> tensor<4xf32>
  %m = "dnn.matmul"(%b, %w) : (tensor<4xf32>, tensor<4x4xf32>) -> tensor<4xf32>
  func.return %m : tensor<4xf32>
}

// size: two unknown sizes are never taken for equal.
// REMARK: %c is not written over %a: it does not have the same sizes, or is not known to ({{.*}} bytes, {{.*}} wanted) [size]
// CHECK-LABEL: func.func @unknown_sizes(
// CHECK-NEXT:  %a = "dnn.exp"(%x) {dnn.refused = ["program-input"]} :
// CHECK-NEXT:  %b = "dnn.exp"(%y) {dnn.refused = ["program-input"]} :
// CHECK-NEXT:  %c = "dnn.add"(%a, %b) {dnn.refused = ["size"]} :
func.func @unknown_sizes(%x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  %a = "dnn.exp"(%x) : (tensor<?xf32>) -> tensor<?xf32>
  %b = "dnn.exp"(%y) : (tensor<?xf32>) -> tensor<?xf32>
  %c = "dnn.add"(%a, %b) : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  func.return %c : tensor<?xf32>
}

// layout: %s is columns of %a, which relu may write; softmax could not read them.
// REMARK: %b is not written over %s: the operand does not lie row-major there and a kernel needs that [layout]
// CHECK-LABEL: func.func @layout(
// CHECK-NEXT:  %a = "dnn.zeros"() :
// CHECK-NEXT:  %s = "dnn.slice"(%a) {dim = 1 : i64, start = 0 : i64, end = 2 : i64} :
// CHECK-NEXT:  %b = "dnn.relu"(%s) {dnn.refused = ["layout"]} :
// CHECK-NEXT:  %c = "dnn.softmax"(%b) {dnn.inplace = array<i32: 0>} :
func.func @layout() -> tensor<4x2xf32> {
  %a = "dnn.zeros"() : () -> tensor<4x4xf32>
  %s = "dnn.slice"(%a) {dim = 1 : i64, start = 0 : i64, end = 2 : i64} : (tensor<4x4xf32>) -> tensor<4x2xf32>
  %b = "dnn.relu"(%s) : (tensor<4x2xf32>) -> tensor<4x2xf32>
  %c = "dnn.softmax"(%b) : (tensor<4x2xf32>) -> tensor<4x2xf32>
  func.return %c : tensor<4x2xf32>
}

// layout: a byte of %e is several elements.
// CHECK-LABEL: func.func @expanded(
// CHECK-NEXT:  %a = "dnn.zeros"() :
// CHECK-NEXT:  %e = "dnn.expand"(%a) :
// CHECK-NEXT:  %b = "dnn.relu"(%e) {dnn.refused = ["layout"]} :
func.func @expanded() -> tensor<4x4xf32> {
  %a = "dnn.zeros"() : () -> tensor<4x1xf32>
  %e = "dnn.expand"(%a) : (tensor<4x1xf32>) -> tensor<4x4xf32>
  %b = "dnn.relu"(%e) : (tensor<4x4xf32>) -> tensor<4x4xf32>
  func.return %b : tensor<4x4xf32>
}

// constant
// REMARK: %b is not written over %a: the operand is a constant [constant]
// CHECK-LABEL: func.func @constant(
// CHECK-NEXT:  %a = "dnn.constant"() {value = dense<1.000000e+00> : tensor<4xf32>} :
// CHECK-NEXT:  %b = "dnn.relu"(%a) {dnn.refused = ["constant"]} :
func.func @constant() -> tensor<4xf32> {
  %a = "dnn.constant"() {value = dense<1.0> : tensor<4xf32>} : () -> tensor<4xf32>
  %b = "dnn.relu"(%a) : (tensor<4xf32>) -> tensor<4xf32>
  func.return %b : tensor<4xf32>
}

// program-input, through a view too.
// REMARK: %b is not written over %a: the operand is memory of the caller, neither donated nor tied, as %x [program-input]
// CHECK-LABEL: func.func @program_input(
// CHECK-NEXT:  %a = "dnn.reshape"(%x) :
// CHECK-NEXT:  %b = "dnn.relu"(%a) {dnn.refused = ["program-input"]} :
func.func @program_input(%x: tensor<4xf32>) -> tensor<2x2xf32> {
  %a = "dnn.reshape"(%x) : (tensor<4xf32>) -> tensor<2x2xf32>
  %b = "dnn.relu"(%a) : (tensor<2x2xf32>) -> tensor<2x2xf32>
  func.return %b : tensor<2x2xf32>
}

// repeated-operand: the kernel of sub is not declared to take one memory three times.
// REMARK: %b is not written over %a: the same value is another operand too [repeated-operand]
// CHECK-LABEL: func.func @repeated_operand(
// CHECK-NEXT:  %a = "dnn.zeros"() :
// CHECK-NEXT:  %b = "dnn.sub"(%a, %a) {dnn.refused = ["repeated-operand"]} :
func.func @repeated_operand() -> tensor<4xf32> {
  %a = "dnn.zeros"() : () -> tensor<4xf32>
  %b = "dnn.sub"(%a, %a) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  func.return %b : tensor<4xf32>
}

// overlapping-view: %s is an element of %a that every element of the result needs.
// REMARK: %b is not written over %a: another operand is a different view of the same bytes, as %s [overlapping-view]
// CHECK-LABEL: func.func @overlapping_view(
// CHECK-NEXT:  %a = "dnn.zeros"() :
// CHECK-NEXT:  %s = "dnn.slice"(%a) {dim = 0 : i64, start = 0 : i64, end = 1 : i64} :
// CHECK-NEXT:  %b = "dnn.div"(%a, %s) {dnn.refused = ["overlapping-view"]} :
func.func @overlapping_view() -> tensor<4xf32> {
  %a = "dnn.zeros"() : () -> tensor<4xf32>
  %s = "dnn.slice"(%a) {dim = 0 : i64, start = 0 : i64, end = 1 : i64} : (tensor<4xf32>) -> tensor<1xf32>
  %b = "dnn.div"(%a, %s) : (tensor<4xf32>, tensor<1xf32>) -> tensor<4xf32>
  func.return %b : tensor<4xf32>
}

// overlapping-view: all the same bytes, in another order.
// CHECK-LABEL: func.func @transposed(
// CHECK-NEXT:  %a = "dnn.zeros"() :
// CHECK-NEXT:  %t = "dnn.transpose"(%a) {perm = array<i64: 1, 0>} :
// CHECK-NEXT:  %b = "dnn.add"(%a, %t) {dnn.refused = ["overlapping-view"]} :
func.func @transposed() -> tensor<4x4xf32> {
  %a = "dnn.zeros"() : () -> tensor<4x4xf32>
  %t = "dnn.transpose"(%a) {perm = array<i64: 1, 0>} : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %b = "dnn.add"(%a, %t) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  func.return %b : tensor<4x4xf32>
}

// overlapping-view: the rows would be copied onto rows that are yet to be copied.
// REMARK: %a is copied into %b, {{.*}} [overlapping-view]
// REMARK: %s is copied into %b, {{.*}} [overlapping-view]
// CHECK-LABEL: func.func @shifted_scatter(
// CHECK-NEXT:  %a = "dnn.zeros"() :
// CHECK-NEXT:  %s = "dnn.slice"(%a) {dim = 0 : i64, start = 0 : i64, end = 4 : i64} :
// CHECK-NEXT:  %b = "dnn.slice_scatter"(%a, %s) {dim = 0 : i64, start = 2 : i64, end = 6 : i64, dnn.refused = ["overlapping-view"]} :
func.func @shifted_scatter() -> tensor<6xf32> {
  %a = "dnn.zeros"() : () -> tensor<6xf32>
  %s = "dnn.slice"(%a) {dim = 0 : i64, start = 0 : i64, end = 4 : i64} : (tensor<6xf32>) -> tensor<4xf32>
  %b = "dnn.slice_scatter"(%a, %s) {dim = 0 : i64, start = 2 : i64, end = 6 : i64} : (tensor<6xf32>, tensor<4xf32>) -> tensor<6xf32>
  func.return %b : tensor<6xf32>
}

// operands-alias: %f may be %a, and is read later.
// REMARK: %b is not written over %a: another value may be the same bytes, as %f, by other.op at line {{[0-9]+}} [operands-alias]
// CHECK-LABEL: func.func @operands_alias(
// CHECK-NEXT:  %a = "dnn.zeros"() :
// CHECK-NEXT:  %f = "other.op"(%a) :
// CHECK-NEXT:  %b = "dnn.relu"(%a) {dnn.refused = ["operands-alias"]} :
// CHECK-NEXT:  %c = "other.op"(%f, %b) :
func.func @operands_alias() -> tensor<4xf32> {
  %a = "dnn.zeros"() : () -> tensor<4xf32>
  %f = "other.op"(%a) : (tensor<4xf32>) -> tensor<4xf32>
  %b = "dnn.relu"(%a) : (tensor<4xf32>) -> tensor<4xf32>
  %c = "other.op"(%f, %b) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  func.return %c : tensor<4xf32>
}

// operands-alias: the memory of %f is unknown.
// CHECK-LABEL: func.func @borrowed(
// CHECK-NEXT:  %f = "other.op"() :
// CHECK-NEXT:  %b = "dnn.relu"(%f) {dnn.refused = ["operands-alias"]} :
func.func @borrowed() -> tensor<4xf32> {
  %f = "other.op"() : () -> tensor<4xf32>
  %b = "dnn.relu"(%f) : (tensor<4xf32>) -> tensor<4xf32>
  func.return %b : tensor<4xf32>
}

// next-op-reuses: %c comes into storage 0 while %b would still be needed there.
// REMARK: %b is not written over %a: a later op already lives in that memory, as %c, by dnn.opaque at line {{[0-9]+}} [next-op-reuses]
// CHECK-LABEL: func.func @next_op_reuses(
// CHECK-NEXT:  %a = "dnn.zeros"() {dnn.reuse = array<i32: 0>} :
// CHECK-NEXT:  %b = "dnn.relu"(%a) {dnn.refused = ["next-op-reuses"]} :
// CHECK-NEXT:  %c = "dnn.opaque"() {kind = "conv", dnn.reuse = array<i32: 0>} :
// CHECK-NEXT:  %d = "other.op"(%b, %c) :
func.func @next_op_reuses(%x: tensor<4xf32>) -> tensor<4xf32> {
  %a = "dnn.zeros"() {dnn.reuse = array<i32: 0>} : () -> tensor<4xf32>
  %b = "dnn.relu"(%a) : (tensor<4xf32>) -> tensor<4xf32>
  %c = "dnn.opaque"() {kind = "conv", dnn.reuse = array<i32: 0>} : () -> tensor<4xf32>
  %d = "other.op"(%b, %c) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  func.return %d : tensor<4xf32>
}

// next-op-reuses: matmul writes %c into storage 0 and reads %b, which would be there.
// CHECK-LABEL: func.func @next_op_reads(
// CHECK-NEXT:  %a = "dnn.zeros"() {dnn.reuse = array<i32: 0>} :
// CHECK-NEXT:  %b = "dnn.relu"(%a) {dnn.refused = ["next-op-reuses"]} :
// CHECK-NEXT:  %c = "dnn.matmul"(%b, %w) {dnn.reuse = array<i32: 0>, dnn.refused = ["kernel"]} :
// CHECK-NEXT:  %d = "other.op"(%c) :
func.func @next_op_reads(%w: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %a = "dnn.zeros"() {dnn.reuse = array<i32: 0>} : () -> tensor<2x2xf32>
  %b = "dnn.relu"(%a) : (tensor<2x2xf32>) -> tensor<2x2xf32>
  %c = "dnn.matmul"(%b, %w) {dnn.reuse = array<i32: 0>} : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  %d = "other.op"(%c) : (tensor<2x2xf32>) -> tensor<2x2xf32>
  func.return %d : tensor<2x2xf32>
}

// control-flow: %a is read again in the next turn of the loop.
// REMARK: %t is not written over %a: it is read again on another path or iteration, by scf.yield at line {{[0-9]+}} [control-flow]
// CHECK-LABEL: func.func @control_flow(
// CHECK-NEXT:  %c0 = arith.constant 0 : index
// CHECK-NEXT:  %c1 = arith.constant 1 : index
// CHECK-NEXT:  %a = "dnn.zeros"() :
// CHECK-NEXT:  %o = "dnn.ones"() :
// CHECK-NEXT:  %r = scf.for %i = %c0 to %n step %c1 iter_args(%p = %o) -> (tensor<4xf32>) {
// CHECK-NEXT:  %t = "dnn.relu"(%a) {dnn.refused = ["control-flow"]} :
// CHECK-NEXT:  %q = "dnn.add"(%p, %t) {dnn.inplace = array<i32: 0>} :
// CHECK-NEXT:  scf.yield %q : tensor<4xf32>
// CHECK-NEXT:  } {dnn.inplace = array<i32: 3>}
func.func @control_flow(%n: index) -> tensor<4xf32> {
  %c0 = "arith.constant"() {value = 0 : index} : () -> index
  %c1 = "arith.constant"() {value = 1 : index} : () -> index
  %a = "dnn.zeros"() : () -> tensor<4xf32>
  %o = "dnn.ones"() : () -> tensor<4xf32>
  %r = "scf.for"(%c0, %n, %c1, %o) ({
  ^bb0(%i: index, %p: tensor<4xf32>):
    %t = "dnn.relu"(%a) : (tensor<4xf32>) -> tensor<4xf32>
    %q = "dnn.add"(%p, %t) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    "scf.yield"(%q) : (tensor<4xf32>) -> ()
  }) : (index, index, index, tensor<4xf32>) -> tensor<4xf32>
  func.return %r : tensor<4xf32>
}

// returned, as a part of it here.
// REMARK: %b is not written over %a: it is returned, as %s, by func.return at line {{[0-9]+}} [returned]
// CHECK-LABEL: func.func @returned(
// CHECK-NEXT:  %a = "dnn.zeros"() :
// CHECK-NEXT:  %s = "dnn.slice"(%a) {dim = 0 : i64, start = 0 : i64, end = 2 : i64} :
// CHECK-NEXT:  %b = "dnn.relu"(%a) {dnn.refused = ["returned"]} :
func.func @returned() -> (tensor<2xf32>, tensor<4xf32>) {
  %a = "dnn.zeros"() : () -> tensor<4xf32>
  %s = "dnn.slice"(%a) {dim = 0 : i64, start = 0 : i64, end = 2 : i64} : (tensor<4xf32>) -> tensor<2xf32>
  %b = "dnn.relu"(%a) : (tensor<4xf32>) -> tensor<4xf32>
  func.return %s, %b : tensor<2xf32>, tensor<4xf32>
}

// returned: the old state too, so that the new one is not written over it.
// CHECK-LABEL: func.func @tied_and_returned(
// CHECK-NEXT:  %n = "dnn.add"(%s, %x) {dnn.refused = ["returned"]} :
func.func @tied_and_returned(%s: tensor<2xf32>, %x: tensor<2xf32>) -> (tensor<2xf32> {dnn.tied = 0 : i32}, tensor<2xf32>) {
  %n = "dnn.add"(%s, %x) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  func.return %n, %s : tensor<2xf32>, tensor<2xf32>
}

// used-later
// REMARK: %b is not written over %a: it is read later, by dnn.sub at line {{[0-9]+}} [used-later]
// CHECK-LABEL: func.func @used_later(
// CHECK-NEXT:  %a = "dnn.zeros"() :
// CHECK-NEXT:  %b = "dnn.relu"(%a) {dnn.refused = ["used-later"]} :
// CHECK-NEXT:  %c = "dnn.sub"(%b, %a) {dnn.inplace = array<i32: 0>} :
func.func @used_later() -> tensor<4xf32> {
  %a = "dnn.zeros"() : () -> tensor<4xf32>
  %b = "dnn.relu"(%a) : (tensor<4xf32>) -> tensor<4xf32>
  %c = "dnn.sub"(%b, %a) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  func.return %c : tensor<4xf32>
}

// used-later: by a view that was there before.
// CHECK-LABEL: func.func @used_later_through_a_view(
// CHECK-NEXT:  %a = "dnn.zeros"() :
// CHECK-NEXT:  %s = "dnn.slice"(%a) {dim = 0 : i64, start = 3 : i64, end = 4 : i64} :
// CHECK-NEXT:  %b = "dnn.relu"(%a) {dnn.refused = ["used-later"]} :
// CHECK-NEXT:  %c = "dnn.sub"(%b, %s) {dnn.inplace = array<i32: 0>} :
func.func @used_later_through_a_view() -> tensor<4xf32> {
  %a = "dnn.zeros"() : () -> tensor<4xf32>
  %s = "dnn.slice"(%a) {dim = 0 : i64, start = 3 : i64, end = 4 : i64} : (tensor<4xf32>) -> tensor<1xf32>
  %b = "dnn.relu"(%a) : (tensor<4xf32>) -> tensor<4xf32>
  %c = "dnn.sub"(%b, %s) : (tensor<4xf32>, tensor<1xf32>) -> tensor<4xf32>
  func.return %c : tensor<4xf32>
}

// used-later: copying a view is reading it.
// CHECK-LABEL: func.func @used_later_by_a_copy(
// CHECK-NEXT:  %a = "dnn.zeros"() :
// CHECK-NEXT:  %b = "dnn.relu"(%a) {dnn.refused = ["used-later"]} :
// CHECK-NEXT:  %c = "dnn.identity"(%a) {dnn.copy, dnn.refused = ["kernel"]} :
func.func @used_later_by_a_copy() -> (tensor<4xf32>, tensor<4xf32>) {
  %a = "dnn.zeros"() : () -> tensor<4xf32>
  %b = "dnn.relu"(%a) : (tensor<4xf32>) -> tensor<4xf32>
  %c = "dnn.identity"(%a) {dnn.copy} : (tensor<4xf32>) -> tensor<4xf32>
  func.return %b, %c : tensor<4xf32>, tensor<4xf32>
}

// used-later: a call within a region reads it.
// CHECK-LABEL: func.func @captured(
// CHECK-NEXT:  %a = "dnn.zeros"() :
// CHECK-NEXT:  %b = "dnn.relu"(%a) {dnn.refused = ["used-later"]} :
// CHECK-NEXT:  "other.region"() ({
// CHECK-NEXT:  "other.read"(%a) :
// CHECK-NEXT:  }) : () -> ()
func.func @captured(%x: tensor<4xf32>) -> tensor<4xf32> {
  %a = "dnn.zeros"() : () -> tensor<4xf32>
  %b = "dnn.relu"(%a) : (tensor<4xf32>) -> tensor<4xf32>
  "other.region"() ({
    "other.read"(%a) : (tensor<4xf32>) -> ()
  }) : () -> ()
  func.return %b : tensor<4xf32>
}

// taken: of two that keep as many bytes the earlier concat keeps %a and %b, and a value is in one place only.
// REMARK: dnn.concat (c): %a, %b computed in place in %c
// REMARK: dnn.concat (d): %e computed in place in %d
// REMARK: dnn.concat (d): %a is copied into %d, {{.*}} bytes: the memory is used for another result, by dnn.concat at line {{.*}} [taken]
// REMARK: dnn.concat (d): %b is copied into %d, {{.*}} bytes: the memory is used for another result, by dnn.concat at line {{.*}} [taken]
// CHECK-LABEL: func.func @taken(
// CHECK-NEXT:  %a = "dnn.zeros"() :
// CHECK-NEXT:  %b = "dnn.ones"() :
// CHECK-NEXT:  %e = "dnn.ones"() :
// CHECK-NEXT:  %c = "dnn.concat"(%a, %b) {axis = 0 : i64, dnn.parts = array<i32: 0, 1>} :
// CHECK-NEXT:  %d = "dnn.concat"(%a, %b, %e) {axis = 0 : i64, dnn.parts = array<i32: 2>} :
func.func @taken() -> (tensor<8xf32>, tensor<12xf32>) {
  %a = "dnn.zeros"() : () -> tensor<4xf32>
  %b = "dnn.ones"() : () -> tensor<4xf32>
  %e = "dnn.ones"() : () -> tensor<4xf32>
  %c = "dnn.concat"(%a, %b) {axis = 0 : i64} : (tensor<4xf32>, tensor<4xf32>) -> tensor<8xf32>
  %d = "dnn.concat"(%a, %b, %e) {axis = 0 : i64} : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<12xf32>
  func.return %c, %d : tensor<8xf32>, tensor<12xf32>
}

// repeated-operand: of a value that stands twice one is copied.
// REMARK: dnn.concat (d): %a is copied into %d, {{.*}} [repeated-operand]
// CHECK-LABEL: func.func @repeated_part(
// CHECK-NEXT:  %a = "dnn.zeros"() :
// CHECK-NEXT:  %d = "dnn.concat"(%a, %a) {axis = 0 : i64, dnn.parts = array<i32: {{[01]}}>} :
func.func @repeated_part() -> tensor<8xf32> {
  %a = "dnn.zeros"() : () -> tensor<4xf32>
  %d = "dnn.concat"(%a, %a) {axis = 0 : i64} : (tensor<4xf32>, tensor<4xf32>) -> tensor<8xf32>
  func.return %d : tensor<8xf32>
}

// Where in the base the source belongs is not known when it is computed.
// CHECK-LABEL: func.func @known_too_late(
// CHECK:       %y = tensor.insert_slice %f into %b[%k] [4] [1] {dnn.inplace = array<i32: 1>} :
func.func @known_too_late(%i: index, %v: f32) -> tensor<8xf32> {
  %b = "dnn.zeros"() : () -> tensor<8xf32>
  %e = tensor.empty() : tensor<4xf32>
  %f = linalg.fill ins(%v : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %k = arith.addi %i, %i : index
  %y = tensor.insert_slice %f into %b[%k] [4] [1] : tensor<4xf32> into tensor<8xf32>
  func.return %y : tensor<8xf32>
}
