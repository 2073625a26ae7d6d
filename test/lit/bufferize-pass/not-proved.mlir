// A form that is not proved has a warning, whether or not remarks are wanted; a remark where that is enough; or is an error.
// RUN: opt-tool --bufferize-pass %s 2>&1 | filecheck %s --check-prefix=WARNING
// RUN: opt-tool --bufferize-pass=unproved=remark %s 2>&1 | filecheck %s --check-prefix=QUIET
// RUN: opt-tool --bufferize-pass=unproved=remark --remarks %s 2>&1 | filecheck %s --check-prefix=REMARK
// RUN: not opt-tool --bufferize-pass=unproved=error %s 2>&1 | filecheck %s --check-prefix=ERROR

// WARNING: not-proved.mlir:[[# @LINE + 15]]:3: warning: cf.br: the memref form of @edge is not proved: a branch leads to another block
// WARNING: memref.copy

// QUIET-NOT: not proved
// QUIET: memref.copy

// REMARK: not-proved.mlir:[[# @LINE + 9]]:3: remark: cf.br: the memref form of @edge is not proved

// ERROR: not-proved.mlir:[[# @LINE + 7]]:3: error: the memref form of @edge is not proved
// ERROR-NOT: memref
func.func @edge(%x: tensor<4xf32>, %y: tensor<4xf32>, %c: i1, %i: index, %v: f32) -> (tensor<4xf32>, f32) {
  %a = tensor.insert %v into %x[%i] : tensor<4xf32>
  cf.cond_br %c, ^end(%a : tensor<4xf32>), ^other
^other:
  %b = tensor.insert %v into %y[%i] : tensor<4xf32>
  cf.br ^end(%b : tensor<4xf32>)
^end(%r: tensor<4xf32>):
  %w = tensor.insert %v into %r[%i] : tensor<4xf32>
  %e = tensor.extract %a[%i] : tensor<4xf32>
  func.return %w, %e : tensor<4xf32>, f32
}
