// An output file appears whole or not at all; `-` is standard input; a file of another kind is not replaced.

// RUN: opt-tool %s -o %t.mlir && filecheck %s --input-file %t.mlir
// RUN: opt-tool - < %s | filecheck %s
// RUN: %opt-tool-program - < %s | filecheck %s
// RUN: opt-tool %s -o /dev/null && test -c /dev/null
// CHECK: func.func @f

// RUN: echo kept > %t.kept
// RUN: echo 'func.func @g(' | not opt-tool - -o %t.kept 2>&1 | filecheck %s --check-prefix=BAD
// RUN: filecheck %s --check-prefix=KEPT --input-file %t.kept
// BAD: <stdin>:2:1: error:
// KEPT: kept

// RUN: not opt-tool %s -o %t.nothing/x.mlir 2>&1 | filecheck %s --check-prefix=FOLDER
// FOLDER: x.mlir:1:1: error: cannot be written: No such file or directory

// RUN: opt-tool %s --print-op-generic | filecheck %s --check-prefix=GENERIC
// GENERIC: "func.func"() <{
func.func @f() {
  func.return
}
