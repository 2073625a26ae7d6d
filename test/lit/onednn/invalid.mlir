// What the verifiers refuse, one function each.

// RUN: not opt-tool --split-input-file %s 2>&1 | filecheck %s

// CHECK: error: {{.*}}out 0 may not be written over in 1
func.func @second_source(%x: memref<4xf32>, %y: memref<4xf32>) {
  onednn.binary "add" ins(%x, %y : memref<4xf32>, memref<4xf32>) outs(%y : memref<4xf32>)
  func.return
}

// -----

// CHECK: error: {{.*}}out 0 may not be written over in 0
func.func @reorder_in_place(%x: memref<4xf32>) {
  onednn.reorder ins(%x : memref<4xf32>) outs(%x : memref<4xf32>)
  func.return
}

// -----

// CHECK: error: {{.*}}memref<4xf32> does not broadcast to memref<4xi1>
func.func @sum_of_truth_values(%x: memref<4xf32>, %y: memref<4xf32>, %z: memref<4xi1>) {
  onednn.binary "add" ins(%x, %y : memref<4xf32>, memref<4xf32>) outs(%z : memref<4xi1>)
  func.return
}

// -----

// CHECK: error: {{.*}}out 0 is written over in 0, but ins [0, 1] are the same bytes
func.func @all_one_memory(%x: memref<4xf32>) {
  onednn.binary "add" ins(%x, %x : memref<4xf32>, memref<4xf32>) outs(%x : memref<4xf32>)
  func.return
}

// -----

// CHECK: error: {{.*}}out 0 overlaps in 0 without being the same bytes
func.func @shifted() {
  %a = onednn.arena : memref<128xi8>
  %x = onednn.view %a {offset = 0 : i64} : memref<128xi8> -> memref<8xf32>
  %y = onednn.view %a {offset = 16 : i64} : memref<128xi8> -> memref<8xf32>
  onednn.eltwise "exp" ins(%x : memref<8xf32>) outs(%y : memref<8xf32>)
  func.return
}

// -----

// CHECK: error: {{.*}}scratch overlaps in 0
func.func @scratch() {
  %a = onednn.arena : memref<128xi8>
  %x = onednn.view %a {offset = 0 : i64} : memref<128xi8> -> memref<8xf32>
  %s = onednn.view %a {offset = 16 : i64} : memref<128xi8> -> memref<32xi8>
  onednn.eltwise "exp" ins(%x : memref<8xf32>) outs(%x : memref<8xf32>) scratch(%s : memref<32xi8>)
  func.return
}

// -----

// CHECK: error: {{.*}}outs 1 and 2 overlap
func.func @two_outs(%x: memref<2x4xf32>, %r: memref<4xf32>, %m: memref<2xf32>) {
  onednn.layer_norm ins(%x, %r, %r : memref<2x4xf32>, memref<4xf32>, memref<4xf32>) outs(%x, %m, %m : memref<2x4xf32>, memref<2xf32>, memref<2xf32>) {epsilon = 0.5 : f32}
  func.return
}

// -----

// CHECK: error: {{.*}}the view is bytes 100 to 132 of a buffer of 128 bytes
func.func @bounds() {
  %a = onednn.arena : memref<128xi8>
  %x = onednn.view %a {offset = 100 : i64} : memref<128xi8> -> memref<8xf32>
  func.return
}

// -----

// CHECK: error: {{.*}}a function has one arena
func.func @arenas() {
  %a = onednn.arena : memref<128xi8>
  %b = onednn.arena : memref<128xi8>
  func.return
}

// -----

// CHECK: error: {{.*}}eltwise has no algorithm 'sine'
func.func @sine(%x: memref<4xf32>) {
  onednn.eltwise "sine" ins(%x : memref<4xf32>) outs(%x : memref<4xf32>)
  func.return
}

// -----

// CHECK: error: {{.*}}onednn.eltwise wants one layout
func.func @alike(%x: memref<2x2xf32, strided<[1, 2]>>, %y: memref<2x2xf32>) {
  onednn.eltwise "exp" ins(%x : memref<2x2xf32, strided<[1, 2]>>) outs(%y : memref<2x2xf32>)
  func.return
}

// -----

// CHECK: error: {{.*}}layer normalization wants dense memory
func.func @gaps(%x: memref<2x4xf32, strided<[8, 1]>>, %r: memref<4xf32>) {
  onednn.layer_norm ins(%x, %r, %r : memref<2x4xf32, strided<[8, 1]>>, memref<4xf32>, memref<4xf32>) outs(%x : memref<2x4xf32, strided<[8, 1]>>) {epsilon = 0.5 : f32}
  func.return
}

