// Sizes that are no numbers, that no argument has, or that contradict the program.

// RUN: not opt-tool --specialize-pass=word=3 %s 2>&1 | filecheck %s --check-prefix=NAME
// NAME: error: no unknown size is called word; unknown sizes are x, y.0, y.1

// RUN: not opt-tool --specialize-pass=y=3 %s 2>&1 | filecheck %s --check-prefix=AXIS
// AXIS: error: no unknown size is called y; unknown sizes are x, y.0, y.1

// RUN: not opt-tool --specialize-pass=x=-3 %s 2>&1 | filecheck %s --check-prefix=NEGATIVE
// RUN: not opt-tool --specialize-pass=x=few %s 2>&1 | filecheck %s --check-prefix=NEGATIVE
// RUN: not opt-tool --specialize-pass=x=1.5 %s 2>&1 | filecheck %s --check-prefix=NEGATIVE
// RUN: not opt-tool --specialize-pass=x=true %s 2>&1 | filecheck %s --check-prefix=NEGATIVE
// NEGATIVE: opt-tool: error: specialize-pass: size x must be one number, not negative

// RUN: not opt-tool --specialize-pass=x=3,y.1=2 %s 2>&1 | filecheck %s --check-prefix=CLASH
// CLASH: invalid.mlir:[[# @LINE + 8]]:8: error: dnn.add: sizes 3 and 2 do not broadcast

// RUN: not opt-tool --specialize-pass=x=5 %s 2>&1 | filecheck %s --check-prefix=PIECES
// PIECES: invalid.mlir:[[# @LINE + 6]]:12: error: dnn.split: an axis of size 5 in pieces of 2 does not make 2 results

// RUN: opt-tool --specialize-pass=x=3 %s | filecheck %s
// CHECK: func.func @main(%x: tensor<3xf32>, %y: tensor<?x?xf32>) -> (tensor<2xf32>, tensor<1xf32>)
func.func @main(%x: tensor<?xf32>, %y: tensor<?x?xf32>) -> (tensor<2xf32>, tensor<?xf32>) {
  %a = "dnn.add"(%x, %y) : (tensor<?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  %p, %q = "dnn.split"(%x) {split_size = 2 : i64} : (tensor<?xf32>) -> (tensor<2xf32>, tensor<?xf32>)
  func.return %p, %q : tensor<2xf32>, tensor<?xf32>
}
