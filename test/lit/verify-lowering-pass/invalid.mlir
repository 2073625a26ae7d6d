// What cannot be checked at all.

// RUN: not opt-tool --split-input-file --verify-lowering-pass %s 2>&1 | filecheck %s

// CHECK: invalid.mlir:{{[0-9]+:[0-9]+}}: error: the module does not say what it was lowered from (onednn.source)
func.func @main(%x: memref<4xf32> {dnn.name = "x"}, %y: memref<4xf32> {onednn.result = "out0"}) {
  onednn.eltwise "relu" ins(%x : memref<4xf32>) outs(%y : memref<4xf32>)
  func.return
}

// -----

// CHECK: invalid.mlir:{{[0-9]+:[0-9]+}}: error: onednn.eltwise: it says of no op of the source that it computes it (onednn.op)
builtin.module {
  func.func @main(%x: memref<4xf32> {dnn.name = "x"}, %b: memref<4xf32> {dnn.name = "b"}, %n: index {dnn.name = "n"}, %m: memref<4xf32> {onednn.result = "out0"}) {
    %arena = onednn.arena : memref<128xi8>
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %0 = onednn.view %arena {offset = 0 : i64} : memref<128xi8> -> memref<4xf32>
    onednn.eltwise "exp" ins(%x : memref<4xf32>) outs(%0 : memref<4xf32>)
    onednn.binary "sub" ins(%0, %b : memref<4xf32>, memref<4xf32>) outs(%m : memref<4xf32>) {onednn.op = "s"}
    scf.for %i = %c0 to %n step %c1 {
      onednn.eltwise "tanh" ins(%m : memref<4xf32>) outs(%m : memref<4xf32>) {onednn.op = "q"}
    }
    onednn.binary "mul" ins(%m, %0 : memref<4xf32>, memref<4xf32>) outs(%m : memref<4xf32>) {onednn.op = "m"}
    func.return
  }
  onednn.source {
    func.func @main(%x: tensor<4xf32> {dnn.name = "x"}, %b: tensor<4xf32> {dnn.name = "b"}, %n: index {dnn.name = "n"}) -> (tensor<4xf32> {dnn.name = "out0"}) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %a = "dnn.exp"(%x) {onednn.op = "a"} : (tensor<4xf32>) -> tensor<4xf32>
      %s = "dnn.sub"(%a, %b) {onednn.op = "s"} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
      %r = scf.for %i = %c0 to %n step %c1 iter_args(%p = %s) -> (tensor<4xf32>) {
        %q = "dnn.tanh"(%p) {onednn.op = "q"} : (tensor<4xf32>) -> tensor<4xf32>
        scf.yield %q : tensor<4xf32>
      }
      %m = "dnn.mul"(%r, %a) {onednn.op = "m"} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
      func.return %m : tensor<4xf32>
    }
  }
}

// -----

// CHECK: invalid.mlir:{{[0-9]+:[0-9]+}}: error: argument 1 of @main is not that of its source
builtin.module {
  func.func @main(%x: memref<4xf32> {dnn.name = "x"}, %b: memref<4xf32> {dnn.name = "c"}, %n: index {dnn.name = "n"}, %m: memref<4xf32> {onednn.result = "out0"}) {
    %arena = onednn.arena : memref<128xi8>
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %0 = onednn.view %arena {offset = 0 : i64} : memref<128xi8> -> memref<4xf32>
    onednn.eltwise "exp" ins(%x : memref<4xf32>) outs(%0 : memref<4xf32>) {onednn.op = "a"}
    onednn.binary "sub" ins(%0, %b : memref<4xf32>, memref<4xf32>) outs(%m : memref<4xf32>) {onednn.op = "s"}
    scf.for %i = %c0 to %n step %c1 {
      onednn.eltwise "tanh" ins(%m : memref<4xf32>) outs(%m : memref<4xf32>) {onednn.op = "q"}
    }
    onednn.binary "mul" ins(%m, %0 : memref<4xf32>, memref<4xf32>) outs(%m : memref<4xf32>) {onednn.op = "m"}
    func.return
  }
  onednn.source {
    func.func @main(%x: tensor<4xf32> {dnn.name = "x"}, %b: tensor<4xf32> {dnn.name = "b"}, %n: index {dnn.name = "n"}) -> (tensor<4xf32> {dnn.name = "out0"}) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %a = "dnn.exp"(%x) {onednn.op = "a"} : (tensor<4xf32>) -> tensor<4xf32>
      %s = "dnn.sub"(%a, %b) {onednn.op = "s"} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
      %r = scf.for %i = %c0 to %n step %c1 iter_args(%p = %s) -> (tensor<4xf32>) {
        %q = "dnn.tanh"(%p) {onednn.op = "q"} : (tensor<4xf32>) -> tensor<4xf32>
        scf.yield %q : tensor<4xf32>
      }
      %m = "dnn.mul"(%r, %a) {onednn.op = "m"} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
      func.return %m : tensor<4xf32>
    }
  }
}
