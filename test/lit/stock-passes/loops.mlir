// Passes that change loops: a decision that was right for the loop as it was may be stale for what became of it.

// cse finds before the loop what the body computed anew in every turn, and wrote over.
// RUN: not opt-tool %s --inplace-pass -p cse --verify-storage-pass 2>&1 | filecheck %s --check-prefix=CSE
// CSE: error: dnn.sub reads %a, but bytes [0, 16) of the memory of %a were overwritten by dnn.sub (%u){{.*}} (in an earlier turn of scf.for)

// canonicalize dissolves the loop of one turn: what was its slot is the caller's memory.
// RUN: opt-tool %s --inplace-pass -p cse,canonicalize --verify-storage-pass=repair=true --remarks 2>&1 | filecheck %s --check-prefix=REPAIR
// REPAIR: remark: dnn.sub (u): dnn.inplace[0] of dnn.sub dropped: dnn.sub reads %a
// REPAIR: remark: dnn.relu (q): dnn.inplace[0] of dnn.relu dropped: dnn.relu writes %q over bytes [0, 16) of the memory of argument 0, which is read-only
// REPAIR-LABEL: @again
// REPAIR: %u = "dnn.sub"(%a, %p) :
// REPAIR: %b = "dnn.relu"(%a) {dnn.inplace = array<i32: 0>}
// REPAIR-LABEL: @once
// REPAIR-NEXT: %q = "dnn.relu"(%s) :
// REPAIR-NEXT: func.return %q

// What is decided behind them is right.
// RUN: opt-tool %s -p cse,canonicalize --inplace-pass --verify-storage-pass | filecheck %s --check-prefix=BEFORE
// BEFORE-LABEL: @again
// BEFORE: %u = "dnn.sub"(%a, %p) :
// BEFORE-LABEL: @once
// BEFORE-NEXT: %q = "dnn.relu"(%s) :

// Blocks instead of loops leave every decision right.
// RUN: opt-tool %s --inplace-pass -p convert-scf-to-cf --verify-storage-pass | filecheck %s --check-prefix=BLOCKS
// BLOCKS-LABEL: @again
// BLOCKS: %u = "dnn.sub"(%t, %p) {dnn.inplace = array<i32: 0>}
// BLOCKS: %b = "dnn.relu"(%a) {dnn.inplace = array<i32: 0>}

func.func @again(%x: tensor<4xf32>, %s: tensor<4xf32>, %n: index) -> (tensor<4xf32>, tensor<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = "dnn.exp"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%p = %s) -> (tensor<4xf32>) {
    %t = "dnn.exp"(%x) : (tensor<4xf32>) -> tensor<4xf32>
    %u = "dnn.sub"(%t, %p) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    scf.yield %u : tensor<4xf32>
  }
  %b = "dnn.relu"(%a) : (tensor<4xf32>) -> tensor<4xf32>
  func.return %r, %b : tensor<4xf32>, tensor<4xf32>
}

func.func @once(%s: tensor<4xf32>) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %c1 step %c1 iter_args(%p = %s) -> (tensor<4xf32>) {
    %q = "dnn.relu"(%p) : (tensor<4xf32>) -> tensor<4xf32>
    scf.yield %q : tensor<4xf32>
  }
  func.return %r : tensor<4xf32>
}
