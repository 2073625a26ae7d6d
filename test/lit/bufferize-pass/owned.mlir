// Loops and branches carry memory of the size that each value needs, where it is not known before.

// RUN: opt-tool --bufferize-pass=layouts=identity --split-input-file %s | filecheck %s

// What an iteration makes is passed on; what it was given is given back unless it is memory of the argument, which no op
// writes. The last one is the result.
// CHECK-LABEL: @grows(
// CHECK-NOT: memref.copy
// CHECK: [[LAST:%.*]] = scf.for %k = {{.*}} iter_args(%a = %x)
// CHECK: memref.dim %a
// CHECK: memref.alloc(%more)
// CHECK: "memref.copy"(%a,
// CHECK-NEXT: [[A:%.*]] = "memref.extract_aligned_pointer_as_index"(%a)
// CHECK-NEXT: [[X:%.*]] = "memref.extract_aligned_pointer_as_index"(%x)
// CHECK-NEXT: [[OWN:%.*]] = arith.cmpi ne, [[A]], [[X]]
// CHECK-NEXT: scf.if [[OWN]] {
// CHECK-NEXT: memref.dealloc %a
// CHECK-NEXT: }
// CHECK-NEXT: scf.yield %e
// CHECK: func.return [[LAST]]
func.func @grows(%x: tensor<?xf32>, %n: index, %v: f32) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%a = %x) -> (tensor<?xf32>) {
    %size = tensor.dim %a, %c0 : tensor<?xf32>
    %more = arith.addi %size, %c1 : index
    %e = tensor.empty(%more) : tensor<?xf32>
    %f = linalg.fill ins(%v : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
    %i = tensor.insert_slice %a into %f[0] [%size] [1] : tensor<?xf32> into tensor<?xf32>
    scf.yield %i : tensor<?xf32>
  }
  func.return %r : tensor<?xf32>
}

// -----

