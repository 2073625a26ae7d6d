// Structured ops of linalg go over their `outs`, elementwise ones over inputs that are read where the result is written.

// RUN: opt-tool %s --inplace-pass --verify-storage-pass | filecheck %s
// RUN: opt-tool %s --inplace-pass --remarks 2>&1 >/dev/null | filecheck %s --check-prefix=WHY

// CHECK-LABEL: @elementwise
func.func @elementwise(%x: tensor<4x4xf32> {dnn.donated}, %y: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %e = tensor.empty() : tensor<4x4xf32>
  // CHECK: linalg.exp {{.*}}dnn.inplace = array<i32: 0>
  %a = linalg.exp ins(%x : tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
  // CHECK: linalg.add {{.*}}dnn.inplace = array<i32: 1>
  %b = linalg.add ins(%y, %a : tensor<4x4xf32>, tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
  // CHECK: linalg.mul {{.*}}dnn.inplace = array<i32: 0>
  %c = linalg.mul ins(%b, %b : tensor<4x4xf32>, tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
  func.return %c : tensor<4x4xf32>
}

// No op reads the result of tensor.empty: the first result uses its memory, which is then taken for the second.
// CHECK-LABEL: @two_in_one_place
func.func @two_in_one_place(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %e = tensor.empty() : tensor<4xf32>
  // CHECK: linalg.exp {{.*}}dnn.inplace = array<i32: 1>
  %a = linalg.exp ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  // CHECK-NOT: dnn.inplace
  // WHY: :8: remark: linalg.log (b): %b is not written over %e{{.*}} %a{{.*}} [returned]
  %b = linalg.log ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  func.return %a, %b : tensor<4xf32>, tensor<4xf32>
}

// The product accumulates into %c, which it reads; it never goes over a factor.
// CHECK-LABEL: @matmul
func.func @matmul(%x: tensor<4x4xf32> {dnn.donated}, %y: tensor<4x4xf32> {dnn.donated}) -> tensor<4x4xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x4xf32>
  // CHECK: linalg.fill {{.*}}dnn.inplace = array<i32: 1>
  %c = linalg.fill ins(%zero : f32) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
  // CHECK: linalg.matmul {{.*}}dnn.inplace = array<i32: 2>
  %r = linalg.matmul ins(%x, %y : tensor<4x4xf32>, tensor<4x4xf32>) outs(%c : tensor<4x4xf32>) -> tensor<4x4xf32>
  func.return %r : tensor<4x4xf32>
}

// A generic op that reads its first input transposed: over the second one, and only if that is another.
#same = affine_map<(d0, d1) -> (d0, d1)>
#turned = affine_map<(d0, d1) -> (d1, d0)>
// CHECK-LABEL: @generic
func.func @generic(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %e = tensor.empty() : tensor<4x4xf32>
  // CHECK: linalg.exp {{.*}}dnn.inplace = array<i32: 1>
  %a = linalg.exp ins(%x : tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
  // CHECK: linalg.generic
  // CHECK-NEXT: ^bb0
  // WHY: :8: remark: linalg.generic (b): %b is not written over %a: {{.*}}[repeated-operand]
  %b = linalg.generic {indexing_maps = [#turned, #same, #same], iterator_types = ["parallel", "parallel"]} ins(%a, %a : tensor<4x4xf32>, tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %s = arith.addf %p, %q : f32
    linalg.yield %s : f32
  } -> tensor<4x4xf32>
  // CHECK: linalg.generic {{.*}}dnn.inplace = array<i32: 1>
  %c = linalg.generic {indexing_maps = [#turned, #same, #same], iterator_types = ["parallel", "parallel"]} ins(%x, %b : tensor<4x4xf32>, tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %s = arith.subf %p, %q : f32
    linalg.yield %s : f32
  } -> tensor<4x4xf32>
  func.return %c : tensor<4x4xf32>
}

// A kernel that looks into a tensor by itself says more than its operands do: nothing is known of it.
// CHECK-LABEL: @captures
func.func @captures(%x: tensor<4xf32>) -> tensor<4xf32> {
  %zero = arith.constant 0 : index
  %f = tensor.empty() : tensor<4xf32>
  %e = tensor.empty() : tensor<4xf32>
  // CHECK: linalg.exp {{.*}}dnn.inplace = array<i32: 1>
  %a = linalg.exp ins(%x : tensor<4xf32>) outs(%f : tensor<4xf32>) -> tensor<4xf32>
  // CHECK: linalg.generic
  // CHECK-NOT: dnn.inplace
  %b = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%a : tensor<4xf32>) outs(%e : tensor<4xf32>) {
  ^bb0(%p: f32, %o: f32):
    %first = tensor.extract %a[%zero] : tensor<4xf32>
    %s = arith.addf %p, %first : f32
    linalg.yield %s : f32
  } -> tensor<4xf32>
  func.return %b : tensor<4xf32>
}
