// Control flow stays scf, cf and func.call; tensors move into the slots of a boundary before it is crossed.

// RUN: opt-tool --lower-to-onednn-pass %s | filecheck %s
// RUN: opt-tool --lower-to-onednn-pass %s | opt-tool - | filecheck %s
// RUN: opt-tool --lower-to-onednn-pass --remarks -o %t.mlir %s 2>&1 | filecheck %s --check-prefix=REMARK

// The slot is the result's memory: the init moves there once, the body updates it where it lies.
// CHECK-LABEL: func.func @in_place(
// CHECK:         onednn.copy ins(%x : memref<4xf32>) outs(%r : memref<4xf32>)
// CHECK-NEXT:    scf.for %i = %c0 to %n step %c1 {
// CHECK-NEXT:      onednn.eltwise "tanh" ins(%r : memref<4xf32>) outs(%r : memref<4xf32>)
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return
// REMARK: control.mlir:[[# @LINE + 4]]:8: remark: scf.for (r): %x is copied into %r, 16 bytes: {{.*}} [program-input]
func.func @in_place(%x: tensor<4xf32>, %n: index) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%p = %x) -> (tensor<4xf32>) {
    %q = "dnn.tanh"(%p) {dnn.inplace = array<i32: 0>} : (tensor<4xf32>) -> tensor<4xf32>
    scf.yield %q : tensor<4xf32>
  }
  func.return %r : tensor<4xf32>
}

// Two slots change places: one value is copied to a temporary, behind the plan.
// CHECK-LABEL: func.func @circle(
// CHECK:         %arena = onednn.arena : memref<16xi8>
// CHECK:         scf.for
// CHECK-NEXT:      [[ASIDE:%[0-9]+]] = onednn.view %arena {offset = 0 : i64} : memref<16xi8> -> memref<4xf32>
// CHECK-NEXT:      onednn.copy ins(%r_1 : memref<4xf32>) outs([[ASIDE]] : memref<4xf32>)
// CHECK-NEXT:      onednn.copy ins(%r : memref<4xf32>) outs(%r_1 : memref<4xf32>)
// CHECK-NEXT:      onednn.copy ins([[ASIDE]] : memref<4xf32>) outs(%r : memref<4xf32>)
// CHECK-NEXT:    }
// REMARK: remark: scf.yield: {{.*}} is copied to a temporary, 16 bytes: values exchange their places, so one is copied to a temporary [cycle]
func.func @circle(%x: tensor<4xf32>, %u: tensor<4xf32>, %n: index) -> (tensor<4xf32>, tensor<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%p = %x, %q = %u) -> (tensor<4xf32>, tensor<4xf32>) {
    scf.yield %q, %p : tensor<4xf32>, tensor<4xf32>
  }
  func.return %r#0, %r#1 : tensor<4xf32>, tensor<4xf32>
}

// Scalars are carried, tested and returned as values; one of them is read from memory.
// CHECK-LABEL: func.func @until(%x: memref<4xf32> {dnn.name = "x"}, %limit: f32 {dnn.name = "limit"}, %r: memref<4xf32> {onednn.result = "out0"}) -> (index {onednn.result = "count"}) {
// CHECK:         [[COUNT:%[a-z_0-9]+]] = scf.while (%i = %c0) : (index) -> index {
// CHECK:           onednn.call "dnn.reduce_sum" ins([[SLOT:%[0-9]+]] : memref<4xf32>) outs([[SUM:%[0-9]+]] : memref<f32>)
// CHECK-NEXT:      %v = memref.load [[SUM]][] : memref<f32>
// CHECK-NEXT:      %c = arith.cmpf olt, %v, %limit : f32
// CHECK-NEXT:      onednn.copy ins([[SLOT]] : memref<4xf32>) outs(%r : memref<4xf32>)
// CHECK-NEXT:      scf.condition(%c) %i : index
// CHECK-NEXT:    } do {
// CHECK-NEXT:    ^bb{{[0-9]+}}(%{{[a-z_0-9]+}}: index):
// CHECK:           scf.yield %{{[a-z_0-9]+}} : index
// CHECK:         func.return [[COUNT]] : index
func.func @until(%x: tensor<4xf32>, %limit: f32) -> (tensor<4xf32>, index {dnn.name = "count"}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r, %k = scf.while (%p = %x, %i = %c0) : (tensor<4xf32>, index) -> (tensor<4xf32>, index) {
    %s = "dnn.reduce_sum"(%p) {axes = array<i64: 0>, keepdims = 0 : i64, dnn.engine = "cpu"} : (tensor<4xf32>) -> tensor<f32>
    %v = tensor.extract %s[] : tensor<f32>
    %c = arith.cmpf olt, %v, %limit : f32
    scf.condition(%c) %p, %i : tensor<4xf32>, index
  } do {
  ^bb0(%p: tensor<4xf32>, %i: index):
    %q = "dnn.add"(%p, %p) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %j = arith.addi %i, %c1 : index
    scf.yield %q, %j : tensor<4xf32>, index
  }
  func.return %r, %k : tensor<4xf32>, index
}

