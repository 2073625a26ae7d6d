// Slices at run-time offsets or in steps of run time, under other axes: views, computed over and put back without a copy.

// RUN: opt-tool --bufferize-pass=layouts=identity,arena=none,arguments=writable,unproved=error --split-input-file %s | filecheck %s

// CHECK-LABEL: @append(
// CHECK-NEXT: [[ROW:%.*]] = memref.subview %cache[%i, 0] [1, 8] [1, 1] : memref<64x8xf32> to memref<8xf32, strided<[1], offset: ?>>
// CHECK-NEXT: [[HEADS:%.*]] = memref.expand_shape [[ROW]] {{.*}} into memref<2x4xf32, strided<[4, 1], offset: ?>>
// CHECK-NEXT: linalg.exp ins(%k : memref<2x4xf32>) outs([[HEADS]] :
// CHECK-NOT: memref.copy
// CHECK: func.return %cache
func.func @append(%cache: tensor<64x8xf32>, %k: tensor<2x4xf32>, %i: index) -> tensor<64x8xf32> {
  %row = tensor.extract_slice %cache[%i, 0] [1, 8] [1, 1] : tensor<64x8xf32> to tensor<8xf32>
  %e = tensor.expand_shape %row [[0, 1]] output_shape [2, 4] : tensor<8xf32> into tensor<2x4xf32>
  %n = linalg.exp ins(%k : tensor<2x4xf32>) outs(%e : tensor<2x4xf32>) -> tensor<2x4xf32>
  %c = tensor.collapse_shape %n [[0, 1]] : tensor<2x4xf32> into tensor<8xf32>
  %r = tensor.insert_slice %c into %cache[%i, 0] [1, 8] [1, 1] : tensor<8xf32> into tensor<64x8xf32>
  func.return %r : tensor<64x8xf32>
}

// -----

// What is computed under other axes than its part has is computed in the part.
// CHECK-LABEL: @part(
// CHECK-NEXT: [[PART:%.*]] = memref.subview %o[%at] [8] [1]
// CHECK-NEXT: [[ROWS:%.*]] = memref.expand_shape [[PART]] {{.*}} into memref<2x4xf32, strided<[4, 1], offset: ?>>
// CHECK-NEXT: linalg.exp ins(%x : memref<2x4xf32>) outs([[ROWS]] :
// CHECK-NOT: memref.copy
// CHECK: func.return %o
func.func @part(%x: tensor<2x4xf32>, %o: tensor<32xf32>, %at: index) -> tensor<32xf32> {
  %e = tensor.empty() : tensor<2x4xf32>
  %a = linalg.exp ins(%x : tensor<2x4xf32>) outs(%e : tensor<2x4xf32>) -> tensor<2x4xf32>
  %c = tensor.collapse_shape %a [[0, 1]] : tensor<2x4xf32> into tensor<8xf32>
  %r = tensor.insert_slice %c into %o[%at] [8] [1] : tensor<8xf32> into tensor<32xf32>
  func.return %r : tensor<32xf32>
}

// -----

// So it is where the offset is known, also from a row to a matrix.
// CHECK-LABEL: @known_part(
// CHECK-NEXT: [[PART:%.*]] = memref.subview %o[2, 0] [2, 4] [1, 1]
// CHECK-NEXT: [[FLAT:%.*]] = memref.collapse_shape [[PART]] {{.*}} into memref<8xf32, strided<[1], offset: 8>>
// CHECK-NEXT: linalg.exp ins(%x : memref<8xf32>) outs([[FLAT]] :
// CHECK-NOT: memref.copy
// CHECK: func.return %o
func.func @known_part(%x: tensor<8xf32>, %o: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %e = tensor.empty() : tensor<8xf32>
  %a = linalg.exp ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %c = tensor.expand_shape %a [[0, 1]] output_shape [2, 4] : tensor<8xf32> into tensor<2x4xf32>
  %r = tensor.insert_slice %c into %o[2, 0] [2, 4] [1, 1] : tensor<2x4xf32> into tensor<4x4xf32>
  func.return %r : tensor<4x4xf32>
}

// -----

