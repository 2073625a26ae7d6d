// Elementwise ops that read each other's results become one map.

// RUN: opt-tool --map-fusion-pass %s | filecheck %s

// CHECK-LABEL: @tree
// CHECK-NEXT: %r = "dnn.map"(%x, %w, %b) {body = [{op = "dnn.mul", operands = array<i64: 0, 1>, type = f32}, {op = "dnn.neg", operands = array<i64: 0>, type = f32}, {op = "dnn.sub", operands = array<i64: 3, 4>, type = f32}, {op = "dnn.add", operands = array<i64: 5, 2>, type = f32}]}
// CHECK-NEXT: func.return %r
func.func @tree(%x: tensor<2x3xf32>, %w: tensor<3xf32>, %b: tensor<f32>) -> tensor<2x3xf32> {
  %m = "dnn.mul"(%x, %w) : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  %n = "dnn.neg"(%x) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %s = "dnn.sub"(%m, %n) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  %r = "dnn.add"(%s, %b) : (tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xf32>
  func.return %r : tensor<2x3xf32>
}

// A value with several readers is computed once where all of them are part; types differ in between.
// CHECK-LABEL: @diamond
// CHECK-NEXT: %r = "dnn.map"(%x, %y) {body = [{op = "dnn.sub", operands = array<i64: 0, 1>, type = f32}, {op = "dnn.less", operands = array<i64: 2, 1>, type = i1}, {op = "dnn.where", operands = array<i64: 3, 2, 0>, type = f32}]}
// CHECK-NEXT: func.return %r
func.func @diamond(%x: tensor<?xf32> {dnn.sizes = ["n"]}, %y: tensor<f32>) -> tensor<?xf32> {
  %s = "dnn.sub"(%x, %y) : (tensor<?xf32>, tensor<f32>) -> tensor<?xf32>
  %l = "dnn.less"(%s, %y) : (tensor<?xf32>, tensor<f32>) -> tensor<?xi1>
  %r = "dnn.where"(%l, %s, %x) : (tensor<?xi1>, tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  func.return %r : tensor<?xf32>
}

// Attributes of the ops are kept. On few elements tanh is part of the map.
// CHECK-LABEL: @attributes
// CHECK-NEXT: %b = "dnn.map"(%x) {body = [{op = "dnn.scale", operands = array<i64: 0>, type = f32, scale = 3.000000e+00 : f32}, {op = "dnn.tanh", operands = array<i64: 1>, type = f32}, {op = "dnn.clip", operands = array<i64: 2>, type = f32, max = 5.000000e-01 : f32}]}
// CHECK-NEXT: func.return %b
func.func @attributes(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %s = "dnn.scale"(%x) {scale = 3.0 : f32} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %t = "dnn.tanh"(%s) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %b = "dnn.clip"(%t) {max = 0.5 : f32} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  func.return %b : tensor<2x3xf32>
}

// In a region too, on values from outside.
// CHECK-LABEL: @region
// CHECK: scf.if
// CHECK-NEXT: %t = "dnn.map"(%m, %x) {body = [{op = "dnn.add", operands = array<i64: 0, 1>, type = f32}, {op = "dnn.relu", operands = array<i64: 2>, type = f32}]}
func.func @region(%x: tensor<4xf32>, %c: i1) -> tensor<4xf32> {
  %n = "dnn.neg"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %m = "dnn.mul"(%n, %x) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %r = scf.if %c -> (tensor<4xf32>) {
    %a = "dnn.add"(%m, %x) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %t = "dnn.relu"(%a) : (tensor<4xf32>) -> tensor<4xf32>
    scf.yield %t : tensor<4xf32>
  } else {
    scf.yield %m : tensor<4xf32>
  }
  func.return %r : tensor<4xf32>
}
