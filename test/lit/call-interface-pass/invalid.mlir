// An option that is none, and promises that a function does not keep, are errors.

// RUN: not opt-tool --call-interface-pass=arguments=all %s 2>&1 | filecheck %s --check-prefix=OPTION
// OPTION: opt-tool: error: call-interface-pass: {{.*}}arguments is declared, writable, not 'all'

// RUN: not opt-tool --verify-storage-pass --split-input-file %s 2>&1 | filecheck %s
// CHECK: invalid.mlir:[[# @LINE + 2]]:3: error: func.return cannot be returned in the memory of the arguments it is lent from: %y
func.func @wrong(%x: tensor<8xf32>, %y: tensor<8xf32>) -> (tensor<8xf32> {dnn.lent = array<i32: 0>}) {
  func.return %y : tensor<8xf32>
}

// -----

// CHECK: invalid.mlir:[[# @LINE + 1]]:1: error: {{.*}}dnn.lent{{.*}} names argument 1, which is no tensor
func.func @number(%x: tensor<8xf32>) -> (tensor<8xf32> {dnn.lent = array<i32: 1>}) {
  func.return %x : tensor<8xf32>
}

// -----

// CHECK: invalid.mlir:[[# @LINE + 7]]:8: error: {{.*}}reads %h, but bytes [0, 32) of the memory of argument 0 were overwritten
func.func private @half(%x: tensor<8xf32>) -> (tensor<8xf32> {dnn.lent = array<i32: 0>}) {
  func.return %x : tensor<8xf32>
}
func.func @main(%a: tensor<8xf32> {dnn.donated}) -> tensor<8xf32> {
  %h = func.call @half(%a) : (tensor<8xf32>) -> tensor<8xf32>
  %b = math.exp %a {dnn.inplace = array<i32: 0>} : tensor<8xf32>
  %r = arith.addf %h, %b : tensor<8xf32>
  func.return %r : tensor<8xf32>
}
