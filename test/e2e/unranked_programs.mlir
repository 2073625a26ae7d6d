// Tensors of unknown rank in functions that others call with tensors of several ranks.

func.func private @elements(%u: tensor<*xf32>) -> index attributes {no_inline} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %rank = "tensor.rank"(%u) : (tensor<*xf32>) -> index
  %n = scf.for %k = %c0 to %rank step %c1 iter_args(%m = %c1) -> (index) {
    %d = tensor.dim %u, %k : tensor<*xf32>
    %p = arith.muli %m, %d : index
    scf.yield %p : index
  }
  func.return %n : index
}

// Ranks and sizes.
func.func @counts(%x: tensor<2x3x4xf32>, %y: tensor<?xf32>, %s: tensor<f32>) -> (index, index, index) {
  %a = tensor.cast %x : tensor<2x3x4xf32> to tensor<*xf32>
  %b = tensor.cast %y : tensor<?xf32> to tensor<*xf32>
  %c = tensor.cast %s : tensor<f32> to tensor<*xf32>
  %l = func.call @elements(%a) : (tensor<*xf32>) -> index
  %m = func.call @elements(%b) : (tensor<*xf32>) -> index
  %n = func.call @elements(%c) : (tensor<*xf32>) -> index
  func.return %l, %m, %n : index, index, index
}

func.func private @listed(%u: tensor<*xf32>) -> tensor<?xindex> attributes {no_inline} {
  %rank = "tensor.rank"(%u) : (tensor<*xf32>) -> index
  %g = "tensor.generate"(%rank) ({
  ^bb0(%i: index):
    %d = tensor.dim %u, %i : tensor<*xf32>
    "tensor.yield"(%d) : (index) -> ()
  }) : (index) -> tensor<?xindex>
  func.return %g : tensor<?xindex>
}

// Sizes that a body asks for.
func.func @lists(%x: tensor<2x3x4xf32>, %i: index) -> (index, index) {
  %c0 = arith.constant 0 : index
  %a = tensor.cast %x : tensor<2x3x4xf32> to tensor<*xf32>
  %s = func.call @listed(%a) : (tensor<*xf32>) -> tensor<?xindex>
  %d = tensor.extract %s[%i] : tensor<?xindex>
  %n = tensor.dim %s, %c0 : tensor<?xindex>
  func.return %d, %n : index, index
}

func.func private @chosen(%u: tensor<*xf32>, %v: tensor<*xf32>, %c: i1) -> tensor<*xf32> attributes {no_inline} {
  %s = scf.if %c -> (tensor<*xf32>) {
    scf.yield %u : tensor<*xf32>
  } else {
    scf.yield %v : tensor<*xf32>
  }
  func.return %s : tensor<*xf32>
}

func.func private @selected(%u: tensor<*xf32>, %v: tensor<*xf32>, %c: i1) -> tensor<*xf32> attributes {no_inline} {
  %s = arith.select %c, %u, %v : tensor<*xf32>
  func.return %s : tensor<*xf32>
}

// One of two.
func.func @chooses(%x: tensor<2x3xf32>, %y: tensor<4x2xf32>, %c: i1) -> (f32, f32) {
  %c0 = arith.constant 0 : index
  %a = tensor.cast %x : tensor<2x3xf32> to tensor<*xf32>
  %b = tensor.cast %y : tensor<4x2xf32> to tensor<*xf32>
  %w = func.call @chosen(%a, %b, %c) : (tensor<*xf32>, tensor<*xf32>, i1) -> tensor<*xf32>
  %r = tensor.cast %w : tensor<*xf32> to tensor<?x?xf32>
  %e = tensor.extract %r[%c0, %c0] : tensor<?x?xf32>
  %z = func.call @selected(%b, %a, %c) : (tensor<*xf32>, tensor<*xf32>, i1) -> tensor<*xf32>
  %s = tensor.cast %z : tensor<*xf32> to tensor<?x?xf32>
  %f = tensor.extract %s[%c0, %c0] : tensor<?x?xf32>
  func.return %e, %f : f32, f32
}

