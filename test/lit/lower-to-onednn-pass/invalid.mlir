// What cannot be lowered is said with its place, and nothing is written.

// RUN: not opt-tool --lower-to-onednn-pass --split-input-file %s 2>&1 | filecheck %s

// CHECK: invalid.mlir:[[# @LINE + 1]]:{{[0-9]+}}: error: the size of %x is not known: --specialize-pass=x=… binds it
func.func @unknown(%x: tensor<?x8xf32>) -> tensor<?x8xf32> {
  %y = "dnn.exp"(%x) : (tensor<?x8xf32>) -> tensor<?x8xf32>
  func.return %y : tensor<?x8xf32>
}

// -----

// CHECK: error: nothing here can run test.op
func.func @foreign(%x: tensor<8xf32>) -> tensor<8xf32> {
  %y = "test.op"(%x) : (tensor<8xf32>) -> tensor<8xf32>
  func.return %y : tensor<8xf32>
}

// -----

// CHECK: error: only functions of one block are lowered
func.func @blocks(%x: tensor<8xf32>) -> tensor<8xf32> {
  "cf.br"()[^next] : () -> ()
^next:
  func.return %x : tensor<8xf32>
}
