// The values live before and after every op, by name, in order of definition.

// RUN: opt-tool --liveness-pass %s | filecheck %s

// A value is live from its definition to its last reader; a dead one nowhere.
// CHECK-LABEL: func.func @straight(
// CHECK-NEXT:  %a = "dnn.exp"(%x) {dnn.live_in = ["x"], dnn.live_out = ["x", "a"]} :
// CHECK-NEXT:  %b = "dnn.relu"(%a) {dnn.live_in = ["x", "a"], dnn.live_out = ["x", "a", "b"]} :
// CHECK-NEXT:  %d = "dnn.neg"(%a) {dnn.live_in = ["x", "a", "b"], dnn.live_out = ["x", "b"]} :
// CHECK-NEXT:  %c = "dnn.add"(%x, %b) {dnn.live_in = ["x", "b"], dnn.live_out = ["c"]} :
// CHECK-NEXT:  func.return {dnn.live_in = ["c"], dnn.live_out = []} %c : tensor<4xf32>
func.func @straight(%x: tensor<4xf32>) -> tensor<4xf32> {
  %a = "dnn.exp"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %b = "dnn.relu"(%a) : (tensor<4xf32>) -> tensor<4xf32>
  %d = "dnn.neg"(%a) : (tensor<4xf32>) -> tensor<4xf32>
  %c = "dnn.add"(%x, %b) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  func.return %c : tensor<4xf32>
}

// Names are those that are printed: numbers, and suffixes where a name stands twice.
// CHECK-LABEL: func.func @names(
// CHECK-NEXT:  %1 = "dnn.exp"(%a) {dnn.live_in = ["0", "a"], dnn.live_out = ["0", "1"]} :
// CHECK-NEXT:  %a_1 = "dnn.exp"(%0) {dnn.live_in = ["0", "1"], dnn.live_out = ["1", "a_1"]} :
// CHECK-NEXT:  %a_2 = "dnn.add"(%a_1, %1) {dnn.live_in = ["1", "a_1"], dnn.live_out = ["a_2"]} :
// CHECK-NEXT:  func.return {dnn.live_in = ["a_2"], dnn.live_out = []} %a_2 : tensor<4xf32>
func.func @names(%0: tensor<4xf32>, %a: tensor<4xf32>) -> tensor<4xf32> {
  %1 = "dnn.exp"(%a) : (tensor<4xf32>) -> tensor<4xf32>
  %a_1 = "dnn.exp"(%0) : (tensor<4xf32>) -> tensor<4xf32>
  %a_2 = "dnn.add"(%a_1, %1) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  func.return %a_2 : tensor<4xf32>
}

// What a branch passes is live in front of it, what a later block reads all the way there.
// CHECK-LABEL: func.func @branches(
// CHECK-NEXT:  %a = "dnn.exp"(%x) {dnn.live_in = ["x", "y", "c"], dnn.live_out = ["y", "c", "a"]} :
// CHECK-NEXT:  cf.cond_br %c, ^left(%a : tensor<4xf32>), ^right {dnn.live_in = ["y", "c", "a"], dnn.live_out = ["y", "a"]}
// CHECK-NEXT:  ^left(%p: tensor<4xf32>):
// CHECK-NEXT:  %b = "dnn.relu"(%p) {dnn.live_in = ["a", "p"], dnn.live_out = ["a", "b"]} :
// CHECK-NEXT:  cf.br ^join(%b : tensor<4xf32>) {dnn.live_in = ["a", "b"], dnn.live_out = ["a"]}
// CHECK-NEXT:  ^right:
// CHECK-NEXT:  cf.br ^join(%y : tensor<4xf32>) {dnn.live_in = ["y", "a"], dnn.live_out = ["a"]}
// CHECK-NEXT:  ^join(%q: tensor<4xf32>):
// CHECK-NEXT:  %d = "dnn.add"(%q, %a) {dnn.live_in = ["a", "q"], dnn.live_out = ["d"]} :
// CHECK-NEXT:  func.return {dnn.live_in = ["d"], dnn.live_out = []} %d : tensor<4xf32>
func.func @branches(%x: tensor<4xf32>, %y: tensor<4xf32>, %c: i1) -> tensor<4xf32> {
  %a = "dnn.exp"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  "cf.cond_br"(%c, %a)[^left, ^right] {operandSegmentSizes = array<i32: 1, 1, 0>} : (i1, tensor<4xf32>) -> ()
^left(%p: tensor<4xf32>):
  %b = "dnn.relu"(%p) : (tensor<4xf32>) -> tensor<4xf32>
  "cf.br"(%b)[^join] : (tensor<4xf32>) -> ()
^right:
  "cf.br"(%y)[^join] : (tensor<4xf32>) -> ()
^join(%q: tensor<4xf32>):
  %d = "dnn.add"(%q, %a) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  func.return %d : tensor<4xf32>
}

// What a loop captures is live at the end of its body: the next turn reads it.
// CHECK-LABEL: func.func @loop(
// CHECK-NEXT:  %c0 = arith.constant {dnn.live_in = ["x", "w", "n"], dnn.live_out = ["x", "w", "n", "c0"]} 0 : index
// CHECK-NEXT:  %c1 = arith.constant {dnn.live_in = ["x", "w", "n", "c0"], dnn.live_out = ["x", "w", "n", "c0", "c1"]} 1 : index
// CHECK-NEXT:  %r = scf.for %i = %c0 to %n step %c1 iter_args(%p = %x) -> (tensor<4xf32>) {
// CHECK-NEXT:  %t = "dnn.relu"(%w) {dnn.live_in = ["w", "p"], dnn.live_out = ["w", "p", "t"]} :
// CHECK-NEXT:  %q = "dnn.add"(%p, %t) {dnn.live_in = ["w", "p", "t"], dnn.live_out = ["w", "q"]} :
// CHECK-NEXT:  scf.yield {dnn.live_in = ["w", "q"], dnn.live_out = ["w"]} %q : tensor<4xf32>
// CHECK-NEXT:  } {dnn.live_in = ["x", "w", "n", "c0", "c1"], dnn.live_out = ["r"]}
// CHECK-NEXT:  func.return {dnn.live_in = ["r"], dnn.live_out = []} %r : tensor<4xf32>
func.func @loop(%x: tensor<4xf32>, %w: tensor<4xf32>, %n: index) -> tensor<4xf32> {
  %c0 = "arith.constant"() {value = 0 : index} : () -> index
  %c1 = "arith.constant"() {value = 1 : index} : () -> index
  %r = "scf.for"(%c0, %n, %c1, %x) ({
  ^bb0(%i: index, %p: tensor<4xf32>):
    %t = "dnn.relu"(%w) : (tensor<4xf32>) -> tensor<4xf32>
    %q = "dnn.add"(%p, %t) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    "scf.yield"(%q) : (tensor<4xf32>) -> ()
  }) : (index, index, index, tensor<4xf32>) -> tensor<4xf32>
  func.return %r : tensor<4xf32>
}