// -----

// CHECK: error: {{.*}}no matmul makes memref<2x4xf32> of memref<2x3xf32> and memref<4x4xf32>
func.func @shapes(%x: memref<2x3xf32>, %w: memref<4x4xf32>, %y: memref<2x4xf32>) {
  onednn.matmul ins(%x, %w : memref<2x3xf32>, memref<4x4xf32>) outs(%y : memref<2x4xf32>)
  func.return
}

// -----

// CHECK: error: {{.*}}oneDNN does not know elements of f64
func.func @f64(%x: memref<4xf64>) {
  onednn.eltwise "exp" ins(%x : memref<4xf64>) outs(%x : memref<4xf64>)
  func.return
}

// -----

// CHECK: error: {{.*}}memref<?xf32> has unknown sizes
func.func @unknown(%x: memref<?xf32>) {
  onednn.eltwise "exp" ins(%x : memref<?xf32>) outs(%x : memref<?xf32>)
  func.return
}

// -----

// CHECK: error: {{.*}}there is no op 'dnn.nothing' to call
func.func @callee(%x: memref<4xf32>) {
  onednn.call "dnn.nothing" ins(%x : memref<4xf32>) outs(%x : memref<4xf32>)
  func.return
}

// -----

// CHECK: error: {{.*}}result 0 of dnn.relu is tensor<5xf32>
func.func @called(%x: memref<4xf32>, %y: memref<5xf32>) {
  onednn.call "dnn.relu" ins(%x : memref<4xf32>) outs(%y : memref<5xf32>)
  func.return
}

// -----

// CHECK: error: {{.*}}a copy of memref<4xf32> cannot be memref<4xi32>
func.func @copy(%x: memref<4xf32>, %y: memref<4xi32>) {
  onednn.copy ins(%x : memref<4xf32>) outs(%y : memref<4xi32>)
  func.return
}

// -----

// CHECK: error: {{.*}}only constants are packed
func.func @pack(%x: memref<4x4xf32>) {
  %p = onednn.pack %x : memref<4x4xf32> -> !onednn.packed<4x4xf32>
  func.return
}

// -----

// CHECK: error: {{.*}}an arena starts at a multiple of 64 bytes, not at 32
func.func @frame() {
  %a = onednn.arena {offset = 32 : i64} : memref<128xi8>
  func.return
}

// -----

// CHECK: error: {{.*}}alg must be one of mean, mul, sum, not 'max'
func.func @reduction_of_another_kind(%x: memref<4x3xf32>, %y: memref<4x1xf32>) {
  onednn.reduction "max" ins(%x : memref<4x3xf32>) outs(%y : memref<4x1xf32>)
  func.return
}

// -----

// CHECK: error: {{.*}}no reduction makes memref<2x1xf32> of memref<4x3xf32>
func.func @reduction_of_other_sizes(%x: memref<4x3xf32>, %y: memref<2x1xf32>) {
  onednn.reduction "sum" ins(%x : memref<4x3xf32>) outs(%y : memref<2x1xf32>)
  func.return
}

// -----

// CHECK: error: {{.*}}nothing is reduced from
func.func @reduction_of_nothing(%x: memref<4x1xf32>, %y: memref<4x1xf32>) {
  onednn.reduction "sum" ins(%x : memref<4x1xf32>) outs(%y : memref<4x1xf32>)
  func.return
}

// -----

// CHECK: error: {{.*}}size must be odd and 1 or more, not 4
func.func @lrn_of_even_size(%x: memref<1x4x2x2xf32>, %y: memref<1x4x2x2xf32>) {
  onednn.lrn ins(%x : memref<1x4x2x2xf32>) outs(%y : memref<1x4x2x2xf32>) {alpha = 1.0 : f32, beta = 0.75 : f32, bias = 1.0 : f32, size = 4 : i64}
  func.return
}

// -----

// CHECK: error: {{.*}}wants dense f32 of 4 or 5 dimensions
func.func @lrn_of_a_matrix(%x: memref<4x2xf32>, %y: memref<4x2xf32>) {
  onednn.lrn ins(%x : memref<4x2xf32>) outs(%y : memref<4x2xf32>) {alpha = 1.0 : f32, beta = 0.75 : f32, bias = 1.0 : f32, size = 3 : i64}
  func.return
}