// Axes that do not run on into one another are no one axis.
// CHECK-LABEL: @columns(
// CHECK: [[PART:%.*]] = memref.subview %x[0, %i] [4, 2] [1, 1]
// CHECK: "memref.copy"([[PART]],
func.func @columns(%x: tensor<4x8xf32>, %i: index) -> tensor<8xf32> {
  %s = tensor.extract_slice %x[0, %i] [4, 2] [1, 1] : tensor<4x8xf32> to tensor<4x2xf32>
  %c = tensor.collapse_shape %s [[0, 1]] : tensor<4x2xf32> into tensor<8xf32>
  %r = linalg.exp ins(%c : tensor<8xf32>) outs(%c : tensor<8xf32>) -> tensor<8xf32>
  func.return %r : tensor<8xf32>
}

// -----

// Of a size known at run time only: the rows of a cache that are there.
// CHECK-LABEL: @past(
// CHECK: [[PAST:%.*]] = memref.subview %cache[0, 0] [%n, 8] [1, 1]
// CHECK: [[HEADS:%.*]] = memref.expand_shape [[PAST]] {{.*}} output_shape [%n, 2, 4] : memref<?x8xf32, strided<[8, 1]>> into memref<?x2x4xf32, strided<[8, 4, 1]>>
// CHECK-NOT: memref.copy
// CHECK: memref.load [[HEADS]]
func.func @past(%cache: tensor<24x8xf32>, %n: index, %i: index) -> f32 {
  %past = tensor.extract_slice %cache[0, 0] [%n, 8] [1, 1] : tensor<24x8xf32> to tensor<?x8xf32>
  %h = tensor.expand_shape %past [[0], [1, 2]] output_shape [%n, 2, 4] : tensor<?x8xf32> into tensor<?x2x4xf32>
  %v = tensor.extract %h[%i, %i, %i] : tensor<?x2x4xf32>
  func.return %v : f32
}

// -----

// A row of other axes at the same numbers is another part: it is not put there.
// CHECK-LABEL: @other_rows(
// CHECK: [[FROM:%.*]] = memref.subview {{.*}}[%j, 0] [1, 4] [1, 1] : memref<2x8xf32
// CHECK: linalg.exp ins([[FROM]] : {{.*}}) outs([[INTO:%.*]] : memref<4xf32
// CHECK: [[PART:%.*]] = memref.subview {{.*}}[%j, 0] [1, 4] [1, 1] : memref<4x4xf32
// CHECK: "memref.copy"([[INTO]], [[PART]])
func.func @other_rows(%x: tensor<32xf32>, %i: index, %j: index) -> tensor<32xf32> {
  %s = tensor.extract_slice %x[%i] [16] [1] : tensor<32xf32> to tensor<16xf32>
  %e = tensor.expand_shape %s [[0, 1]] output_shape [2, 8] : tensor<16xf32> into tensor<2x8xf32>
  %f = tensor.expand_shape %s [[0, 1]] output_shape [4, 4] : tensor<16xf32> into tensor<4x4xf32>
  %a = tensor.extract_slice %e[%j, 0] [1, 4] [1, 1] : tensor<2x8xf32> to tensor<4xf32>
  %p = linalg.exp ins(%a : tensor<4xf32>) outs(%a : tensor<4xf32>) -> tensor<4xf32>
  %f2 = tensor.insert_slice %p into %f[%j, 0] [1, 4] [1, 1] : tensor<4xf32> into tensor<4x4xf32>
  %c2 = tensor.collapse_shape %f2 [[0, 1]] : tensor<4x4xf32> into tensor<16xf32>
  %r = tensor.insert_slice %c2 into %x[%i] [16] [1] : tensor<16xf32> into tensor<32xf32>
  func.return %r : tensor<32xf32>
}

// -----

// CHECK-LABEL: @steps(
// CHECK-NEXT: [[PART:%.*]] = memref.subview %x[0] [4] [%step] : memref<16xf32> to memref<4xf32, strided<[?]>>
// CHECK-NEXT: linalg.exp ins([[PART]] : {{.*}}) outs([[PART]] :
// CHECK-NOT: memref.copy
// CHECK: func.return %x
func.func @steps(%x: tensor<16xf32>, %step: index) -> tensor<16xf32> {
  %s = tensor.extract_slice %x[0] [4] [%step] : tensor<16xf32> to tensor<4xf32>
  %r = linalg.exp ins(%s : tensor<4xf32>) outs(%s : tensor<4xf32>) -> tensor<4xf32>
  %q = tensor.insert_slice %r into %x[0] [4] [%step] : tensor<4xf32> into tensor<16xf32>
  func.return %q : tensor<16xf32>
}

// -----

