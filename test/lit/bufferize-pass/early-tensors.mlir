// A tensor without contents begins where its sizes are known: what is computed before is in its part of it.

// RUN: opt-tool --bufferize-pass=layouts=identity,unproved=error --split-input-file %s | filecheck %s

// CHECK-LABEL: @concatenated
// CHECK: [[N:%.*]] = memref.dim %a
// CHECK: [[M:%.*]] = memref.dim %b
// CHECK: [[SUM:%.*]] = arith.addi [[N]], [[M]]
// CHECK-NEXT: [[ALL:%.*]] = memref.alloc([[SUM]])
// CHECK-NEXT: [[ONE:%.*]] = memref.subview [[ALL]][0] {{\[}}[[N]]] [1]
// CHECK-NEXT: linalg.exp ins(%a : {{.*}}) outs([[ONE]]
// CHECK-NEXT: [[TWO:%.*]] = memref.subview [[ALL]]{{\[}}[[N]]] {{\[}}[[M]]] [1]
// CHECK-NEXT: linalg.sqrt ins(%b : {{.*}}) outs([[TWO]]
// CHECK-NEXT: func.return [[ALL]]
func.func @concatenated(%a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  %ea = tensor.empty(%n) : tensor<?xf32>
  %sa = linalg.exp ins(%a : tensor<?xf32>) outs(%ea : tensor<?xf32>) -> tensor<?xf32>
  %m = tensor.dim %b, %c0 : tensor<?xf32>
  %eb = tensor.empty(%m) : tensor<?xf32>
  %sb = linalg.sqrt ins(%b : tensor<?xf32>) outs(%eb : tensor<?xf32>) -> tensor<?xf32>
  %t = arith.addi %n, %m : index
  %e = tensor.empty(%t) : tensor<?xf32>
  %x = tensor.insert_slice %sa into %e[0] [%n] [1] : tensor<?xf32> into tensor<?xf32>
  %y = tensor.insert_slice %sb into %x[%n] [%m] [1] : tensor<?xf32> into tensor<?xf32>
  func.return %y : tensor<?xf32>
}

// -----

// A size that a call returns stays behind what the call may wait for.
// CHECK-LABEL: @size_of_call
// CHECK: linalg.exp
// CHECK: [[SIZE:%.*]] = func.call @size()
// CHECK: memref.alloc([[SIZE]])
func.func private @size() -> index
func.func @size_of_call(%a: tensor<4xf32>) -> tensor<?xf32> {
  %e4 = tensor.empty() : tensor<4xf32>
  %s = linalg.exp ins(%a : tensor<4xf32>) outs(%e4 : tensor<4xf32>) -> tensor<4xf32>
  %n = func.call @size() : () -> index
  %e = tensor.empty(%n) : tensor<?xf32>
  %x = tensor.insert_slice %s into %e[0] [4] [1] : tensor<4xf32> into tensor<?xf32>
  func.return %x : tensor<?xf32>
}
