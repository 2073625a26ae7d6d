// Sizes flow round loops, through arms and blocks, and into what is called.

// RUN: opt-tool --specialize-pass=n=4,m=6 --lower-to-onednn-pass %s -o %t
// RUN: opt-tool --specialize-pass=n=4,m=6 %s | filecheck %s

// CHECK-LABEL: func.func @step(%s: tensor<4x2xf32>) -> tensor<8xf32>
// CHECK-NEXT:    %e = "dnn.exp"(%s) : (tensor<4x2xf32>) -> tensor<4x2xf32>
func.func @step(%s: tensor<?x2xf32>) -> tensor<?xf32> {
  %e = "dnn.exp"(%s) : (tensor<?x2xf32>) -> tensor<?x2xf32>
  %r = "dnn.reshape"(%e) {shape = array<i64: -1>} : (tensor<?x2xf32>) -> tensor<?xf32>
  func.return %r : tensor<?xf32>
}

// Another size, another copy; calls with the same size share one.
// CHECK-LABEL: func.func @step_1(%s: tensor<6x2xf32>) -> tensor<12xf32>

// CHECK-LABEL: func.func @calls(%n: tensor<4x2xf32>, %m: tensor<6x2xf32>) -> (tensor<8xf32>, tensor<12xf32>, tensor<12xf32>)
// CHECK-NEXT:    %a = func.call @step(%n) : (tensor<4x2xf32>) -> tensor<8xf32>
// CHECK-NEXT:    %b = func.call @step_1(%m) : (tensor<6x2xf32>) -> tensor<12xf32>
// CHECK-NEXT:    %c = func.call @step_1(%m) : (tensor<6x2xf32>) -> tensor<12xf32>
func.func @calls(%n: tensor<?x2xf32>, %m: tensor<?x2xf32>) -> (tensor<?xf32>, tensor<?xf32>, tensor<?xf32>) {
  %a = func.call @step(%n) : (tensor<?x2xf32>) -> tensor<?xf32>
  %b = func.call @step(%m) : (tensor<?x2xf32>) -> tensor<?xf32>
  %c = func.call @step(%m) : (tensor<?x2xf32>) -> tensor<?xf32>
  func.return %a, %b, %c : tensor<?xf32>, tensor<?xf32>, tensor<?xf32>
}

// CHECK-LABEL: func.func @loops(%n: tensor<4xf32>, %k: index) -> (tensor<4xf32>, tensor<4xf32>)
// CHECK:         scf.for %i = %zero to %k step %one iter_args(%p = %n) -> (tensor<4xf32>)
// CHECK-NEXT:      "dnn.tanh"(%p) : (tensor<4xf32>) -> tensor<4xf32>
// CHECK:         scf.while ({{.*}}) : (tensor<4xf32>, index) -> (tensor<4xf32>, index)
// CHECK:         ^bb0(%q: tensor<4xf32>, %j: index):
// CHECK-NEXT:      "dnn.exp"(%q) : (tensor<4xf32>) -> tensor<4xf32>
func.func @loops(%n: tensor<?xf32>, %k: index) -> (tensor<?xf32>, tensor<?xf32>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r = scf.for %i = %zero to %k step %one iter_args(%p = %n) -> (tensor<?xf32>) {
    %t = "dnn.tanh"(%p) : (tensor<?xf32>) -> tensor<?xf32>
    scf.yield %t : tensor<?xf32>
  }
  %w, %l = scf.while (%p = %r, %i = %zero) : (tensor<?xf32>, index) -> (tensor<?xf32>, index) {
    %c = arith.cmpi ult, %i, %k : index
    scf.condition(%c) %p, %i : tensor<?xf32>, index
  } do {
  ^bb0(%q: tensor<?xf32>, %j: index):
    %e = "dnn.exp"(%q) : (tensor<?xf32>) -> tensor<?xf32>
    %next = arith.addi %j, %one : index
    scf.yield %e, %next : tensor<?xf32>, index
  }
  func.return %r, %w : tensor<?xf32>, tensor<?xf32>
}

// The head of the loop is reached from two sides: both bring the same size. A size may be asked for, too.
// CHECK-LABEL: func.func @blocks(%n: tensor<4xf32>, %c: i1) -> tensor<4xf32>
// CHECK:       ^head(%p: tensor<4xf32>):
// CHECK:         scf.if %c -> (tensor<4xf32>)
func.func @blocks(%n: tensor<?xf32>, %c: i1) -> tensor<?xf32> {
  %zero = arith.constant 0 : index
  %size = tensor.dim %n, %zero : tensor<?xf32>
  cf.br ^head(%n : tensor<?xf32>)
^head(%p: tensor<?xf32>):
  %y = scf.if %c -> (tensor<?xf32>) {
    %a = "dnn.abs"(%p) : (tensor<?xf32>) -> tensor<?xf32>
    scf.yield %a : tensor<?xf32>
  } else {
    scf.yield %n : tensor<?xf32>
  }
  %more = arith.cmpi ult, %size, %zero : index
  cf.cond_br %more, ^head(%y : tensor<?xf32>), ^exit
^exit:
  func.return %y : tensor<?xf32>
}