// Slices in steps of run time may meet: the second is read of the tensor as it was before the first was changed.
// CHECK-LABEL: @other_steps(
// CHECK: "memref.copy"(%x, [[NEW:%.*]]) :
// CHECK: [[ONE:%.*]] = memref.subview [[NEW]][0] [4] [%step]
// CHECK-NEXT: linalg.exp ins([[ONE]] : {{.*}}) outs([[ONE]] :
// CHECK-NEXT: [[TWO:%.*]] = memref.subview %x[12] [4] [%step]
// CHECK-NEXT: linalg.add ins([[TWO]], [[ONE]] :
func.func @other_steps(%x: tensor<24xf32>, %step: index) -> tensor<24xf32> {
  %s = tensor.extract_slice %x[0] [4] [%step] : tensor<24xf32> to tensor<4xf32>
  %e = linalg.exp ins(%s : tensor<4xf32>) outs(%s : tensor<4xf32>) -> tensor<4xf32>
  %q = tensor.insert_slice %e into %x[0] [4] [%step] : tensor<4xf32> into tensor<24xf32>
  %t = tensor.extract_slice %x[12] [4] [%step] : tensor<24xf32> to tensor<4xf32>
  %f = linalg.add ins(%t, %e : tensor<4xf32>, tensor<4xf32>) outs(%t : tensor<4xf32>) -> tensor<4xf32>
  %r = tensor.insert_slice %f into %q[12] [4] [%step] : tensor<4xf32> into tensor<24xf32>
  func.return %r : tensor<24xf32>
}

// -----

// Slices begin anywhere: one of three is chosen, and loops exchange two, and nothing is copied.
// CHECK-LABEL: @chosen_slices(
// CHECK-NOT: memref.copy
// CHECK: [[A:%.*]] = memref.subview %x[3] [4] [1]
// CHECK: [[B:%.*]] = memref.subview %x[9] [4] [1]
// CHECK: scf.for {{.*}} iter_args([[P:%.*]] = {{%.*}}, [[Q:%.*]] = {{%.*}}) ->
// CHECK: linalg.exp ins([[P]] : {{.*}}) outs([[P]] :
// CHECK: scf.yield [[Q]], [[P]]
// CHECK-NOT: memref.copy
// CHECK: func.return
func.func @chosen_slices(%x: tensor<16xf32>, %c: i1, %n: index, %i: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = tensor.extract_slice %x[3] [4] [1] : tensor<16xf32> to tensor<4xf32>
  %b = tensor.extract_slice %x[9] [4] [1] : tensor<16xf32> to tensor<4xf32>
  %r:2 = scf.for %k = %c0 to %n step %c1 iter_args(%p = %a, %q = %b) -> (tensor<4xf32>, tensor<4xf32>) {
    %e = linalg.exp ins(%p : tensor<4xf32>) outs(%p : tensor<4xf32>) -> tensor<4xf32>
    scf.yield %q, %e : tensor<4xf32>, tensor<4xf32>
  }
  %s = scf.if %c -> (tensor<4xf32>) {
    scf.yield %r#0 : tensor<4xf32>
  } else {
    scf.yield %r#1 : tensor<4xf32>
  }
  %v = tensor.extract %s[%i] : tensor<4xf32>
  func.return %v : f32
}

// -----

// One of two slices, of one tensor or of two, is a slice at chosen offsets: of columns too.
// CHECK-LABEL: @one_of_rows(
// CHECK: [[AT:%.*]] = arith.select %c, %i, {{%.*}} : index
// CHECK: [[OF:%.*]] = arith.select %c, %x, %y : memref<16x4xf32>
// CHECK: [[ROW:%.*]] = memref.subview [[OF]]{{\[}}[[AT]], 0] [1, 4] [1, 1]
// CHECK-NOT: scf.if
// CHECK: memref.load [[ROW]]
// CHECK-NOT: memref.copy
// CHECK: func.return
func.func @one_of_rows(%x: tensor<16x4xf32>, %y: tensor<16x4xf32>, %c: i1, %i: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %q = scf.if %c -> (tensor<1x4xf32>) {
    %s = tensor.extract_slice %x[%i, 0] [1, 4] [1, 1] : tensor<16x4xf32> to tensor<1x4xf32>
    scf.yield %s : tensor<1x4xf32>
  } else {
    %j = arith.addi %i, %c2 : index
    %s = tensor.extract_slice %y[%j, 0] [1, 4] [1, 1] : tensor<16x4xf32> to tensor<1x4xf32>
    scf.yield %s : tensor<1x4xf32>
  }
  %r = tensor.extract %q[%c0, %i] : tensor<1x4xf32>
  func.return %r : f32
}

