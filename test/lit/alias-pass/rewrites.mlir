// Values that may share bytes have one number; the remarks say whose bytes they are.

// RUN: opt-tool --alias-pass %s | filecheck %s
// RUN: opt-tool --alias-pass --remarks -o /dev/null %s 2>&1 | filecheck %s --check-prefix=REMARK
// REMARK:      dnn.reshape (r): %r is all of %a{{$}}
// REMARK-NEXT: dnn.slice (s): %s is part of %a: offset 16, sizes [4], strides [4]
// REMARK-NEXT: dnn.select (v): %v is part of %x, an argument: offset 0, sizes [4], strides [4]
// REMARK-NEXT: dnn.identity (i): %i is all of %c, a constant
// REMARK-NEXT: dnn.split (u, w): %u is part of %x, an argument: offset 0, sizes [2], strides [4]
// REMARK-NEXT: dnn.split (u, w): %w is part of %x, an argument: offset 8, sizes [2], strides [4]
// REMARK-NEXT: dnn.exp (a): %a is all of %x, a donated argument
// REMARK-NEXT: dnn.neg (c): %c is all of %b
// REMARK-NEXT: dnn.abs (e): %e is part of %f: offset 0, sizes [4], strides [4]
// REMARK-NEXT: other.op (f, n): %f may be any part of %a
// REMARK-NEXT: other.op (f, n): %f may be any part of %y, an argument
// REMARK-NEXT: other.region (f): %f may be any part of %x, an argument
// REMARK-NEXT: other.region (f): %f may be any part of %a
// REMARK-NEXT: other.region (f): %f may be any part of %k
// REMARK-NEXT: dnn.slice (s): %s is part of %x, an argument tied to result 0: offset 8, sizes [2, 4], strides [32, 4]
// REMARK-NEXT: dnn.transpose (t): %t is part of %x, an argument tied to result 0: offset 8, sizes [4, 2], strides [4, 32]
// REMARK-NEXT: dnn.slice (u): %u is part of %x, an argument tied to result 0: offset 12, sizes [2, 2], strides [4, 32]
// REMARK-NEXT: dnn.neg (r): %r is all of %x, an argument tied to result 0
// REMARK-NEXT: dnn.reshape (v): %v is all of %p
// REMARK-NEXT: dnn.identity (w): %w is all of %p

// Views are in the class of what they view, arguments and constants too.
// CHECK-LABEL: func.func @views(
// CHECK-NEXT:  %a = "dnn.exp"(%x) {dnn.alias_class = array<i32: 1>} :
// CHECK-NEXT:  %r = "dnn.reshape"(%a) {dnn.alias_class = array<i32: 1>} :
// CHECK-NEXT:  %s = "dnn.slice"(%r) {dim = 0 : i64, start = 4 : i64, end = 8 : i64, dnn.alias_class = array<i32: 1>} :
// CHECK-NEXT:  %b = "dnn.relu"(%s) {dnn.alias_class = array<i32: 2>} :
// CHECK-NEXT:  %v = "dnn.select"(%x) {index = 0 : i64, dnn.alias_class = array<i32: 0>} :
// CHECK-NEXT:  %c = "dnn.constant"() {value = dense<1.000000e+00> : tensor<4xf32>, dnn.alias_class = array<i32: 3>} :
// CHECK-NEXT:  %i = "dnn.identity"(%c) {dnn.alias_class = array<i32: 3>} :
// CHECK-NEXT:  %u, %w = "dnn.split"(%v) {split_size = 2 : i64, dnn.alias_class = array<i32: 0, 0>} :
func.func @views(%x: tensor<4x4xf32>) -> tensor<4xf32> {
  %a = "dnn.exp"(%x) : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %r = "dnn.reshape"(%a) : (tensor<4x4xf32>) -> tensor<16xf32>
  %s = "dnn.slice"(%r) {dim = 0 : i64, start = 4 : i64, end = 8 : i64} : (tensor<16xf32>) -> tensor<4xf32>
  %b = "dnn.relu"(%s) : (tensor<4xf32>) -> tensor<4xf32>
  %v = "dnn.select"(%x) {index = 0 : i64} : (tensor<4x4xf32>) -> tensor<4xf32>
  %c = "dnn.constant"() {value = dense<1.0> : tensor<4xf32>} : () -> tensor<4xf32>
  %i = "dnn.identity"(%c) : (tensor<4xf32>) -> tensor<4xf32>
  %u, %w = "dnn.split"(%v) {split_size = 2 : i64} : (tensor<4xf32>) -> (tensor<2xf32>, tensor<2xf32>)
  func.return %b : tensor<4xf32>
}

