// What has no elements holds any value, and a write to it writes nothing: each form is proved.
// RUN: opt-tool --bufferize-pass=unproved=error --split-input-file %s | filecheck %s
// RUN: opt-tool --bufferize-pass=arena=none,layouts=identity,arguments=writable,unproved=error --split-input-file %s | filecheck %s
// RUN: opt-tool --bufferize-pass=arena=argument,results=out,unproved=error --split-input-file %s | filecheck %s

// CHECK-LABEL: @in_place(
// CHECK: linalg.exp
// CHECK: func.return
func.func @in_place(%x: tensor<0x4xf32>, %y: tensor<2x4xf32>) -> (tensor<0x4xf32>, tensor<2x4xf32>, tensor<2x0xf32>) {
  %e = tensor.empty() : tensor<0x4xf32>
  %s = linalg.exp ins(%x : tensor<0x4xf32>) outs(%e : tensor<0x4xf32>) -> tensor<0x4xf32>
  %i = tensor.insert_slice %s into %y[1, 0] [0, 4] [1, 1] : tensor<0x4xf32> into tensor<2x4xf32>
  %t = tensor.extract_slice %y[0, 2] [2, 0] [1, 1] : tensor<2x4xf32> to tensor<2x0xf32>
  func.return %s, %i, %t : tensor<0x4xf32>, tensor<2x4xf32>, tensor<2x0xf32>
}

// -----

// CHECK-LABEL: @constants(
// CHECK: func.return
func.func @constants(%x: tensor<0xf32>, %c: i1) -> (tensor<0xf32>, tensor<0xf32>, tensor<0xf32>) {
  %k = arith.constant dense<1.0> : tensor<0xf32>
  %s = arith.select %c, %x, %k : tensor<0xf32>
  %q = math.exp %x : tensor<0xf32>
  func.return %k, %s, %q : tensor<0xf32>, tensor<0xf32>, tensor<0xf32>
}

// -----

// CHECK-LABEL: @carried(
// CHECK: scf.for
// CHECK: func.return
func.func @carried(%x: tensor<0xf32>, %n: index) -> tensor<0xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%o = %x) -> (tensor<0xf32>) {
    %e = tensor.empty() : tensor<0xf32>
    %s = linalg.exp ins(%o : tensor<0xf32>) outs(%e : tensor<0xf32>) -> tensor<0xf32>
    scf.yield %s : tensor<0xf32>
  }
  func.return %r : tensor<0xf32>
}

// -----

// CHECK-LABEL: @padded(
// CHECK: func.return
func.func @padded(%x: tensor<0xf32>) -> tensor<3xf32> {
  %z = arith.constant 1.0 : f32
  %r = tensor.pad %x low[1] high[2] {
  ^bb0(%i: index):
    tensor.yield %z : f32
  } : tensor<0xf32> to tensor<3xf32>
  func.return %r : tensor<3xf32>
}
