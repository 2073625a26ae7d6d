// A memref form that does not compute what its functions on tensors do, or is not shown to: an error at its op.

// RUN: not opt-tool --split-input-file --verify-lowering-pass %s 2>&1 | filecheck %s

// Another element is written.
// CHECK: memrefs-refused.mlir:[[# @LINE + 4]]:3: error: the memref form of @main is not proved: result 0 is not %y
func.func @main(%x: memref<8xf32>, %v: f32, %i: index) -> memref<8xf32> {
  %c0 = arith.constant 0 : index
  memref.store %v, %x[%c0] : memref<8xf32>
  func.return %x : memref<8xf32>
}
builtin.module @lastuse.source {
  func.func @main(%x: tensor<8xf32> {dnn.donated}, %v: f32, %i: index) -> tensor<8xf32> {
    %y = tensor.insert %v into %x[%i] : tensor<8xf32>
    func.return %y : tensor<8xf32>
  }
}

// -----

// Memory of the caller is written.
// CHECK: memrefs-refused.mlir:[[# @LINE + 2]]:3: error: the memref form is wrong: 'memref.store': memory is written that may not be
func.func @main(%x: memref<8xf32>, %v: f32, %i: index) -> memref<8xf32> {
  memref.store %v, %x[%i] : memref<8xf32>
  func.return %x : memref<8xf32>
}
builtin.module @lastuse.source {
  func.func @main(%x: tensor<8xf32>, %v: f32, %i: index) -> tensor<8xf32> {
    %y = tensor.insert %v into %x[%i] : tensor<8xf32>
    func.return %y : tensor<8xf32>
  }
}

// -----

// A block passes on the other one of two memrefs.
// CHECK: memrefs-refused.mlir:[[# @LINE + 13]]:3: error: the memref form of @main is not proved: result 0 is not %u
func.func @main(%x: memref<8xf32>, %y: memref<8xf32>, %v: f32, %n: index) -> memref<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  cf.br ^head(%x, %y, %c0 : memref<8xf32>, memref<8xf32>, index)
^head(%s: memref<8xf32>, %t: memref<8xf32>, %i: index):
  memref.store %v, %s[%i] : memref<8xf32>
  %j = arith.addi %i, %c1 : index
  %more = arith.cmpi slt, %j, %n : index
  cf.cond_br %more, ^head(%s, %t, %j : memref<8xf32>, memref<8xf32>, index), ^done
