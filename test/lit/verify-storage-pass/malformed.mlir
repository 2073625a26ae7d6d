// Decisions that cannot be read are errors at their op; `repair` drops them, but not what callers were promised.

// RUN: not opt-tool %s --split-input-file 2>&1 | filecheck %s --check-prefix=ERROR
// RUN: not opt-tool --verify-storage-pass %s --split-input-file 2>&1 | filecheck %s --check-prefix=ERROR
// RUN: not opt-tool --verify-storage-pass=repair=true --remarks %s --split-input-file 2>&1 >/dev/null | filecheck %s --check-prefix=REPAIR
// RUN: not opt-tool --verify-storage-pass=repair=true %s --split-input-file 2>/dev/null | filecheck %s

// ERROR: malformed.mlir:[[# @LINE + 5]]:8: error: 'dnn.relu': dnn.inplace names operand 7 of 1
// CHECK: %a = "dnn.relu"(%x) : (tensor<4xf32>)
// CHECK: %b = "dnn.exp"(%a) {dnn.inplace = array<i32: 0>} :
// REPAIR: malformed.mlir:[[# @LINE + 2]]:8: remark: dnn.relu (a): dropped: dnn.inplace names operand 7 of 1
func.func @operand(%x: tensor<4xf32>) -> tensor<4xf32> {
  %a = "dnn.relu"(%x) {dnn.inplace = array<i32: 7>} : (tensor<4xf32>) -> tensor<4xf32>
  %b = "dnn.exp"(%a) {dnn.inplace = array<i32: 0>} : (tensor<4xf32>) -> tensor<4xf32>
  func.return %b : tensor<4xf32>
}

// -----

// The offsets of a plan without its size mean nothing.
// ERROR: malformed.mlir:[[# @LINE + 3]]:1: error: 'func.func': dnn.arena_bytes is no i64
// CHECK: %a = "dnn.relu"(%x) :
// REPAIR: remark: {{.*}}dropped: dnn.arena_bytes is no i64
func.func @plan(%x: tensor<4xf32>) -> tensor<4xf32> attributes {dnn.arena_bytes = "64"} {
  %a = "dnn.relu"(%x) {dnn.offset = array<i64: 0>} : (tensor<4xf32>) -> tensor<4xf32>
  %b = "dnn.exp"(%a) : (tensor<4xf32>) -> tensor<4xf32>
  func.return %b : tensor<4xf32>
}

// -----

// ERROR: malformed.mlir:[[# @LINE + 3]]:8: error: 'dnn.relu': dnn.forward has 1 for result 0: no operand is passed on to it
// REPAIR: malformed.mlir:[[# @LINE + 2]]:8: remark: dnn.relu (a): dropped: dnn.forward has 1 for result 0
func.func @passes_nothing(%x: tensor<4xf32>) -> tensor<4xf32> {
  %a = "dnn.relu"(%x) {dnn.forward = array<i32: 1>} : (tensor<4xf32>) -> tensor<4xf32>
  func.return %a : tensor<4xf32>
}

// -----

// ERROR: malformed.mlir:[[# @LINE + 4]]:3: error: 'cf.br': dnn.succ_forward has 0: 1, or -1 for none
// CHECK: cf.br ^{{.*}}(%x : tensor<4xf32>)
// REPAIR: malformed.mlir:[[# @LINE + 2]]:3: remark: cf.br: dropped: dnn.succ_forward has 0
func.func @no_number(%x: tensor<4xf32>) -> tensor<4xf32> {
  "cf.br"(%x)[^next] {dnn.succ_forward = [array<i32: 0>]} : (tensor<4xf32>) -> ()
^next(%a: tensor<4xf32>):
  func.return %a : tensor<4xf32>
}

// -----

// ERROR: malformed.mlir:[[# @LINE + 2]]:1: error: 'func.func': dnn.tied of result 0 names argument 1 of 1
// REPAIR: malformed.mlir:[[# @LINE + 1]]:1: error: 'func.func': dnn.tied of result 0 names argument 1 of 1
func.func @promise(%x: tensor<4xf32>) -> (tensor<4xf32> {dnn.tied = 1 : i32}) {
  %a = "dnn.relu"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  func.return %a : tensor<4xf32>
}
