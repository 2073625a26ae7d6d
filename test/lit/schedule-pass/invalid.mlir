// Options that make no sense; functions without anything to move.

// RUN: not opt-tool --schedule-pass=nodes=0 %s 2>&1 | filecheck %s --check-prefix=NODES
// NODES: error: {{.*}}nodes is 0: the search needs a limit of 1 or more

// RUN: not opt-tool --schedule-pass=order=best %s 2>&1 | filecheck %s --check-prefix=OPTION
// OPTION: opt-tool: error: schedule-pass: {{.*}}order

// RUN: opt-tool --schedule-pass %s | filecheck %s

// CHECK: func.func private @declared(tensor<4xf32>) -> tensor<4xf32>
func.func private @declared(tensor<4xf32>) -> tensor<4xf32>

// CHECK-LABEL: func.func @empty()
// CHECK-NEXT:  func.return
func.func @empty() {
  func.return
}

// CHECK-LABEL: func.func @forever()
// CHECK-NEXT:  cf.br
func.func @forever() {
  cf.br ^again
^again:
  cf.br ^again
}