^done:
  // The next op is the one that is named.
  %z = arith.constant 0.0 : f32
  func.return %s : memref<8xf32>
}
builtin.module @lastuse.source {
  func.func @main(%x: tensor<8xf32> {dnn.donated}, %y: tensor<8xf32> {dnn.donated}, %v: f32, %n: index) -> tensor<8xf32> {
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

// -----

// Memory is read after it was given back.
// CHECK: memrefs-refused.mlir:[[# @LINE + 6]]:8: error: the memref form is wrong: 'memref.load': m is read after it was given back
func.func @main(%x: memref<8xf32>, %i: index) -> f32 {
  %m = memref.alloc() : memref<8xf32>
  linalg.add ins(%x, %x : memref<8xf32>, memref<8xf32>) outs(%m : memref<8xf32>)
  memref.dealloc %m : memref<8xf32>
  // Only then:
  %v = memref.load %m[%i] : memref<8xf32>
  func.return %v : f32
}
builtin.module @lastuse.source {
  func.func @main(%x: tensor<8xf32>, %i: index) -> f32 {
    %e = tensor.empty() : tensor<8xf32>
    %y = linalg.add ins(%x, %x : tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
    %v = tensor.extract %y[%i] : tensor<8xf32>
    func.return %v : f32
  }
}

// -----

// A callee that may write what it is given is passed memory that is read later.
// CHECK: memrefs-refused.mlir:[[# @LINE + 6]]:3: error: the memref form of @main is not proved: %v is another value
func.func private @look(memref<8xf32>) -> ()
func.func @main(%x: memref<8xf32>, %i: index) -> f32 {
  func.call @look(%x) : (memref<8xf32>) -> ()
  %v = memref.load %x[%i] : memref<8xf32>
  // The value that is returned:
  func.return %v : f32
}
builtin.module @lastuse.source {
  func.func private @look(tensor<8xf32>) -> ()
  func.func @main(%x: tensor<8xf32> {dnn.donated}, %i: index) -> f32 {
    func.call @look(%x) : (tensor<8xf32>) -> ()
    %v = tensor.extract %x[%i] : tensor<8xf32>
    func.return %v : f32
  }
}

// -----

// The modules have not the same functions, or not of the same types.
// CHECK: memrefs-refused.mlir:[[# @LINE + 1]]:1: error: the memref form is wrong: its source has no function @other
func.func @other(%x: memref<8xf32>) -> memref<8xf32> {
  func.return %x : memref<8xf32>
}
builtin.module @lastuse.source {
}

// -----

// CHECK: memrefs-refused.mlir:[[# @LINE + 1]]:1: error: the memref form is wrong: 'func.func': argument 0 is not that of the function
func.func @main(%x: memref<6xf32>) -> memref<6xf32> {
  func.return %x : memref<6xf32>
}
builtin.module @lastuse.source {
  func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
    func.return %x : tensor<8xf32>
  }
}

// -----

// A memref that is carried lies in memory that was given back.
// CHECK: memrefs-refused.mlir:[[# @LINE + 8]]:8: error: the memref form is wrong: 'memref.load': a memref that is carried is read after it was given back
func.func @main(%x: memref<8xf32>, %c: i1, %i: index) -> f32 {
  %c0 = arith.constant 0 : index
  %m = memref.alloc() : memref<64xi8>
  %y = memref.view %m[%c0][] : memref<64xi8> to memref<8xf32>
  linalg.add ins(%x, %x : memref<8xf32>, memref<8xf32>) outs(%y : memref<8xf32>)
  %z = arith.select %c, %x, %y : memref<8xf32>
  memref.dealloc %m : memref<64xi8>
  %v = memref.load %z[%i] : memref<8xf32>
  func.return %v : f32
}
builtin.module @lastuse.source {
  func.func @main(%x: tensor<8xf32>, %c: i1, %i: index) -> f32 {
    %e = tensor.empty() : tensor<8xf32>
    %y = linalg.add ins(%x, %x : tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
    %z = arith.select %c, %x, %y : tensor<8xf32>
    %v = tensor.extract %z[%i] : tensor<8xf32>
    func.return %v : f32
  }
}

// -----

// Elements that the loop leaves out are not those of %x.
// CHECK: memrefs-refused.mlir:[[# @LINE + 2]]:3: error: the memref form of @main is not proved: it does not read %x, which 'linalg.generic' reads
func.func @main(%x: memref<8x8xf32>, %v: f32, %out: memref<8x8xf32>) {
  linalg.generic {indexing_maps = [affine_map<(i) -> (i, i)>], iterator_types = ["parallel"]} outs(%out : memref<8x8xf32>) {
  ^bb0(%o: f32):
    linalg.yield %v : f32
  }
  func.return
}
builtin.module @lastuse.source {
  func.func @main(%x: tensor<8x8xf32>, %v: f32) -> tensor<8x8xf32> {
    %w = linalg.generic {indexing_maps = [affine_map<(i) -> (i, i)>], iterator_types = ["parallel"]} outs(%x : tensor<8x8xf32>) {
    ^bb0(%o: f32):
      linalg.yield %v : f32
    } -> tensor<8x8xf32>
    func.return %w : tensor<8x8xf32>
  }
}

// -----

// The memref that the program leaves a tensor in does not hold it.
// CHECK: memrefs-refused.mlir:[[# @LINE + 4]]:3: error: the memref form of @main is not proved: %o does not hold what the program leaves there
func.func @main(%m: memref<8xf32>, %o: memref<8xf32>) {
  linalg.exp ins(%m : memref<8xf32>) outs(%o : memref<8xf32>)
  linalg.exp ins(%o : memref<8xf32>) outs(%m : memref<8xf32>)
  func.return
}
builtin.module @lastuse.source {
  func.func @main(%m: memref<8xf32>, %o: memref<8xf32>) {
    %x = bufferization.to_tensor %m restrict writable : memref<8xf32> to tensor<8xf32>
    %y = linalg.exp ins(%x : tensor<8xf32>) outs(%x : tensor<8xf32>) -> tensor<8xf32>
    %z = linalg.exp ins(%y : tensor<8xf32>) outs(%y : tensor<8xf32>) -> tensor<8xf32>
    bufferization.materialize_in_destination %z in writable %o : (tensor<8xf32>, memref<8xf32>) -> ()
    func.return
  }
}

// -----

// The second memory may be where the first one was: then it is never given back.
// CHECK: memrefs-refused.mlir:[[# @LINE + 11]]:3: error: the memref form is wrong: 'scf.if': b may be where a was before
func.func @main(%x: memref<8xf32>, %v: f32, %i: index) -> f32 {
  %a = memref.alloc() : memref<8xf32>
  linalg.fill ins(%v : f32) outs(%a : memref<8xf32>)
  memref.dealloc %a : memref<8xf32>
  %b = memref.alloc() : memref<8xf32>
  linalg.fill ins(%v : f32) outs(%b : memref<8xf32>)
  %r = memref.load %b[%i] : memref<8xf32>
  %p = "memref.extract_aligned_pointer_as_index"(%b) : (memref<8xf32>) -> index
  %q = "memref.extract_aligned_pointer_as_index"(%a) : (memref<8xf32>) -> index
  %ne = arith.cmpi ne, %p, %q : index
  scf.if %ne {
    memref.dealloc %b : memref<8xf32>
  }
  func.return %r : f32
}
builtin.module @lastuse.source {
  func.func @main(%x: tensor<8xf32>, %v: f32, %i: index) -> f32 {
    %e = tensor.empty() : tensor<8xf32>
    %a = linalg.fill ins(%v : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
    %b = linalg.fill ins(%v : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
    %r = tensor.extract %b[%i] : tensor<8xf32>
    func.return %r : f32
  }
}

// -----

// The program names these elements of another tensor, which has them.
// CHECK: memrefs-refused.mlir:[[# @LINE + 3]]:8: error: the memref form is wrong: 'memref.load': elements outside of a memref are named
func.func @main(%x: memref<12xf32>, %y: memref<8xf32>) -> f32 {
  %c8 = arith.constant 8 : index
  %v = memref.load %y[%c8] : memref<8xf32>
  func.return %v : f32
}
builtin.module @lastuse.source {
  func.func @main(%x: tensor<12xf32>, %y: tensor<8xf32>) -> f32 {
    %c8 = arith.constant 8 : index
    %v = tensor.extract %x[%c8] : tensor<12xf32>
    func.return %v : f32
  }
}

// -----

// The copy on an edge is of the other argument.
// CHECK: memrefs-refused.mlir:[[# @LINE + 11]]:3: error: the memref form of @main is not proved: result 0 is not %y
func.func @main(%x: memref<8xf32>, %z: memref<8xf32>, %c: i1) -> memref<8xf32> {
  %m = memref.alloc() : memref<8xf32>
  cf.cond_br %c, ^one, ^two
^one:
  "memref.copy"(%z, %m) : (memref<8xf32>, memref<8xf32>) -> ()
  cf.br ^join
^two:
  "memref.copy"(%x, %m) : (memref<8xf32>, memref<8xf32>) -> ()
  cf.br ^join
^join:
  func.return %m : memref<8xf32>
}
builtin.module @lastuse.source {
  func.func @main(%x: tensor<8xf32>, %z: tensor<8xf32>, %c: i1) -> tensor<8xf32> {
    cf.cond_br %c, ^join(%x : tensor<8xf32>), ^join(%z : tensor<8xf32>)
  ^join(%y: tensor<8xf32>):
    func.return %y : tensor<8xf32>
  }
}

// -----

// Two ways of which the program has a copy each go through one block.
// CHECK: memrefs-refused.mlir:[[# @LINE + 6]]:3: error: the memref form of @main is not proved: a branch leads to another block than that of the program
func.func @main(%x: memref<8xf32>, %z: memref<8xf32>, %c: i1, %d: i1) -> memref<8xf32> {
  %m = memref.alloc() : memref<8xf32>
  "memref.copy"(%z, %m) : (memref<8xf32>, memref<8xf32>) -> ()
  cf.cond_br %c, ^then, ^join
^then:
  cf.cond_br %d, ^edge, ^edge
^edge:
  "memref.copy"(%x, %m) : (memref<8xf32>, memref<8xf32>) -> ()
  cf.br ^join
^join:
  func.return %m : memref<8xf32>
}
builtin.module @lastuse.source {
  func.func @main(%x: tensor<8xf32>, %z: tensor<8xf32>, %c: i1, %d: i1) -> tensor<8xf32> {
    cf.cond_br %c, ^then, ^join(%z : tensor<8xf32>)
  ^then:
    cf.cond_br %d, ^join(%x : tensor<8xf32>), ^join(%x : tensor<8xf32>)
  ^join(%y: tensor<8xf32>):
    func.return %y : tensor<8xf32>
  }
}

// -----

// A block on an edge computes.
// CHECK: memrefs-refused.mlir:[[# @LINE + 7]]:3: error: the memref form of @main is not proved: 'cf.cond_br' is not known
func.func @main(%x: memref<8xf32>, %z: memref<8xf32>, %c: i1) -> memref<8xf32> {
  %m = memref.alloc() : memref<8xf32>
  "memref.copy"(%z, %m) : (memref<8xf32>, memref<8xf32>) -> ()
  cf.cond_br %c, ^one, ^join
^one:
  "memref.copy"(%x, %m) : (memref<8xf32>, memref<8xf32>) -> ()
  linalg.add ins(%x, %x : memref<8xf32>, memref<8xf32>) outs(%m : memref<8xf32>)
  cf.br ^join
^join:
  func.return %m : memref<8xf32>
}
builtin.module @lastuse.source {
  func.func @main(%x: tensor<8xf32>, %z: tensor<8xf32>, %c: i1) -> tensor<8xf32> {
    cf.cond_br %c, ^join(%x : tensor<8xf32>), ^join(%z : tensor<8xf32>)
  ^join(%y: tensor<8xf32>):
    func.return %y : tensor<8xf32>
  }
}

// -----

// Memory of an edge is not given back.
// CHECK: memrefs-refused.mlir:[[# @LINE + 13]]:3: error: the memref form is wrong: 'func.return': t is never given back
func.func @main(%x: memref<8xf32>, %z: memref<8xf32>, %c: i1) -> memref<8xf32> {
  %m = memref.alloc() : memref<8xf32>
  cf.cond_br %c, ^one, ^two
^one:
  %t = memref.alloc() : memref<8xf32>
  "memref.copy"(%x, %t) : (memref<8xf32>, memref<8xf32>) -> ()
  "memref.copy"(%t, %m) : (memref<8xf32>, memref<8xf32>) -> ()
  cf.br ^join
^two:
  "memref.copy"(%z, %m) : (memref<8xf32>, memref<8xf32>) -> ()
  cf.br ^join
^join:
  func.return %m : memref<8xf32>
}
builtin.module @lastuse.source {
  func.func @main(%x: tensor<8xf32>, %z: tensor<8xf32>, %c: i1) -> tensor<8xf32> {
    cf.cond_br %c, ^join(%x : tensor<8xf32>), ^join(%z : tensor<8xf32>)
  ^join(%y: tensor<8xf32>):
    func.return %y : tensor<8xf32>
  }
}

// -----

// Memory is given back on an edge, and read behind it.
// CHECK: memrefs-refused.mlir:[[# @LINE + 14]]:3: error: the memref form is wrong: 'memref.copy': m is read after it was given back
func.func @main(%x: memref<8xf32>, %z: memref<8xf32>, %c: i1) -> memref<8xf32> {
  %m = memref.alloc() : memref<8xf32>
  %r = memref.alloc() : memref<8xf32>
  cf.cond_br %c, ^one, ^two
^one:
  "memref.copy"(%x, %m) : (memref<8xf32>, memref<8xf32>) -> ()
  memref.dealloc %m : memref<8xf32>
  cf.br ^join
^two:
  "memref.copy"(%z, %m) : (memref<8xf32>, memref<8xf32>) -> ()
  memref.dealloc %m : memref<8xf32>
  cf.br ^join
^join:
  "memref.copy"(%m, %r) : (memref<8xf32>, memref<8xf32>) -> ()
  func.return %r : memref<8xf32>
}
builtin.module @lastuse.source {
  func.func @main(%x: tensor<8xf32>, %z: tensor<8xf32>, %c: i1) -> tensor<8xf32> {
    cf.cond_br %c, ^join(%x : tensor<8xf32>), ^join(%z : tensor<8xf32>)
  ^join(%y: tensor<8xf32>):
    func.return %y : tensor<8xf32>
  }
}

// -----

// Memory that each turn takes on the edge that goes back is left there.
// CHECK: memrefs-refused.mlir:[[# @LINE + 11]]:8: error: the memref form is wrong: 'memref.alloc': t is never given back
func.func @main(%x: memref<8xf32>, %v: f32, %n: index) -> memref<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  cf.br ^head(%c0 : index)
^head(%i: index):
  memref.store %v, %x[%i] : memref<8xf32>
  %j = arith.addi %i, %c1 : index
  %more = arith.cmpi slt, %j, %n : index
  cf.cond_br %more, ^back, ^done
^back:
  %t = memref.alloc() : memref<8xf32>
  cf.br ^head(%j : index)
^done:
  func.return %x : memref<8xf32>
}
builtin.module @lastuse.source {
  func.func @main(%x: tensor<8xf32> {dnn.donated}, %v: f32, %n: index) -> tensor<8xf32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    cf.br ^head(%x, %c0 : tensor<8xf32>, index)
  ^head(%s: tensor<8xf32>, %i: index):
    %u = tensor.insert %v into %s[%i] : tensor<8xf32>
    %j = arith.addi %i, %c1 : index
    %more = arith.cmpi slt, %j, %n : index
    cf.cond_br %more, ^head(%u, %j : tensor<8xf32>, index), ^done
  ^done:
    func.return %u : tensor<8xf32>
  }
}

// -----

// Each turn stores another part, so beside the part of one turn is what turns before it stored.
// CHECK: memrefs-refused.mlir:[[# @LINE + 10]]:5: error: the memref form of @main is not proved: it does not read %p
func.func @main(%x: memref<4xf32>, %b: memref<4xf32>, %v: f32, %n: index, %o: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.alloc() : memref<4xf32>
  "memref.copy"(%b, %m) : (memref<4xf32>, memref<4xf32>) -> ()
  "memref.copy"(%x, %o) : (memref<4xf32>, memref<4xf32>) -> ()
  scf.for %i = %c0 to %n step %c1 {
    %s = memref.subview %m[%i] [1] [1] : memref<4xf32> to memref<1xf32, strided<[1], offset: ?>>
    linalg.fill ins(%v : f32) outs(%s : memref<1xf32, strided<[1], offset: ?>>)
    linalg.add ins(%m, %o : memref<4xf32>, memref<4xf32>) outs(%o : memref<4xf32>)
  }
  memref.dealloc %m : memref<4xf32>
  func.return
}
builtin.module @lastuse.source {
  func.func @main(%x: tensor<4xf32>, %b: tensor<4xf32>, %v: f32, %n: index) -> tensor<4xf32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> (tensor<4xf32>) {
      %e = tensor.empty() : tensor<1xf32>
      %f = linalg.fill ins(%v : f32) outs(%e : tensor<1xf32>) -> tensor<1xf32>
      %p = tensor.insert_slice %f into %b[%i] [1] [1] : tensor<1xf32> into tensor<4xf32>
      %q = linalg.add ins(%p, %a : tensor<4xf32>, tensor<4xf32>) outs(%a : tensor<4xf32>) -> tensor<4xf32>
      scf.yield %q : tensor<4xf32>
    }
    func.return %r : tensor<4xf32>
  }
}

// -----

// %x and %y have one size where they are added. On the other way %y may be too small for the part that is named of %x.
// CHECK: memrefs-refused.mlir:[[# @LINE + 5]]:8: error: the memref form of @main is not proved: a part that the program does not name
func.func @main(%x: memref<?xf32>, %y: memref<?xf32>, %i: index, %c: i1) -> f32 {
  cf.cond_br %c, ^one, ^two
^one:
  %s = memref.subview %x[%i] [4] [1] : memref<?xf32> to memref<4xf32, strided<[1], offset: ?>>
  %t = memref.subview %y[%i] [4] [1] : memref<?xf32> to memref<4xf32, strided<[1], offset: ?>>
  %e = memref.load %s[%i] : memref<4xf32, strided<[1], offset: ?>>
  func.return %e : f32
^two:
  linalg.add ins(%x, %y : memref<?xf32>, memref<?xf32>) outs(%x : memref<?xf32>)
  %f = memref.load %x[%i] : memref<?xf32>
  func.return %f : f32
}
builtin.module @lastuse.source {
  func.func @main(%x: tensor<?xf32> {dnn.donated}, %y: tensor<?xf32>, %i: index, %c: i1) -> f32 {
    cf.cond_br %c, ^one, ^two
  ^one:
    %s = tensor.extract_slice %x[%i] [4] [1] : tensor<?xf32> to tensor<4xf32>
    %e = tensor.extract %s[%i] : tensor<4xf32>
    func.return %e : f32
  ^two:
    %a = linalg.add ins(%x, %y : tensor<?xf32>, tensor<?xf32>) outs(%x : tensor<?xf32>) -> tensor<?xf32>
    %f = tensor.extract %a[%i] : tensor<?xf32>
    func.return %f : f32
  }
}
