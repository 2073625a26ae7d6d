// What control flow results in is computed in the part of the tensor that it is inserted into.

// RUN: opt-tool --bufferize-pass=layouts=identity,unproved=error --split-input-file %s | filecheck %s

// Both arms fill the part.
// CHECK-LABEL: @both_arms
// CHECK-NOT: memref.copy
// CHECK-NOT: memref.alloc
// CHECK: scf.if %c
// CHECK-NEXT: [[ONE:%.*]] = memref.subview %t[40] [8] [1]
// CHECK-NEXT: linalg.fill ins(%z : f32) outs([[ONE]]
// CHECK: else
// CHECK-NEXT: [[TWO:%.*]] = memref.subview %t[40] [8] [1]
// CHECK-NEXT: linalg.exp ins(%x : memref<8xf32>) outs([[TWO]]
// CHECK: func.return %t
func.func @both_arms(%t: tensor<64xf32> {dnn.donated}, %x: tensor<8xf32>, %c: i1) -> tensor<64xf32> {
  %z = arith.constant 0.0 : f32
  %r = scf.if %c -> (tensor<8xf32>) {
    %a = tensor.empty() : tensor<8xf32>
    %b = linalg.fill ins(%z : f32) outs(%a : tensor<8xf32>) -> tensor<8xf32>
    scf.yield %b : tensor<8xf32>
  } else {
    %a = tensor.empty() : tensor<8xf32>
    %b = linalg.exp ins(%x : tensor<8xf32>) outs(%a : tensor<8xf32>) -> tensor<8xf32>
    scf.yield %b : tensor<8xf32>
  }
  %s = tensor.insert_slice %r into %t[40] [8] [1] : tensor<8xf32> into tensor<64xf32>
  func.return %s : tensor<64xf32>
}

// -----

// Both results go into one tensor, one after the other.
// CHECK-LABEL: @two_results
// CHECK-NOT: memref.copy
// CHECK-NOT: memref.alloc
// CHECK: scf.if %c
// CHECK: memref.subview %t[40] [8] [1]
// CHECK: memref.subview %t[8] [8] [1]
// CHECK: func.return %t
func.func @two_results(%t: tensor<64xf32> {dnn.donated}, %c: i1, %z: f32, %o: f32) -> tensor<64xf32> {
  %r, %q = scf.if %c -> (tensor<8xf32>, tensor<8xf32>) {
    %a = tensor.empty() : tensor<8xf32>
    %b = linalg.fill ins(%z : f32) outs(%a : tensor<8xf32>) -> tensor<8xf32>
    %d = linalg.fill ins(%o : f32) outs(%a : tensor<8xf32>) -> tensor<8xf32>
    scf.yield %b, %d : tensor<8xf32>, tensor<8xf32>
  } else {
    %a = tensor.empty() : tensor<8xf32>
    %b = linalg.fill ins(%o : f32) outs(%a : tensor<8xf32>) -> tensor<8xf32>
    %d = linalg.fill ins(%z : f32) outs(%a : tensor<8xf32>) -> tensor<8xf32>
    scf.yield %b, %d : tensor<8xf32>, tensor<8xf32>
  }
  %s = tensor.insert_slice %r into %t[40] [8] [1] : tensor<8xf32> into tensor<64xf32>
  %u = tensor.insert_slice %q into %s[8] [8] [1] : tensor<8xf32> into tensor<64xf32>
  func.return %u : tensor<64xf32>
}

// -----

// A loop that computes a tile is a loop over the tensor that the tile is a part of.
// CHECK-LABEL: @tiles
// CHECK-NOT: memref.copy
// CHECK-NOT: memref.alloc
// CHECK: scf.for %j
// CHECK: [[TILE:%.*]] = memref.subview %t[%j, 0] [4, 8] [1, 1]
// CHECK-NEXT: linalg.fill ins(%z : f32) outs([[TILE]]
// CHECK: scf.for %i
// CHECK: [[PART:%.*]] = memref.subview %t[%j, 0] [4, 8] [1, 1]
// CHECK: linalg.matmul {{.*}} outs([[PART]]
// CHECK: func.return %t
func.func @tiles(%x: tensor<8x8xf32>, %y: tensor<8x8xf32>, %t: tensor<8x8xf32> {dnn.donated}) -> tensor<8x8xf32> {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %z = arith.constant 0.0 : f32
  %q = scf.for %j = %c0 to %c8 step %c4 iter_args(%w = %t) -> (tensor<8x8xf32>) {
    %e = tensor.empty() : tensor<4x8xf32>
    %f = linalg.fill ins(%z : f32) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
    %r = scf.for %i = %c0 to %c8 step %c4 iter_args(%a = %f) -> (tensor<4x8xf32>) {
      %l = tensor.extract_slice %x[%j, %i] [4, 4] [1, 1] : tensor<8x8xf32> to tensor<4x4xf32>
      %m = tensor.extract_slice %y[%i, 0] [4, 8] [1, 1] : tensor<8x8xf32> to tensor<4x8xf32>
      %u = linalg.matmul ins(%l, %m : tensor<4x4xf32>, tensor<4x8xf32>) outs(%a : tensor<4x8xf32>) -> tensor<4x8xf32>
      scf.yield %u : tensor<4x8xf32>
    }
    %s = tensor.insert_slice %r into %w[%j, 0] [4, 8] [1, 1] : tensor<4x8xf32> into tensor<8x8xf32>
    scf.yield %s : tensor<8x8xf32>
  }
  func.return %q : tensor<8x8xf32>
}

