// Of tensors that may have different sizes the memref of one is chosen: by a select, an scf.if, blocks and loops. No loop
// reads both, and no copy is made but for a result that has memory of its own.
// RUN: opt-tool --bufferize-pass=results=out --split-input-file %s | filecheck %s
// RUN: opt-tool --bufferize-pass=results=out --remarks -o /dev/null --split-input-file %s 2>&1 | filecheck %s --check-prefix=REMARK

// CHECK-LABEL: @other_sizes
// CHECK: [[CHOSEN:%.*]] = arith.select %c, %x, %y
// CHECK-NEXT: "memref.copy"([[CHOSEN]], %r)
// REMARK: arith.select (r): %r is not written over %x: it does not have the same sizes
// REMARK: arith.select (r): %r lies where the path taken puts it
func.func @other_sizes(%c: i1, %x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  %r = arith.select %c, %x, %y : tensor<?xf32>
  func.return %r : tensor<?xf32>
}

// -----

// CHECK-LABEL: @one_size
// CHECK: [[ONE:%.*]] = arith.select %c, %x, %y
// CHECK-NEXT: "memref.copy"([[ONE]], %r)
func.func @one_size(%c: i1, %x: tensor<8xf32>, %y: tensor<8xf32>) -> tensor<8xf32> {
  %r = arith.select %c, %x, %y : tensor<8xf32>
  func.return %r : tensor<8xf32>
}

// -----

// The one that is chosen is written, and it may be. What is returned is computed in the caller's memory.
// CHECK-LABEL: @written
// CHECK: [[CHOSEN:%.*]] = arith.select %c, %x, %y
// CHECK-NEXT: memref.store %v, [[CHOSEN]][%c0]
// CHECK-NEXT: linalg.exp ins([[CHOSEN]] : {{.*}}) outs(%f : memref<?xf32>)
// CHECK-NEXT: return
func.func @written(%x: tensor<?xf32> {dnn.donated}, %y: tensor<?xf32> {dnn.donated}, %c: i1, %v: f32) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %s = arith.select %c, %x, %y : tensor<?xf32>
  %t = tensor.insert %v into %s[%c0] : tensor<?xf32>
  %f = linalg.exp ins(%t : tensor<?xf32>) outs(%t : tensor<?xf32>) -> tensor<?xf32>
  func.return %f : tensor<?xf32>
}

// -----

// CHECK-LABEL: @arms
// CHECK: [[CHOSEN:%.*]] = scf.if %c
// CHECK-NEXT: scf.yield %x
// CHECK-NEXT: } else {
// CHECK-NEXT: memref.store %v, %y[%c0]
// CHECK-NEXT: scf.yield %y
// CHECK: "memref.copy"([[CHOSEN]], %s)
func.func @arms(%x: tensor<?xf32>, %y: tensor<?xf32> {dnn.donated}, %c: i1, %v: f32) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %s = scf.if %c -> (tensor<?xf32>) {
    scf.yield %x : tensor<?xf32>
  } else {
    %t = tensor.insert %v into %y[%c0] : tensor<?xf32>
    scf.yield %t : tensor<?xf32>
  }
  func.return %s : tensor<?xf32>
}

// -----

// CHECK-LABEL: @blocks
// CHECK: cf.cond_br %c, ^[[END:.*]](%x : {{.*}}), ^[[END]](%y : {{.*}})
// CHECK: "memref.copy"
// CHECK-NOT: "memref.copy"
func.func @blocks(%x: tensor<?xf32>, %y: tensor<?xf32>, %c: i1) -> tensor<?xf32> {
  cf.cond_br %c, ^bb1(%x : tensor<?xf32>), ^bb1(%y : tensor<?xf32>)
^bb1(%s: tensor<?xf32>):
  func.return %s : tensor<?xf32>
}

// -----

// What the loop carries has as many elements as %u at first, and 12 after an iteration.
// CHECK-LABEL: @carried
// CHECK: scf.while
// CHECK-NOT: memref.copy
// CHECK: func.return
func.func @carried(%u: tensor<?xi64>, %b: tensor<12xi64>, %v: i64) -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %w:2 = scf.while (%x = %u, %i = %c0) : (tensor<?xi64>, index) -> (tensor<?xi64>, index) {
    %t = arith.cmpi slt, %i, %c3 : index
    scf.condition(%t) %x, %i : tensor<?xi64>, index
  } do {
  ^bb0(%y: tensor<?xi64>, %j: index):
    %d = tensor.cast %b : tensor<12xi64> to tensor<?xi64>
    %k = arith.addi %j, %c1 : index
    scf.yield %d, %k : tensor<?xi64>, index
  }
  %e = tensor.extract %w#0[%c0] : tensor<?xi64>
  func.return %e : i64
}
