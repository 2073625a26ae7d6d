// Results of unknown size in memory of the caller.

// RUN: opt-tool --bufferize-pass=results=out,layouts=identity,unproved=error %s | filecheck %s

// The memory of the caller has the size of the result: what earlier iterations make is smaller, and is not there.
// CHECK-LABEL: @grows(
// CHECK-SAME: [[OUT:%[a-z0-9_]+]]: memref<?xf32>) {
// CHECK: [[R:%.*]], {{%.*}} = scf.while
// CHECK: [[E:%.*]] = memref.alloc(%m)
// CHECK: linalg.fill ins(%v : f32) outs([[E]] :
// CHECK: scf.condition({{.*}}) [[E]]
// CHECK: "memref.copy"([[R]], [[OUT]])
// CHECK-NEXT: memref.dealloc [[R]]
func.func @grows(%t: tensor<?xf32>, %n: index, %v: f32) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.while (%a = %t, %i = %c0) : (tensor<?xf32>, index) -> (tensor<?xf32>, index) {
    %c = arith.cmpi slt, %i, %n : index
    %d = tensor.dim %a, %c0 : tensor<?xf32>
    %m = arith.addi %d, %c1 : index
    %e = tensor.empty(%m) : tensor<?xf32>
    %p = linalg.fill ins(%v : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
    scf.condition(%c) %p, %i : tensor<?xf32>, index
  } do {
  ^bb0(%b: tensor<?xf32>, %i: index):
    %j = arith.addi %i, %c1 : index
    scf.yield %b, %j : tensor<?xf32>, index
  }
  func.return %r#0 : tensor<?xf32>
}
