// Values with decisions become places: in place is one view in ins and outs, offsets are views of the arena.

// RUN: opt-tool --lower-to-onednn-pass %s | filecheck %s
// RUN: opt-tool --lower-to-onednn-pass --remarks -o %t.mlir %s 2>&1 | filecheck %s --check-prefix=REMARK

// In place over an arena value; the result is computed in the caller's memory; add swaps its operands.
// CHECK-LABEL: func.func @chain(%x: memref<2x8xf32> {dnn.name = "x"}, %b: memref<8xf32> {dnn.name = "b"}, %d: memref<2x8xf32> {onednn.result = "y"}) {
// CHECK-NEXT:    %arena = onednn.arena : memref<64xi8>
// CHECK-NEXT:    [[A:%[0-9]+]] = onednn.view %arena {offset = 0 : i64} : memref<64xi8> -> memref<2x8xf32>
// CHECK-NEXT:    onednn.eltwise "exp" ins(%x : memref<2x8xf32>) outs([[A]] : memref<2x8xf32>)
// CHECK-NEXT:    onednn.eltwise "tanh" ins([[A]] : memref<2x8xf32>) outs([[A]] : memref<2x8xf32>)
// CHECK-NEXT:    [[B:%[0-9]+]] = onednn.view %b {offset = 0 : i64} : memref<8xf32> -> memref<1x8xf32>
// CHECK-NEXT:    onednn.binary "add" ins([[A]], [[B]] : memref<2x8xf32>, memref<1x8xf32>) outs([[A]] : memref<2x8xf32>)
// CHECK-NEXT:    onednn.eltwise "linear" ins([[A]] : memref<2x8xf32>) outs(%d : memref<2x8xf32>) {alpha = 2.000000e+00 : f32, onednn.op = "d"}
// CHECK-NEXT:    func.return
func.func @chain(%x: tensor<2x8xf32> {dnn.name = "x"}, %b: tensor<8xf32>) -> (tensor<2x8xf32> {dnn.name = "y"}) attributes {dnn.arena_bytes = 64 : i64} {
  %a = "dnn.exp"(%x) {dnn.offset = array<i64: 0>} : (tensor<2x8xf32>) -> tensor<2x8xf32>
  %t = "dnn.tanh"(%a) {dnn.inplace = array<i32: 0>} : (tensor<2x8xf32>) -> tensor<2x8xf32>
  %s = "dnn.add"(%b, %t) {dnn.engine = "onednn", dnn.inplace = array<i32: 1>} : (tensor<8xf32>, tensor<2x8xf32>) -> tensor<2x8xf32>
  %d = "dnn.add"(%s, %s) : (tensor<2x8xf32>, tensor<2x8xf32>) -> tensor<2x8xf32>
  func.return %d : tensor<2x8xf32>
}

// Constant weights are packed once, batches of one weight matrix are one tall matrix, gemm's C is added in place.
// CHECK-LABEL: func.func @products(
// CHECK:         [[P:%[0-9]+]] = onednn.pack %w : memref<8x4xf32> -> !onednn.packed<8x4xf32>
// CHECK:         onednn.matmul ins({{%[0-9]+}}, [[P]] : memref<6x8xf32>, !onednn.packed<8x4xf32>) outs([[M:%[0-9]+]] : memref<6x4xf32>)
// CHECK-NOT:     onednn.pack
// CHECK:         onednn.matmul ins([[M]], {{%[0-9]+}}, %c : memref<6x4xf32>, memref<4x5xf32, strided<[1, 4]>>, memref<6x5xf32>) outs(%c : memref<6x5xf32>) {beta = 5.000000e-01 : f32, onednn.op = "g"}
// CHECK-NEXT:    func.return
func.func @products(%x: tensor<2x3x8xf32>, %u: tensor<5x4xf32>, %c: tensor<6x5xf32> {dnn.donated}) -> tensor<6x5xf32> {
  %w = "dnn.constant"() {value = dense<2.0> : tensor<8x4xf32>} : () -> tensor<8x4xf32>
  %m = "dnn.matmul"(%x, %w) : (tensor<2x3x8xf32>, tensor<8x4xf32>) -> tensor<2x3x4xf32>
  %r = "dnn.reshape"(%m) {shape = array<i64: 6, 4>} : (tensor<2x3x4xf32>) -> tensor<6x4xf32>
  %g = "dnn.gemm"(%r, %u, %c) {transB = 1 : i64, beta = 0.5 : f32, dnn.inplace = array<i32: 2>} : (tensor<6x4xf32>, tensor<5x4xf32>, tensor<6x5xf32>) -> tensor<6x5xf32>
  func.return %g : tensor<6x5xf32>
}