// -----

// The loop reads another part of the tensor, which it would change: it computes the part apart.
// CHECK-LABEL: @reads_other_part
// CHECK: [[APART:%.*]] = memref.view
// CHECK: scf.for
// CHECK-NEXT: memref.load
// CHECK-NEXT: memref.store {{.*}}, [[APART]]
// CHECK: "memref.copy"([[APART]]
func.func @reads_other_part(%t: tensor<64xf32> {dnn.donated}) -> tensor<64xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %e = tensor.empty() : tensor<8xf32>
  %r = scf.for %i = %c0 to %c8 step %c1 iter_args(%a = %e) -> (tensor<8xf32>) {
    %v = tensor.extract %t[%i] : tensor<64xf32>
    %u = tensor.insert %v into %a[%i] : tensor<8xf32>
    scf.yield %u : tensor<8xf32>
  }
  %s = tensor.insert_slice %r into %t[4] [8] [1] : tensor<8xf32> into tensor<64xf32>
  func.return %s : tensor<64xf32>
}

// -----

// A part whose size is a value, in each of the iterations.
// CHECK-LABEL: @part_of_unknown_size
// CHECK-NOT: memref.copy
// CHECK-NOT: memref.alloc
// CHECK: [[PART:%.*]] = memref.subview %t[40] [%n] [1]
// CHECK-NEXT: linalg.fill ins(%z : f32) outs([[PART]]
func.func @part_of_unknown_size(%t: tensor<?xf32> {dnn.donated}, %n: index, %z: f32) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%o = %t) -> (tensor<?xf32>) {
    %e = tensor.empty(%n) : tensor<?xf32>
    %f = linalg.fill ins(%z : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
    %s = tensor.insert_slice %f into %o[40] [%n] [1] : tensor<?xf32> into tensor<?xf32>
    scf.yield %s : tensor<?xf32>
  }
  func.return %r : tensor<?xf32>
}

// -----

// A cast on the way says the size.
// CHECK-LABEL: @part_behind_cast
// CHECK-NOT: memref.copy
// CHECK-NOT: memref.alloc
// CHECK: [[PART:%.*]] = memref.subview %t[2] [64] [1]
// CHECK-NEXT: linalg.fill ins(%v : f32) outs([[PART]]
func.func @part_behind_cast(%t: tensor<128xf32> {dnn.donated}, %v: f32) -> tensor<128xf32> {
  %n = arith.constant 64 : index
  %e = tensor.empty(%n) : tensor<?xf32>
  %f = linalg.fill ins(%v : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  %g = tensor.cast %f : tensor<?xf32> to tensor<64xf32>
  %h = tensor.insert_slice %g into %t[2] [64] [1] : tensor<64xf32> into tensor<128xf32>
  func.return %h : tensor<128xf32>
}

// -----

// What is computed over what the loop computed is in the part too.
// CHECK-LABEL: @over_what_loop_computed
// CHECK-NOT: memref.copy
// CHECK-NOT: memref.alloc
// CHECK: scf.for
// CHECK: memref.subview %t[8] [8] [1]
// CHECK: [[PART:%.*]] = memref.subview %t[8] [8] [1]
// CHECK-NEXT: linalg.exp ins([[PART]] {{.*}} outs([[PART]]
func.func @over_what_loop_computed(%t: tensor<64xf32> {dnn.donated}, %v: f32) -> tensor<64xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %e = tensor.empty() : tensor<8xf32>
  %r = scf.for %i = %c0 to %c8 step %c1 iter_args(%a = %e) -> (tensor<8xf32>) {
    %u = tensor.insert %v into %a[%i] : tensor<8xf32>
    scf.yield %u : tensor<8xf32>
  }
  %x = linalg.exp ins(%r : tensor<8xf32>) outs(%r : tensor<8xf32>) -> tensor<8xf32>
  %s = tensor.insert_slice %x into %t[8] [8] [1] : tensor<8xf32> into tensor<64xf32>
  func.return %s : tensor<64xf32>
}

