// Wrong whatever is decided: repair has nothing to drop. And what is no option.

// RUN: not opt-tool --verify-storage-pass=repair=true --split-input-file %s 2>&1 | filecheck %s
// RUN: not opt-tool --verify-storage-pass=mend=true %s 2>&1 | filecheck %s --check-prefix=OPTION

// OPTION: error: {{.*}}mend

// CHECK: invalid.mlir:[[# @LINE + 3]]:3: error: func.return cannot end in the memory of the argument it is tied to: %n
func.func @tied(%s: tensor<8xf32>, %x: tensor<4xf32>) -> (tensor<4xf32> {dnn.tied = 0 : i32}) {
  %n = "dnn.neg"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  func.return %n : tensor<4xf32>
}

// -----

// CHECK: invalid.mlir:[[# @LINE + 2]]:8: error: func.call calls itself, and a frame has one place for each value
func.func @recursive(%x: tensor<4xf32>) -> tensor<4xf32> {
  %n = "func.call"(%x) {callee = @recursive} : (tensor<4xf32>) -> tensor<4xf32>
  func.return %n : tensor<4xf32>
}
