// What is written over what, by the default strategy; the checker agrees.

// RUN: opt-tool --inplace-pass --verify-storage-pass %s | filecheck %s

// A chain is one storage from end to end.
// CHECK-LABEL: func.func @chain(
// CHECK-NEXT:  %a = "dnn.exp"(%x) :
// CHECK-NEXT:  %b = "dnn.relu"(%a) {dnn.inplace = array<i32: 0>} :
// CHECK-NEXT:  %c = "dnn.softmax"(%b) {dnn.inplace = array<i32: 0>} :
func.func @chain(%x: tensor<4xf32>) -> tensor<4xf32> {
  %a = "dnn.exp"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %b = "dnn.relu"(%a) : (tensor<4xf32>) -> tensor<4xf32>
  %c = "dnn.softmax"(%b) : (tensor<4xf32>) -> tensor<4xf32>
  func.return %c : tensor<4xf32>
}

// Of several readers the last one may write.
// CHECK-LABEL: func.func @last_reader(
// CHECK-NEXT:  %a = "dnn.exp"(%x) :
// CHECK-NEXT:  %b = "dnn.relu"(%a) :
// CHECK-NEXT:  %c = "dnn.abs"(%a) {dnn.inplace = array<i32: 0>} :
// CHECK-NEXT:  %d = "dnn.sub"(%c, %b) {dnn.inplace = array<i32: 0>} :
func.func @last_reader(%x: tensor<4xf32>) -> tensor<4xf32> {
  %a = "dnn.exp"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %b = "dnn.relu"(%a) : (tensor<4xf32>) -> tensor<4xf32>
  %c = "dnn.abs"(%a) : (tensor<4xf32>) -> tensor<4xf32>
  %d = "dnn.sub"(%c, %b) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  func.return %d : tensor<4xf32>
}

// An add reaches its second operand by exchanging both; a sub does not.
// CHECK-LABEL: func.func @swapped(
// CHECK-NEXT:  %a = "dnn.exp"(%x) :
// CHECK-NEXT:  %b = "dnn.add"(%x, %a) {dnn.inplace = array<i32: 1>} :
// CHECK-NEXT:  %c = "dnn.sub"(%x, %b) :
func.func @swapped(%x: tensor<4xf32>) -> tensor<4xf32> {
  %a = "dnn.exp"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %b = "dnn.add"(%x, %a) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %c = "dnn.sub"(%x, %b) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  func.return %c : tensor<4xf32>
}

// Where both may be written the first is: no exchange is better than one.
// CHECK-LABEL: func.func @both(
// CHECK-NEXT:  %a = "dnn.exp"(%x) :
// CHECK-NEXT:  %b = "dnn.tanh"(%x) :
// CHECK-NEXT:  %c = "dnn.mul"(%b, %a) {dnn.inplace = array<i32: 0>} :
func.func @both(%x: tensor<4xf32>) -> tensor<4xf32> {
  %a = "dnn.exp"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %b = "dnn.tanh"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %c = "dnn.mul"(%b, %a) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  func.return %c : tensor<4xf32>
}

// One value twice, also through views of it: add and mul have kernels for that.
// CHECK-LABEL: func.func @repeated(
// CHECK-NEXT:  %a = "dnn.exp"(%x) :
// CHECK-NEXT:  %b = "dnn.add"(%a, %a) {dnn.inplace = array<i32: 0>} :
// CHECK-NEXT:  %r = "dnn.reshape"(%b) :
// CHECK-NEXT:  %s = "dnn.reshape"(%b) :
// CHECK-NEXT:  %c = "dnn.mul"(%r, %s) {dnn.inplace = array<i32: 0>} :
func.func @repeated(%x: tensor<4xf32>) -> tensor<2x2xf32> {
  %a = "dnn.exp"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %b = "dnn.add"(%a, %a) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %r = "dnn.reshape"(%b) : (tensor<4xf32>) -> tensor<2x2xf32>
  %s = "dnn.reshape"(%b) : (tensor<4xf32>) -> tensor<2x2xf32>
  %c = "dnn.mul"(%r, %s) : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  func.return %c : tensor<2x2xf32>
}

