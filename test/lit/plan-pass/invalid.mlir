// Options that make no sense; functions without anything to plan.

// RUN: not opt-tool --plan-pass=strategy=worst %s 2>&1 | filecheck %s --check-prefix=STRATEGY
// STRATEGY: error: {{.*}}no strategy 'worst'; there are

// RUN: not opt-tool --plan-pass=algorithm=worst %s 2>&1 | filecheck %s --check-prefix=ALGORITHM
// ALGORITHM: error: {{.*}}no algorithm 'worst'; there are

// RUN: not opt-tool --plan-pass=nodes=-1 %s 2>&1 | filecheck %s --check-prefix=NODES
// NODES: error: {{.*}}nodes is -1: the search needs a limit of 1 or more

// RUN: not opt-tool --plan-pass=arena=64 %s 2>&1 | filecheck %s --check-prefix=OPTION
// OPTION: opt-tool: error: plan-pass: {{.*}}arena

// RUN: opt-tool --plan-pass %s | filecheck %s

// CHECK: func.func private @declared(tensor<4xf32>) -> tensor<4xf32>
func.func private @declared(tensor<4xf32>) -> tensor<4xf32>

// CHECK-LABEL: func.func @empty()
// CHECK-SAME:  attributes {dnn.arena_bytes = 0 : i64}
// CHECK-NEXT:  func.return
func.func @empty() {
  func.return
}
