// A comparison whose result another op reads too stays.

// RUN: opt-tool --fold-producer-pass %s --remarks 2>&1 | filecheck %s

// CHECK: remark: {{.*}}fold-producer-pass changed nothing
// CHECK-LABEL: @read_twice
// CHECK: "dnn.less_or_equal"(%x, %y) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
// CHECK-NEXT: "dnn.cast"
func.func @read_twice(%x: tensor<4xf32>, %y: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xi1>) {
  %c = "dnn.less_or_equal"(%x, %y) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  %f = "dnn.cast"(%c) : (tensor<4xi1>) -> tensor<4xf32>
  func.return %f, %c : tensor<4xf32>, tensor<4xi1>
}
