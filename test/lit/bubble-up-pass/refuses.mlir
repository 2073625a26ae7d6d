// What the pass leaves alone.

// RUN: opt-tool --bubble-up-pass %s --remarks 2>&1 | filecheck %s
// CHECK: remark: {{.*}}bubble-up-pass changed nothing

// The result of the activation has another reader.

// CHECK-LABEL: @read_twice
// CHECK: "dnn.relu"(%x)
// CHECK-NEXT: "dnn.max_pool"(%a)
func.func @read_twice(%x: tensor<1x2x8xf32>) -> (tensor<1x2x4xf32>, tensor<1x2x8xf32>) {
  %a = "dnn.relu"(%x) : (tensor<1x2x8xf32>) -> tensor<1x2x8xf32>
  %y = "dnn.max_pool"(%a) {kernel_shape = array<i64: 2>, strides = array<i64: 2>} : (tensor<1x2x8xf32>) -> tensor<1x2x4xf32>
  func.return %y, %a : tensor<1x2x4xf32>, tensor<1x2x8xf32>
}

// An activation that decreases somewhere.

// CHECK-LABEL: @decreases
// CHECK: "dnn.leaky_relu"(%x)
// CHECK-NEXT: "dnn.max_pool"(%a)
func.func @decreases(%x: tensor<1x2x8xf32>) -> tensor<1x2x4xf32> {
  %a = "dnn.leaky_relu"(%x) {alpha = -0.5 : f32} : (tensor<1x2x8xf32>) -> tensor<1x2x8xf32>
  %y = "dnn.max_pool"(%a) {kernel_shape = array<i64: 2>, strides = array<i64: 2>} : (tensor<1x2x8xf32>) -> tensor<1x2x4xf32>
  func.return %y : tensor<1x2x4xf32>
}

// The elements that are selected have numbers: those of equal elements would be others.

// CHECK-LABEL: @numbers
// CHECK: "dnn.relu"(%x)
// CHECK-NEXT: "dnn.max_pool"(%a)
func.func @numbers(%x: tensor<1x2x8xf32>) -> (tensor<1x2x4xf32>, tensor<1x2x4xi64>) {
  %a = "dnn.relu"(%x) : (tensor<1x2x8xf32>) -> tensor<1x2x8xf32>
  %y, %n = "dnn.max_pool"(%a) {kernel_shape = array<i64: 2>, strides = array<i64: 2>} : (tensor<1x2x8xf32>) -> (tensor<1x2x4xf32>, tensor<1x2x4xi64>)
  func.return %y, %n : tensor<1x2x4xf32>, tensor<1x2x4xi64>
}

// The first window lies in the padding alone: the pool gives -infinity there, and relu of that would be 0.

// CHECK-LABEL: @padding
// CHECK: "dnn.relu"(%x)
// CHECK-NEXT: "dnn.max_pool"(%a)
func.func @padding(%x: tensor<1x2x8xf32>) -> tensor<1x2x6xf32> {
  %a = "dnn.relu"(%x) : (tensor<1x2x8xf32>) -> tensor<1x2x8xf32>
  %y = "dnn.max_pool"(%a) {kernel_shape = array<i64: 2>, strides = array<i64: 2>, pads = array<i64: 2, 2>} : (tensor<1x2x8xf32>) -> tensor<1x2x6xf32>
  func.return %y : tensor<1x2x6xf32>
}

// What is decided stays.

// CHECK-LABEL: @decided
// CHECK: "dnn.relu"(%x)
func.func @decided(%x: tensor<1x2x8xf32> {dnn.donated}) -> tensor<1x2x4xf32> {
  %a = "dnn.relu"(%x) {dnn.inplace = array<i32: 0>} : (tensor<1x2x8xf32>) -> tensor<1x2x8xf32>
  %y = "dnn.max_pool"(%a) {kernel_shape = array<i64: 2>, strides = array<i64: 2>} : (tensor<1x2x8xf32>) -> tensor<1x2x4xf32>
  func.return %y : tensor<1x2x4xf32>
}
