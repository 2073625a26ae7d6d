// Decisions that another pass made wrong are refused, at the op that would read other bytes: cse takes for %c the equal
// %a, which %b is written over.

// RUN: not opt-tool %s -p cse --lower-to-onednn-pass 2>&1 | filecheck %s --check-prefix=STALE
// STALE: stale-decisions.mlir:[[# @LINE + 14]]:{{[0-9]+}}: error: func.return reads %a, but bytes [0, 16) of the memory of %a were overwritten by dnn.relu (%b)
// STALE-NOT: builtin.module

// As they were they are right, and so they are where the one that went stale is dropped.
// RUN: opt-tool %s --lower-to-onednn-pass --verify-lowering-pass | filecheck %s --check-prefix=RIGHT
// RIGHT: onednn.eltwise "relu" ins(%b : memref<4xf32>) outs(%b : memref<4xf32>)

// RUN: opt-tool %s -p cse --verify-storage-pass=repair=true --lower-to-onednn-pass --verify-lowering-pass | filecheck %s --check-prefix=REPAIR
// REPAIR: onednn.eltwise "relu" ins(%a : memref<4xf32>) outs(%b : memref<4xf32>)

func.func @main(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %a = "dnn.exp"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %b = "dnn.relu"(%a) {dnn.inplace = array<i32: 0>} : (tensor<4xf32>) -> tensor<4xf32>
  %c = "dnn.exp"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  func.return %b, %c : tensor<4xf32>, tensor<4xf32>
}
