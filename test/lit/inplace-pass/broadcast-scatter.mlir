// All elements of a broadcast value lie at one byte. A scatter into it reads the elements outside of its part, and so the
// bytes under the part too: %s is not written over %a.

// RUN: opt-tool --inplace-pass --verify-storage-pass %s | filecheck %s
// RUN: sed 's/bias = 0.5 : f32/&, dnn.inplace = array<i32: 0>/' %s | not opt-tool --verify-storage-pass - 2>&1 | filecheck %s --check-prefix=GIVEN

// CHECK: "dnn.scale"(%a) {scale = 1.500000e+00 : f32, bias = 5.000000e-01 : f32} : (tensor<f32>) -> tensor<f32>
// GIVEN: error: dnn.as_strided_scatter reads %e, but bytes [0, 4) of the memory of %a were overwritten by dnn.scale (%s)
func.func @main(%x: tensor<1x3x1xf32>, %u: tensor<1xf32>) -> (tensor<f32>, tensor<1x3x1xf32>) {
  %a = "dnn.reduce_sum"(%x) : (tensor<1x3x1xf32>) -> tensor<f32>
  %s = "dnn.scale"(%a) {scale = 1.5 : f32, bias = 0.5 : f32} : (tensor<f32>) -> tensor<f32>
  %b = "dnn.unsqueeze"(%a) {axes = array<i64: 0, 1, 2>} : (tensor<f32>) -> tensor<1x1x1xf32>
  %e = "dnn.expand"(%b) : (tensor<1x1x1xf32>) -> tensor<1x3x1xf32>
  %g = "dnn.as_strided_scatter"(%e, %u) {size = array<i64: 1>, storage_offset = 0 : i64, stride = array<i64: 2>} : (tensor<1x3x1xf32>, tensor<1xf32>) -> tensor<1x3x1xf32>
  func.return %s, %g : tensor<f32>, tensor<1x3x1xf32>
}
