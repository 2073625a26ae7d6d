// What stands beside functions on tensors: other symbols, modules in the module, functions without tensors, attributes.
// RUN: opt-tool --bufferize-pass=layouts=identity,unproved=error --split-input-file %s | filecheck %s
// RUN: opt-tool --bufferize-pass=layouts=identity,results=out,arena=argument,unproved=error --split-input-file %s | filecheck %s --check-prefix=OUT
// RUN: opt-tool --bufferize-pass=source=keep,unproved=error --split-input-file %s | opt-tool --verify-lowering-pass --split-input-file - | filecheck %s --check-prefix=KEPT
// RUN: opt-tool --bufferize-pass=source=keep --split-input-file %s | not opt-tool --bufferize-pass=source=keep --split-input-file - 2>&1 | filecheck %s --check-prefix=TWICE

// TWICE: error: the functions have a kept source already

// A constant has a name that nothing else has.
// CHECK: "memref.global"() <{sym_name = "__constant_2"
// CHECK: func.func private @__constant_0(
// CHECK: memref.get_global @__constant_2
// CHECK: memref.get_global @__constant_3
// KEPT: builtin.module @lastuse.source
// KEPT: "memref.global"() <{sym_name = "__constant_1"
func.func private @__constant_0(%v: f32) -> f32 {
  func.return %v : f32
}
"memref.global"() <{sym_name = "__constant_1", type = memref<2xf32>, initial_value = dense<1.0> : tensor<2xf32>, sym_visibility = "private", constant}> : () -> ()
func.func @named(%x: tensor<2xf32>, %i: index) -> (tensor<2xf32>, f32) {
  %k = arith.constant dense<[5.0, 6.0]> : tensor<2xf32>
  %a = arith.addf %x, %k : tensor<2xf32>
  %l = arith.constant dense<[7.0, 8.0]> : tensor<2xf32>
  %v = tensor.extract %l[%i] : tensor<2xf32>
  func.return %a, %v : tensor<2xf32>, f32
}

// -----

// Functions of inner modules have memref forms too, and a kept source each.
// CHECK: builtin.module @inner {
// CHECK-NEXT: func.func @f(%x: memref<8xf32>) -> memref<8xf32>
// CHECK-NOT: tensor<
// CHECK-NOT: dnn.
// CHECK: func.func @f(%x: memref<4xf32>) -> f32
// KEPT: builtin.module @inner {
// KEPT: builtin.module @lastuse.source
// KEPT: linalg.exp {{.*}} -> tensor<8xf32>
// KEPT: builtin.module @lastuse.source
builtin.module @inner {
  func.func @f(%x: tensor<8xf32>) -> tensor<8xf32> {
    %e = tensor.empty() : tensor<8xf32>
    %s = linalg.exp ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
    func.return %s : tensor<8xf32>
  }
}
func.func @f(%x: tensor<4xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %v = tensor.extract %x[%c0] : tensor<4xf32>
  func.return %v : f32
}

// -----

// Functions without tensors stay as they are, but where they call one that takes an arena.
// CHECK: func.func @stores(%m: memref<8xf32>, %v: f32) -> memref<8xf32>
// OUT: func.func @stores(%m: memref<8xf32>, %v: f32) -> memref<8xf32> {
// OUT: func.func @passes(%n: index, %arena: memref<64xi8>) -> f32 {
func.func @stores(%m: memref<8xf32>, %v: f32) -> memref<8xf32> {
  %c0 = arith.constant 0 : index
  memref.store %v, %m[%c0] : memref<8xf32>
  func.return %m : memref<8xf32>
}
func.func private @fills(%n: index) -> f32 attributes {no_inline} {
  %z = arith.constant 2.0 : f32
  %t = tensor.empty() : tensor<8xf32>
  %f = linalg.fill ins(%z : f32) outs(%t : tensor<8xf32>) -> tensor<8xf32>
  %v = tensor.extract %f[%n] : tensor<8xf32>
  func.return %v : f32
}
func.func @passes(%n: index) -> f32 {
  %a = func.call @fills(%n) : (index) -> f32
  func.return %a : f32
}

// -----

// Attributes of functions, arguments and results stay, those of results that are written with their arguments. So do
// those of functions without a body: the kept source says that @ext writes nothing.
// CHECK: "func.func"() <{sym_name = "ext"
// CHECK-SAME: arg_attrs = [{bufferization.access = "read", my.arg}], res_attrs = [{my.res}]
// CHECK: {llvm.emit_c_interface}
// CHECK: func.func @g(%x: memref<8xf32> {my.a}) -> (f32 {my.r}, memref<8xf32> {my.q}) attributes {my.f}
// OUT: func.func @g(%x: memref<8xf32> {my.a}, %z: memref<8xf32> {my.q}, %arena: memref<0xi8>) -> (f32 {my.r}) attributes {my.f}
// KEPT: func.func @g(
// KEPT: builtin.module @lastuse.source
// KEPT: func.func @g(
func.func private @ext(%x: tensor<8xf32> {bufferization.access = "read", my.arg}) -> (f32 {my.res}) attributes {llvm.emit_c_interface}
func.func @g(%x: tensor<8xf32> {my.a}) -> (f32 {my.r}, tensor<8xf32> {my.q, dnn.name = "q"}) attributes {my.f} {
  %y = math.exp %x : tensor<8xf32>
  %u = func.call @ext(%y) : (tensor<8xf32>) -> f32
  %v = func.call @ext(%y) : (tensor<8xf32>) -> f32
  %w = arith.addf %u, %v : f32
  %z = math.exp %y : tensor<8xf32>
  func.return %w, %z : f32, tensor<8xf32>
}

// -----

// Ops without results on no tensors, of dialects that nobody knows, and ends of functions that do not return.
// CHECK-LABEL: @effects(
// CHECK: "toy.effect"() : () -> ()
// CHECK: "toy.scale"
// CHECK: llvm.unreachable
func.func @effects(%x: tensor<8xf32>, %c: i1, %i: index) -> tensor<8xf32> {
  %e = math.exp %x : tensor<8xf32>
  cf.cond_br %c, ^a, ^b
^a:
  "toy.effect"() : () -> ()
  %v = tensor.extract %e[%i] : tensor<8xf32>
  %w = "toy.scale"(%v) {k = 3 : i32} : (f32) -> f32
  %r = tensor.insert %w into %e[%i] : tensor<8xf32>
  func.return %r : tensor<8xf32>
^b:
  llvm.unreachable
}