// -----

// The argument is copied once, and everything else is done in the copy.
// CHECK-LABEL: @copied_first
// CHECK: [[ALL:%.*]] = memref.alloc
// CHECK-NEXT: "memref.copy"(%p, [[ALL]])
// CHECK-NOT: memref.copy
// CHECK: linalg.fill {{.*}} outs(
// CHECK-NOT: memref.copy
// CHECK: func.return [[ALL]]
func.func @copied_first(%p: tensor<?x?xf32>, %n: index, %z: f32) -> tensor<?x?xf32> {
  %a = tensor.extract_slice %p[0, 0] [%n, %n] [1, 1] : tensor<?x?xf32> to tensor<?x?xf32>
  %b = tensor.extract_slice %a[0, 0] [5, 5] [1, 1] : tensor<?x?xf32> to tensor<5x5xf32>
  %f = linalg.fill ins(%z : f32) outs(%b : tensor<5x5xf32>) -> tensor<5x5xf32>
  %c = tensor.insert_slice %f into %a[0, 0] [5, 5] [1, 1] : tensor<5x5xf32> into tensor<?x?xf32>
  %d = tensor.insert_slice %c into %p[0, 0] [%n, %n] [1, 1] : tensor<?x?xf32> into tensor<?x?xf32>
  func.return %d : tensor<?x?xf32>
}

// -----

// The small part is copied, not the tensor: what is changed of the tensor is read in the part.
// CHECK-LABEL: @part_copied_first
// CHECK: "memref.copy"({{.*}}) : (memref<8xf32{{.*}}>, memref<8xf32>)
// CHECK-NOT: memref.copy
// CHECK: memref.store %v, %p[%i]
func.func @part_copied_first(
    %v: f32, %p: tensor<64xf32> {dnn.donated}, %i: index, %n: index) -> (tensor<64xf32>, tensor<8xf32>) {
  %e = tensor.extract_slice %p[%i] [8] [1] : tensor<64xf32> to tensor<8xf32>
  %c = tensor.insert %v into %p[%i] : tensor<64xf32>
  %g = tensor.insert %v into %e[%n] : tensor<8xf32>
  func.return %c, %g : tensor<64xf32>, tensor<8xf32>
}

// -----

// Of three slices in each other the second is at an offset known at run time.
// CHECK-LABEL: @parts_of_parts
// CHECK-NOT: memref.copy
// CHECK-NOT: memref.alloc
// CHECK: func.return %p
func.func @parts_of_parts(%p: tensor<32x32xf32> {dnn.donated}, %i: index) -> tensor<32x32xf32> {
  %a = tensor.extract_slice %p[0, 0] [16, 16] [1, 1] : tensor<32x32xf32> to tensor<16x16xf32>
  %b = tensor.extract_slice %a[%i, 1] [5, 5] [1, 1] : tensor<16x16xf32> to tensor<5x5xf32>
  %e = tensor.extract_slice %b[1, 1] [2, 2] [1, 1] : tensor<5x5xf32> to tensor<2x2xf32>
  %f = linalg.exp ins(%e : tensor<2x2xf32>) outs(%e : tensor<2x2xf32>) -> tensor<2x2xf32>
  %g = tensor.insert_slice %f into %b[1, 1] [2, 2] [1, 1] : tensor<2x2xf32> into tensor<5x5xf32>
  %c = tensor.insert_slice %g into %a[%i, 1] [5, 5] [1, 1] : tensor<5x5xf32> into tensor<16x16xf32>
  %d = tensor.insert_slice %c into %p[0, 0] [16, 16] [1, 1] : tensor<16x16xf32> into tensor<32x32xf32>
  func.return %d : tensor<32x32xf32>
}

// -----

