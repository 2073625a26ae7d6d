// A chunk ends at a whole line `// -----`; a bad chunk does not stop the next, its error has the line of the file.

// RUN: not opt-tool --split-input-file %s 2> %t.err | filecheck %s
// RUN: filecheck %s --check-prefix=ERR --input-file %t.err
// ERR: split.mlir:18:3: error: there is no operation 'nothing.here'

// CHECK: func.func @first
func.func @first() {
  // ----- not a separator
  func.return
}
// ---------- not one either

// -----

func.func @second() {

  nothing.here
}

// -----

// CHECK: // -----
// CHECK: // -----
// CHECK-NEXT: builtin.module
// CHECK-NEXT: func.func @third
func.func @third() {
  func.return
}
