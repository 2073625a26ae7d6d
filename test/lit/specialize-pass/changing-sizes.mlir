// Sizes that change: no plan could hold them. The op that passes them on is named.

// RUN: not opt-tool --split-input-file --specialize-pass=n=4 %s 2>&1 | filecheck %s

// CHECK: changing-sizes.mlir:[[# @LINE + 4]]:8: error: %n is tensor<4xf32>, and %p, which it becomes, tensor<?xf32>: its size changes, or follows from one that is not bound
func.func @grows(%n: tensor<?xf32>, %k: index) -> tensor<?xf32> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r = scf.for %i = %zero to %k step %one iter_args(%p = %n) -> (tensor<?xf32>) {
    %t = "dnn.concat"(%p, %n) {axis = 0 : i64} : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
    scf.yield %t : tensor<?xf32>
  }
  func.return %r : tensor<?xf32>
}

// -----

// CHECK: changing-sizes.mlir:[[# @LINE + 3]]:5: error: %n is tensor<4xf32>, and %y, which it becomes, tensor<?xf32>: its size changes
func.func @arms(%n: tensor<?xf32>, %c: i1) -> tensor<?xf32> {
  %y = scf.if %c -> (tensor<?xf32>) {
    scf.yield %n : tensor<?xf32>
  } else {
    %a = "dnn.concat"(%n, %n) {axis = 0 : i64} : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
    scf.yield %a : tensor<?xf32>
  }
  func.return %y : tensor<?xf32>
}

// -----

// CHECK: changing-sizes.mlir:[[# @LINE + 3]]:3: error: %n is tensor<4xf32>, and %p, which it becomes, tensor<?xf32>: its size changes
func.func @unbound(%n: tensor<?xf32>, %m: tensor<?xf32>, %c: i1) -> tensor<?xf32> {
  %a = "dnn.exp"(%n) : (tensor<?xf32>) -> tensor<?xf32>
  cf.cond_br %c, ^join(%n : tensor<?xf32>), ^join(%m : tensor<?xf32>)
^join(%p: tensor<?xf32>):
  func.return %p : tensor<?xf32>
}

// -----

// CHECK: changing-sizes.mlir:[[# @LINE + 7]]:3: error: this return has other sizes than another one: a size changes
func.func @returns(%n: tensor<?xf32>, %c: i1) -> tensor<?xf32> {
  cf.cond_br %c, ^one, ^two
^one:
  func.return %n : tensor<?xf32>
^two:
  %a = "dnn.concat"(%n, %n) {axis = 0 : i64} : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  func.return %a : tensor<?xf32>
}

// -----

// CHECK: changing-sizes.mlir:[[# @LINE + 7]]:8: error: @callee takes tensor<4xf32> for %n, and the call gives tensor<?xf32>
func.func @callee(%n: tensor<?xf32>) -> tensor<?xf32> {
  %a = "dnn.exp"(%n) : (tensor<?xf32>) -> tensor<?xf32>
  func.return %a : tensor<?xf32>
}

func.func @caller(%x: tensor<?xf32>) -> tensor<?xf32> {
  %a = func.call @callee(%x) : (tensor<?xf32>) -> tensor<?xf32>
  func.return %a : tensor<?xf32>
}

// -----

// CHECK: changing-sizes.mlir:[[# @LINE + 3]]:{{[0-9]+}}: error: @again may be called while it runs: recursion is not supported
func.func @again(%n: tensor<?xf32>, %c: i1) -> tensor<?xf32> {
  %y = scf.if %c -> (tensor<?xf32>) {
    %a = func.call @again(%n, %c) : (tensor<?xf32>, i1) -> tensor<?xf32>
    scf.yield %a : tensor<?xf32>
  } else {
    scf.yield %n : tensor<?xf32>
  }
  func.return %y : tensor<?xf32>
}