// Rows by their numbers are written over the destination; over the table they are not.
// CHECK-LABEL: @rows_by_number
// CHECK-NOT: memref.copy
// CHECK-NOT: memref.alloc
// CHECK: linalg.generic {{.*}} ins(%ids : memref<?xi32>) outs(%o : memref<?x?xf32>)
// CHECK: memref.load %t[
// CHECK: func.return %o
func.func @rows_by_number(
    %t: tensor<?x?xf32> {dnn.donated}, %ids: tensor<?xi32>, %o: tensor<?x?xf32> {dnn.donated}) -> tensor<?x?xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%ids : tensor<?xi32>) outs(%o : tensor<?x?xf32>) {
  ^bb0(%id: i32, %old: f32):
    %j = linalg.index 1 : index
    %i = arith.index_cast %id : i32 to index
    %v = tensor.extract %t[%i, %j] : tensor<?x?xf32>
    linalg.yield %v : f32
  } -> tensor<?x?xf32>
  func.return %r : tensor<?x?xf32>
}

// -----

// CHECK-LABEL: @permuted_by_number
// CHECK: [[APART:%.*]] = memref.alloc
// CHECK: linalg.generic {{.*}} outs([[APART]] : memref<8xf32>)
// CHECK: memref.load %t[
// CHECK: func.return [[APART]]
func.func @permuted_by_number(%t: tensor<8xf32> {dnn.donated}, %ids: tensor<8xi32>) -> tensor<8xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%ids : tensor<8xi32>) outs(%t : tensor<8xf32>) {
  ^bb0(%id: i32, %old: f32):
    %i = arith.index_cast %id : i32 to index
    %v = tensor.extract %t[%i] : tensor<8xf32>
    linalg.yield %v : f32
  } -> tensor<8xf32>
  func.return %r : tensor<8xf32>
}

// -----

// What no op gives contents is any memory: another result's.
// CHECK-LABEL: @undefined
// CHECK-NEXT: [[ONE:%.*]] = memref.alloc
// CHECK-NEXT: memref.store %v, [[ONE]][%i]
// CHECK-NEXT: func.return [[ONE]], [[ONE]]
func.func @undefined(%v: f32, %i: index) -> (tensor<7xf32>, tensor<7xf32>) {
  %e = tensor.empty() : tensor<7xf32>
  %a = tensor.insert %v into %e[%i] : tensor<7xf32>
  func.return %e, %a : tensor<7xf32>, tensor<7xf32>
}

// -----

// Nothing is copied, and nothing taken, for what no op gives contents.
// CHECK-LABEL: @undefined_moved
// CHECK-NOT: memref.copy
// CHECK-COUNT-1: memref.alloc
// CHECK-NOT: memref.alloc
// CHECK-NOT: memref.copy
// CHECK: func.return {{.*}}, %d
func.func @undefined_moved(%v: f32, %i: index, %d: tensor<8xf32> {dnn.donated}) -> (tensor<8xf32>, tensor<8xf32>) {
  %e = tensor.empty() : tensor<8xf32>
  %a = bufferization.alloc_tensor() copy(%e) : tensor<8xf32>
  %b = tensor.insert %v into %a[%i] : tensor<8xf32>
  %g = tensor.empty() : tensor<8xf32>
  %m = bufferization.materialize_in_destination %g in %d : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  func.return %b, %m : tensor<8xf32>, tensor<8xf32>
}

// -----

