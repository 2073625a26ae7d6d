// Every op of the dialect, as it prints, and through the generic form.

// RUN: opt-tool %s | filecheck %s
// RUN: opt-tool --print-op-generic %s | opt-tool - | filecheck %s

// CHECK:       func.func @main(%x: memref<2x8xf32> {dnn.name = "x"}, %y: memref<2x8xf32> {onednn.result = "y"}) {
func.func @main(%x: memref<2x8xf32> {dnn.name = "x"}, %y: memref<2x8xf32> {onednn.result = "y"}) {
  // CHECK-NEXT:  %arena = onednn.arena : memref<4096xi8>
  %arena = onednn.arena : memref<4096xi8>
  // CHECK-NEXT:  %w = onednn.constant dense<1.000000e+00> : tensor<8x8xf32> -> memref<8x8xf32>
  %w = onednn.constant dense<1.0> : tensor<8x8xf32> -> memref<8x8xf32>
  // CHECK-NEXT:  %r = onednn.constant dense_resource<row> : tensor<8xf32> -> memref<8xf32>
  %r = onednn.constant dense_resource<row> : tensor<8xf32> -> memref<8xf32>
  // CHECK-NEXT:  %p = onednn.pack %w : memref<8x8xf32> -> !onednn.packed<8x8xf32>
  %p = onednn.pack %w : memref<8x8xf32> -> !onednn.packed<8x8xf32>
  // CHECK-NEXT:  %v = onednn.view %arena {offset = 64 : i64} : memref<4096xi8> -> memref<2x8xf32>
  %v = onednn.view %arena {offset = 64 : i64} : memref<4096xi8> -> memref<2x8xf32>
  // CHECK-NEXT:  %t = onednn.view %arena {offset = 640 : i64} : memref<4096xi8> -> memref<2x8xf32, strided<[16, 1]>>
  %t = onednn.view %arena {offset = 640 : i64} : memref<4096xi8> -> memref<2x8xf32, strided<[16, 1]>>
  %h = onednn.view %arena {offset = 2048 : i64} : memref<4096xi8> -> memref<2x8xf16>
  %b = onednn.view %arena {offset = 2560 : i64} : memref<4096xi8> -> memref<2x8xi1>
  %m = onednn.view %arena {offset = 3072 : i64} : memref<4096xi8> -> memref<2xf32>
  %n = onednn.view %arena {offset = 3136 : i64} : memref<4096xi8> -> memref<2xf32>
  %mean = onednn.view %arena {offset = 3072 : i64} : memref<4096xi8> -> memref<2x1xf32>
  %image = onednn.view %arena {offset = 64 : i64} : memref<4096xi8> -> memref<1x8x1x2xf32>
  %responses = onednn.view %arena {offset = 640 : i64} : memref<4096xi8> -> memref<1x8x1x2xf32>
  %row = onednn.view %r {offset = 0 : i64} : memref<8xf32> -> memref<1x8xf32>
  %s = onednn.view %arena {offset = 1024 : i64} : memref<4096xi8> -> memref<512xi8>
  // CHECK:       onednn.eltwise "elu" ins(%x : memref<2x8xf32>) outs(%v : memref<2x8xf32>) scratch(%s : memref<512xi8>) {alpha = 0.333333343 : f32}
  onednn.eltwise "elu" ins(%x : memref<2x8xf32>) outs(%v : memref<2x8xf32>) scratch(%s : memref<512xi8>) {alpha = 0.333333343 : f32}
  // CHECK-NEXT:  onednn.eltwise "relu" ins(%v : memref<2x8xf32>) outs(%v : memref<2x8xf32>)
  onednn.eltwise "relu" ins(%v : memref<2x8xf32>) outs(%v : memref<2x8xf32>)
  // CHECK-NEXT:  onednn.binary "add" ins(%v, %row : memref<2x8xf32>, memref<1x8xf32>) outs(%v : memref<2x8xf32>)
  onednn.binary "add" ins(%v, %row : memref<2x8xf32>, memref<1x8xf32>) outs(%v : memref<2x8xf32>)
  // CHECK-NEXT:  onednn.binary "lt" ins(%v, %row : memref<2x8xf32>, memref<1x8xf32>) outs(%b : memref<2x8xi1>)
  onednn.binary "lt" ins(%v, %row : memref<2x8xf32>, memref<1x8xf32>) outs(%b : memref<2x8xi1>)
  // CHECK-NEXT:  onednn.matmul ins(%v, %p : memref<2x8xf32>, !onednn.packed<8x8xf32>) outs(%t : memref<2x8xf32, strided<[16, 1]>>)
  onednn.matmul ins(%v, %p : memref<2x8xf32>, !onednn.packed<8x8xf32>) outs(%t : memref<2x8xf32, strided<[16, 1]>>)
  // CHECK-NEXT:  onednn.matmul ins(%v, %w, %row : memref<2x8xf32>, memref<8x8xf32>, memref<1x8xf32>) outs(%t : memref<2x8xf32, strided<[16, 1]>>) {bias = true}
  onednn.matmul ins(%v, %w, %row : memref<2x8xf32>, memref<8x8xf32>, memref<1x8xf32>) outs(%t : memref<2x8xf32, strided<[16, 1]>>) {bias = true}
  // CHECK-NEXT:  onednn.matmul ins(%v, %w, %y : memref<2x8xf32>, memref<8x8xf32>, memref<2x8xf32>) outs(%y : memref<2x8xf32>) {alpha = 5.000000e-01 : f32, beta = 1.000000e+00 : f32}
  onednn.matmul ins(%v, %w, %y : memref<2x8xf32>, memref<8x8xf32>, memref<2x8xf32>) outs(%y : memref<2x8xf32>) {alpha = 0.5 : f32, beta = 1.0 : f32}
  // CHECK-NEXT:  onednn.sum ins(%v, %t : memref<2x8xf32>, memref<2x8xf32, strided<[16, 1]>>) outs(%v : memref<2x8xf32>) {scales = [1.000000e+00 : f32, 2.000000e+00 : f32]}
  onednn.sum ins(%v, %t : memref<2x8xf32>, memref<2x8xf32, strided<[16, 1]>>) outs(%v : memref<2x8xf32>) {scales = [1.0 : f32, 2.0 : f32]}
  // CHECK-NEXT:  onednn.softmax ins(%v : memref<2x8xf32>) outs(%v : memref<2x8xf32>) {axis = 1 : i64, log = true}
  onednn.softmax ins(%v : memref<2x8xf32>) outs(%v : memref<2x8xf32>) {axis = 1 : i64, log = true}
  // CHECK-NEXT:  onednn.layer_norm ins(%v, %r, %r : memref<2x8xf32>, memref<8xf32>, memref<8xf32>) outs(%v, %m, %n : memref<2x8xf32>, memref<2xf32>, memref<2xf32>) {epsilon = 1.000000e-05 : f32}
  onednn.layer_norm ins(%v, %r, %r : memref<2x8xf32>, memref<8xf32>, memref<8xf32>) outs(%v, %m, %n : memref<2x8xf32>, memref<2xf32>, memref<2xf32>) {epsilon = 1.0e-5 : f32}
  // CHECK-NEXT:  onednn.batch_norm ins(%v, %r, %r, %r, %r : memref<2x8xf32>, memref<8xf32>, memref<8xf32>, memref<8xf32>, memref<8xf32>) outs(%v : memref<2x8xf32>) {epsilon = 5.000000e-01 : f32}
  onednn.batch_norm ins(%v, %r, %r, %r, %r : memref<2x8xf32>, memref<8xf32>, memref<8xf32>, memref<8xf32>, memref<8xf32>) outs(%v : memref<2x8xf32>) {epsilon = 0.5 : f32}
  // CHECK-NEXT:  onednn.reduction "mean" ins(%v : memref<2x8xf32>) outs(%mean : memref<2x1xf32>)
  onednn.reduction "mean" ins(%v : memref<2x8xf32>) outs(%mean : memref<2x1xf32>)
  // CHECK-NEXT:  onednn.lrn ins(%image : memref<1x8x1x2xf32>) outs(%responses : memref<1x8x1x2xf32>) {alpha = 1.000000e+00 : f32, beta = 7.500000e-01 : f32, bias = 1.000000e+00 : f32, size = 5 : i64}
  onednn.lrn ins(%image : memref<1x8x1x2xf32>) outs(%responses : memref<1x8x1x2xf32>) {alpha = 1.0 : f32, beta = 0.75 : f32, bias = 1.0 : f32, size = 5 : i64}
  // CHECK-NEXT:  onednn.reorder ins(%v : memref<2x8xf32>) outs(%h : memref<2x8xf16>)
  onednn.reorder ins(%v : memref<2x8xf32>) outs(%h : memref<2x8xf16>)
  // CHECK-NEXT:  onednn.call "dnn.clip" ins(%v : memref<2x8xf32>) outs(%v : memref<2x8xf32>) {attrs = {max = 6.000000e+00 : f32}}
  onednn.call "dnn.clip" ins(%v : memref<2x8xf32>) outs(%v : memref<2x8xf32>) {attrs = {max = 6.0 : f32}}
  // CHECK-NEXT:  onednn.call "dnn.zeros" ins() outs(%t : memref<2x8xf32, strided<[16, 1]>>)
  onednn.call "dnn.zeros" ins() outs(%t : memref<2x8xf32, strided<[16, 1]>>)
  // CHECK-NEXT:  onednn.copy ins(%v : memref<2x8xf32>) outs(%y : memref<2x8xf32>)
  onednn.copy ins(%v : memref<2x8xf32>) outs(%y : memref<2x8xf32>)
  func.return
}