// What the condition passes on is the same memory; the result is given back after its last use, unless it is the argument.
// CHECK-LABEL: @while_grows(
// CHECK: %r = scf.while ([[A:%.*]] = {{%.*}}) : (memref<?xf32>) -> memref<?xf32>
// CHECK-NOT: memref.copy
// CHECK: scf.condition({{%.*}}) [[A]]
// CHECK: ^bb0(%b: memref<?xf32>):
// CHECK: linalg.fill
// CHECK: scf.if
// CHECK-NEXT: memref.dealloc %b
// CHECK: scf.yield %e
// CHECK: memref.load %r
// CHECK: "memref.extract_aligned_pointer_as_index"(%r)
// CHECK: scf.if
// CHECK-NEXT: memref.dealloc %r
func.func @while_grows(%x: tensor<?xf32>, %n: index, %v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.while (%a = %x) : (tensor<?xf32>) -> tensor<?xf32> {
    %size = tensor.dim %a, %c0 : tensor<?xf32>
    %more = arith.cmpi slt, %size, %n : index
    scf.condition(%more) %a : tensor<?xf32>
  } do {
  ^bb0(%b: tensor<?xf32>):
    %size = tensor.dim %b, %c0 : tensor<?xf32>
    %next = arith.addi %size, %c1 : index
    %e = tensor.empty(%next) : tensor<?xf32>
    %f = linalg.fill ins(%v : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
    scf.yield %f : tensor<?xf32>
  }
  %first = tensor.extract %r[%c0] : tensor<?xf32>
  func.return %first : f32
}

// -----

// What the body of the loop reads too is not passed on to it: it would be given back there.
// CHECK-LABEL: @read_in_loop(
// CHECK: linalg.fill ins(%v : f32) outs([[FILLED:%.*]] : memref<?xf32>)
// CHECK: [[FIRST:%.*]] = memref.alloc
// CHECK-NEXT: "memref.copy"([[FILLED]], [[FIRST]])
// CHECK: iter_args(%a = [[FIRST]])
// CHECK: memref.load [[FILLED]]
// CHECK: memref.dealloc %a
// CHECK: memref.dealloc [[FILLED]]
func.func @read_in_loop(%n: index, %v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %e = tensor.empty(%n) : tensor<?xf32>
  %x = linalg.fill ins(%v : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%a = %x) -> (tensor<?xf32>) {
    %w = tensor.extract %x[%k] : tensor<?xf32>
    %size = tensor.dim %a, %c0 : tensor<?xf32>
    %more = arith.addi %size, %c1 : index
    %m = tensor.empty(%more) : tensor<?xf32>
    %f = linalg.fill ins(%w : f32) outs(%m : tensor<?xf32>) -> tensor<?xf32>
    scf.yield %f : tensor<?xf32>
  }
  %first = tensor.extract %r[%c0] : tensor<?xf32>
  func.return %first : f32
}

// -----

// Each arm makes what it passes on, and the function returns that.
// CHECK-LABEL: @arms(
// CHECK: %r = scf.if %c -> (memref<?xf32>) {
// CHECK-NEXT: [[ONE:%.*]] = memref.alloc(%n)
// CHECK: scf.yield [[ONE]]
// CHECK: [[SIZE:%.*]] = arith.muli %n, %n
// CHECK-NEXT: [[TWO:%.*]] = memref.alloc([[SIZE]])
// CHECK: scf.yield [[TWO]]
// CHECK-NOT: memref.copy
// CHECK: func.return %r
func.func @arms(%c: i1, %n: index, %v: f32) -> tensor<?xf32> {
  %r = scf.if %c -> (tensor<?xf32>) {
    %e = tensor.empty(%n) : tensor<?xf32>
    %f = linalg.fill ins(%v : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
    scf.yield %f : tensor<?xf32>
  } else {
    %m = arith.muli %n, %n : index
    %e = tensor.empty(%m) : tensor<?xf32>
    %f = linalg.fill ins(%v : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
    scf.yield %f : tensor<?xf32>
  }
  func.return %r : tensor<?xf32>
}

// -----

// What an iteration was given is passed on as it is, and what it computes in memory of its own. Neither is copied.
// CHECK-LABEL: @before_writes(
// CHECK: scf.for {{.*}} iter_args([[A:%.*]] = %x, [[B:%.*]] = {{%.*}})
// CHECK-NOT: memref.copy
// CHECK: [[S:%.*]] = memref.alloc
// CHECK: linalg.generic {{.*}} ins([[A]] : {{.*}}) outs([[S]] :
// CHECK: memref.dealloc [[B]]
// CHECK: scf.yield [[S]], [[A]]
func.func @before_writes(%x: tensor<?xf32>, %y: tensor<4xf32>, %n: index) -> (tensor<?xf32>, tensor<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = tensor.cast %y : tensor<4xf32> to tensor<?xf32>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %b = %z) -> (tensor<?xf32>, tensor<?xf32>) {
    %s = arith.mulf %a, %a : tensor<?xf32>
    scf.yield %s, %a : tensor<?xf32>, tensor<?xf32>
  }
  func.return %r#0, %r#1 : tensor<?xf32>, tensor<?xf32>
}

// -----

// A reshape of memory of the function's own is returned as that.
// CHECK-LABEL: @returned_flat(
// CHECK: [[FLAT:%.*]] = memref.collapse_shape
// CHECK-NOT: memref.copy
// CHECK: func.return [[FLAT]]
func.func @returned_flat(%x: tensor<?x8xf32>) -> tensor<?xf32> {
  %z = math.exp %x : tensor<?x8xf32>
  %c = tensor.collapse_shape %z [[0, 1]] : tensor<?x8xf32> into tensor<?xf32>
  func.return %c : tensor<?xf32>
}

// -----

// A part of the caller's memory is copied before it is changed, and then passed on as a copy of that.
// CHECK-LABEL: @carries_other_sizes(
// CHECK: scf.for %i = {{.*}} iter_args(%x = %u)
// CHECK: "memref.copy"({{%.*}}, [[T:%.*]]) :
// CHECK-NEXT: memref.store %v, [[T]][
// CHECK: scf.if
// CHECK-NEXT: memref.dealloc %x
// CHECK: scf.yield [[T]]
func.func @carries_other_sizes(%u: tensor<?xi64>, %b: tensor<12xi64>, %n: index, %v: i64) -> tensor<?xi64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %w = scf.for %i = %c0 to %n step %c1 iter_args(%x = %u) -> (tensor<?xi64>) {
    %s = tensor.extract_slice %b[0] [%i] [1] : tensor<12xi64> to tensor<?xi64>
    %t = tensor.insert %v into %s[%c0] : tensor<?xi64>
    scf.yield %t : tensor<?xi64>
  }
  func.return %w : tensor<?xi64>
}

// -----

// What %t has is passed on in its memory, and what is computed in memory of its own.
// CHECK-LABEL: @exchanges_sizes(
// CHECK: linalg.fill ins(%v : i64) outs([[F:%.*]] : memref<?xi64>)
// CHECK: scf.for %i = {{.*}} iter_args(%s = {{%.*}}, %t = [[F]])
// CHECK: [[Y:%.*]] = memref.alloc(%m)
// CHECK-NOT: memref.copy
// CHECK: scf.if
// CHECK-NEXT: memref.dealloc %s
// CHECK: scf.yield %t, [[Y]]
func.func @exchanges_sizes(%u: tensor<?xi64>, %m: index, %j: index, %v: i64) -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %e = tensor.empty(%m) : tensor<?xi64>
  %f = linalg.fill ins(%v : i64) outs(%e : tensor<?xi64>) -> tensor<?xi64>
  %r:2 = scf.for %i = %c0 to %j step %c1 iter_args(%s = %u, %t = %f) -> (tensor<?xi64>, tensor<?xi64>) {
    %y = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%t : tensor<?xi64>) outs(%t : tensor<?xi64>) {
    ^bb0(%a: i64, %b: i64):
      %z = arith.subi %a, %b : i64
      linalg.yield %z : i64
    } -> tensor<?xi64>
    scf.yield %t, %y : tensor<?xi64>, tensor<?xi64>
  }
  %n = tensor.extract %r#0[%c0] : tensor<?xi64>
  func.return %n : i64
}

