// A reshape to sizes that are not known is a copy of memory of its own, and a view of a slice at an offset that is known
// at run time only. What is decided holds for both.
// RUN: opt-tool --inplace-pass --verify-storage-pass --split-input-file %s | filecheck %s
// RUN: opt-tool --inplace-pass --bufferize-pass=unproved=error --split-input-file %s -o /dev/null

// Sizes that the types leave open follow from where the operand lies: the collapse is a view of memory of its own too.
// CHECK-LABEL: func.func @known_by_where_it_lies
// CHECK: arith.addi %v, %v : tensor<?x4xi64>
// CHECK: linalg.copy {dnn.inplace = array<i32: 1>}
func.func @known_by_where_it_lies(%u: tensor<?xi64> {dnn.donated}, %k: index) -> tensor<?xi64> {
  %c3 = arith.constant 3 : index
  %s = tensor.extract_slice %u[0] [%k] [1] : tensor<?xi64> to tensor<?xi64>
  %v = tensor.expand_shape %s [[0, 1]] output_shape [%c3, 4] : tensor<?xi64> into tensor<?x4xi64>
  %a = arith.addi %v, %v : tensor<?x4xi64>
  %c = tensor.collapse_shape %a [[0, 1]] : tensor<?x4xi64> into tensor<?xi64>
  %r = linalg.copy ins(%c : tensor<?xi64>) outs(%u : tensor<?xi64>) -> tensor<?xi64>
  func.return %r : tensor<?xi64>
}
