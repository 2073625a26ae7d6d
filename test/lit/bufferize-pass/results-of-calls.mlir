// Memory that a call returns, or that a result of it may be, is given back in the block of the call: a result that is
// used after that block is copied to memory of its own.
// RUN: opt-tool --bufferize-pass=unproved=error,arena=none --split-input-file %s | filecheck %s
// RUN: opt-tool --bufferize-pass=arena=none --remarks -o /dev/null --split-input-file %s 2>&1 | filecheck %s --check-prefix=REMARK

func.func @fresh(%p: tensor<8xf32>, %v: f32) -> tensor<8xf32> {
  %c1 = arith.constant 1 : index
  %r = tensor.insert %v into %p[%c1] : tensor<8xf32>
  func.return %r : tensor<8xf32>
}
// What an arm passes on alone is given back behind the branch instead, unless it is the argument.
// CHECK-LABEL: func.func @leaves_an_arm
// CHECK: [[R:%.*]] = scf.if %c
// CHECK-NEXT:   [[NEW:%.*]] = func.call @fresh(%a, %v)
// CHECK-NEXT:   [[CAST:%.*]] = "memref.cast"([[NEW]])
// CHECK-NEXT:   scf.yield [[CAST]]
// CHECK: memref.load [[R]]
// CHECK: arith.cmpi ne
// CHECK-NEXT: scf.if
// CHECK-NEXT: memref.dealloc [[R]]
func.func @leaves_an_arm(%a: tensor<8xf32>, %c: i1, %v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %r = scf.if %c -> (tensor<8xf32>) {
    %f = func.call @fresh(%a, %v) : (tensor<8xf32>, f32) -> tensor<8xf32>
    scf.yield %f : tensor<8xf32>
  } else {
    scf.yield %a : tensor<8xf32>
  }
  %x = tensor.extract %r[%c0] : tensor<8xf32>
  func.return %x : f32
}
// CHECK-LABEL: func.func @leaves_beside_another
// CHECK: [[OWN:%.*]] = memref.alloc() {alignment = 64 : i64} : memref<8xf32>
// CHECK: scf.if %c
// CHECK:   [[NEW:%.*]] = func.call @fresh(%a, %v)
// CHECK:   "memref.copy"([[NEW]], [[OWN]])
// CHECK:   memref.dealloc [[NEW]]
// CHECK:   scf.yield
// CHECK: memref.load
// CHECK: memref.dealloc [[OWN]]
// REMARK: func.call (f): a result of the call is copied into the place of %f, 32 bytes: it is read again on another path or iteration [control-flow]
func.func @leaves_beside_another(%a: tensor<8xf32>, %c: i1, %v: f32, %i: index) -> f32 {
  %c0 = arith.constant 0 : index
  %r, %s = scf.if %c -> (tensor<8xf32>, tensor<8xf32>) {
    %f = func.call @fresh(%a, %v) : (tensor<8xf32>, f32) -> tensor<8xf32>
    %g = tensor.insert %v into %f[%c0] : tensor<8xf32>
    scf.yield %f, %g : tensor<8xf32>, tensor<8xf32>
  } else {
    scf.yield %a, %a : tensor<8xf32>, tensor<8xf32>
  }
  %x = tensor.extract %r[%c0] : tensor<8xf32>
  %y = tensor.extract %s[%i] : tensor<8xf32>
  %z = arith.addf %x, %y : f32
  func.return %z : f32
}

// -----

// The callee views two axes as one, so what it gets is copied to be without gaps. Its result may be that copy.
func.func @either(%p: tensor<2x4xf32>, %q: tensor<2x4xf32>, %c: i1) -> (tensor<2x4xf32>, f32) attributes {no_inline} {
  %c0 = arith.constant 0 : index
  %r = scf.if %c -> (tensor<2x4xf32>) {
    scf.yield %p : tensor<2x4xf32>
  } else {
    scf.yield %q : tensor<2x4xf32>
  }
  %s = tensor.collapse_shape %p [[0, 1]] : tensor<2x4xf32> into tensor<8xf32>
  %x = tensor.extract %s[%c0] : tensor<8xf32>
  func.return %r, %x : tensor<2x4xf32>, f32
}
// CHECK-LABEL: func.func @read_after
// CHECK: [[COPY:%.*]] = memref.alloc()
// CHECK: "memref.copy"(%a, [[COPY]])
// CHECK: %f, %f_1 = func.call @either([[COPY]], %b, %c)
// CHECK-NEXT: memref.load %f
// CHECK-NEXT: memref.dealloc [[COPY]]
func.func @read_after(%a: tensor<2x4xf32>, %b: tensor<2x4xf32>, %c: i1) -> f32 {
  %c0 = arith.constant 0 : index
  %f:2 = func.call @either(%a, %b, %c) : (tensor<2x4xf32>, tensor<2x4xf32>, i1) -> (tensor<2x4xf32>, f32)
  %x = tensor.extract %f#0[%c0, %c0] : tensor<2x4xf32>
  func.return %x : f32
}
// CHECK-LABEL: func.func @leaves_with_copy
// CHECK: [[OWN:%.*]] = memref.alloc() {alignment = 64 : i64}
// CHECK: scf.if %c
// CHECK: "memref.copy"(%a, [[COPY:%[0-9]+]])
// CHECK: %f, %f_1 = func.call @either([[COPY]], %b, %c)
// CHECK-NEXT: "memref.copy"(%f, [[OWN]])
// CHECK: memref.dealloc [[COPY]]
// CHECK-NEXT: } else {
func.func @leaves_with_copy(%a: tensor<2x4xf32>, %b: tensor<2x4xf32>, %c: i1) -> f32 {
  %c0 = arith.constant 0 : index
  %r = scf.if %c -> (tensor<2x4xf32>) {
    %f:2 = func.call @either(%a, %b, %c) : (tensor<2x4xf32>, tensor<2x4xf32>, i1) -> (tensor<2x4xf32>, f32)
    scf.yield %f#0 : tensor<2x4xf32>
  } else {
    scf.yield %b : tensor<2x4xf32>
  }
  %x = tensor.extract %r[%c0, %c0] : tensor<2x4xf32>
  func.return %x : f32
}

// -----

// What the call returns may be the memory of %s itself: it is copied to new memory before that of %s is given back.
func.func @either(%p: tensor<8xf32>, %q: tensor<8xf32>, %c: i1) -> tensor<8xf32> attributes {no_inline} {
  %r = scf.if %c -> (tensor<8xf32>) {
    scf.yield %p : tensor<8xf32>
  } else {
    scf.yield %q : tensor<8xf32>
  }
  func.return %r : tensor<8xf32>
}
// CHECK-LABEL: func.func @back_to_itself
// CHECK: scf.for
// CHECK: [[RESULT:%.*]] = func.call @either
// CHECK: [[NEXT:%.*]] = memref.alloc()
// CHECK-NEXT: "memref.copy"([[RESULT]], [[NEXT]])
// CHECK-NEXT: memref.dealloc %s
// CHECK-NEXT: scf.yield [[NEXT]]
func.func @back_to_itself(%a: tensor<8xf32>, %b: tensor<8xf32>, %c: i1, %n: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %a) -> (tensor<8xf32>) {
    %f = func.call @either(%b, %s, %c) : (tensor<8xf32>, tensor<8xf32>, i1) -> tensor<8xf32>
    scf.yield %f : tensor<8xf32>
  }
  %x = tensor.extract %r[%c0] : tensor<8xf32>
  func.return %x : f32
}