// One arm computes where the result is, the other moves there.
// CHECK-LABEL: func.func @arms(
// CHECK:         scf.if %c {
// CHECK-NEXT:      onednn.eltwise "exp" ins(%x : memref<4xf32>) outs(%r : memref<4xf32>)
// CHECK-NEXT:    } else {
// CHECK-NEXT:      onednn.copy ins(%x : memref<4xf32>) outs(%r : memref<4xf32>)
// CHECK-NEXT:    }
func.func @arms(%x: tensor<4xf32>, %c: i1) -> tensor<4xf32> {
  %r = "scf.if"(%c) ({
    %a = "dnn.exp"(%x) {dnn.reuse = array<i32: 0>} : (tensor<4xf32>) -> tensor<4xf32>
    scf.yield %a : tensor<4xf32>
  }, {
    scf.yield %x : tensor<4xf32>
  }) {dnn.reuse = array<i32: 0>} : (i1) -> tensor<4xf32>
  func.return %r : tensor<4xf32>
}

// What moves on one edge of a branch alone, moves in a block of its own; an edge that moves nothing has none.
// CHECK-LABEL: func.func @edges(
// CHECK:         cf.cond_br %c, ^[[EDGE:bb[0-9]+]], ^[[NEXT:bb[0-9]+]]
// CHECK:       ^[[NEXT]]:
// CHECK:         cf.br ^[[JOIN:bb[0-9]+]]
// CHECK:       ^[[JOIN]]:
// CHECK:         func.return
// CHECK:       ^[[EDGE]]:
// CHECK-NEXT:    {{.*}}onednn.view %arena
// CHECK-NEXT:    onednn.copy ins(%x : memref<4xf32>)
// CHECK-NEXT:    cf.br ^[[JOIN]]
// REMARK: remark: cf.cond_br: %x is copied into %p, 16 bytes: {{.*}} [program-input]
func.func @edges(%x: tensor<4xf32>, %c: i1) -> tensor<4xf32> {
  cf.cond_br %c, ^join(%x : tensor<4xf32>), ^next
^next:
  %e = "dnn.exp"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  cf.br ^join(%e : tensor<4xf32>)
^join(%p: tensor<4xf32>):
  %y = "dnn.relu"(%p) : (tensor<4xf32>) -> tensor<4xf32>
  func.return %y : tensor<4xf32>
}

// A callee's frame lies behind its caller's. The tied parameter that is not given is copied to where the result lies,
// and the callee works there; a donated one is copied aside.
// CHECK-LABEL: func.func @update(%h: memref<4xf32> {dnn.name = "h", onednn.result = "out0"}, %x: memref<4xf32> {dnn.name = "x"}) {
// CHECK:         %arena = onednn.arena {offset = 128 : i64} : memref<
// CHECK-LABEL: func.func @consume(%x: memref<4xf32> {dnn.name = "x", dnn.donated}, %y: memref<4xf32> {onednn.result = "out0"}) {
// CHECK-LABEL: func.func @caller(
// CHECK-NEXT:    %arena = onednn.arena : memref<80xi8>
// CHECK-NEXT:    [[T:%[0-9]+]] = onednn.view %arena {offset = 0 : i64} : memref<80xi8> -> memref<4xf32>
// CHECK-NEXT:    onednn.copy ins(%h : memref<4xf32>) outs([[T]] : memref<4xf32>)
// CHECK-NEXT:    func.call @update([[T]], %x) : (memref<4xf32>, memref<4xf32>) -> ()
// CHECK-NEXT:    [[ASIDE:%[0-9]+]] = onednn.view %arena {offset = 64 : i64} : memref<80xi8> -> memref<4xf32>
// CHECK-NEXT:    onednn.copy ins([[T]] : memref<4xf32>) outs([[ASIDE]] : memref<4xf32>)
// CHECK-NEXT:    func.call @consume([[ASIDE]], %y) : (memref<4xf32>, memref<4xf32>) -> ()
// CHECK-NEXT:    func.return
// REMARK: remark: func.call (t): %h is copied for the call, 16 bytes: the call may write the parameter, and the operand is not given to it, by func.func at line {{.*}} [callee-writes]
func.func @update(%h: tensor<4xf32>, %x: tensor<4xf32>) -> (tensor<4xf32> {dnn.tied = 0 : i32}) {
  %e = "dnn.exp"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %t = "dnn.add"(%h, %e) {dnn.inplace = array<i32: 0>} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  func.return %t : tensor<4xf32>
}
func.func @consume(%x: tensor<4xf32> {dnn.donated}) -> tensor<4xf32> {
  %y = "dnn.tanh"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  func.return %y : tensor<4xf32>
}
func.func @caller(%h: tensor<4xf32>, %x: tensor<4xf32>) -> tensor<4xf32> {
  %t = func.call @update(%h, %x) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %y = func.call @consume(%t) : (tensor<4xf32>) -> tensor<4xf32>
  func.return %y : tensor<4xf32>
}

// Given operands are passed as they are: nothing is copied.
// CHECK-LABEL: func.func @giver(
// CHECK-NOT:     onednn.copy
// CHECK:         func.call @update([[S:%[0-9]+]], %x)
// CHECK-NEXT:    func.call @consume([[S]], %y)
// CHECK-NEXT:    func.return
func.func @giver(%x: tensor<4xf32>) -> tensor<4xf32> {
  %s = "dnn.sqrt"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %t = func.call @update(%s, %x) {dnn.inplace = array<i32: 0>} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %y = func.call @consume(%t) {dnn.donate = array<i32: 0>} : (tensor<4xf32>) -> tensor<4xf32>
  func.return %y : tensor<4xf32>
}
