// torch.fx's rules: `strategy=reinplace`.

// RUN: opt-tool --inplace-pass=strategy=reinplace,explain=true --verify-storage-pass --split-input-file %s | filecheck %s

// Only `self`, and no input of the program; after a decision both are one storage.
// CHECK-LABEL: @operands
func.func @operands(%x: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK: "dnn.add"(%x, %x){{.*}}dnn.refused = ["program-input"]
  %a = "dnn.add"(%x, %x) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  // CHECK: "dnn.relu"(%a) {dnn.inplace = array<i32: 0>}
  %b = "dnn.relu"(%a) : (tensor<4xf32>) -> tensor<4xf32>
  // CHECK: "dnn.mul"(%b, %b) {dnn.refused = ["repeated-operand"]}
  %c = "dnn.mul"(%b, %b) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  // CHECK: "dnn.sub"(%x, %c) {dnn.refused = ["program-input"]}
  %d = "dnn.sub"(%x, %c) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  // CHECK: "dnn.softmax"(%d){{.*}}dnn.refused = ["not-listed"]
  %e = "dnn.softmax"(%d) {axis = 0 : i64} : (tensor<4xf32>) -> tensor<4xf32>
  func.return %e : tensor<4xf32>
}

// -----

// The documentation's example: the update is made in place, and the scatter has nothing to do.
// CHECK-LABEL: @diagonal
func.func @diagonal(%x: tensor<3x3xf32>) -> tensor<3x3xf32> {
  %a = "dnn.add"(%x, %x) : (tensor<3x3xf32>, tensor<3x3xf32>) -> tensor<3x3xf32>
  %b = "dnn.diagonal"(%a) : (tensor<3x3xf32>) -> tensor<3xf32>
  // CHECK: "dnn.fill"(%b) {value = 0.000000e+00 : f32, dnn.inplace = array<i32: 0>}
  %c = "dnn.fill"(%b) {value = 0.0 : f32} : (tensor<3xf32>) -> tensor<3xf32>
  // CHECK: "dnn.diagonal_scatter"(%a, %c) {dnn.inplace = array<i32: 0>}
  %d = "dnn.diagonal_scatter"(%a, %c) : (tensor<3x3xf32>, tensor<3xf32>) -> tensor<3x3xf32>
  func.return %d : tensor<3x3xf32>
}

// -----

// Another row is scattered to than was taken: the update reads as a use of the base, the scatter goes over it.
// CHECK-LABEL: @another_row
func.func @another_row(%x: tensor<3x3xf32>) -> tensor<3x3xf32> {
  %a = "dnn.copy"(%x) : (tensor<3x3xf32>) -> tensor<3x3xf32>
  %b = "dnn.select"(%a) {dim = 0 : i64, index = 0 : i64} : (tensor<3x3xf32>) -> tensor<3xf32>
  // CHECK: "dnn.relu"(%b) {dnn.refused = ["used-later"]}
  %c = "dnn.relu"(%b) : (tensor<3xf32>) -> tensor<3xf32>
  // CHECK: "dnn.select_scatter"(%a, %c) {{.*}}dnn.inplace = array<i32: 0>
  %d = "dnn.select_scatter"(%a, %c) {dim = 0 : i64, index = 1 : i64} : (tensor<3x3xf32>, tensor<3xf32>) -> tensor<3x3xf32>
  func.return %d : tensor<3x3xf32>
}

// -----

// Storage is all or nothing: an update of one half waits for the readers of the other.
// CHECK-LABEL: @halves
func.func @halves(%x: tensor<4xf32>) -> tensor<2xf32> {
  %a = "dnn.copy"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %b, %c = "dnn.split"(%a) {axis = 0 : i64, split_size = 2 : i64} : (tensor<4xf32>) -> (tensor<2xf32>, tensor<2xf32>)
  // CHECK: "dnn.relu"(%b) {dnn.refused = ["used-later"]}
  %d = "dnn.relu"(%b) : (tensor<2xf32>) -> tensor<2xf32>
  // CHECK: "dnn.add"(%c, %d) {dnn.inplace = array<i32: 0>}
  %e = "dnn.add"(%c, %d) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  func.return %e : tensor<2xf32>
}

// -----

// The original does not look for views that overlap in one op.
// CHECK-LABEL: @overlap
func.func @overlap(%x: tensor<4xf32>) -> tensor<3xf32> {
  %a = "dnn.copy"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %b = "dnn.slice"(%a) {dim = 0 : i64, start = 0 : i64, end = 3 : i64} : (tensor<4xf32>) -> tensor<3xf32>
  %c = "dnn.slice"(%a) {dim = 0 : i64, start = 1 : i64, end = 4 : i64} : (tensor<4xf32>) -> tensor<3xf32>
  // CHECK: "dnn.add"(%b, %c) {dnn.refused = ["overlapping-view"]}
  %d = "dnn.add"(%b, %c) : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  func.return %d : tensor<3xf32>
}
