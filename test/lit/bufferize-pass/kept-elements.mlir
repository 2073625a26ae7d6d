// A loop that leaves out elements of its destination keeps what these had, though its body does not read them: the
// destination is copied where it may not be written. A map whose other axes have one element writes all.
// RUN: opt-tool --bufferize-pass=layouts=identity,results=out,unproved=error --split-input-file %s | filecheck %s

// CHECK-LABEL: @diagonal(
// CHECK: "memref.copy"(%x, [[OUT:%[a-z]+]])
// CHECK-NEXT: linalg.generic {{.*}} outs([[OUT]] :
func.func @diagonal(%x: tensor<8x8xf32>, %v: f32) -> tensor<8x8xf32> {
  %w = linalg.generic {indexing_maps = [affine_map<(i) -> (i, i)>], iterator_types = ["parallel"]} outs(%x : tensor<8x8xf32>) {
  ^bb0(%o: f32):
    linalg.yield %v : f32
  } -> tensor<8x8xf32>
  func.return %w : tensor<8x8xf32>
}

// -----

// CHECK-LABEL: @every_second(
// CHECK: "memref.copy"(%x, [[OUT:%[a-z]+]])
// CHECK-NEXT: linalg.generic {{.*}} ins(%s : {{.*}}) outs([[OUT]] :
func.func @every_second(%x: tensor<16xf32>, %s: tensor<8xf32>) -> tensor<16xf32> {
  %w = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i * 2)>], iterator_types = ["parallel"]} ins(%s : tensor<8xf32>) outs(%x : tensor<16xf32>) {
  ^bb0(%a: f32, %o: f32):
    linalg.yield %a : f32
  } -> tensor<16xf32>
  func.return %w : tensor<16xf32>
}

// -----

// Where %n is 0 the result is the destination.
// CHECK-LABEL: @last_of_each_row(
// CHECK: "memref.copy"(%x, [[OUT:%[a-z]+]])
// CHECK-NEXT: linalg.generic {{.*}} ins(%s : {{.*}}) outs([[OUT]] :
func.func @last_of_each_row(%x: tensor<4xf32>, %s: tensor<4x?xf32>) -> tensor<4xf32> {
  %w = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%s : tensor<4x?xf32>) outs(%x : tensor<4xf32>) {
  ^bb0(%a: f32, %o: f32):
    linalg.yield %a : f32
  } -> tensor<4xf32>
  func.return %w : tensor<4xf32>
}

// -----

// CHECK-LABEL: @column(
// CHECK-NOT: memref.copy
// CHECK: linalg.generic {{.*}} ins(%s : {{.*}}) outs(%{{[a-z]+}} :
func.func @column(%x: tensor<8x1xf32>, %s: tensor<8xf32>) -> tensor<8x1xf32> {
  %w = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i, 0)>], iterator_types = ["parallel"]} ins(%s : tensor<8xf32>) outs(%x : tensor<8x1xf32>) {
  ^bb0(%a: f32, %o: f32):
    linalg.yield %a : f32
  } -> tensor<8x1xf32>
  func.return %w : tensor<8x1xf32>
}
