// cse merges two equal values of which one has been overwritten: the decision that was right is stale.

// RUN: not opt-tool %s --inplace-pass -p cse --verify-storage-pass 2>&1 | filecheck %s --check-prefix=STALE
// STALE: error: func.return reads %a, but bytes [0, 16) of the memory of %a were overwritten by dnn.relu (%b)

// RUN: opt-tool %s --inplace-pass -p cse --verify-storage-pass=repair=true --remarks 2>&1 | filecheck %s --check-prefix=REPAIR
// REPAIR: remark: dnn.relu (b): dnn.inplace[0] of dnn.relu dropped: func.return reads %a
// REPAIR: %b = "dnn.relu"(%a) : (tensor<4xf32>) -> tensor<4xf32>
// REPAIR-NEXT: func.return %b, %a

// Before deciding, it costs nothing; the order of the two is the user's.
// RUN: opt-tool %s -p cse --inplace-pass --verify-storage-pass --remarks 2>&1 | filecheck %s --check-prefix=BEFORE
// BEFORE: remark: dnn.relu (b): %b is not written over %a: it is returned
// BEFORE-NOT: dnn.inplace

// RUN: opt-tool %s --inplace-pass --verify-storage-pass | filecheck %s --check-prefix=ALONE
// ALONE: "dnn.relu"(%a) {dnn.inplace = array<i32: 0>}

func.func @main(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %a = "dnn.exp"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %b = "dnn.relu"(%a) : (tensor<4xf32>) -> tensor<4xf32>
  %c = "dnn.exp"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  func.return %b, %c : tensor<4xf32>, tensor<4xf32>
}
