// A copy that belongs on an edge between two blocks, of which one has other successors and the other has other branches
// to it, is in a block of its own there; such a form is proved.

// RUN: opt-tool --bufferize-pass=layouts=identity,unproved=error --split-input-file %s | filecheck %s
// RUN: opt-tool --bufferize-pass=layouts=identity,unproved=error,arena=none,results=out --split-input-file %s | filecheck %s --check-prefix=OUT

// CHECK-LABEL: @way_around(
// CHECK: cf.cond_br %c, ^bb1, ^[[EDGE:bb[0-9]+]]
// CHECK: ^bb2:
// CHECK: ^[[EDGE]]:
// CHECK-NEXT: "memref.copy"(%x, {{.*}})
// CHECK-NEXT: cf.br ^bb2
// OUT-LABEL: @way_around(
// OUT: "memref.copy"(%x, %{{.*}})
// OUT-NEXT: cf.br ^bb2
func.func @way_around(%x: tensor<8xf32>, %c: i1) -> tensor<8xf32> {
  cf.cond_br %c, ^then, ^join(%x : tensor<8xf32>)
^then:
  %e = tensor.empty() : tensor<8xf32>
  %s = linalg.add ins(%x, %x : tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  cf.br ^join(%s : tensor<8xf32>)
^join(%y: tensor<8xf32>):
  %z = linalg.mul ins(%x, %x : tensor<8xf32>, tensor<8xf32>) outs(%y : tensor<8xf32>) -> tensor<8xf32>
  %w = linalg.add ins(%y, %z : tensor<8xf32>, tensor<8xf32>) outs(%z : tensor<8xf32>) -> tensor<8xf32>
  func.return %w : tensor<8xf32>
}

// -----

// Both ways go to one block.
// CHECK-LABEL: @two_ways(
// CHECK: cf.cond_br %c, ^[[ONE:bb[0-9]+]], ^[[TWO:bb[0-9]+]]
// CHECK: ^[[ONE]]:
// CHECK-NEXT: "memref.copy"(%x, [[Y:%[a-z0-9_]+]])
// CHECK-NEXT: cf.br ^bb1
// CHECK: ^[[TWO]]:
// CHECK-NEXT: "memref.copy"(%z, [[Y]])
// CHECK-NEXT: cf.br ^bb1
// OUT-LABEL: @two_ways(
func.func @two_ways(%x: tensor<8xf32>, %z: tensor<8xf32>, %v: f32, %i: index, %c: i1, %d: i1) -> tensor<8xf32> {
  cf.cond_br %c, ^join(%x : tensor<8xf32>), ^join(%z : tensor<8xf32>)
^join(%y: tensor<8xf32>):
  cf.cond_br %d, ^then, ^end(%y : tensor<8xf32>)
^then:
  %w = tensor.insert %v into %y[%i] : tensor<8xf32>
  cf.br ^end(%w : tensor<8xf32>)
^end(%r: tensor<8xf32>):
  func.return %r : tensor<8xf32>
}

// A later block uses what a loop carries. No block starts again, so each memref is still the same one there.
// CHECK-LABEL: @behind_loop(
// CHECK: [[R:%.*]], [[S:%.*]] = scf.for
// CHECK: cf.cond_br
// CHECK: memref.load [[R]][%i]
// OUT-LABEL: @behind_loop(
func.func @behind_loop(%x: tensor<8xf32>, %y: tensor<8xf32>, %i: index, %v: f32, %c: i1) -> (tensor<8xf32>, f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.for %k = %c0 to %i step %c1 iter_args(%a = %x, %b = %y) -> (tensor<8xf32>, tensor<8xf32>) {
    scf.yield %b, %a : tensor<8xf32>, tensor<8xf32>
  }
  cf.cond_br %c, ^next, ^end(%r#1, %v : tensor<8xf32>, f32)
^next:
  %e = tensor.extract %r#0[%i] : tensor<8xf32>
  %w = tensor.insert %v into %r#1[%i] : tensor<8xf32>
  cf.br ^end(%w, %e : tensor<8xf32>, f32)
^end(%s: tensor<8xf32>, %f: f32):
  func.return %s, %f : tensor<8xf32>, f32
}
