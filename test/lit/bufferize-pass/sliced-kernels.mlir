// Where only slices of what an op computes are used, the op computes these, and no slice of its memory is copied.
// RUN: opt-tool --bufferize-pass=layouts=identity,unproved=error --split-input-file %s | filecheck %s

// Rows of a product of padded operands.
// CHECK-LABEL: @rows_of_a_product(
// CHECK: [[A:%.*]] = memref.subview %a[%i, 0] [5, 7] [1, 1]
// CHECK-NEXT: [[OUT:%.*]] = memref.alloc() {{.*}} : memref<5x8xf32>
// CHECK-NEXT: linalg.fill ins(%z : f32) outs([[OUT]] :
// CHECK-NEXT: linalg.matmul ins([[A]], %b : {{.*}}) outs([[OUT]] :
// CHECK-NOT: memref.copy
// CHECK: func.return [[OUT]]
func.func @rows_of_a_product(%a: tensor<8x7xf32>, %b: tensor<7x8xf32>, %z: f32, %i: index) -> tensor<5x8xf32> {
  %e = tensor.empty() : tensor<8x8xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %m = linalg.matmul ins(%a, %b : tensor<8x7xf32>, tensor<7x8xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
  %s = tensor.extract_slice %m[%i, 0] [5, 8] [1, 1] : tensor<8x8xf32> to tensor<5x8xf32>
  func.return %s : tensor<5x8xf32>
}

// -----

// Rows of a convolution are made of as many rows of its input as the window has more.
// CHECK-LABEL: @rows_of_a_convolution(
// CHECK: memref.subview %x[0, 2, 0, 0] [1, 5, 6, 2] [1, 1, 1, 1]
// CHECK: linalg.conv_2d_nhwc_hwcf {{.*}} outs([[OUT:%.*]] : memref<1x2x2x8xf32>)
// CHECK-NOT: memref.copy
// CHECK: func.return [[OUT]]
func.func @rows_of_a_convolution(%x: tensor<1x8x6x2xf32>, %k: tensor<3x3x2x8xf32>, %z: f32) -> tensor<1x2x2x8xf32> {
  %e = tensor.empty() : tensor<1x3x2x8xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<1x3x2x8xf32>) -> tensor<1x3x2x8xf32>
  %c = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%x, %k : tensor<1x8x6x2xf32>, tensor<3x3x2x8xf32>) outs(%f : tensor<1x3x2x8xf32>) -> tensor<1x3x2x8xf32>
  %s = tensor.extract_slice %c[0, 1, 0, 0] [1, 2, 2, 8] [1, 1, 1, 1] : tensor<1x3x2x8xf32> to tensor<1x2x2x8xf32>
  func.return %s : tensor<1x2x2x8xf32>
}

// -----

// A column, without its axis, in steps; the numbers of elements stay those of the whole.
// CHECK-LABEL: @numbered_column(
// CHECK: linalg.generic
// CHECK: [[I:%.*]] = linalg.index 0
// CHECK-NEXT: [[TWO:%.*]] = arith.constant 2
// CHECK-NEXT: [[STEP:%.*]] = arith.muli [[I]], [[TWO]]
// CHECK-NEXT: [[ONE:%.*]] = arith.constant 1
// CHECK-NEXT: [[AT:%.*]] = arith.addi [[STEP]], [[ONE]]
// CHECK: memref.collapse_shape
// CHECK-NOT: memref.copy
// CHECK: func.return
func.func @numbered_column(%x: tensor<8x6xindex>, %j: index) -> tensor<3xindex> {
  %e = tensor.empty() : tensor<8x6xindex>
  %n = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<8x6xindex>) outs(%e : tensor<8x6xindex>) {
  ^bb0(%a: index, %o: index):
    %i = linalg.index 0 : index
    %s = arith.addi %a, %i : index
    linalg.yield %s : index
  } -> tensor<8x6xindex>
  %s = tensor.extract_slice %n[1, %j] [3, 1] [2, 1] : tensor<8x6xindex> to tensor<3xindex>
  func.return %s : tensor<3xindex>
}

// -----

// Two slices that are not more than all: each is computed apart.
// CHECK-LABEL: @halves(
// CHECK-COUNT-2: linalg.exp {{.*}} outs({{%.*}} : memref<4xf32>)
// CHECK-NOT: memref.copy
// CHECK: func.return
func.func @halves(%x: tensor<8xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %e = tensor.empty() : tensor<8xf32>
  %y = linalg.exp ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %s = tensor.extract_slice %y[0] [4] [1] : tensor<8xf32> to tensor<4xf32>
  %t = tensor.extract_slice %y[4] [4] [1] : tensor<8xf32> to tensor<4xf32>
  func.return %s, %t : tensor<4xf32>, tensor<4xf32>
}

// -----

// What is used otherwise too is computed once.
// CHECK-LABEL: @all_of_it(
// CHECK-COUNT-1: linalg.exp {{.*}} : memref<8xf32>
// CHECK-NOT: linalg.exp
// CHECK: "memref.copy"
// CHECK: func.return
func.func @all_of_it(%x: tensor<8xf32>) -> (tensor<8xf32>, tensor<4xf32>) {
  %e = tensor.empty() : tensor<8xf32>
  %y = linalg.exp ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %s = tensor.extract_slice %y[0] [4] [1] : tensor<8xf32> to tensor<4xf32>
  func.return %y, %s : tensor<8xf32>, tensor<4xf32>
}
