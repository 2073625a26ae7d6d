// RUN: opt-tool --bufferize-pass=arguments=writable --split-input-file %s | filecheck %s

// The arena has no room for what is elsewhere: memory that a call returns, and memory that the function is given.
// CHECK-LABEL: @beside_results_of_calls(
// CHECK: %arena = memref.alloc() {{.*}} : memref<256xi8>
// CHECK: [[N:%.*]] = func.call @new(%a)
// CHECK: [[T:%.*]] = memref.view %arena[%c0][]
// CHECK: linalg.add ins([[N]], %a : {{.*}}) outs([[T]] :
// CHECK-NEXT: linalg.mul ins([[N]], [[T]] : {{.*}}) outs([[N]] :
func.func private @new(%a: tensor<64xf32> {bufferization.writable = false}) -> tensor<64xf32> {
  %e = tensor.empty() : tensor<64xf32>
  %0 = linalg.exp ins(%a : tensor<64xf32>) outs(%e : tensor<64xf32>) -> tensor<64xf32>
  func.return %0 : tensor<64xf32>
}
func.func @beside_results_of_calls(%a: tensor<64xf32> {bufferization.writable = false}) -> f32 {
  %c0 = arith.constant 0 : index
  %n = func.call @new(%a) : (tensor<64xf32>) -> tensor<64xf32>
  %e = tensor.empty() : tensor<64xf32>
  %t = linalg.add ins(%n, %a : tensor<64xf32>, tensor<64xf32>) outs(%e : tensor<64xf32>) -> tensor<64xf32>
  %u = linalg.mul ins(%n, %t : tensor<64xf32>, tensor<64xf32>) outs(%e : tensor<64xf32>) -> tensor<64xf32>
  %s = tensor.extract %u[%c0] : tensor<64xf32>
  func.return %s : f32
}

// -----

// CHECK-LABEL: @beside_memory_that_is_given(
// CHECK: %arena = memref.alloc() {{.*}} : memref<256xi8>
// CHECK: [[T:%.*]] = memref.view %arena[%c0][]
// CHECK: linalg.exp ins(%m : memref<64xf32>) outs([[T]] :
// CHECK-NEXT: linalg.mul ins(%m, [[T]] : {{.*}}) outs(%m :
func.func @beside_memory_that_is_given(%m: memref<64xf32>) {
  %x = bufferization.to_tensor %m restrict writable : memref<64xf32> to tensor<64xf32>
  %e = tensor.empty() : tensor<64xf32>
  %t = linalg.exp ins(%x : tensor<64xf32>) outs(%e : tensor<64xf32>) -> tensor<64xf32>
  %u = linalg.mul ins(%x, %t : tensor<64xf32>, tensor<64xf32>) outs(%x : tensor<64xf32>) -> tensor<64xf32>
  bufferization.materialize_in_destination %u in writable %m : (tensor<64xf32>, memref<64xf32>) -> ()
  func.return
}