// The rows of a copy that was inserted into before, copied beside a part that was computed in place, are proved.
// CHECK-LABEL: @beside_a_part_of_a_copy
// CHECK: [[V:%.*]] = memref.alloc() {{.*}} : memref<8x4xf32>
// CHECK: [[W:%.*]] = memref.view
// CHECK: memref.subview [[W]][6, 0] [2, 4] [1, 1]
// CHECK: linalg.generic
// CHECK: [[ROWS:%.*]] = memref.subview [[V]][0, 0] [6, 4] [1, 1]
// CHECK: [[TO:%.*]] = memref.subview [[W]][0, 0] [6, 4] [1, 1]
// CHECK: "memref.copy"([[ROWS]], [[TO]])
#same = affine_map<(a, b) -> (a, b)>
func.func @beside_a_part_of_a_copy(%x: tensor<8x4xf32>, %p: tensor<2x4xf32>) -> tensor<8x4xf32> {
  %v = tensor.insert_slice %p into %x[0, 0] [2, 4] [1, 1] : tensor<2x4xf32> into tensor<8x4xf32>
  %k = linalg.generic {indexing_maps = [#same, #same, #same], iterator_types = ["parallel", "parallel"]}
      ins(%p, %p : tensor<2x4xf32>, tensor<2x4xf32>) outs(%p : tensor<2x4xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %r = arith.maximumf %a, %b : f32
    linalg.yield %r : f32
  } -> tensor<2x4xf32>
  %w = tensor.insert_slice %k into %v[6, 0] [2, 4] [1, 1] : tensor<2x4xf32> into tensor<8x4xf32>
  %y = linalg.generic {indexing_maps = [#same, #same], iterator_types = ["parallel", "parallel"]}
      ins(%v : tensor<8x4xf32>) outs(%w : tensor<8x4xf32>) {
  ^bb0(%a: f32, %b: f32):
    %r = arith.maximumf %a, %b : f32
    linalg.yield %r : f32
  } -> tensor<8x4xf32>
  func.return %y : tensor<8x4xf32>
}

// -----

// A row that is read while the loop changes the matrix is copied, not the matrix.
// CHECK-LABEL: @row_read_in_loop(
// CHECK: memref.subview %x[%k, 0] [1, 8] [1, 1]
// CHECK: "memref.copy"({{%.*}}, [[ROW:%.*]]) : (memref<8xf32, {{.*}}>, memref<8xf32>)
// CHECK-NEXT: scf.for
// CHECK-NOT: memref.copy
// CHECK: linalg.sub ins([[T:%.*]], [[ROW]] : {{.*}}) outs([[T]] :
func.func @row_read_in_loop(%x: tensor<8x8xf32> {dnn.donated}, %k: index) -> tensor<8x8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %row = tensor.extract_slice %x[%k, 0] [1, 8] [1, 1] : tensor<8x8xf32> to tensor<8xf32>
  %s = scf.for %i = %c0 to %c8 step %c1 iter_args(%b = %x) -> (tensor<8x8xf32>) {
    %t = tensor.extract_slice %b[%i, 0] [1, 8] [1, 1] : tensor<8x8xf32> to tensor<8xf32>
    %u = linalg.sub ins(%t, %row : tensor<8xf32>, tensor<8xf32>) outs(%t : tensor<8xf32>) -> tensor<8xf32>
    %w = tensor.insert_slice %u into %b[%i, 0] [1, 8] [1, 1] : tensor<8xf32> into tensor<8x8xf32>
    scf.yield %w : tensor<8x8xf32>
  }
  func.return %s : tensor<8x8xf32>
}

// -----

// The part is returned after its tensor is changed: it alone is copied, and the tensor is changed in place.
// CHECK-LABEL: @part_returned_later
// CHECK: [[PART:%.*]] = memref.subview %t[8] [8] [1]
// CHECK: [[COPY:%.*]] = memref.alloc() {{.*}}memref<8xf32>
// CHECK: "memref.copy"([[PART]], [[COPY]])
// CHECK-NOT: memref.copy
// CHECK: memref.store %v, %t
// CHECK: func.return %t, [[COPY]]
func.func @part_returned_later(%t: tensor<32xf32> {dnn.donated}, %v: f32) -> (tensor<32xf32>, tensor<8xf32>) {
  %c0 = arith.constant 0 : index
  %s = tensor.extract_slice %t[8] [8] [1] : tensor<32xf32> to tensor<8xf32>
  %r = tensor.insert %v into %t[%c0] : tensor<32xf32>
  func.return %r, %s : tensor<32xf32>, tensor<8xf32>
}

// -----

// Both results are computed in their parts of a tensor without contents, which begins behind them.
// CHECK-LABEL: @concatenated
// CHECK-NOT: memref.copy
// CHECK: [[ALL:%.*]] = memref.alloc() {{.*}}memref<8xf32>
// CHECK: [[ONE:%.*]] = memref.subview [[ALL]][0] [4] [1]
// CHECK-NEXT: linalg.add ins(%a, %b : {{.*}}) outs([[ONE]]
// CHECK: [[TWO:%.*]] = memref.subview [[ALL]][4] [4] [1]
// CHECK-NEXT: linalg.sub ins(%a, %b : {{.*}}) outs([[TWO]]
// CHECK-NEXT: func.return [[ALL]]
func.func @concatenated(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<8xf32> {
  %e4 = tensor.empty() : tensor<4xf32>
  %s = linalg.add ins(%a, %b : tensor<4xf32>, tensor<4xf32>) outs(%e4 : tensor<4xf32>) -> tensor<4xf32>
  %d = linalg.sub ins(%a, %b : tensor<4xf32>, tensor<4xf32>) outs(%e4 : tensor<4xf32>) -> tensor<4xf32>
  %e = tensor.empty() : tensor<8xf32>
  %x = tensor.insert_slice %s into %e[0] [4] [1] : tensor<4xf32> into tensor<8xf32>
  %y = tensor.insert_slice %d into %x[4] [4] [1] : tensor<4xf32> into tensor<8xf32>
  func.return %y : tensor<8xf32>
}
