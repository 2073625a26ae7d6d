// Loops and branches of blocks whose tensors change their size, and memory that ends with a branch.

// RUN: opt-tool --bufferize-pass=arena=none,layouts=identity --split-input-file %s | filecheck %s

// A loop of blocks in which a tensor grows is one of `scf`, that carries memory of each size.
// CHECK-LABEL: @grows(
// CHECK: {{.*}}, [[R:%.*]] = scf.while ({{.*}}, [[T:%.*]] = %x) :
// CHECK: scf.condition({{.*}}) {{.*}}, [[T]] : index, memref<?xf32>
// CHECK: ^bb0({{.*}}: index, [[OLD:%.*]]: memref<?xf32>):
// CHECK: [[NEW:%.*]] = memref.alloc
// CHECK: "memref.copy"([[OLD]],
// CHECK: scf.if
// CHECK-NEXT: memref.dealloc [[OLD]]
// CHECK: scf.yield {{.*}}, [[NEW]]
// CHECK: func.return [[R]]
func.func @grows(%x: tensor<?xf32>, %n: index, %z: f32) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  cf.br ^h(%c0, %x : index, tensor<?xf32>)
^h(%i: index, %t: tensor<?xf32>):
  %c = arith.cmpi slt, %i, %n : index
  cf.cond_br %c, ^b, ^e
^b:
  %d = tensor.dim %t, %c0 : tensor<?xf32>
  %g = arith.addi %d, %c1 : index
  %em = tensor.empty(%g) : tensor<?xf32>
  %f = linalg.fill ins(%z : f32) outs(%em : tensor<?xf32>) -> tensor<?xf32>
  %q = tensor.insert_slice %t into %f[1] [%d] [1] : tensor<?xf32> into tensor<?xf32>
  %j = arith.addi %i, %c1 : index
  cf.br ^h(%j, %q : index, tensor<?xf32>)
^e:
  func.return %t : tensor<?xf32>
}

// -----

// Decided behind what it does, on the other way.
// CHECK-LABEL: @grows_first(
// CHECK: scf.while
// CHECK: [[C:%.*]] = arith.cmpi sge
// CHECK: [[GO:%.*]] = arith.xori [[C]],
// CHECK: scf.condition([[GO]])
func.func @grows_first(%x: tensor<?xf32>, %n: index, %z: f32) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  cf.br ^h(%c0, %x : index, tensor<?xf32>)
^h(%i: index, %t: tensor<?xf32>):
  %d = tensor.dim %t, %c0 : tensor<?xf32>
  %g = arith.addi %d, %c1 : index
  %em = tensor.empty(%g) : tensor<?xf32>
  %f = linalg.fill ins(%z : f32) outs(%em : tensor<?xf32>) -> tensor<?xf32>
  %q = tensor.insert_slice %t into %f[1] [%d] [1] : tensor<?xf32> into tensor<?xf32>
  %j = arith.addi %i, %c1 : index
  %c = arith.cmpi sge, %j, %n : index
  cf.cond_br %c, ^e, ^h(%j, %q : index, tensor<?xf32>)
^e:
  func.return %q : tensor<?xf32>
}

// -----

// One arm, and none.
// CHECK-LABEL: @grows_or_not(
// CHECK: [[R:%.*]] = scf.if %c -> (memref<?xf32>)
// CHECK: } else {
// CHECK: func.return [[R]]
func.func @grows_or_not(%x: tensor<?xf32>, %c: i1, %z: f32) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  cf.cond_br %c, ^a, ^j(%x : tensor<?xf32>)
^a:
  %d = tensor.dim %x, %c0 : tensor<?xf32>
  %g = arith.addi %d, %c1 : index
  %em = tensor.empty(%g) : tensor<?xf32>
  %f = linalg.fill ins(%z : f32) outs(%em : tensor<?xf32>) -> tensor<?xf32>
  cf.br ^j(%f : tensor<?xf32>)
^j(%r: tensor<?xf32>):
  func.return %r : tensor<?xf32>
}

// -----

// Sizes that stay as they are leave the blocks as they are. What one way moves is given back behind that, and on the
// other way too.
// CHECK-LABEL: @moves(
// CHECK: ^bb1(
// CHECK: [[NEW:%.*]] = memref.alloc()
// CHECK: cf.cond_br %{{.*}}, ^[[MOVES:bb[0-9]+]], ^[[LEAVES:bb[0-9]+]]
// CHECK: ^[[MOVES]]:
// CHECK-NEXT: "memref.copy"([[NEW]], [[SLOT:%.*]]) :
// CHECK-NEXT: memref.dealloc [[NEW]]
// CHECK: ^[[LEAVES]]:
// CHECK-NEXT: memref.dealloc [[NEW]]
func.func @moves(%x: tensor<8xf32>, %n: index, %at: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  cf.br ^h(%c0, %x : index, tensor<8xf32>)
^h(%i: index, %t: tensor<8xf32>):
  %em = tensor.empty() : tensor<8xf32>
  %q = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%t : tensor<8xf32>) outs(%em : tensor<8xf32>) {
  ^bb0(%a: f32, %b: f32):
    %e = tensor.extract %t[%at] : tensor<8xf32>
    %s = arith.addf %a, %e : f32
    linalg.yield %s : f32
  } -> tensor<8xf32>
  %v = tensor.extract %q[%at] : tensor<8xf32>
  %j = arith.addi %i, %c1 : index
  %c = arith.cmpi slt, %j, %n : index
  cf.cond_br %c, ^h(%j, %q : index, tensor<8xf32>), ^e
^e:
  func.return %v : f32
}
