// A branch that passes on one tensor twice, where decisions stand before: the form is proved, and so is what is given
// back behind it.
// RUN: opt-tool --inplace-pass=forward=true --bufferize-pass=arena=argument,results=out,layouts=identity,unproved=error %s -o %t.mlir
// RUN: filecheck %s --input-file=%t.mlir

func.func @swaps(%p: tensor<12xi64> {dnn.donated}, %q: tensor<12xi64> {dnn.donated}) -> (tensor<12xi64>, tensor<12xi64>) {
  func.return %q, %p : tensor<12xi64>, tensor<12xi64>
}
// The first result is not compared with %x, as it is never that: it stays apart from the second one when %x ends.
// CHECK-LABEL: func.func @result_of_a_call_twice
// CHECK: [[X:%.*]] = memref.alloc() {alignment = 64 : i64} : memref<12xi64>
// CHECK-NEXT: [[Y:%.*]] = memref.alloc() {alignment = 64 : i64} : memref<12xi64>
// CHECK: func.call @swaps
// CHECK: [[R:%.*]], [[S:%.*]] = scf.if %c
// CHECK:   scf.yield [[X]], [[Y]]
// CHECK:   [[OWN:%.*]] = memref.alloc()
// CHECK-NEXT: "memref.copy"([[Y]], [[OWN]])
// CHECK-NEXT: scf.yield [[Y]], [[OWN]]
// CHECK: scf.if
// CHECK-NEXT: memref.dealloc [[X]]
// CHECK: scf.if
// CHECK-NEXT: memref.dealloc [[Y]]
// CHECK: memref.dealloc [[R]]
// CHECK-NEXT: memref.dealloc [[S]]
func.func @result_of_a_call_twice(%a: tensor<12xi64> {dnn.donated}, %b: tensor<12xi64>, %c: i1) {
  %x, %y = func.call @swaps(%a, %b) : (tensor<12xi64>, tensor<12xi64>) -> (tensor<12xi64>, tensor<12xi64>)
  %r, %s = scf.if %c -> (tensor<12xi64>, tensor<12xi64>) {
    scf.yield %x, %y : tensor<12xi64>, tensor<12xi64>
  } else {
    scf.yield %y, %y : tensor<12xi64>, tensor<12xi64>
  }
  func.return
}
// Both results are one value on each path.
// CHECK-LABEL: func.func @one_value_on_each_path
// CHECK: scf.if %c
// CHECK: arith.addi
func.func @one_value_on_each_path(%x: tensor<12xi64>, %y: tensor<12xi64>, %c: i1, %i: index) -> i64 {
  %r, %s = scf.if %c -> (tensor<12xi64>, tensor<12xi64>) {
    scf.yield %x, %x : tensor<12xi64>, tensor<12xi64>
  } else {
    scf.yield %y, %y : tensor<12xi64>, tensor<12xi64>
  }
  %one = tensor.extract %r[%i] : tensor<12xi64>
  %other = tensor.extract %s[%i] : tensor<12xi64>
  %sum = arith.addi %one, %other : i64
  func.return %sum : i64
}