// -----

// What is computed is of another size than what is needed no more: the loop carries no third tensor.
// CHECK-LABEL: @other_size(
// CHECK: [[N:%.*]], [[R:%.*]] = scf.for {{.*}} iter_args([[K:%.*]] = %n, [[A:%.*]] = {{%.*}}) -> (index, memref<?xf32>) {
func.func @other_size(%t: tensor<?xf32>, %n: index, %v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%k = %n, %a = %t) -> (index, tensor<?xf32>) {
    %m = arith.addi %k, %c1 : index
    %x = tensor.extract %a[%i] : tensor<?xf32>
    %e = tensor.empty(%m) : tensor<?xf32>
    %f = linalg.fill ins(%x : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
    scf.yield %m, %f : index, tensor<?xf32>
  }
  %s = tensor.extract %r#1[%c0] : tensor<?xf32>
  func.return %s : f32
}

// -----

// An arm passes on what the loop carries, as it is. Where the iteration ends, that is given back unless it is passed on.
// CHECK-LABEL: @grows_or_stays(
// CHECK: scf.for {{.*}} iter_args(%a = %x)
// CHECK: [[Z:%.*]] = scf.if %c
// CHECK: memref.alloc
// CHECK: scf.yield
// CHECK-NEXT: } else {
// CHECK-NEXT: scf.yield %a
// CHECK-NEXT: }
// CHECK-NEXT: [[A:%.*]] = "memref.extract_aligned_pointer_as_index"(%a)
// CHECK-NEXT: [[B:%.*]] = "memref.extract_aligned_pointer_as_index"([[Z]])
// CHECK-NEXT: [[ENDS:%.*]] = arith.cmpi ne, [[A]], [[B]]
// CHECK-NEXT: [[X:%.*]] = "memref.extract_aligned_pointer_as_index"(%x)
// CHECK-NEXT: [[OWN:%.*]] = arith.cmpi ne, [[A]], [[X]]
// CHECK-NEXT: [[BOTH:%.*]] = arith.andi [[ENDS]], [[OWN]]
// CHECK-NEXT: scf.if [[BOTH]] {
// CHECK-NEXT: memref.dealloc %a
// CHECK: scf.yield [[Z]]
func.func @grows_or_stays(%x: tensor<?xf32>, %n: index, %v: f32, %c: i1) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%a = %x) -> (tensor<?xf32>) {
    %z = scf.if %c -> (tensor<?xf32>) {
      %size = tensor.dim %a, %c0 : tensor<?xf32>
      %more = arith.addi %size, %c1 : index
      %e = tensor.empty(%more) : tensor<?xf32>
      %f = linalg.fill ins(%v : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
      scf.yield %f : tensor<?xf32>
    } else {
      scf.yield %a : tensor<?xf32>
    }
    scf.yield %z : tensor<?xf32>
  }
  func.return %r : tensor<?xf32>
}

// -----

// The argument is changed and returned too: the loop begins with a copy of it.
// CHECK-LABEL: @changed_after(
// CHECK: [[FIRST:%.*]] = memref.alloc({{%[0-9]+}})
// CHECK-NEXT: "memref.copy"(%x, [[FIRST]])
// CHECK: iter_args(%a = [[FIRST]])
// CHECK-NOT: extract_aligned_pointer
// CHECK: memref.dealloc %a
// CHECK: memref.store %v, %x[
func.func @changed_after(%x: tensor<?xf32> {dnn.donated}, %n: index, %v: f32) -> (tensor<?xf32>, tensor<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%a = %x) -> (tensor<?xf32>) {
    %size = tensor.dim %a, %c0 : tensor<?xf32>
    %more = arith.addi %size, %c1 : index
    %e = tensor.empty(%more) : tensor<?xf32>
    %f = linalg.fill ins(%v : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
    scf.yield %f : tensor<?xf32>
  }
  %s = tensor.insert %v into %x[%c0] : tensor<?xf32>
  func.return %r, %s : tensor<?xf32>, tensor<?xf32>
}

