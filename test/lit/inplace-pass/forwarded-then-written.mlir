// A value that is forwarded may be memory that may not be written: what was decided to be written over it is decided
// anew, and the remark says where it is.
// RUN: opt-tool --inplace-pass=forward=true --verify-storage-pass --remarks %s 2>&1 | filecheck %s

// CHECK-NOT: %q is written over %r
// CHECK: remark: linalg.exp (q): %q is written over %e, operand 1
// CHECK: remark: arith.select (s): %s lies where the path taken puts it
// CHECK: %q = linalg.exp {{.*}} {dnn.inplace = array<i32: 1>}
func.func @main(%c: i1, %i: index, %x: tensor<8x4xf32> {dnn.donated}, %y: tensor<8x4xf32>) -> tensor<4xf32> {
  %s = arith.select %c, %x, %y : tensor<8x4xf32>
  %r = tensor.extract_slice %s[%i, 0] [1, 4] [1, 1] : tensor<8x4xf32> to tensor<4xf32>
  %e = tensor.empty() : tensor<4xf32>
  %q = linalg.exp ins(%r : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  func.return %q : tensor<4xf32>
}
