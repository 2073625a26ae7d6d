// An operation of an unknown dialect passes; a misspelt one of ours does not.

// RUN: opt-tool %s | filecheck %s
// RUN: echo '"dnn.rellu"() : () -> ()' | not opt-tool - 2>&1 | filecheck %s --check-prefix=OURS
// OURS:      <stdin>:1:1: error: there is no operation 'dnn.rellu'
// OURS-NEXT: "dnn.rellu"() : () -> ()
// OURS-NEXT: {{^\^$}}
// RUN: echo '"onednn.nothing"() : () -> ()' | not opt-tool - 2>&1 | filecheck %s --check-prefix=ONEDNN
// ONEDNN: <stdin>:1:1: error: there is no operation 'onednn.nothing'

// CHECK: "strange.op"(%x) {what = #strange.attribute<1>} : (i32) -> !strange.type
func.func @f(%x: i32) {
  %y = "strange.op"(%x) {what = #strange.attribute<1>} : (i32) -> !strange.type
  func.return
}
