// Passes as flags run in the order given, repeated ones too, mixed with -p; options stand after `=`.

// RUN: opt-tool --dce --print-between-passes %s -p cse --canonicalize --dce | filecheck %s --check-prefix=ORDER
// ORDER:      IR after dce:
// ORDER:      IR after cse:
// ORDER:      IR after canonicalize:
// ORDER-NOT:  IR after dce:

// RUN: opt-tool --dce %s | filecheck %s --check-prefix=DCE
// DCE:      func.func @f(%x: i32) -> i32
// DCE-NEXT:   func.return %x : i32

// RUN: not opt-tool --dce=bad=1 %s 2>&1 | filecheck %s --check-prefix=OPTION
// OPTION: opt-tool: error: dce: Provided arguments ["bad"] not found

// RUN: not opt-tool --canonicalise %s 2>&1 | filecheck %s --check-prefix=FLAG
// FLAG: opt-tool: error: unknown flag '--canonicalise', did you mean --canonicalize?

// RUN: not opt-tool -p nothing %s 2>&1 | filecheck %s --check-prefix=PASS
// PASS: opt-tool: error: there is no pass 'nothing'

// RUN: not opt-tool -p 'cse{a,b}' %s 2>&1 | filecheck %s --check-prefix=PIPELINE
// PIPELINE: opt-tool: error: cannot parse the pipeline 'cse{a,b}'

// RUN: not opt-tool %s %s 2>&1 | filecheck %s --check-prefix=TWO
// TWO: opt-tool: error: more than one input

// RUN: not opt-tool -t nothing %s 2>&1 | filecheck %s --check-prefix=TARGET
// TARGET: opt-tool: error: -t/--target: no target 'nothing'

func.func @f(%x: i32) -> i32 {
  %unused = arith.addi %x, %x : i32
  func.return %x : i32
}