// Control flow carries scalars alone; a function that is called has its frame somewhere in the arena.
// CHECK-LABEL: func.func @add_one(
// CHECK-NEXT:    %arena = onednn.arena {offset = 64 : i64} : memref<16xi8>
func.func @add_one(%v: memref<4xf32>, %k: index) -> index {
  %arena = onednn.arena {offset = 64 : i64} : memref<16xi8>
  %c1 = arith.constant 1 : index
  onednn.eltwise "linear" ins(%v : memref<4xf32>) outs(%v : memref<4xf32>) {alpha = 1.0 : f32, beta = 1.0 : f32}
  %j = arith.addi %k, %c1 : index
  func.return %j : index
}
// CHECK-LABEL: func.func @loop(%n: index {dnn.name = "n"}, %y: memref<4xf32> {onednn.result = "y"}) -> (index {onednn.result = "k"}) {
// CHECK:         %k = scf.for %i = %c0 to %n step %c1 iter_args(%s = %c0) -> (index) {
// CHECK-NEXT:      %t = func.call @add_one(%y, %s) : (memref<4xf32>, index) -> index
// CHECK-NEXT:      %f = memref.load %y[%c1] : memref<4xf32>
// CHECK:         func.return %k : index
func.func @loop(%n: index {dnn.name = "n"}, %y: memref<4xf32> {onednn.result = "y"}) -> (index {onednn.result = "k"}) {
  %arena = onednn.arena : memref<64xi8>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  onednn.call "dnn.zeros" ins() outs(%y : memref<4xf32>)
  %k = scf.for %i = %c0 to %n step %c1 iter_args(%s = %c0) -> (index) {
    %t = func.call @add_one(%y, %s) : (memref<4xf32>, index) -> index
    %f = memref.load %y[%c1] : memref<4xf32>
    scf.yield %t : index
  }
  func.return %k : index
}
