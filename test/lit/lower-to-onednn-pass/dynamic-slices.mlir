// Slices at starts that operands hold are native steps: in place, the update writes its part of the cache alone.

// RUN: opt-tool --inplace-pass --memory-plan-pass --lower-to-onednn-pass --verify-lowering-pass %s | filecheck %s

// CHECK-LABEL: func.func @step
// CHECK: onednn.arena : memref<64xi8>
// CHECK: onednn.call "dnn.dynamic_update_slice" ins(%cache, %new, %i, %z : {{.*}}) outs(%cache : memref<16x8xf32>) {native, onednn.op = "c"}
// CHECK: onednn.call "dnn.dynamic_slice" ins(%cache, %i, %z : {{.*}}) outs([[S:%.*]] : memref<2x8xf32>) {attrs = {slice_sizes = array<i64: 2, 8>}, native, onednn.op = "s"}
// CHECK-NOT: onednn.copy
func.func @step(%cache: tensor<16x8xf32> {dnn.donated}, %new: tensor<1x8xf32>, %i: tensor<i64>, %z: tensor<i64>)
    -> (tensor<16x8xf32> {dnn.tied = 0 : i32}, tensor<1x8xf32>) {
  %c = "dnn.dynamic_update_slice"(%cache, %new, %i, %z) : (tensor<16x8xf32>, tensor<1x8xf32>, tensor<i64>, tensor<i64>) -> tensor<16x8xf32>
  %s = "dnn.dynamic_slice"(%c, %i, %z) {slice_sizes = array<i64: 2, 8>} : (tensor<16x8xf32>, tensor<i64>, tensor<i64>) -> tensor<2x8xf32>
  %b = "dnn.reduce_sum"(%s) {axes = array<i64: 0>, keepdims = true} : (tensor<2x8xf32>) -> tensor<1x8xf32>
  func.return %c, %b : tensor<16x8xf32>, tensor<1x8xf32>
}