// A part that is already in place costs nothing, the other one is copied into its part.
// CHECK-LABEL: func.func @parts(
// CHECK:         [[LEFT:%[0-9]+]] = onednn.view %j {offset = 0 : i64} : memref<2x8xf32> -> memref<2x4xf32, strided<[8, 1]>>
// CHECK-NEXT:    onednn.call "dnn.relu" ins(%x : memref<2x4xf32>) outs([[LEFT]] : memref<2x4xf32, strided<[8, 1]>>)
// CHECK-NEXT:    [[RIGHT:%[0-9]+]] = onednn.view %j {offset = 16 : i64} : memref<2x8xf32> -> memref<2x4xf32, strided<[8, 1]>>
// CHECK-NEXT:    onednn.copy ins(%x : memref<2x4xf32>) outs([[RIGHT]] : memref<2x4xf32, strided<[8, 1]>>)
// CHECK-NEXT:    func.return
// REMARK: dnn.concat (j): %x is copied into %j, 32 bytes: the operand is memory of the caller, so no op computes it in its part of the result [program-input]; compute the operand in the function
func.func @parts(%x: tensor<2x4xf32>) -> tensor<2x8xf32> {
  %l = "dnn.relu"(%x) : (tensor<2x4xf32>) -> tensor<2x4xf32>
  %j = "dnn.concat"(%l, %x) {axis = 1 : i64, dnn.parts = array<i32: 0>} : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x8xf32>
  func.return %j : tensor<2x8xf32>
}

// What the cpu engine is asked to run, it runs; a scatter over a donated argument copies the part alone, and the result
// is returned in that argument's memory.
// CHECK-LABEL: func.func @scatter(%x: memref<3x4xf32> {dnn.name = "x", dnn.donated, onednn.result = "out0"}, %c: memref<3x1xf32> {dnn.name = "c"}) {
// CHECK:         onednn.call "dnn.exp"
// CHECK:         [[HOLE:%[0-9]+]] = onednn.view %x {offset = 8 : i64} : memref<3x4xf32> -> memref<3x1xf32, strided<[4, 1]>>
// CHECK-NEXT:    onednn.copy ins({{%[0-9]+}} : memref<3x1xf32>) outs([[HOLE]] : memref<3x1xf32, strided<[4, 1]>>)
// CHECK-NEXT:    func.return
func.func @scatter(%x: tensor<3x4xf32> {dnn.donated}, %c: tensor<3x1xf32>) -> tensor<3x4xf32> {
  %e = "dnn.exp"(%c) {dnn.engine = "cpu"} : (tensor<3x1xf32>) -> tensor<3x1xf32>
  %s = "dnn.slice_scatter"(%x, %e) {dim = 1 : i64, start = 2 : i64, end = 3 : i64, dnn.inplace = array<i32: 0>} : (tensor<3x4xf32>, tensor<3x1xf32>) -> tensor<3x4xf32>
  func.return %s : tensor<3x4xf32>
}

// A result that is not the function's to give is copied: an argument, a constant, another result, a part of one.
// CHECK-LABEL: func.func @copied(
// CHECK:         onednn.eltwise "exp" ins(%x : memref<2x4xf32>) outs(%e : memref<2x4xf32>)
// CHECK:         onednn.copy ins(%x : memref<2x4xf32>)
// CHECK:         onednn.copy ins(%k_1 : memref<2xf32>)
// CHECK:         onednn.copy ins(%e : memref<2x4xf32>)
// CHECK:         onednn.copy ins({{%[0-9]+}} : memref<4xf32>)
// REMARK:      func.return: %x is copied into the memory of result 1, 32 bytes: {{.*}} [program-input]
// REMARK-NEXT: func.return: {{.*}} is copied into the memory of result 2, 8 bytes: {{.*}} [constant]
// REMARK-NEXT: func.return: {{.*}} is copied into the memory of result 3, 32 bytes: it is returned [returned]
// REMARK-NEXT: func.return: {{.*}} is copied into the memory of result 4, 16 bytes: it is returned [returned]
func.func @copied(%x: tensor<2x4xf32>) -> (tensor<2x4xf32>, tensor<2x4xf32>, tensor<2xf32>, tensor<2x4xf32>, tensor<4xf32>) {
  %k = "dnn.constant"() {value = dense<1.0> : tensor<2xf32>} : () -> tensor<2xf32>
  %e = "dnn.exp"(%x) : (tensor<2x4xf32>) -> tensor<2x4xf32>
  %r = "dnn.select"(%e) {dim = 0 : i64, index = 1 : i64} : (tensor<2x4xf32>) -> tensor<4xf32>
  func.return %e, %x, %k, %e, %r : tensor<2x4xf32>, tensor<2x4xf32>, tensor<2xf32>, tensor<2x4xf32>, tensor<4xf32>
}

