// What cannot be drawn is one error with its place, and no file.

// RUN: echo kept > %t.svg && not opt-tool -t svg %s -o %t.svg 2>&1 | filecheck %s --check-prefix=SIZE
// RUN: filecheck %s --check-prefix=KEPT --input-file %t.svg
// RUN: not opt-tool -t html %s 2>&1 | filecheck %s --check-prefix=SIZE
// SIZE: pictures-refused.mlir:21:1: error: the size of %x is not known: --specialize-pass=x=… binds it
// SIZE-NOT: <svg
// KEPT: kept

// RUN: not opt-tool --specialize-pass=x=4 --lower-to-onednn-pass -t svg %s 2>&1 | filecheck %s --check-prefix=LOWERED
// LOWERED: pictures-refused.mlir:21:1: error: is lowered already: a map is drawn before --lower-to-onednn-pass

// RUN: echo 'builtin.module {}' | not opt-tool -t svg - 2>&1 | filecheck %s --check-prefix=NOTHING
// RUN: echo 'builtin.module {}' | not opt-tool -t dot - 2>&1 | filecheck %s --check-prefix=NOTHING
// NOTHING: <stdin>:1:1: error: there is {{no function|nothing}} to draw

// RUN: not opt-tool --split-input-file -t svg %s 2>&1 | filecheck %s --check-prefix=SPLIT
// SPLIT: opt-tool: error: -t svg makes one file of one module: --split-input-file does not go with it
// RUN: not opt-tool -t 'svg{nave=true}' %s 2>&1 | filecheck %s --check-prefix=OPTION
// OPTION: opt-tool: error: -t svg: Provided arguments ["nave"] not found
func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> {
  %y = "dnn.relu"(%x) : (tensor<?xf32>) -> tensor<?xf32>
  func.return %y : tensor<?xf32>
}
