// Options that make no sense; functions without anything to place.

// RUN: not opt-tool --memory-plan-pass=algorithm=worst %s 2>&1 | filecheck %s --check-prefix=ALGORITHM
// ALGORITHM: error: {{.*}}no algorithm 'worst'; there are best, greedy, exact, pool

// RUN: not opt-tool --memory-plan-pass=algorithm=pool,level=2 %s 2>&1 | filecheck %s --check-prefix=LEVEL
// LEVEL: error: {{.*}}no level 2; there are 0 and 1

// RUN: not opt-tool --memory-plan-pass=algorithm=pool,order=best %s 2>&1 | filecheck %s --check-prefix=ORDER
// ORDER: error: {{.*}}no order 'best'; there are sound, seed

// RUN: not opt-tool --memory-plan-pass=limit=64x %s 2>&1 | filecheck %s --check-prefix=LIMIT
// LIMIT: error: {{.*}}limit '64x' is no number of bytes, such as 65536 or 64KiB

// RUN: not opt-tool --memory-plan-pass=limit=-1 %s 2>&1 | filecheck %s --check-prefix=NEGATIVE
// NEGATIVE: error: {{.*}}limit '-1' is no number of bytes

// RUN: not opt-tool --memory-plan-pass=limit=64,algorithm=pool %s 2>&1 | filecheck %s --check-prefix=POOL
// POOL: error: {{.*}}limit= cannot be combined with algorithm=pool

// RUN: not opt-tool --memory-plan-pass=arena=64 %s 2>&1 | filecheck %s --check-prefix=OPTION
// OPTION: opt-tool: error: memory-plan-pass: {{.*}}arena

// RUN: opt-tool --memory-plan-pass %s | filecheck %s

// CHECK: func.func private @declared(tensor<4xf32>) -> tensor<4xf32>
func.func private @declared(tensor<4xf32>) -> tensor<4xf32>

// CHECK-LABEL: func.func @empty()
// CHECK-SAME:  attributes {dnn.arena_bytes = 0 : i64}
// CHECK-NEXT:  func.return
func.func @empty() {
  func.return
}
