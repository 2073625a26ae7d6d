// A form that is not proved has a warning, whether or not remarks are wanted; a remark where that is enough; or is an error.
// RUN: opt-tool --bufferize-pass %s 2>&1 | filecheck %s --check-prefix=WARNING
// RUN: opt-tool --bufferize-pass=unproved=remark %s 2>&1 | filecheck %s --check-prefix=QUIET
// RUN: opt-tool --bufferize-pass=unproved=remark --remarks %s 2>&1 | filecheck %s --check-prefix=REMARK
// RUN: not opt-tool --bufferize-pass=unproved=error %s 2>&1 | filecheck %s --check-prefix=ERROR

// WARNING: not-proved.mlir:[[# @LINE + 24]]:3: warning: func.return: the memref form of @later is not proved: result 0 is not %w
// WARNING: memref.copy

// QUIET-NOT: not proved
// QUIET: memref.copy

// REMARK: not-proved.mlir:[[# @LINE + 18]]:3: remark: func.return: the memref form of @later is not proved

// ERROR: not-proved.mlir:[[# @LINE + 16]]:3: error: the memref form of @later is not proved
// ERROR-NOT: memref
func.func @later(%x: tensor<4xf32>, %y: tensor<4xf32>, %i: index, %v: f32, %c: i1) -> (tensor<4xf32>, f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  cf.br ^turn
^turn:
  %r:2 = scf.for %k = %c0 to %i step %c1 iter_args(%a = %x, %b = %y) -> (tensor<4xf32>, tensor<4xf32>) {
    scf.yield %b, %a : tensor<4xf32>, tensor<4xf32>
  }
  cf.br ^next
^next:
  %e = tensor.extract %r#0[%i] : tensor<4xf32>
  %w = tensor.insert %v into %r#1[%i] : tensor<4xf32>
  cf.cond_br %c, ^turn, ^end
^end:
  func.return %w, %e : tensor<4xf32>, f32
}
