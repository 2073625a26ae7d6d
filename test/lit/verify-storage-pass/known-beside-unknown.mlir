// Values of known and of unknown size in one storage: what is known of the bytes of the former stays known.

// RUN: not opt-tool --verify-storage-pass --split-input-file %s 2>&1 | filecheck %s

// A slice of a slot, beside what each turn computes in a size that is known at run time only.
// CHECK-NOT: error
// CHECK: func.func @slice_of_slot
func.func @slice_of_slot(%x: tensor<12xi64>, %v: i64, %n: index) -> tensor<4xi64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %slot = scf.for %t = %c0 to %c3 step %c1 iter_args(%carried = %x) -> (tensor<12xi64>) {
    %e = "tensor.empty"(%n) {dnn.reuse = array<i32: 0>} : (index) -> tensor<?xi64>
    %f = linalg.fill {dnn.inplace = array<i32: 1>} ins(%v : i64) outs(%e : tensor<?xi64>) -> tensor<?xi64>
    %known = tensor.cast %f : tensor<?xi64> to tensor<12xi64>
    scf.yield %known : tensor<12xi64>
  } {dnn.reuse = array<i32: 0>}
  %s = tensor.extract_slice %slot[2] [4] [2] : tensor<12xi64> to tensor<4xi64>
  %y = math.absi %s {dnn.inplace = array<i32: 0>} : tensor<4xi64>
  func.return %y : tensor<4xi64>
}

// -----

// What is written in an unknown size may be on each byte of the slice.
// CHECK: :[[# @LINE + 6]]:8: error: math.absi reads %s, but bytes [16, 24) of storage 0 were overwritten by linalg.fill (%f)
func.func @ruins_known(%x: tensor<12xi64>, %v: i64, %n: index) -> (tensor<4xi64>, tensor<?xi64>) {
  %a = math.absi %x {dnn.reuse = array<i32: 0>} : tensor<12xi64>
  %s = tensor.extract_slice %a[2] [4] [2] : tensor<12xi64> to tensor<4xi64>
  %e = "tensor.empty"(%n) {dnn.reuse = array<i32: 0>} : (index) -> tensor<?xi64>
  %f = linalg.fill {dnn.inplace = array<i32: 1>} ins(%v : i64) outs(%e : tensor<?xi64>) -> tensor<?xi64>
  %y = math.absi %s : tensor<4xi64>
  func.return %y, %f : tensor<4xi64>, tensor<?xi64>
}

// -----

// What is written at known bytes may be on some of those of unknown size.
// CHECK: :[[# @LINE + 7]]:8: error: math.absi reads %f, but bytes of storage 0 were overwritten by math.absi (%a)
func.func @ruins_unknown(%x: tensor<12xi64>, %v: i64, %n: index) -> (tensor<4xi64>, tensor<?xi64>) {
  %e = "tensor.empty"(%n) {dnn.reuse = array<i32: 0>} : (index) -> tensor<?xi64>
  %f = linalg.fill {dnn.inplace = array<i32: 1>} ins(%v : i64) outs(%e : tensor<?xi64>) -> tensor<?xi64>
  %a = math.absi %x {dnn.reuse = array<i32: 0>} : tensor<12xi64>
  %s = tensor.extract_slice %a[2] [4] [2] : tensor<12xi64> to tensor<4xi64>
  %z = math.absi %s : tensor<4xi64>
  %y = math.absi %f : tensor<?xi64>
  func.return %z, %y : tensor<4xi64>, tensor<?xi64>
}

// -----

// A slice is ruined by what is written to one of its bytes, not by what is written between them.
// CHECK: :[[# @LINE + 10]]:8: error: math.absi reads %s, but bytes [32, 40) of storage 0 were overwritten by tensor.insert_slice (%b)
func.func @one_byte(%x: tensor<12xi64>, %v: i64, %n: index) -> (tensor<4xi64>, tensor<12xi64>, tensor<?xi64>) {
  %one = arith.constant dense<1> : tensor<1xi64>
  %e = "tensor.empty"(%n) {dnn.reuse = array<i32: 0>} : (index) -> tensor<?xi64>
  %f = linalg.fill {dnn.inplace = array<i32: 1>} ins(%v : i64) outs(%e : tensor<?xi64>) -> tensor<?xi64>
  %g = math.absi %f : tensor<?xi64>
  %a = math.absi %x {dnn.reuse = array<i32: 0>} : tensor<12xi64>
  %s = tensor.extract_slice %a[2] [4] [2] : tensor<12xi64> to tensor<4xi64>
  %o = "tensor.insert_slice"(%one, %a) <{static_offsets = array<i64: 3>, static_sizes = array<i64: 1>, static_strides = array<i64: 1>, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0>}> {dnn.inplace = array<i32: 1>} : (tensor<1xi64>, tensor<12xi64>) -> tensor<12xi64>
  %b = "tensor.insert_slice"(%one, %o) <{static_offsets = array<i64: 4>, static_sizes = array<i64: 1>, static_strides = array<i64: 1>, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0>}> {dnn.inplace = array<i32: 1>} : (tensor<1xi64>, tensor<12xi64>) -> tensor<12xi64>
  %y = math.absi %s : tensor<4xi64>
  func.return %y, %b, %g : tensor<4xi64>, tensor<12xi64>, tensor<?xi64>
}
