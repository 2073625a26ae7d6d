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

// CHECK: error: the function never returns
func.func @endless(%x: tensor<8xf32>) -> tensor<8xf32> {
  "cf.br"()[^again] : () -> ()
^again:
  "cf.br"()[^again] : () -> ()
}

// -----

// CHECK: invalid.mlir:[[# @LINE + 2]]:{{[0-9]+}}: error: nothing here can run @elsewhere: the module has no body for it
func.func @caller(%x: tensor<8xf32>) -> tensor<8xf32> {
  %y = func.call @elsewhere(%x) : (tensor<8xf32>) -> tensor<8xf32>
  func.return %y : tensor<8xf32>
}
func.func private @elsewhere(tensor<8xf32>) -> tensor<8xf32>

// -----

// CHECK: invalid.mlir:[[# @LINE + 2]]:{{[0-9]+}}: error: @pong may be called while it runs: recursion is not supported
func.func @ping(%x: tensor<8xf32>) -> tensor<8xf32> {
  %y = func.call @pong(%x) : (tensor<8xf32>) -> tensor<8xf32>
  func.return %y : tensor<8xf32>
}
func.func @pong(%x: tensor<8xf32>) -> tensor<8xf32> {
  %y = func.call @ping(%x) : (tensor<8xf32>) -> tensor<8xf32>
  func.return %y : tensor<8xf32>
}

// -----

// CHECK: error: nothing here can run scf.execute_region
func.func @region(%x: tensor<8xf32>) -> tensor<8xf32> {
  %y = "scf.execute_region"() ({
    "scf.yield"(%x) : (tensor<8xf32>) -> ()
  }) : () -> tensor<8xf32>
  func.return %y : tensor<8xf32>
}

// -----

// A tensor in arithmetic of scalars.
// CHECK: error: nothing here can run arith.addf
func.func @other(%x: tensor<8xf32>) -> tensor<8xf32> {
  %y = arith.addf %x, %x : tensor<8xf32>
  func.return %y : tensor<8xf32>
}

// -----

// A step has its operands at places that are known before it runs.
// CHECK: invalid.mlir:[[# @LINE + 3]]:12: error: 'scf.for': dnn.forward: steps cannot have operands where the path puts them
func.func @forwarded(%p: tensor<4xf32> {dnn.donated}, %q: tensor<4xf32> {dnn.donated}) -> tensor<4xf32> {
  %one = arith.constant 1 : index
  %r, %s = scf.for %i = %one to %one step %one iter_args(%a = %p, %b = %q) -> (tensor<4xf32>, tensor<4xf32>) {
    scf.yield %b, %a : tensor<4xf32>, tensor<4xf32>
  } {dnn.forward = array<i32: 1, 1>}
  func.return %r : tensor<4xf32>
}

// -----

// CHECK: invalid.mlir:[[# @LINE + 1]]:{{[0-9]+}}: error: steps take arguments row-major, and the function has dnn.strided
func.func @at_strides(%x: tensor<8xf32>) -> tensor<8xf32> attributes {dnn.strided} {
  %y = "dnn.exp"(%x) : (tensor<8xf32>) -> tensor<8xf32>
  func.return %y : tensor<8xf32>
}
