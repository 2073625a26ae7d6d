// Slices of one value that is seen with other axes: their bounds say nothing of whether they are apart.

// RUN: opt-tool %s --inplace-pass --verify-storage-pass | filecheck %s

// The second element of %s is the first of %t.
// CHECK-LABEL: @unit_axes_left_out
// CHECK: math.exp %s : tensor<1x2xf32>
func.func @unit_axes_left_out(%x: tensor<?x?x?xf32> {dnn.donated}, %n: index) -> (tensor<1x2xf32>, tensor<2x1xf32>) {
  %p = tensor.extract_slice %x[0, 0, 0] [1, %n, 1] [1, 1, 1] : tensor<?x?x?xf32> to tensor<1x?xf32>
  %q = tensor.extract_slice %x[0, 0, 0] [1, %n, 1] [1, 1, 1] : tensor<?x?x?xf32> to tensor<?x1xf32>
  %s = tensor.extract_slice %p[0, 0] [1, 2] [1, 1] : tensor<1x?xf32> to tensor<1x2xf32>
  %t = tensor.extract_slice %q[1, 0] [2, 1] [1, 1] : tensor<?x1xf32> to tensor<2x1xf32>
  %e = math.exp %s : tensor<1x2xf32>
  %f = math.absf %t : tensor<2x1xf32>
  func.return %e, %f : tensor<1x2xf32>, tensor<2x1xf32>
}

// CHECK-LABEL: @unit_axes_added
// CHECK: math.exp %s : tensor<1x2xf32>
func.func @unit_axes_added(%x: tensor<?xf32> {dnn.donated}) -> (tensor<1x2xf32>, tensor<2x1xf32>) {
  %a = "dnn.unsqueeze"(%x) {axes = array<i64: 0>} : (tensor<?xf32>) -> tensor<1x?xf32>
  %b = "dnn.unsqueeze"(%x) {axes = array<i64: 1>} : (tensor<?xf32>) -> tensor<?x1xf32>
  %s = tensor.extract_slice %a[0, 0] [1, 2] [1, 1] : tensor<1x?xf32> to tensor<1x2xf32>
  %t = tensor.extract_slice %b[1, 0] [2, 1] [1, 1] : tensor<?x1xf32> to tensor<2x1xf32>
  %e = math.exp %s : tensor<1x2xf32>
  %f = math.absf %t : tensor<2x1xf32>
  func.return %e, %f : tensor<1x2xf32>, tensor<2x1xf32>
}

// CHECK-LABEL: @other_sizes
// CHECK: math.exp %s : tensor<1x4xf32>
func.func @other_sizes(%x: tensor<?x?xf32> {dnn.donated}) -> (tensor<1x4xf32>, tensor<1x2xf32>) {
  %r = "dnn.reshape"(%x) : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %s = tensor.extract_slice %x[0, 0] [1, 4] [1, 1] : tensor<?x?xf32> to tensor<1x4xf32>
  %t = tensor.extract_slice %r[1, 0] [1, 2] [1, 1] : tensor<?x?xf32> to tensor<1x2xf32>
  %e = math.exp %s : tensor<1x4xf32>
  %f = math.absf %t : tensor<1x2xf32>
  func.return %e, %f : tensor<1x4xf32>, tensor<1x2xf32>
}

// Along the same axes they are apart.
// CHECK-LABEL: @same_axes
// CHECK: math.exp %s {dnn.inplace = array<i32: 0>}
func.func @same_axes(%x: tensor<?x?x?xf32> {dnn.donated}, %n: index) -> (tensor<1x2xf32>, tensor<1x2xf32>) {
  %p = tensor.extract_slice %x[0, 0, 0] [1, %n, 1] [1, 1, 1] : tensor<?x?x?xf32> to tensor<1x?xf32>
  %q = tensor.extract_slice %x[0, 0, 0] [1, %n, 1] [1, 1, 1] : tensor<?x?x?xf32> to tensor<1x?xf32>
  %s = tensor.extract_slice %p[0, 0] [1, 2] [1, 1] : tensor<1x?xf32> to tensor<1x2xf32>
  %t = tensor.extract_slice %q[0, 2] [1, 2] [1, 1] : tensor<1x?xf32> to tensor<1x2xf32>
  %e = math.exp %s : tensor<1x2xf32>
  %f = math.absf %t : tensor<1x2xf32>
  func.return %e, %f : tensor<1x2xf32>, tensor<1x2xf32>
}