// -----

// What an arm passes on and nothing needs behind the branch is what the branch results in: it is given back unless it is.
// CHECK-LABEL: @left_to_branch(
// CHECK: linalg.fill ins(%v : f32) outs([[F:%.*]] : memref<?xf32>)
// CHECK-NEXT: [[R:%.*]] = scf.if %c
// CHECK: "memref.copy"([[F]],
// CHECK: scf.yield
// CHECK-NEXT: } else {
// CHECK-NEXT: scf.yield [[F]]
// CHECK-NEXT: }
// CHECK: [[NOT:%.*]] = arith.cmpi ne
// CHECK-NEXT: scf.if [[NOT]] {
// CHECK-NEXT: memref.dealloc [[F]]
// CHECK: func.return [[R]]
func.func @left_to_branch(%n: index, %v: f32, %c: i1) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %e = tensor.empty(%n) : tensor<?xf32>
  %f = linalg.fill ins(%v : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  %r = scf.if %c -> (tensor<?xf32>) {
    %more = arith.addi %n, %c1 : index
    %m = tensor.empty(%more) : tensor<?xf32>
    %g = linalg.fill ins(%v : f32) outs(%m : tensor<?xf32>) -> tensor<?xf32>
    %i = tensor.insert_slice %f into %g[0] [%n] [1] : tensor<?xf32> into tensor<?xf32>
    scf.yield %i : tensor<?xf32>
  } else {
    scf.yield %f : tensor<?xf32>
  }
  func.return %r : tensor<?xf32>
}

// -----

// A call that only reads what it is given lets the argument be passed on as it is.
// CHECK-LABEL: @called_in_loop(
// CHECK-NOT: memref.copy
// CHECK: scf.for {{.*}} iter_args(%a = %x)
// CHECK-NEXT: [[P:%.*]] = func.call @grown(%a)
// CHECK: scf.if
// CHECK-NEXT: memref.dealloc %a
// CHECK: scf.yield [[P]]
func.func private @grown(%a: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %size = tensor.dim %a, %c0 : tensor<?xf32>
  %more = arith.addi %size, %c1 : index
  %v = tensor.extract %a[%c0] : tensor<?xf32>
  %e = tensor.empty(%more) : tensor<?xf32>
  %f = linalg.fill ins(%v : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  func.return %f : tensor<?xf32>
}
func.func @called_in_loop(%x: tensor<?xf32>, %n: index) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%a = %x) -> (tensor<?xf32>) {
    %p = func.call @grown(%a) : (tensor<?xf32>) -> tensor<?xf32>
    scf.yield %p : tensor<?xf32>
  }
  func.return %r : tensor<?xf32>
}

// -----

// A result that is a cast of what a loop carries is of the type of the result.
// CHECK-LABEL: @cast_of_grown({{.*}}) -> memref<12xf32>
// CHECK: [[LAST:%.*]] = scf.for
// CHECK: [[CAST:%.*]] = "memref.cast"([[LAST]]) : (memref<?xf32>) -> memref<12xf32>
// CHECK: func.return [[CAST]] : memref<12xf32>
func.func @cast_of_grown(%x: tensor<?xf32>, %n: index, %v: f32) -> tensor<12xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%a = %x) -> (tensor<?xf32>) {
    %size = tensor.dim %a, %c0 : tensor<?xf32>
    %more = arith.addi %size, %c1 : index
    %e = tensor.empty(%more) : tensor<?xf32>
    %f = linalg.fill ins(%v : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
    scf.yield %f : tensor<?xf32>
  }
  %c = tensor.cast %r : tensor<?xf32> to tensor<12xf32>
  func.return %c : tensor<12xf32>
}

// -----

// What is computed behind a loop that changes a size takes memory of the size that is there then.
// CHECK-LABEL: @behind(
// CHECK: [[LAST:%.*]] = scf.for
// CHECK: [[SIZE:%.*]] = memref.dim [[LAST]]
// CHECK: [[SUM:%.*]] = memref.alloc([[SIZE]])
// CHECK: linalg.generic
// CHECK-SAME: ins([[LAST]], %x
// CHECK-SAME: outs([[SUM]]
// CHECK: func.return [[SUM]]
func.func @behind(%x: tensor<?xf32>, %b: tensor<12xf32>, %n: index) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %y = tensor.cast %b : tensor<12xf32> to tensor<?xf32>
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%a = %x) -> (tensor<?xf32>) {
    scf.yield %y : tensor<?xf32>
  }
  %s = arith.addf %r, %x : tensor<?xf32>
  func.return %s : tensor<?xf32>
}