// Two arguments change places: a parallel move with one of them copied to a temporary.
// CHECK-LABEL: func.func @exchange(%a: memref<4xf32> {dnn.name = "a", onednn.result = "out0"}, %b: memref<4xf32> {dnn.name = "b", onednn.result = "out1"}) {
// CHECK-NEXT:    %arena = onednn.arena : memref<16xi8>
// CHECK-NEXT:    [[T:%[0-9]+]] = onednn.view %arena {offset = 0 : i64} : memref<16xi8> -> memref<4xf32>
// CHECK-NEXT:    onednn.copy ins(%b : memref<4xf32>) outs([[T]] : memref<4xf32>)
// CHECK-NEXT:    onednn.copy ins(%a : memref<4xf32>) outs(%b : memref<4xf32>)
// CHECK-NEXT:    onednn.copy ins([[T]] : memref<4xf32>) outs(%a : memref<4xf32>)
// CHECK-NEXT:    func.return
func.func @exchange(%a: tensor<4xf32>, %b: tensor<4xf32>) -> (tensor<4xf32> {dnn.tied = 0 : i32}, tensor<4xf32> {dnn.tied = 1 : i32}) {
  func.return %b, %a : tensor<4xf32>, tensor<4xf32>
}

// Planned scratch is a view of the arena.
// CHECK-LABEL: func.func @scratch(
// CHECK:         [[S:%[0-9]+]] = onednn.view %arena {offset = 128 : i64} : memref<512xi8> -> memref<384xi8>
// CHECK-NEXT:    onednn.softmax ins(%x : memref<2x3x4xf32>) outs(%y : memref<2x3x4xf32>) scratch([[S]] : memref<384xi8>) {axis = 1 : i64, onednn.op = "y"}
func.func @scratch(%x: tensor<2x3x4xf32>) -> tensor<2x3x4xf32> attributes {dnn.arena_bytes = 512 : i64} {
  %y = "dnn.softmax"(%x) {axis = 1 : i64, dnn.engine = "onednn", dnn.scratch_bytes = 384 : i64, dnn.scratch_offset = 128 : i64} : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  func.return %y : tensor<2x3x4xf32>
}

// A part of the columns of a tensor has gaps between its rows: oneDNN's binary has no fast implementation for it.
// CHECK-LABEL: func.func @halves(
// CHECK:         [[H:%[0-9]+]] = onednn.view %x {offset = 0 : i64} : memref<2x8xf32> -> memref<2x4xf32, strided<[8, 1]>>
// CHECK-NEXT:    onednn.call "dnn.add" ins([[H]], %b : memref<2x4xf32, strided<[8, 1]>>, memref<2x4xf32>)
// CHECK-NEXT:    func.return
func.func @halves(%x: tensor<2x8xf32>, %b: tensor<2x4xf32>) -> tensor<2x4xf32> attributes {dnn.arena_bytes = 0 : i64} {
  %h = "dnn.slice"(%x) {dim = 1 : i64, start = 0 : i64, end = 4 : i64} : (tensor<2x8xf32>) -> tensor<2x4xf32>
  %y = "dnn.add"(%h, %b) : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
  func.return %y : tensor<2x4xf32>
}

// A native product reads parts of a value where they lie.
// CHECK-LABEL: func.func @scores(
// CHECK-NOT:     onednn.copy
// CHECK:         onednn.call "dnn.matmul" ins({{%[0-9]+}}, {{%[0-9]+}} : memref<2x40x8xf32, strided<[640, 16, 1]>>, memref<2x40x8xf32, strided<[640, 16, 1]>>) outs(%y : memref<2x40x40xf32>) {attrs = {transB = 1 : i64}, native, onednn.op = "y"}
// CHECK-NEXT:    func.return
func.func @scores(%x: tensor<2x40x16xf32>) -> tensor<2x40x40xf32> {
  %q = "dnn.slice"(%x) {dim = 2 : i64, start = 0 : i64, end = 8 : i64} : (tensor<2x40x16xf32>) -> tensor<2x40x8xf32>
  %k = "dnn.slice"(%x) {dim = 2 : i64, start = 8 : i64, end = 16 : i64} : (tensor<2x40x16xf32>) -> tensor<2x40x8xf32>
  %y = "dnn.matmul"(%q, %k) {transB = 1 : i64, dnn.engine = "native"} : (tensor<2x40x8xf32>, tensor<2x40x8xf32>) -> tensor<2x40x40xf32>
  func.return %y : tensor<2x40x40xf32>
}
