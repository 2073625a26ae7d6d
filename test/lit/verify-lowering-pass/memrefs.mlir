// A memref form is proved against the functions on tensors beside it: at once, from text, and after other passes.

// RUN: opt-tool --bufferize-pass=source=keep --verify-lowering-pass %s | filecheck %s
// RUN: opt-tool --bufferize-pass=source=keep %s | opt-tool --verify-lowering-pass - | filecheck %s
// RUN: opt-tool --bufferize-pass=source=keep,arena=none,results=out %s | opt-tool --cse --canonicalize --verify-lowering-pass - | filecheck %s --check-prefix=OUT
// RUN: opt-tool --bufferize-pass %s | filecheck %s --check-prefix=DROP
// DROP: func.func private @doubles(
// DROP-NOT: lastuse.source

// CHECK: func.func @loop(%x: memref<8xf32
// CHECK: memref.store
// OUT: func.func @loop({{.*}}, %{{.*}}: memref<8xf32>)
// CHECK: func.func @reads(%x: memref<8xf32
// CHECK: builtin.module @lastuse.source {
// CHECK-NEXT: func.func @loop(%x: tensor<8xf32> {dnn.donated}, %v: f32, %n: index) -> tensor<8xf32> {
// CHECK: cf.br ^{{.*}}(%x, %c0 : tensor<8xf32>, index)
// CHECK: %u = tensor.insert %v into %t[%i] : tensor<8xf32>
// OUT: builtin.module @lastuse.source {
func.func @loop(%x: tensor<8xf32> {dnn.donated}, %v: f32, %n: index) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  cf.br ^head(%x, %c0 : tensor<8xf32>, index)
^head(%t: tensor<8xf32>, %i: index):
  %more = arith.cmpi slt, %i, %n : index
  cf.cond_br %more, ^body, ^done
^body:
  %u = tensor.insert %v into %t[%i] : tensor<8xf32>
  %j = arith.addi %i, %c1 : index
  cf.br ^head(%u, %j : tensor<8xf32>, index)
^done:
  func.return %t : tensor<8xf32>
}

// Blocks that swap two tensors carry their memrefs.
func.func @swaps(%x: tensor<8xf32> {dnn.donated}, %y: tensor<8xf32> {dnn.donated}, %v: f32, %n: index) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  cf.br ^head(%x, %y, %c0 : tensor<8xf32>, tensor<8xf32>, index)
^head(%s: tensor<8xf32>, %t: tensor<8xf32>, %i: index):
  %u = tensor.insert %v into %s[%i] : tensor<8xf32>
  %j = arith.addi %i, %c1 : index
  %more = arith.cmpi slt, %j, %n : index
  cf.cond_br %more, ^head(%t, %u, %j : tensor<8xf32>, tensor<8xf32>, index), ^done
^done:
  func.return %u : tensor<8xf32>
}

func.func @reads(%x: tensor<8xf32>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  %y = func.call @doubles(%x, %e) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  func.return %y : tensor<8xf32>
}

func.func private @doubles(%x: tensor<8xf32>, %e: tensor<8xf32>) -> tensor<8xf32> {
  %y = linalg.add ins(%x, %x : tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  func.return %y : tensor<8xf32>
}
