// An arena above its limit is an error at the op where most is live: what is there, and what would help.

// RUN: not opt-tool --memory-plan-pass=limit=300 --split-input-file %s -o %t.mlir 2>&1 | filecheck %s
// RUN: not cat %t.mlir
// RUN: not opt-tool -p 'memory-plan-pass{limit=0KiB algorithm=exact}' --split-input-file %s 2>&1 | filecheck %s --check-prefix=NONE
// RUN: opt-tool --memory-plan-pass=limit=0.5KiB --split-input-file %s | filecheck %s --check-prefix=FITS
// RUN: not opt-tool --memory-plan-pass=limit=300 --remarks=json --split-input-file %s -o /dev/null 2>&1 | filecheck %s --check-prefix=JSON

// NONE: the limit is 0;
// FITS: dnn.arena_bytes = 384 : i64
// JSON: "kind": "refusal", "op": "dnn.opaque", "names": ["b"], "message": "the arena has 384 bytes, the limit is 300; {{.*}}"reason": "limit"
// JSON-SAME: "notes": ["%k has 128 bytes here, last needed by 'dnn.mul'", "%a has 128 bytes here",

// CHECK:      limit.mlir:[[# @LINE + 12]]:8: error: the arena has 384 bytes, the limit is 300; most is live at 'dnn.opaque' (b): 384 bytes
// CHECK-NEXT:   %b = "dnn.opaque"(%a)
// CHECK:      limit.mlir:[[# @LINE + 8]]:8: note: %k has 128 bytes here, last needed by 'dnn.mul'
// CHECK:      limit.mlir:[[# @LINE + 8]]:8: note: %a has 128 bytes here
// CHECK:      limit.mlir:[[# @LINE + 8]]:8: note: %b has 64 bytes here, last needed by 'dnn.mul'
// CHECK:      limit.mlir:[[# @LINE + 7]]:8: note: scratch of 'dnn.opaque' has 64 bytes here
// CHECK:      note: %b is not written over %a: no kernel of this op writes over that operand
// CHECK:      note: held over this op for later ones: %k, 128 bytes; an order that uses them first
// CHECK:      note: this order needs 84 bytes less to fit, or a limit of 384
func.func @main(%x: tensor<32xf32>) -> tensor<2x16xf32> {
  %k = "dnn.reshape"(%x) {dnn.copy} : (tensor<32xf32>) -> tensor<2x16xf32>
  %a = "dnn.exp"(%x) : (tensor<32xf32>) -> tensor<32xf32>
  %b = "dnn.opaque"(%a) {kind = "conv", dnn.scratch_bytes = 10 : i64} : (tensor<32xf32>) -> tensor<16xf32>
  %c = "dnn.mul"(%k, %b) : (tensor<2x16xf32>, tensor<16xf32>) -> tensor<2x16xf32>
  func.return %c : tensor<2x16xf32>
}

// -----

// In place is not decided here, and would help.
// CHECK: limit.mlir:[[# @LINE + 5]]:8: error: the arena has 512 bytes, the limit is 300; most is live at 'dnn.relu' (b): 512 bytes
// CHECK: note: --inplace-pass before this pass writes %b over %a
// FITS:  dnn.arena_bytes = 512 : i64
func.func @main(%x: tensor<64xf32>) -> tensor<32xf32> {
  %a = "dnn.exp"(%x) : (tensor<64xf32>) -> tensor<64xf32>
  %b = "dnn.relu"(%a) : (tensor<64xf32>) -> tensor<64xf32>
  %c = "dnn.opaque"(%b) {kind = "conv"} : (tensor<64xf32>) -> tensor<32xf32>
  func.return %c : tensor<32xf32>
}

// -----

// What is called has a frame too.
// CHECK: limit.mlir:[[# @LINE + 10]]:8: error: the arenas have 384 bytes, the limit is 300: 256 of @main and 128 of what it calls here
// FITS:  func.func @step
// FITS:  func.func @main
func.func @step(%x: tensor<32xf32>) -> tensor<32xf32> {
  %a = "dnn.exp"(%x) : (tensor<32xf32>) -> tensor<32xf32>
  %e = "dnn.opaque"(%a) {kind = "conv"} : (tensor<32xf32>) -> tensor<32xf32>
  func.return %e : tensor<32xf32>
}
func.func @main(%x: tensor<32xf32>) -> tensor<32xf32> {
  %a = "dnn.exp"(%x) : (tensor<32xf32>) -> tensor<32xf32>
  %d = func.call @step(%a) : (tensor<32xf32>) -> tensor<32xf32>
  %e = "dnn.add"(%a, %d) : (tensor<32xf32>, tensor<32xf32>) -> tensor<32xf32>
  func.return %e : tensor<32xf32>
}