// Decisions count: what is in place, has a number, or is computed in a part shares a storage.
// CHECK-LABEL: func.func @decided(
// CHECK-NEXT:  %a = "dnn.exp"(%x) {dnn.inplace = array<i32: 0>, dnn.alias_class = array<i32: 0>} :
// CHECK-NEXT:  %b = "dnn.relu"(%x) {dnn.reuse = array<i32: 1>, dnn.alias_class = array<i32: 1>} :
// CHECK-NEXT:  %c = "dnn.neg"(%b) {dnn.reuse = array<i32: 1>, dnn.alias_class = array<i32: 1>} :
// CHECK-NEXT:  %e = "dnn.abs"(%c) {dnn.alias_class = array<i32: 2>} :
// CHECK-NEXT:  %f = "dnn.concat"(%e, %c) {dnn.parts = array<i32: 0>, dnn.alias_class = array<i32: 2>} :
func.func @decided(%x: tensor<4xf32> {dnn.donated}) -> tensor<8xf32> {
  %a = "dnn.exp"(%x) {dnn.inplace = array<i32: 0>} : (tensor<4xf32>) -> tensor<4xf32>
  %b = "dnn.relu"(%x) {dnn.reuse = array<i32: 1>} : (tensor<4xf32>) -> tensor<4xf32>
  %c = "dnn.neg"(%b) {dnn.reuse = array<i32: 1>} : (tensor<4xf32>) -> tensor<4xf32>
  %e = "dnn.abs"(%c) : (tensor<4xf32>) -> tensor<4xf32>
  %f = "dnn.concat"(%e, %c) {dnn.parts = array<i32: 0>} : (tensor<4xf32>, tensor<4xf32>) -> tensor<8xf32>
  func.return %f : tensor<8xf32>
}

// A foreign result may be any part of any tensor operand; an index carries no bytes.
// CHECK-LABEL: func.func @foreign(
// CHECK-NEXT:  %a = "dnn.exp"(%x) {dnn.alias_class = array<i32: 1>} :
// CHECK-NEXT:  %f, %n = "other.op"(%a, %y) {dnn.alias_class = array<i32: 1, -1>} :
// CHECK-NEXT:  %b = "dnn.relu"(%x) {dnn.alias_class = array<i32: 2>} :
func.func @foreign(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %a = "dnn.exp"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %f, %n = "other.op"(%a, %y) : (tensor<4xf32>, tensor<4xf32>) -> (tensor<4xf32>, index)
  %b = "dnn.relu"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  func.return %b : tensor<4xf32>
}

// It may be what the op's regions capture or end in, too; so may an argument of theirs, but for what they end in.
// CHECK-LABEL: func.func @captured(
// CHECK-NEXT:  %a = "dnn.exp"(%x) {dnn.alias_class = array<i32: [[ONE:[0-9]+]]>} :
// CHECK:       %k = "dnn.neg"(%q) {dnn.alias_class = array<i32: [[ONE]]>} :
// CHECK:       {dnn.alias_class = array<i32: [[ONE]]>}
func.func @captured(%x: tensor<4xf32>) -> tensor<4xf32> {
  %a = "dnn.exp"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %f = "other.region"(%x) ({
  ^bb0(%q: tensor<4xf32>):
    "other.use"(%a) : (tensor<4xf32>) -> ()
    %k = "dnn.neg"(%q) : (tensor<4xf32>) -> tensor<4xf32>
    "other.yield"(%k) : (tensor<4xf32>) -> ()
  }) : (tensor<4xf32>) -> tensor<4xf32>
  func.return %f : tensor<4xf32>
}

