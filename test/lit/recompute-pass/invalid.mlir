// A limit is a number of bytes, and ops a word.

// RUN: not opt-tool --recompute-pass=limit=8192,ops=some %s 2>&1 | filecheck %s --check-prefix=OPS
// RUN: not opt-tool --recompute-pass=limit=much %s 2>&1 | filecheck %s --check-prefix=LIMIT

// OPS: error: recompute-pass: ops is cheap or all, not 'some'
// LIMIT: error: recompute-pass: limit 'much' is no number of bytes
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  func.return %x : tensor<4xf32>
}
