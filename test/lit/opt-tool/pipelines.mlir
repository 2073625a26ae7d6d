// A pipeline is its passes, where it stands among the flags.

// RUN: opt-tool --pipeline=plan %s | filecheck %s --check-prefix=PLAN
// RUN: opt-tool --fold-producer-pass --plan-pass --verify-storage-pass=repair=true %s | filecheck %s --check-prefix=PLAN
// PLAN: %a = "dnn.mul"(%x, %x) :
// PLAN-NEXT: %f = "dnn.less_or_equal"(%a, %y) {{.*}}dnn.inplace = array<i32: 0>

// RUN: opt-tool --pipeline=compile %s | filecheck %s --check-prefix=LOWERED
// RUN: opt-tool --pipeline=fuse --placement-pass --pipeline=plan --pipeline=lower %s | filecheck %s --check-prefix=LOWERED
// LOWERED: onednn.arena
// LOWERED-NEXT: onednn.call "dnn.map" ins(%x, %y
// LOWERED: onednn.source

// RUN: not opt-tool --pipeline=fast %s 2>&1 | filecheck %s --check-prefix=NONE
// NONE: opt-tool: error: no pipeline 'fast'; there are fuse, plan, lower, compile
func.func @main(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %a = "dnn.mul"(%x, %x) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %c = "dnn.less_or_equal"(%a, %y) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  %f = "dnn.cast"(%c) : (tensor<4xi1>) -> tensor<4xf32>
  %r = "dnn.exp"(%f) : (tensor<4xf32>) -> tensor<4xf32>
  func.return %r : tensor<4xf32>
}
