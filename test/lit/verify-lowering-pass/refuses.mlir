// A lowered module that does not compute what its source says: an error at the step.

// RUN: not opt-tool --split-input-file --verify-lowering-pass %s 2>&1 | filecheck %s

// A step that is left out: the next one reads what is not there.
// CHECK: refuses.mlir:{{[0-9]+:[0-9]+}}: error: onednn.binary of "s": it reads %a in bytes [0, 16) of the arena, which hold nothing that every path leaves there
builtin.module {
  func.func @main(%x: memref<4xf32> {dnn.name = "x"}, %b: memref<4xf32> {dnn.name = "b"}, %n: index {dnn.name = "n"}, %m: memref<4xf32> {onednn.result = "out0"}) {
    %arena = onednn.arena : memref<128xi8>
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %0 = onednn.view %arena {offset = 0 : i64} : memref<128xi8> -> memref<4xf32>
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

// Two steps that changed places.
// CHECK: refuses.mlir:{{[0-9]+:[0-9]+}}: error: onednn.binary of "s": it reads %a in bytes [0, 16) of the arena
builtin.module {
  func.func @main(%x: memref<4xf32> {dnn.name = "x"}, %b: memref<4xf32> {dnn.name = "b"}, %n: index {dnn.name = "n"}, %m: memref<4xf32> {onednn.result = "out0"}) {
    %arena = onednn.arena : memref<128xi8>
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %0 = onednn.view %arena {offset = 0 : i64} : memref<128xi8> -> memref<4xf32>
    onednn.binary "sub" ins(%0, %b : memref<4xf32>, memref<4xf32>) outs(%m : memref<4xf32>) {onednn.op = "s"}
    onednn.eltwise "exp" ins(%x : memref<4xf32>) outs(%0 : memref<4xf32>) {onednn.op = "a"}
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

// Operands that changed places, of an op that does not commute.
// CHECK: refuses.mlir:{{[0-9]+:[0-9]+}}: error: onednn.binary of "s": it reads %a in bytes [0, 16) of the memory of argument 1, which hold b
builtin.module {
  func.func @main(%x: memref<4xf32> {dnn.name = "x"}, %b: memref<4xf32> {dnn.name = "b"}, %n: index {dnn.name = "n"}, %m: memref<4xf32> {onednn.result = "out0"}) {
    %arena = onednn.arena : memref<128xi8>
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %0 = onednn.view %arena {offset = 0 : i64} : memref<128xi8> -> memref<4xf32>
    onednn.eltwise "exp" ins(%x : memref<4xf32>) outs(%0 : memref<4xf32>) {onednn.op = "a"}
    onednn.binary "sub" ins(%b, %0 : memref<4xf32>, memref<4xf32>) outs(%m : memref<4xf32>) {onednn.op = "s"}
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

// Another kind of the same primitive.
// CHECK: refuses.mlir:{{[0-9]+:[0-9]+}}: error: onednn.eltwise of "a": it does not compute dnn.exp
builtin.module {
  func.func @main(%x: memref<4xf32> {dnn.name = "x"}, %b: memref<4xf32> {dnn.name = "b"}, %n: index {dnn.name = "n"}, %m: memref<4xf32> {onednn.result = "out0"}) {
    %arena = onednn.arena : memref<128xi8>
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %0 = onednn.view %arena {offset = 0 : i64} : memref<128xi8> -> memref<4xf32>
    onednn.eltwise "log" ins(%x : memref<4xf32>) outs(%0 : memref<4xf32>) {onednn.op = "a"}
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

// A step over a value that is read later.
// CHECK: refuses.mlir:{{[0-9]+:[0-9]+}}: error: onednn.eltwise of "q": it reads %p in bytes [0, 16) of the memory of argument 3, which hold %s
builtin.module {
  func.func @main(%x: memref<4xf32> {dnn.name = "x"}, %b: memref<4xf32> {dnn.name = "b"}, %n: index {dnn.name = "n"}, %m: memref<4xf32> {onednn.result = "out0"}) {
    %arena = onednn.arena : memref<128xi8>
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %0 = onednn.view %arena {offset = 0 : i64} : memref<128xi8> -> memref<4xf32>
    onednn.eltwise "exp" ins(%x : memref<4xf32>) outs(%0 : memref<4xf32>) {onednn.op = "a"}
    onednn.binary "sub" ins(%0, %b : memref<4xf32>, memref<4xf32>) outs(%m : memref<4xf32>) {onednn.op = "s"}
    scf.for %i = %c0 to %n step %c1 {
      onednn.eltwise "tanh" ins(%m : memref<4xf32>) outs(%0 : memref<4xf32>) {onednn.op = "q"}
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

// Another bound of the loop.
// CHECK: refuses.mlir:{{[0-9]+:[0-9]+}}: error: scf.for: a bound is another scalar than in its source
builtin.module {
  func.func @main(%x: memref<4xf32> {dnn.name = "x"}, %b: memref<4xf32> {dnn.name = "b"}, %n: index {dnn.name = "n"}, %m: memref<4xf32> {onednn.result = "out0"}) {
    %arena = onednn.arena : memref<128xi8>
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %0 = onednn.view %arena {offset = 0 : i64} : memref<128xi8> -> memref<4xf32>
    onednn.eltwise "exp" ins(%x : memref<4xf32>) outs(%0 : memref<4xf32>) {onednn.op = "a"}
    onednn.binary "sub" ins(%0, %b : memref<4xf32>, memref<4xf32>) outs(%m : memref<4xf32>) {onednn.op = "s"}
    scf.for %i = %c1 to %n step %c1 {
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

// A step that writes to an input.
// CHECK: refuses.mlir:{{[0-9]+:[0-9]+}}: error: onednn.binary of "m": it writes to the memory of argument 1, which is read-only
builtin.module {
  func.func @main(%x: memref<4xf32> {dnn.name = "x"}, %b: memref<4xf32> {dnn.name = "b"}, %n: index {dnn.name = "n"}, %m: memref<4xf32> {onednn.result = "out0"}) {
    %arena = onednn.arena : memref<128xi8>
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %0 = onednn.view %arena {offset = 0 : i64} : memref<128xi8> -> memref<4xf32>
    onednn.eltwise "exp" ins(%x : memref<4xf32>) outs(%0 : memref<4xf32>) {onednn.op = "a"}
    onednn.binary "sub" ins(%0, %b : memref<4xf32>, memref<4xf32>) outs(%m : memref<4xf32>) {onednn.op = "s"}
    scf.for %i = %c0 to %n step %c1 {
      onednn.eltwise "tanh" ins(%m : memref<4xf32>) outs(%m : memref<4xf32>) {onednn.op = "q"}
    }
    onednn.binary "mul" ins(%m, %0 : memref<4xf32>, memref<4xf32>) outs(%b : memref<4xf32>) {onednn.op = "m"}
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

// A copy after which an operand is another value.
// CHECK: refuses.mlir:{{[0-9]+:[0-9]+}}: error: onednn.binary of "m": it reads %a in bytes [0, 16) of the arena, which hold b
builtin.module {
  func.func @main(%x: memref<4xf32> {dnn.name = "x"}, %b: memref<4xf32> {dnn.name = "b"}, %n: index {dnn.name = "n"}, %m: memref<4xf32> {onednn.result = "out0"}) {
    %arena = onednn.arena : memref<128xi8>
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %0 = onednn.view %arena {offset = 0 : i64} : memref<128xi8> -> memref<4xf32>
    onednn.eltwise "exp" ins(%x : memref<4xf32>) outs(%0 : memref<4xf32>) {onednn.op = "a"}
    onednn.binary "sub" ins(%0, %b : memref<4xf32>, memref<4xf32>) outs(%m : memref<4xf32>) {onednn.op = "s"}
    onednn.copy ins(%b : memref<4xf32>) outs(%0 : memref<4xf32>) {onednn.op = "a"}
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

// A result that is not where the caller looks for it.
// CHECK: refuses.mlir:{{[0-9]+:[0-9]+}}: error: func.return: it reads %m in bytes [0, 16) of the memory of argument 3, which hold %p
builtin.module {
  func.func @main(%x: memref<4xf32> {dnn.name = "x"}, %b: memref<4xf32> {dnn.name = "b"}, %n: index {dnn.name = "n"}, %m: memref<4xf32> {onednn.result = "out0"}) {
    %arena = onednn.arena : memref<128xi8>
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %0 = onednn.view %arena {offset = 0 : i64} : memref<128xi8> -> memref<4xf32>
    onednn.eltwise "exp" ins(%x : memref<4xf32>) outs(%0 : memref<4xf32>) {onednn.op = "a"}
    onednn.binary "sub" ins(%0, %b : memref<4xf32>, memref<4xf32>) outs(%m : memref<4xf32>) {onednn.op = "s"}
    scf.for %i = %c0 to %n step %c1 {
      onednn.eltwise "tanh" ins(%m : memref<4xf32>) outs(%m : memref<4xf32>) {onednn.op = "q"}
    }
    onednn.binary "mul" ins(%0, %m : memref<4xf32>, memref<4xf32>) outs(%0 : memref<4xf32>) {onednn.op = "m"}
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

// A step in the loop that belongs behind it.
// CHECK: refuses.mlir:{{[0-9]+:[0-9]+}}: error: onednn.binary of "m": the op that it names is in another block
builtin.module {
  func.func @main(%x: memref<4xf32> {dnn.name = "x"}, %b: memref<4xf32> {dnn.name = "b"}, %n: index {dnn.name = "n"}, %m: memref<4xf32> {onednn.result = "out0"}) {
    %arena = onednn.arena : memref<128xi8>
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %0 = onednn.view %arena {offset = 0 : i64} : memref<128xi8> -> memref<4xf32>
    onednn.eltwise "exp" ins(%x : memref<4xf32>) outs(%0 : memref<4xf32>) {onednn.op = "a"}
    onednn.binary "sub" ins(%0, %b : memref<4xf32>, memref<4xf32>) outs(%m : memref<4xf32>) {onednn.op = "s"}
    scf.for %i = %c0 to %n step %c1 {
      onednn.eltwise "tanh" ins(%m : memref<4xf32>) outs(%m : memref<4xf32>) {onednn.op = "q"}
      onednn.binary "mul" ins(%m, %0 : memref<4xf32>, memref<4xf32>) outs(%m : memref<4xf32>) {onednn.op = "m"}
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

// A comparison whose operands are not exchanged, as its algorithm asks.
// CHECK: refuses.mlir:{{[0-9]+:[0-9]+}}: error: onednn.binary of "c": it reads y in bytes [0, 16) of the memory of argument 0, which hold x
builtin.module {
  func.func @main(%x: memref<4xf32> {dnn.name = "x"}, %y: memref<4xf32> {dnn.name = "y"}, %c: memref<4xi1> {onednn.result = "c"}) {
    onednn.binary "lt" ins(%x, %y : memref<4xf32>, memref<4xf32>) outs(%c : memref<4xi1>) {onednn.op = "c"}
    func.return
  }
  onednn.source {
    func.func @main(%x: tensor<4xf32> {dnn.name = "x"}, %y: tensor<4xf32> {dnn.name = "y"}) -> (tensor<4xi1> {dnn.name = "c"}) {
      %c = "dnn.greater"(%x, %y) {onednn.op = "c"} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
      func.return %c : tensor<4xi1>
    }
  }
}

// -----

// A comparison that holds for NaN.
// CHECK: refuses.mlir:{{[0-9]+:[0-9]+}}: error: onednn.binary of "c": it does not compute dnn.greater
builtin.module {
  func.func @main(%x: memref<4xf32> {dnn.name = "x"}, %y: memref<4xf32> {dnn.name = "y"}, %c: memref<4xi1> {onednn.result = "c"}) {
    onednn.binary "gt" ins(%x, %y : memref<4xf32>, memref<4xf32>) outs(%c : memref<4xi1>) {onednn.op = "c"}
    func.return
  }
  onednn.source {
    func.func @main(%x: tensor<4xf32> {dnn.name = "x"}, %y: tensor<4xf32> {dnn.name = "y"}) -> (tensor<4xi1> {dnn.name = "c"}) {
      %c = "dnn.greater"(%x, %y) {onednn.op = "c"} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
      func.return %c : tensor<4xi1>
    }
  }
}

// -----

// A difference whose operands changed places.
// CHECK: refuses.mlir:{{[0-9]+:[0-9]+}}: error: onednn.binary of "p": it reads x in bytes [0, 16) of a constant, which hold a constant
builtin.module {
  func.func @main(%x: memref<4xf32> {dnn.name = "x"}, %p: memref<4xf32> {onednn.result = "p"}) {
    %s = onednn.constant dense<5.000000e-01> : tensor<4xf32> -> memref<4xf32>
    onednn.binary "sub" ins(%s, %x : memref<4xf32>, memref<4xf32>) outs(%p : memref<4xf32>) {onednn.op = "p"}
    func.return
  }
  onednn.source {
    func.func @main(%x: tensor<4xf32> {dnn.name = "x"}) -> (tensor<4xf32> {dnn.name = "p"}) {
      %s = "dnn.constant"() {value = dense<5.000000e-01> : tensor<4xf32>} : () -> tensor<4xf32>
      %p = "dnn.sub"(%x, %s) {onednn.op = "p"} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
      func.return %p : tensor<4xf32>
    }
  }
}