// A chain of views is one map.
// CHECK-LABEL: func.func @chain(
// CHECK-COUNT-4: dnn.alias_class = array<i32: 0>
func.func @chain(%x: tensor<2x8xf32>) -> (tensor<2x8xf32> {dnn.tied = 0 : i32}, tensor<2x2xf32>) {
  %s = "dnn.slice"(%x) {dim = 1 : i64, start = 2 : i64, end = 6 : i64, step = 1 : i64} : (tensor<2x8xf32>) -> tensor<2x4xf32>
  %t = "dnn.transpose"(%s) {perm = array<i64: 1, 0>} : (tensor<2x4xf32>) -> tensor<4x2xf32>
  %u = "dnn.slice"(%t) {dim = 0 : i64, start = 1 : i64, end = 3 : i64, step = 1 : i64} : (tensor<4x2xf32>) -> tensor<2x2xf32>
  %r = "dnn.neg"(%x) {dnn.inplace = array<i32: 0>} : (tensor<2x8xf32>) -> tensor<2x8xf32>
  func.return %r, %u : tensor<2x8xf32>, tensor<2x2xf32>
}

// Arguments of blocks have storages of their own; a view of one stays in its class, in another block too.
// CHECK-LABEL: func.func @blocks(
// CHECK:       %e = "dnn.exp"(%p) {dnn.alias_class = array<i32: [[E:[0-9]+]]>} :
// CHECK:       %v = "dnn.reshape"(%p) {dnn.alias_class = array<i32: [[P:[0-9]+]]>} :
// CHECK:       %w = "dnn.identity"(%v) {dnn.alias_class = array<i32: [[P]]>} :
func.func @blocks(%x: tensor<4xf32>, %c: i1) -> tensor<2x2xf32> {
  cf.br ^head(%x : tensor<4xf32>)
^head(%p: tensor<4xf32>):
  %e = "dnn.exp"(%p) : (tensor<4xf32>) -> tensor<4xf32>
  %v = "dnn.reshape"(%p) : (tensor<4xf32>) -> tensor<2x2xf32>
  cf.cond_br %c, ^head(%e : tensor<4xf32>), ^exit
^exit:
  %w = "dnn.identity"(%v) : (tensor<2x2xf32>) -> tensor<2x2xf32>
  func.return %w : tensor<2x2xf32>
}

// A loop's result is its slot, which is not the argument it begins with.
// CHECK-LABEL: func.func @loop(
// CHECK-NEXT:  %c0 = arith.constant 0 : index
// CHECK-NEXT:  %c1 = arith.constant 1 : index
// CHECK-NEXT:  %r = scf.for %i = %c0 to %n step %c1 iter_args(%p = %x) -> (tensor<4xf32>) {
// CHECK-NEXT:  %q = "dnn.exp"(%p) {dnn.alias_class = array<i32: 2>} :
// CHECK-NEXT:  scf.yield %q : tensor<4xf32>
// CHECK-NEXT:  } {dnn.alias_class = array<i32: 1>}
func.func @loop(%x: tensor<4xf32>, %n: index) -> tensor<4xf32> {
  %c0 = "arith.constant"() {value = 0 : index} : () -> index
  %c1 = "arith.constant"() {value = 1 : index} : () -> index
  %r = "scf.for"(%c0, %n, %c1, %x) ({
  ^bb0(%i: index, %p: tensor<4xf32>):
    %q = "dnn.exp"(%p) : (tensor<4xf32>) -> tensor<4xf32>
    "scf.yield"(%q) : (tensor<4xf32>) -> ()
  }) : (index, index, index, tensor<4xf32>) -> tensor<4xf32>
  func.return %r : tensor<4xf32>
}