// A loop that changes what it carries.
func.func @loops(%x: tensor<2x3xf32>, %n: index, %v: f32) -> tensor<2x3xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %e = tensor.empty() : tensor<2x3xf32>
  %y = linalg.add ins(%x, %x : tensor<2x3xf32>, tensor<2x3xf32>) outs(%e : tensor<2x3xf32>) -> tensor<2x3xf32>
  %u = tensor.cast %y : tensor<2x3xf32> to tensor<*xf32>
  %s = scf.for %i = %c0 to %c1 step %c1 iter_args(%a = %u) -> (tensor<*xf32>) {
    %r = tensor.cast %a : tensor<*xf32> to tensor<?x3xf32>
    %p = tensor.insert %v into %r[%i, %i] : tensor<?x3xf32>
    %w = tensor.cast %p : tensor<?x3xf32> to tensor<*xf32>
    scf.yield %w : tensor<*xf32>
  }
  %t = tensor.cast %s : tensor<*xf32> to tensor<2x3xf32>
  func.return %t : tensor<2x3xf32>
}

func.func private @made(%x: tensor<2x3xf32>) -> tensor<*xf32> attributes {no_inline} {
  %e = tensor.empty() : tensor<2x3xf32>
  %y = linalg.add ins(%x, %x : tensor<2x3xf32>, tensor<2x3xf32>) outs(%e : tensor<2x3xf32>) -> tensor<2x3xf32>
  %u = tensor.cast %y : tensor<2x3xf32> to tensor<*xf32>
  func.return %u : tensor<*xf32>
}

// Memory that a function returns.
func.func @uses_made(%x: tensor<2x3xf32>) -> (tensor<2x3xf32>, tensor<2x3xf32>) {
  %u = func.call @made(%x) : (tensor<2x3xf32>) -> tensor<*xf32>
  %y = tensor.cast %u : tensor<*xf32> to tensor<2x3xf32>
  func.return %y, %x : tensor<2x3xf32>, tensor<2x3xf32>
}

func.func private @changed(%u: tensor<*xf32>, %i: index, %v: f32) -> (f32, tensor<24xf32>, tensor<4x6xf32>) attributes {no_inline} {
  %a = tensor.cast %u : tensor<*xf32> to tensor<4x6xf32>
  %b = tensor.insert %v into %a[%i, %i] : tensor<4x6xf32>
  %c = tensor.cast %u : tensor<*xf32> to tensor<?x6xf32>
  %e = tensor.extract %c[%i, %i] : tensor<?x6xf32>
  %f = tensor.collapse_shape %c [[0, 1]] : tensor<?x6xf32> into tensor<?xf32>
  %g = tensor.cast %f : tensor<?xf32> to tensor<24xf32>
  func.return %e, %g, %b : f32, tensor<24xf32>, tensor<4x6xf32>
}

// One view is read after another one is changed; the axes of a slice of other memory are joined.
func.func @changes(%x: tensor<8x8xf32>, %i: index, %v: f32) -> (f32, tensor<24xf32>, tensor<4x6xf32>) {
  %s = tensor.extract_slice %x[1, 2] [4, 6] [1, 1] : tensor<8x8xf32> to tensor<4x6xf32>
  %u = tensor.cast %s : tensor<4x6xf32> to tensor<*xf32>
  %e, %f, %g = func.call @changed(%u, %i, %v) : (tensor<*xf32>, index, f32) -> (f32, tensor<24xf32>, tensor<4x6xf32>)
  func.return %e, %f, %g : f32, tensor<24xf32>, tensor<4x6xf32>
}

// A loop that takes new memory in each turn.
func.func @grows(%x: tensor<3x2xf32>, %n: index, %v: f32) -> (index, f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %u = tensor.cast %x : tensor<3x2xf32> to tensor<*xf32>
  %s = scf.for %i = %c0 to %n step %c1 iter_args(%a = %u) -> (tensor<*xf32>) {
    %r = "tensor.rank"(%a) : (tensor<*xf32>) -> index
    %d = tensor.dim %a, %c0 : tensor<*xf32>
    %m = arith.addi %r, %d : index
    %e = tensor.empty(%m) : tensor<?xf32>
    %g = linalg.fill ins(%v : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
    %h = tensor.cast %g : tensor<?xf32> to tensor<*xf32>
    scf.yield %h : tensor<*xf32>
  }
  %d = tensor.dim %s, %c0 : tensor<*xf32>
  %t = tensor.cast %s : tensor<*xf32> to tensor<?xf32>
  %f = tensor.extract %t[%c0] : tensor<?xf32>
  func.return %d, %f : index, f32
}
