// Blocks that are passed memory, in functions that carry decisions.

// RUN: opt-tool -p 'inplace-pass{forward=true},bufferize-pass{arena=none layouts=identity}' --split-input-file --remarks %s -o - 2>&1 | filecheck %s

// With the decisions each block has one memory for its argument: they are dropped, and the loop of blocks is one of scf.
// CHECK: decided-blocks.mlir:[[# @LINE + 5]]:1: remark: func.func: the decisions of the module are dropped: with them the size of the memory of
// CHECK-LABEL: @grows(
// CHECK: scf.while
// CHECK: memref.alloc(%more)
// CHECK-NOT: cf.br
func.func @grows(%x: tensor<?xf32>, %n: index, %v: f32) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  cf.br ^head(%c0, %x : index, tensor<?xf32>)
^head(%i: index, %a: tensor<?xf32>):
  %c = arith.cmpi slt, %i, %n : index
  cf.cond_br %c, ^body, ^exit
^body:
  %size = tensor.dim %a, %c0 : tensor<?xf32>
  %more = arith.addi %size, %c1 : index
  %e = tensor.empty(%more) : tensor<?xf32>
  %f = linalg.fill ins(%v : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  %j = arith.addi %i, %c1 : index
  cf.br ^head(%j, %f : index, tensor<?xf32>)
^exit:
  func.return %a : tensor<?xf32>
}

// -----

// An argument under other axes, whose sizes only the argument says, is memory of a block.
// CHECK-LABEL: @other_axes(
// CHECK: memref.collapse_shape %m {{.*}} : memref<3x4xf32> into memref<12xf32>
// CHECK: cf.br ^[[HEAD:bb[0-9]+]]
// CHECK: ^[[HEAD]]({{%[a-z]+}}: index):
// CHECK: memref.load
func.func @other_axes(%m: tensor<3x4xf32>, %n: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %f = tensor.collapse_shape %m [[0, 1]] : tensor<3x4xf32> into tensor<12xf32>
  %g = tensor.cast %f : tensor<12xf32> to tensor<?xf32>
  cf.br ^head(%c0, %g : index, tensor<?xf32>)
^head(%i: index, %a: tensor<?xf32>):
  %j = arith.addi %i, %c1 : index
  %c = arith.cmpi slt, %j, %n : index
  cf.cond_br %c, ^head(%j, %a : index, tensor<?xf32>), ^exit
^exit:
  %s = tensor.extract %a[%n] : tensor<?xf32>
  func.return %s : f32
}

// -----

// Decided as the memref of a tensor hides that it is read later: the form reads the tensor itself, which stays then.
// CHECK: remark: linalg.add (y): dnn.inplace[0] of linalg.add dropped: tensor.extract reads %x
// CHECK-LABEL: @read_by_its_memref(
// CHECK: [[Y:%.*]] = memref.alloc()
// CHECK-NEXT: linalg.add {{.*}} outs([[Y]]
// CHECK-NEXT: memref.load %x[%i]
func.func @read_by_its_memref(%x: tensor<8xf32> {dnn.donated}, %i: index) -> (tensor<8xf32>, f32) {
  %m = bufferization.to_buffer %x : tensor<8xf32> to memref<8xf32>
  %e = tensor.empty() : tensor<8xf32>
  %y = linalg.add ins(%x, %x : tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %v = memref.load %m[%i] : memref<8xf32>
  func.return %y, %v : tensor<8xf32>, f32
}
