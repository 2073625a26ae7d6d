// Plans that take slices along other axes for apart.

// RUN: not opt-tool %s --verify-storage-pass --split-input-file 2>&1 | filecheck %s

// CHECK: error: math.absf reads %t, but bytes of the memory of argument 0 were overwritten by math.exp (%e)
func.func @decided_left_out(%x: tensor<?x?x?xf32> {dnn.donated}, %n: index) -> (tensor<1x2xf32>, tensor<2x1xf32>) {
  %p = tensor.extract_slice %x[0, 0, 0] [1, %n, 1] [1, 1, 1] : tensor<?x?x?xf32> to tensor<1x?xf32>
  %q = tensor.extract_slice %x[0, 0, 0] [1, %n, 1] [1, 1, 1] : tensor<?x?x?xf32> to tensor<?x1xf32>
  %s = tensor.extract_slice %p[0, 0] [1, 2] [1, 1] : tensor<1x?xf32> to tensor<1x2xf32>
  %t = tensor.extract_slice %q[1, 0] [2, 1] [1, 1] : tensor<?x1xf32> to tensor<2x1xf32>
  %e = math.exp %s {dnn.inplace = array<i32: 0>} : tensor<1x2xf32>
  %f = math.absf %t : tensor<2x1xf32>
  func.return %e, %f : tensor<1x2xf32>, tensor<2x1xf32>
}

// -----

// CHECK: error: math.absf reads %t, but bytes of the memory of argument 0 were overwritten by math.exp (%e)
func.func @decided_other_sizes(%x: tensor<?x?xf32> {dnn.donated}) -> (tensor<1x4xf32>, tensor<1x2xf32>) {
  %r = "dnn.reshape"(%x) : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %s = tensor.extract_slice %x[0, 0] [1, 4] [1, 1] : tensor<?x?xf32> to tensor<1x4xf32>
  %t = tensor.extract_slice %r[1, 0] [1, 2] [1, 1] : tensor<?x?xf32> to tensor<1x2xf32>
  %e = math.exp %s {dnn.inplace = array<i32: 0>} : tensor<1x4xf32>
  %f = math.absf %t : tensor<1x2xf32>
  func.return %e, %f : tensor<1x4xf32>, tensor<1x2xf32>
}
