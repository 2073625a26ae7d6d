// The memory of a tensor that has no contents is computed into in each of two loops, and given to a call: that the
// tensor is used again as a destination keeps nothing in it.
//
// RUN: opt-tool --bufferize-pass --remarks %s 2>&1 | filecheck %s

// CHECK-NOT: memref.copy
// CHECK: remark: func.call: %a, operand 0, is given to @sink
// CHECK: remark: func.call: %b, operand 0, is given to @sink
// CHECK-LABEL: func.func @main
// CHECK: scf.for
// CHECK: linalg.sub {{.*}} outs(%[[E:.*]] : memref<24x1xf32>)
// CHECK-NEXT: %[[GIVEN:.*]] = "memref.cast"(%[[E]])
// CHECK-NEXT: func.call @sink(%[[GIVEN]])
// CHECK: scf.for
// CHECK: linalg.sub {{.*}} outs(%[[E2:.*]] : memref<24x1xf32>)
// CHECK-NEXT: %[[GIVEN2:.*]] = "memref.cast"(%[[E2]])
// CHECK-NEXT: func.call @sink(%[[GIVEN2]])
// CHECK-NOT: memref.copy
func.func private @sink(tensor<24x1xf32>)
func.func @main(%n: index, %x: tensor<24x1xf32>, %y: tensor<24x1xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %e = tensor.empty() : tensor<24x1xf32>
  scf.for %i = %c0 to %n step %c1 {
    %a = linalg.sub ins(%y, %x : tensor<24x1xf32>, tensor<24x1xf32>) outs(%e : tensor<24x1xf32>) -> tensor<24x1xf32>
    func.call @sink(%a) : (tensor<24x1xf32>) -> ()
  }
  scf.for %i = %c0 to %n step %c1 {
    %b = linalg.sub ins(%y, %x : tensor<24x1xf32>, tensor<24x1xf32>) outs(%e : tensor<24x1xf32>) -> tensor<24x1xf32>
    func.call @sink(%b) : (tensor<24x1xf32>) -> ()
  }
  func.return
}
