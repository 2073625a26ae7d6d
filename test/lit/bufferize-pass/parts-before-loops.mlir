// What is computed before a loop lies in no part of memory that comes with what the loop carries.

// RUN: opt-tool --bufferize-pass=arena=none,unproved=error %s | filecheck %s

// The inner loop could carry a spare tensor for what each turn pads. What is padded is computed before that loop: it has
// memory of its own, which is given back, and so is all other memory.
// CHECK-LABEL: @main(
// CHECK: scf.for
// CHECK: [[HERE:%.*]] = memref.alloc() {{.*}} : memref<4xi64>
// CHECK-NEXT: linalg.fill {{.*}} outs([[HERE]] : memref<4xi64>)
// CHECK-NEXT: [[PAD:%.*]] = memref.alloc()
// CHECK-NEXT: scf.while
// CHECK: [[PART:%.*]] = memref.subview [[PAD]][0] [4] [1]
// CHECK-NEXT: "memref.copy"([[HERE]], [[PART]])
// CHECK: memref.dealloc [[HERE]]
// CHECK-NEXT: memref.dealloc [[PAD]]
// CHECK-NEXT: scf.yield
// CHECK: return
func.func @main(%a: tensor<12xi64>, %b: tensor<12xi64> {dnn.donated}, %v: i64) -> tensor<12xi64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %v2:2 = scf.for %v5 = %c0 to %c3 step %c1 iter_args(%v3 = %a, %v4 = %b) -> (tensor<12xi64>, tensor<12xi64>) {
    %v9 = tensor.empty() : tensor<4xi64>
    %v8 = linalg.fill ins(%v : i64) outs(%v9 : tensor<4xi64>) -> tensor<4xi64>
    %v10:2 = scf.while (%v11 = %b, %v13 = %c0) : (tensor<12xi64>, index) -> (tensor<12xi64>, index) {
      %v14 = arith.cmpi slt, %v13, %c3 : index
      scf.condition(%v14) %v11, %v13 : tensor<12xi64>, index
    } do {
    ^bb0(%v12: tensor<12xi64>, %v13b: index):
      %v16 = tensor.pad %v8 low[0] high[8] {
      ^bb0(%v17: index):
        %v19 = arith.index_cast %v17 : index to i64
        tensor.yield %v19 : i64
      } : tensor<4xi64> to tensor<12xi64>
      %v15 = arith.addi %v13b, %c1 : index
      scf.yield %v16, %v15 : tensor<12xi64>, index
    }
    scf.yield %v4, %a : tensor<12xi64>, tensor<12xi64>
  }
  func.return %v2#0 : tensor<12xi64>
}
