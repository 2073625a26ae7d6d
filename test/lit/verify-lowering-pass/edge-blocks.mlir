// Blocks of a form that stand on edges of its program are proved: several on one edge, with arguments, with memory of
// their own.

// RUN: opt-tool --split-input-file --verify-lowering-pass %s | filecheck %s

// CHECK-LABEL: @cases(
func.func @cases(%x: memref<8xf32>, %z: memref<8xf32>, %i: index, %n: i64) -> memref<8xf32> {
  %m = memref.alloc() : memref<8xf32>
  cf.switch %n : i64, [
    default: ^first(%x : memref<8xf32>),
    1: ^one,
    2: ^last
  ]
^first(%s: memref<8xf32>):
  %t = memref.alloc() : memref<8xf32>
  "memref.copy"(%s, %t) : (memref<8xf32>, memref<8xf32>) -> ()
  %c1 = arith.constant 1 : index
  cf.br ^second(%t, %c1 : memref<8xf32>, index)
^second(%r: memref<8xf32>, %j: index):
  "memref.copy"(%r, %m) : (memref<8xf32>, memref<8xf32>) -> ()
  memref.dealloc %r : memref<8xf32>
  cf.br ^end(%j : index)
^last:
  "memref.copy"(%z, %m) : (memref<8xf32>, memref<8xf32>) -> ()
  cf.br ^end(%i : index)
^one:
  linalg.add ins(%x, %z : memref<8xf32>, memref<8xf32>) outs(%m : memref<8xf32>)
  cf.br ^end(%i : index)
^end(%k: index):
  %v = memref.load %m[%k] : memref<8xf32>
  memref.store %v, %m[%i] : memref<8xf32>
  func.return %m : memref<8xf32>
}
builtin.module @lastuse.source {
  func.func @cases(%x: tensor<8xf32>, %z: tensor<8xf32>, %i: index, %n: i64) -> tensor<8xf32> {
    %c1 = arith.constant 1 : index
    cf.switch %n : i64, [
      default: ^end(%x, %c1 : tensor<8xf32>, index),
      1: ^one,
      2: ^end(%z, %i : tensor<8xf32>, index)
    ]
  ^one:
    %e = tensor.empty() : tensor<8xf32>
    %s = linalg.add ins(%x, %z : tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
    cf.br ^end(%s, %i : tensor<8xf32>, index)
  ^end(%y: tensor<8xf32>, %k: index):
    %v = tensor.extract %y[%k] : tensor<8xf32>
    %w = tensor.insert %v into %y[%i] : tensor<8xf32>
    func.return %w : tensor<8xf32>
  }
}

// -----

// Two tensors change places on the edge that goes back, and one is there at the end.
// CHECK-LABEL: @places(
func.func @places(%x: memref<8xf32>, %y: memref<8xf32>, %v: f32, %n: index) -> memref<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.alloc() : memref<8xf32>
  cf.br ^head(%c0 : index)
^head(%i: index):
  memref.store %v, %x[%i] : memref<8xf32>
  %j = arith.addi %i, %c1 : index
  %more = arith.cmpi slt, %j, %n : index
  cf.cond_br %more, ^back, ^leave
^back:
  "memref.copy"(%x, %m) : (memref<8xf32>, memref<8xf32>) -> ()
  "memref.copy"(%y, %x) : (memref<8xf32>, memref<8xf32>) -> ()
  "memref.copy"(%m, %y) : (memref<8xf32>, memref<8xf32>) -> ()
  cf.br ^head(%j : index)
^leave:
  memref.dealloc %m : memref<8xf32>
  cf.br ^done
^done:
  func.return %x : memref<8xf32>
}
builtin.module @lastuse.source {
  func.func @places(%x: tensor<8xf32> {dnn.donated}, %y: tensor<8xf32> {dnn.donated}, %v: f32, %n: index) -> tensor<8xf32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    cf.br ^head(%x, %y, %c0 : tensor<8xf32>, tensor<8xf32>, index)
  ^head(%s: tensor<8xf32>, %t: tensor<8xf32>, %i: index):
    %u = tensor.insert %v into %s[%i] : tensor<8xf32>
    %j = arith.addi %i, %c1 : index
    %more = arith.cmpi slt, %j, %n : index
    cf.cond_br %more, ^head(%t, %u, %j : tensor<8xf32>, tensor<8xf32>, index), ^done
  ^done:
    func.return %u : tensor<8xf32>
  }
}