// -----

// What else the branch does stays.
// CHECK-LABEL: @one_of_columns(
// CHECK: [[AT:%.*]] = arith.select %c,
// CHECK: [[COLUMNS:%.*]] = memref.subview %x[0, [[AT]]] [8, 2] [1, 1]
// CHECK: [[N:%.*]] = scf.if %c -> (f32)
// CHECK: memref.store [[N]], [[COLUMNS]]
// CHECK-NOT: memref.copy
// CHECK: func.return
func.func @one_of_columns(%x: tensor<8x8xf32>, %c: i1, %u: f32, %v: f32, %i: index, %j: index) -> f32 {
  %n, %q = scf.if %c -> (f32, tensor<8x2xf32>) {
    %s = tensor.extract_slice %x[0, 0] [8, 2] [1, 1] : tensor<8x8xf32> to tensor<8x2xf32>
    %w = arith.addf %u, %v : f32
    scf.yield %w, %s : f32, tensor<8x2xf32>
  } else {
    %t = tensor.extract_slice %x[0, 4] [8, 2] [1, 1] : tensor<8x8xf32> to tensor<8x2xf32>
    scf.yield %v, %t : f32, tensor<8x2xf32>
  }
  %z = tensor.insert %n into %q[%i, %i] : tensor<8x2xf32>
  %r = tensor.extract %z[%j, %i] : tensor<8x2xf32>
  func.return %r : f32
}

// -----

// One of three slices, by two branches: the numbers that say which are made of choices and comparisons.
// CHECK-LABEL: @one_of_three(
// CHECK-NOT: memref.copy
// CHECK: [[OF:%.*]] = arith.select %c, %x, %y : memref<8x4xf32>
// CHECK-NEXT: [[ROW:%.*]] = memref.subview [[OF]][%{{[a-z0-9_]+}}, 0] [1, 4] [1, 1]
// CHECK: linalg.exp ins([[ROW]] :
// CHECK: func.return
func.func @one_of_three(%c: i1, %i: index, %x: tensor<8x4xf32>, %y: tensor<8x4xf32> {bufferization.writable = false}) -> tensor<4xf32> {
  %c3 = arith.constant 3 : index
  %r = scf.if %c -> (tensor<4xf32>) {
    %lt = arith.cmpi ult, %i, %c3 : index
    %a = scf.if %lt -> (tensor<4xf32>) {
      %s = tensor.extract_slice %x[%i, 0] [1, 4] [1, 1] : tensor<8x4xf32> to tensor<4xf32>
      scf.yield %s : tensor<4xf32>
    } else {
      %s = tensor.extract_slice %x[0, 0] [1, 4] [1, 1] : tensor<8x4xf32> to tensor<4xf32>
      scf.yield %s : tensor<4xf32>
    }
    scf.yield %a : tensor<4xf32>
  } else {
    %s = tensor.extract_slice %y[%i, 0] [1, 4] [1, 1] : tensor<8x4xf32> to tensor<4xf32>
    scf.yield %s : tensor<4xf32>
  }
  %e = tensor.empty() : tensor<4xf32>
  %q = linalg.exp ins(%r : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  func.return %q : tensor<4xf32>
}

// -----

// The program has no meaning where the loop runs: its own slice and element are outside of their tensors.
// CHECK-LABEL: @outside(
// CHECK: memref.subview %f[1, 0] [%k, 4]
// CHECK: memref.load {{.*}}[%c12]
func.func @outside(%x: tensor<?x4xi64>, %y: tensor<12xi64>, %k: index, %n: index) -> tensor<12xi64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c12 = arith.constant 12 : index
  %f = tensor.empty(%k) : tensor<?x4xi64>
  %t = linalg.copy ins(%x : tensor<?x4xi64>) outs(%f : tensor<?x4xi64>) -> tensor<?x4xi64>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %y) -> (tensor<12xi64>) {
    %p = tensor.extract_slice %t[1, 0] [%k, 4] [1, 1] : tensor<?x4xi64> to tensor<?x4xi64>
    %e = tensor.extract %p[%i, %c0] : tensor<?x4xi64>
    %g = tensor.extract %a[%c12] : tensor<12xi64>
    %s = arith.addi %e, %g : i64
    %b = tensor.insert %s into %a[%i] : tensor<12xi64>
    scf.yield %b : tensor<12xi64>
  }
  func.return %r : tensor<12xi64>
}
