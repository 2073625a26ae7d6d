// No word at all.

// RUN: not opt-tool --pad-gru-pass=steps=0 %s 2>&1 | filecheck %s
// CHECK: error: {{.*}}sequences are padded to at least 1 row, not 0
func.func @main(%x: tensor<5x2xf32>) -> tensor<5x2xf32> {
  func.return %x : tensor<5x2xf32>
}