// Sizes of 1 do not matter: 4 and 1x4 are the same bytes.
// CHECK-LABEL: func.func @rank(
// CHECK-NEXT:  %a = "dnn.exp"(%y) :
// CHECK-NEXT:  %b = "dnn.sub"(%a, %x) {dnn.inplace = array<i32: 0>} :
func.func @rank(%x: tensor<1x4xf32>, %y: tensor<4xf32>) -> tensor<1x4xf32> {
  %a = "dnn.exp"(%y) : (tensor<4xf32>) -> tensor<4xf32>
  %b = "dnn.sub"(%a, %x) : (tensor<4xf32>, tensor<1x4xf32>) -> tensor<1x4xf32>
  func.return %b : tensor<1x4xf32>
}

// What each kernel allows: gemm its third operand, layer_norm one of three results, sum the second by exchange.
// CHECK-LABEL: func.func @kernels(
// CHECK-NEXT:  %c = "dnn.exp"(%x) :
// CHECK-NEXT:  %g = "dnn.gemm"(%x, %w, %c) {dnn.inplace = array<i32: 2>} :
// CHECK-NEXT:  %n, %m, %d = "dnn.layer_norm"(%g, %s, %s) {dnn.inplace = array<i32: 0, -1, -1>} :
// CHECK-NEXT:  %o = "dnn.sum"(%x, %n, %x) {dnn.inplace = array<i32: 1>} :
// CHECK-NEXT:  %p = "dnn.batch_norm"(%o, %s, %s, %s, %s) {dnn.inplace = array<i32: 0>} :
func.func @kernels(%x: tensor<2x4xf32>, %w: tensor<4x4xf32>, %s: tensor<4xf32>) -> tensor<2x4xf32> {
  %c = "dnn.exp"(%x) : (tensor<2x4xf32>) -> tensor<2x4xf32>
  %g = "dnn.gemm"(%x, %w, %c) : (tensor<2x4xf32>, tensor<4x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
  %n, %m, %d = "dnn.layer_norm"(%g, %s, %s) : (tensor<2x4xf32>, tensor<4xf32>, tensor<4xf32>) -> (tensor<2x4xf32>, tensor<2x1xf32>, tensor<2x1xf32>)
  %o = "dnn.sum"(%x, %n, %x) : (tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
  %p = "dnn.batch_norm"(%o, %s, %s, %s, %s) : (tensor<2x4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
  func.return %p : tensor<2x4xf32>
}

// Through a view, and over parts that share no byte.
// CHECK-LABEL: func.func @halves(
// CHECK-NEXT:  %a = "dnn.exp"(%x) :
// CHECK-NEXT:  %u, %v = "dnn.split"(%a) {axis = 0 : i64, split_size = 2 : i64} :
// CHECK-NEXT:  %p = "dnn.tanh"(%u) {dnn.inplace = array<i32: 0>} :
// CHECK-NEXT:  %q = "dnn.tanh"(%v) {dnn.inplace = array<i32: 0>} :
// CHECK-NEXT:  %r = "dnn.mul"(%p, %q) {dnn.inplace = array<i32: 0>} :
func.func @halves(%x: tensor<4x4xf32>) -> tensor<2x4xf32> {
  %a = "dnn.exp"(%x) : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %u, %v = "dnn.split"(%a) {axis = 0 : i64, split_size = 2 : i64} : (tensor<4x4xf32>) -> (tensor<2x4xf32>, tensor<2x4xf32>)
  %p = "dnn.tanh"(%u) : (tensor<2x4xf32>) -> tensor<2x4xf32>
  %q = "dnn.tanh"(%v) : (tensor<2x4xf32>) -> tensor<2x4xf32>
  %r = "dnn.mul"(%p, %q) : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
  func.return %r : tensor<2x4xf32>
}

// Columns lie at strides, which abs and mul take.
// CHECK-LABEL: func.func @columns(
// CHECK-NEXT:  %a = "dnn.exp"(%x) :
// CHECK-NEXT:  %u = "dnn.slice"(%a) {dim = 1 : i64, start = 0 : i64, end = 2 : i64} :
// CHECK-NEXT:  %v = "dnn.slice"(%a) {dim = 1 : i64, start = 2 : i64, end = 4 : i64} :
// CHECK-NEXT:  %p = "dnn.abs"(%u) {dnn.inplace = array<i32: 0>} :
// CHECK-NEXT:  %q = "dnn.mul"(%v, %p) {dnn.inplace = array<i32: 0>} :
// CHECK-NEXT:  %r = "dnn.add"(%y, %q) {dnn.inplace = array<i32: 1>} :
func.func @columns(%x: tensor<4x4xf32>, %y: tensor<4x2xf32>) -> tensor<4x2xf32> {
  %a = "dnn.exp"(%x) : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %u = "dnn.slice"(%a) {dim = 1 : i64, start = 0 : i64, end = 2 : i64} : (tensor<4x4xf32>) -> tensor<4x2xf32>
  %v = "dnn.slice"(%a) {dim = 1 : i64, start = 2 : i64, end = 4 : i64} : (tensor<4x4xf32>) -> tensor<4x2xf32>
  %p = "dnn.abs"(%u) : (tensor<4x2xf32>) -> tensor<4x2xf32>
  %q = "dnn.mul"(%v, %p) : (tensor<4x2xf32>, tensor<4x2xf32>) -> tensor<4x2xf32>
  %r = "dnn.add"(%y, %q) : (tensor<4x2xf32>, tensor<4x2xf32>) -> tensor<4x2xf32>
  func.return %r : tensor<4x2xf32>
}

// softmax does not take strides: the view is made a copy, and that may be written over.
// CHECK-LABEL: func.func @copied_view(
// CHECK-NEXT:  %a = "dnn.exp"(%x) :
// CHECK-NEXT:  %v = "dnn.slice"(%a) {dim = 1 : i64, start = 2 : i64, end = 4 : i64, dnn.copy} :
// CHECK-NEXT:  %q = "dnn.softmax"(%v) {dnn.inplace = array<i32: 0>} :
func.func @copied_view(%x: tensor<4x4xf32>) -> tensor<4x2xf32> {
  %a = "dnn.exp"(%x) : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %v = "dnn.slice"(%a) {dim = 1 : i64, start = 2 : i64, end = 4 : i64} : (tensor<4x4xf32>) -> tensor<4x2xf32>
  %q = "dnn.softmax"(%v) : (tensor<4x2xf32>) -> tensor<4x2xf32>
  func.return %q : tensor<4x2xf32>
}

// A scatter over its base whose source was computed in the part moves nothing; another copies its source alone.
// CHECK-LABEL: func.func @scatter(
// CHECK-NEXT:  %a = "dnn.exp"(%x) :
// CHECK-NEXT:  %s = "dnn.select"(%a) {dim = 0 : i64, index = 1 : i64} :
// CHECK-NEXT:  %t = "dnn.tanh"(%s) {dnn.inplace = array<i32: 0>} :
// CHECK-NEXT:  %b = "dnn.select_scatter"(%a, %t) {dim = 0 : i64, index = 1 : i64, dnn.inplace = array<i32: 0>} :
// CHECK-NEXT:  %c = "dnn.select_scatter"(%b, %y) {dim = 0 : i64, index = 2 : i64, dnn.inplace = array<i32: 0>} :
func.func @scatter(%x: tensor<4x4xf32>, %y: tensor<4xf32>) -> tensor<4x4xf32> {
  %a = "dnn.exp"(%x) : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %s = "dnn.select"(%a) {dim = 0 : i64, index = 1 : i64} : (tensor<4x4xf32>) -> tensor<4xf32>
  %t = "dnn.tanh"(%s) : (tensor<4xf32>) -> tensor<4xf32>
  %b = "dnn.select_scatter"(%a, %t) {dim = 0 : i64, index = 1 : i64} : (tensor<4x4xf32>, tensor<4xf32>) -> tensor<4x4xf32>
  %c = "dnn.select_scatter"(%b, %y) {dim = 0 : i64, index = 2 : i64} : (tensor<4x4xf32>, tensor<4xf32>) -> tensor<4x4xf32>
  func.return %c : tensor<4x4xf32>
}

// Operands of a concat are computed in their part of it, chains and views of them too; an argument is copied.
// CHECK-LABEL: func.func @concat(
// CHECK-NEXT:  %a = "dnn.exp"(%x) :
// CHECK-NEXT:  %b = "dnn.tanh"(%a) {dnn.inplace = array<i32: 0>} :
// CHECK-NEXT:  %c = "dnn.sigmoid"(%x) :
// CHECK-NEXT:  %r = "dnn.reshape"(%c) :
// CHECK-NEXT:  %d = "dnn.concat"(%b, %r, %x) {axis = 0 : i64, dnn.parts = array<i32: 0, 1>} :
func.func @concat(%x: tensor<2x4xf32>) -> tensor<6x4xf32> {
  %a = "dnn.exp"(%x) : (tensor<2x4xf32>) -> tensor<2x4xf32>
  %b = "dnn.tanh"(%a) : (tensor<2x4xf32>) -> tensor<2x4xf32>
  %c = "dnn.sigmoid"(%x) : (tensor<2x4xf32>) -> tensor<2x4xf32>
  %r = "dnn.reshape"(%c) : (tensor<2x4xf32>) -> tensor<2x4xf32>
  %d = "dnn.concat"(%b, %r, %x) {axis = 0 : i64} : (tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<6x4xf32>
  func.return %d : tensor<6x4xf32>
}

// One value twice can be in one part only.
// CHECK-LABEL: func.func @concat_twice(
// CHECK-NEXT:  %a = "dnn.exp"(%x) :
// CHECK-NEXT:  %d = "dnn.concat"(%a, %a) {axis = 0 : i64, dnn.parts = array<i32: {{[01]}}>} :
func.func @concat_twice(%x: tensor<2x4xf32>) -> tensor<4x4xf32> {
  %a = "dnn.exp"(%x) : (tensor<2x4xf32>) -> tensor<2x4xf32>
  %d = "dnn.concat"(%a, %a) {axis = 0 : i64} : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<4x4xf32>
  func.return %d : tensor<4x4xf32>
}

// Parts of parts: a pad in a concat in a stack.
// CHECK-LABEL: func.func @nested(
// CHECK-NEXT:  %a = "dnn.exp"(%x) :
// CHECK-NEXT:  %p = "dnn.pad"(%a) {pads = array<i64: 0, 0, 1, 0>, dnn.parts = array<i32: 0>} :
// CHECK-NEXT:  %b = "dnn.zeros"() :
// CHECK-NEXT:  %c = "dnn.concat"(%p, %b) {axis = 0 : i64, dnn.parts = array<i32: 0, 1>} :
// CHECK-NEXT:  %d = "dnn.stack"(%c) {axis = 0 : i64, dnn.parts = array<i32: 0>} :
func.func @nested(%x: tensor<2x4xf32>) -> tensor<1x4x4xf32> {
  %a = "dnn.exp"(%x) : (tensor<2x4xf32>) -> tensor<2x4xf32>
  %p = "dnn.pad"(%a) {pads = array<i64: 0, 0, 1, 0>} : (tensor<2x4xf32>) -> tensor<3x4xf32>
  %b = "dnn.zeros"() : () -> tensor<1x4xf32>
  %c = "dnn.concat"(%p, %b) {axis = 0 : i64} : (tensor<3x4xf32>, tensor<1x4xf32>) -> tensor<4x4xf32>
  %d = "dnn.stack"(%c) {axis = 0 : i64} : (tensor<4x4xf32>) -> tensor<1x4x4xf32>
  func.return %d : tensor<1x4x4xf32>
}

// Half of every row: relu may write there, softmax only where it lies row-major.
// CHECK-LABEL: func.func @strided_part(
// CHECK-NEXT:  %a = "dnn.relu"(%x) :
// CHECK-NEXT:  %b = "dnn.softmax"(%x) :
// CHECK-NEXT:  %d = "dnn.concat"(%a, %b) {axis = 1 : i64, dnn.parts = array<i32: 0>} :
func.func @strided_part(%x: tensor<4x2xf32>) -> tensor<4x4xf32> {
  %a = "dnn.relu"(%x) : (tensor<4x2xf32>) -> tensor<4x2xf32>
  %b = "dnn.softmax"(%x) : (tensor<4x2xf32>) -> tensor<4x2xf32>
  %d = "dnn.concat"(%a, %b) {axis = 1 : i64} : (tensor<4x2xf32>, tensor<4x2xf32>) -> tensor<4x4xf32>
  func.return %d : tensor<4x4xf32>
}

// What is not read gives its place: copy_into's destination, fill's and zeros' operand. A copy is fresh memory.
// CHECK-LABEL: func.func @unread(
// CHECK-NEXT:  %a = "dnn.exp"(%x) :
// CHECK-NEXT:  %b = "dnn.copy_into"(%a, %x) {dnn.inplace = array<i32: 0>} :
// CHECK-NEXT:  %c = "dnn.fill"(%b) {value = 1.000000e+00 : f32, dnn.inplace = array<i32: 0>} :
// CHECK-NEXT:  %d = "dnn.zeros"(%c) {dnn.inplace = array<i32: 0>} :
// CHECK-NEXT:  %e = "dnn.copy"(%d) :
func.func @unread(%x: tensor<4xf32>) -> tensor<4xf32> {
  %a = "dnn.exp"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %b = "dnn.copy_into"(%a, %x) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %c = "dnn.fill"(%b) {value = 1.0 : f32} : (tensor<4xf32>) -> tensor<4xf32>
  %d = "dnn.zeros"(%c) : (tensor<4xf32>) -> tensor<4xf32>
  %e = "dnn.copy"(%d) : (tensor<4xf32>) -> tensor<4xf32>
  func.return %e : tensor<4xf32>
}

// Memory that the caller gives away may be written.
// CHECK-LABEL: func.func @donated(
// CHECK-NEXT:  %a = "dnn.add"(%y, %x) {dnn.inplace = array<i32: 1>} :
func.func @donated(%x: tensor<4xf32> {dnn.donated}, %y: tensor<4xf32>) -> tensor<4xf32> {
  %a = "dnn.add"(%y, %x) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  func.return %a : tensor<4xf32>
}

// And so may memory that a result must end in.
// CHECK-LABEL: func.func @tied(
// CHECK-NEXT:  %n = "dnn.add"(%x, %s) {dnn.inplace = array<i32: 1>} :
func.func @tied(%s: tensor<4xf32>, %x: tensor<4xf32>) -> (tensor<4xf32> {dnn.tied = 0 : i32}) {
  %n = "dnn.add"(%x, %s) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  func.return %n : tensor<4xf32>
}

// Decisions that are there stay, and are counted with: b is in %x, c in its part, e is a copy.
// CHECK-LABEL: func.func @kept(
// CHECK-NEXT:  %a = "dnn.exp"(%x) :
// CHECK-NEXT:  %b = "dnn.add"(%a, %x) {dnn.inplace = array<i32: 1>} :
// CHECK-NEXT:  %c = "dnn.tanh"(%a) {dnn.inplace = array<i32: 0>} :
// CHECK-NEXT:  %d = "dnn.concat"(%b, %c) {axis = 0 : i64, dnn.parts = array<i32: 1>} :
// CHECK-NEXT:  %e = "dnn.reshape"(%b) {dnn.copy} :
// CHECK-NEXT:  %f = "dnn.relu"(%e) {dnn.inplace = array<i32: 0>} :
func.func @kept(%x: tensor<4xf32> {dnn.donated}) -> (tensor<8xf32>, tensor<4xf32>) {
  %a = "dnn.exp"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %b = "dnn.add"(%a, %x) {dnn.inplace = array<i32: 1>} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %c = "dnn.tanh"(%a) : (tensor<4xf32>) -> tensor<4xf32>
  %d = "dnn.concat"(%b, %c) {axis = 0 : i64, dnn.parts = array<i32: 1>} : (tensor<4xf32>, tensor<4xf32>) -> tensor<8xf32>
  %e = "dnn.reshape"(%b) {dnn.copy} : (tensor<4xf32>) -> tensor<4xf32>
  %f = "dnn.relu"(%e) : (tensor<4xf32>) -> tensor<4xf32>
  func.return %d, %f : tensor<8xf32>, tensor<4xf32>
}

// A storage number that an earlier pass gave: %a joins storage 3, which no other value needs meanwhile.
// CHECK-LABEL: func.func @numbered(
// CHECK-NEXT:  %a = "dnn.exp"(%x) {dnn.reuse = array<i32: 3>} :
// CHECK-NEXT:  %b = "dnn.relu"(%a) {dnn.reuse = array<i32: 3>, dnn.inplace = array<i32: 0>} :
// CHECK-NEXT:  %c = "dnn.opaque"(%b) {kind = "conv"} :
// CHECK-NEXT:  %d = "dnn.opaque"(%c) {kind = "conv", dnn.reuse = array<i32: 3>} :
// CHECK-NEXT:  %e = "dnn.tanh"(%d) {dnn.inplace = array<i32: 0>} :
// CHECK-NEXT:  %f = "dnn.opaque"(%e) {kind = "conv"} :
func.func @numbered(%x: tensor<4xf32>) -> tensor<4xf32> {
  %a = "dnn.exp"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %b = "dnn.relu"(%a) {dnn.reuse = array<i32: 3>} : (tensor<4xf32>) -> tensor<4xf32>
  %c = "dnn.opaque"(%b) {kind = "conv"} : (tensor<4xf32>) -> tensor<4xf32>
  %d = "dnn.opaque"(%c) {kind = "conv", dnn.reuse = array<i32: 3>} : (tensor<4xf32>) -> tensor<4xf32>
  %e = "dnn.tanh"(%d) : (tensor<4xf32>) -> tensor<4xf32>
  %f = "dnn.opaque"(%e) {kind = "conv"} : (tensor<4xf32>) -> tensor<4xf32>
  func.return %f : tensor<4xf32>
}

// An argument's memory with a number: %c is written over %b, which lies there.
// CHECK-LABEL: func.func @argument_number(
// CHECK-NEXT:  %a = "dnn.opaque"(%x) {kind = "conv"} :
// CHECK-NEXT:  %b = "dnn.opaque"(%a) {kind = "conv", dnn.reuse = array<i32: 0>} :
// CHECK-NEXT:  %c = "dnn.relu"(%b) {dnn.inplace = array<i32: 0>} :
// CHECK-NEXT:  %d = "dnn.opaque"(%c) {kind = "conv"} :
func.func @argument_number(%x: tensor<4xf32> {dnn.donated, dnn.reuse = 0 : i32}) -> tensor<4xf32> {
  %a = "dnn.opaque"(%x) {kind = "conv"} : (tensor<4xf32>) -> tensor<4xf32>
  %b = "dnn.opaque"(%a) {kind = "conv", dnn.reuse = array<i32: 0>} : (tensor<4xf32>) -> tensor<4xf32>
  %c = "dnn.relu"(%b) : (tensor<4xf32>) -> tensor<4xf32>
  %d = "dnn.opaque"(%c) {kind = "conv"} : (tensor<4xf32>) -> tensor<4xf32>
  func.return %d : tensor<4xf32>
}

// Unknown sizes are equal where they are one symbol, through views too.
// CHECK-LABEL: func.func @unknown(
// CHECK-NEXT:  %a = "dnn.exp"(%x) :
// CHECK-NEXT:  %b = "dnn.add"(%x, %a) {dnn.inplace = array<i32: 1>} :
// CHECK-NEXT:  %r = "dnn.reshape"(%b) {shape = array<i64: 0, 2, 2>} :
// CHECK-NEXT:  %c = "dnn.relu"(%r) {dnn.inplace = array<i32: 0>} :
// CHECK-NEXT:  %d = "dnn.reshape"(%c) {shape = array<i64: -1, 4>} :
func.func @unknown(%x: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %a = "dnn.exp"(%x) : (tensor<?x4xf32>) -> tensor<?x4xf32>
  %b = "dnn.add"(%x, %a) : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x4xf32>
  %r = "dnn.reshape"(%b) {shape = array<i64: 0, 2, 2>} : (tensor<?x4xf32>) -> tensor<?x2x2xf32>
  %c = "dnn.relu"(%r) : (tensor<?x2x2xf32>) -> tensor<?x2x2xf32>
  %d = "dnn.reshape"(%c) {shape = array<i64: -1, 4>} : (tensor<?x2x2xf32>) -> tensor<?x4xf32>
  func.return %d : tensor<?x4xf32>
}

// An unknown op reads its operands, and its results may alias them; an index has no memory.
// CHECK-LABEL: func.func @foreign(
// CHECK-NEXT:  %a = "dnn.exp"(%x) :
// CHECK-NEXT:  %i = "other.print"(%a) :
// CHECK-NEXT:  %b = "dnn.relu"(%a) {dnn.inplace = array<i32: 0>} :
// CHECK-NEXT:  %f = "other.op"(%b) :
// CHECK-NEXT:  %c = "dnn.exp"(%f) :
// CHECK-NEXT:  %d = "dnn.tanh"(%c) {dnn.inplace = array<i32: 0>} :
func.func @foreign(%x: tensor<4xf32>) -> tensor<4xf32> {
  %a = "dnn.exp"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %i = "other.print"(%a) : (tensor<4xf32>) -> index
  %b = "dnn.relu"(%a) : (tensor<4xf32>) -> tensor<4xf32>
  %f = "other.op"(%b) : (tensor<4xf32>) -> tensor<4xf32>
  %c = "dnn.exp"(%f) : (tensor<4xf32>) -> tensor<4xf32>
  %d = "dnn.tanh"(%c) : (tensor<4xf32>) -> tensor<4xf32>
  func.return %d : tensor<4xf32>
}

// An unread result is in place too.
// CHECK-LABEL: func.func @dead(
// CHECK-NEXT:  %a = "dnn.exp"(%x) :
// CHECK-NEXT:  %d = "dnn.relu"(%a) {dnn.inplace = array<i32: 0>} :
// CHECK-NEXT:  %b = "dnn.tanh"(%x) :
func.func @dead(%x: tensor<4xf32>) -> tensor<4xf32> {
  %a = "dnn.exp"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %d = "dnn.relu"(%a) : (tensor<4xf32>) -> tensor<4xf32>
  %b = "dnn.tanh"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  func.return %b : tensor<4xf32>
}

// The last states of a recurrent layer are written over the first ones.
// CHECK-LABEL: func.func @recurrent_states(
// CHECK:       "dnn.onnx_lstm"(%x, %w, %r, %h, %c) {{.*}}dnn.inplace = array<i32: -1, 3, 4>
func.func @recurrent_states(%x: tensor<5x2x4xf32>, %w: tensor<1x12x4xf32>, %r: tensor<1x12x3xf32>, %a: tensor<1x2x3xf32>, %b: tensor<1x2x3xf32>) -> (tensor<1x2x3xf32>, tensor<1x2x3xf32>) {
  %h = "dnn.exp"(%a) : (tensor<1x2x3xf32>) -> tensor<1x2x3xf32>
  %c = "dnn.exp"(%b) : (tensor<1x2x3xf32>) -> tensor<1x2x3xf32>
  %y, %hn, %cn = "dnn.onnx_lstm"(%x, %w, %r, %h, %c) {operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 1, 1, 0>} : (tensor<5x2x4xf32>, tensor<1x12x4xf32>, tensor<1x12x3xf32>, tensor<1x2x3xf32>, tensor<1x2x3xf32>) -> (tensor<5x1x2x3xf32>, tensor<1x2x3xf32>, tensor<1x2x3xf32>)
  func.return %hn, %cn : tensor<1x2x3xf32>, tensor<1x2x3xf32>
}

// Not where both first states are one value.
// CHECK-LABEL: func.func @one_recurrent_state(
// CHECK:       "dnn.onnx_lstm"(%x, %w, %r, %h, %h) {operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 1, 1, 0>} :
func.func @one_recurrent_state(%x: tensor<5x2x4xf32>, %w: tensor<1x12x4xf32>, %r: tensor<1x12x3xf32>, %a: tensor<1x2x3xf32>) -> (tensor<1x2x3xf32>, tensor<1x2x3xf32>) {
  %h = "dnn.exp"(%a) : (tensor<1x2x3xf32>) -> tensor<1x2x3xf32>
  %y, %hn, %cn = "dnn.onnx_lstm"(%x, %w, %r, %h, %h) {operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 1, 1, 0>} : (tensor<5x2x4xf32>, tensor<1x12x4xf32>, tensor<1x12x3xf32>, tensor<1x2x3xf32>, tensor<1x2x3xf32>) -> (tensor<5x1x2x3xf32>, tensor<1x2x3xf32>, tensor<1x2x3xf32>)
  func.return %hn, %cn : tensor<1x2x3xf32>, tensor<1x2x3xf32>
}

// What is inserted is computed in its part of the base, also where that is known at run time only.
// CHECK-LABEL: func.func @inserted
// CHECK:      scf.for
// CHECK-NEXT:   %f = linalg.fill ins(
// CHECK-NEXT:   %w = tensor.insert_slice %f into %u[%i] [6] [1] {dnn.inplace = array<i32: 1>, dnn.parts = array<i32: 0>}
// CHECK:      } {dnn.inplace = array<i32: 3>}
func.func @inserted(%t: tensor<?xf32> {dnn.donated}, %n: index, %v: f32) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c6 = arith.constant 6 : index
  %e = tensor.empty() : tensor<6xf32>
  %r = scf.for %i = %c0 to %n step %c6 iter_args(%u = %t) -> (tensor<?xf32>) {
    %f = linalg.fill ins(%v : f32) outs(%e : tensor<6xf32>) -> tensor<6xf32>
    %w = tensor.insert_slice %f into %u[%i] [6] [1] : tensor<6xf32> into tensor<?xf32>
    scf.yield %w : tensor<?xf32>
  }
  func.return %r : tensor<?xf32>
}
