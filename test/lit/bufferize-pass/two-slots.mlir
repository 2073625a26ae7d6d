// Memory that a loop needs in one of its slots is not passed on in another one, where iterations give it back.
// RUN: opt-tool --bufferize-pass=arena=argument,unproved=error %s | filecheck %s

// CHECK-LABEL: func.func @two_slots_of_one_memory
// CHECK: [[R:%.*]] = memref.alloc()
// CHECK-NEXT: "memref.copy"({{%.*}}, [[R]])
// CHECK: scf.for
// CHECK-NOT: memref.dealloc
// CHECK: func.return [[R]]
func.func private @reads(tensor<12xi64> {bufferization.access = "read"}) -> i64
func.func @two_slots_of_one_memory(%u: tensor<?xi64> {dnn.donated}, %m: tensor<3x4xi64>, %b: tensor<12xi64>, %i: index) -> tensor<4xi64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %zero = arith.constant dense<0> : tensor<i64>
  %v1 = tensor.extract_slice %u[%i] [4] [1] : tensor<?xi64> to tensor<4xi64>
  %v12 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>], iterator_types = ["reduction", "parallel"]} ins(%m : tensor<3x4xi64>) outs(%v1 : tensor<4xi64>) {
  ^bb0(%x: i64, %y: i64):
    %z = arith.addi %x, %y : i64
    linalg.yield %z : i64
  } -> tensor<4xi64>
  %v14:2 = scf.for %k = %c0 to %c3 step %c1 iter_args(%v15 = %v12, %v16 = %v12) -> (tensor<4xi64>, tensor<4xi64>) {
    %row = tensor.expand_shape %v15 [[0, 1]] output_shape [1, 4] : tensor<4xi64> into tensor<1x4xi64>
    %dead = "dnn.dynamic_update_slice"(%m, %row, %zero, %zero) : (tensor<3x4xi64>, tensor<1x4xi64>, tensor<i64>, tensor<i64>) -> tensor<3x4xi64>
    %v33 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%v16 : tensor<4xi64>) outs(%v16 : tensor<4xi64>) {
    ^bb0(%x: i64, %y: i64):
      %z = arith.subi %x, %y : i64
      linalg.yield %z : i64
    } -> tensor<4xi64>
    %s = func.call @reads(%b) : (tensor<12xi64>) -> i64
    scf.yield %v33, %v1 : tensor<4xi64>, tensor<4xi64>
  }
  func.return %v14#1 : tensor<4xi64>
}
