// Unknown sizes become numbers, in every function that has them.

// RUN: opt-tool --specialize-pass=words=6,m.1=5,one=1 %s | filecheck %s

// Every size that follows from the number: sums, products, and a slice's, which no polynomial says.
// CHECK-LABEL: func.func @follows(%words: tensor<6x4xf32>) -> tensor<19xf32>
// CHECK-NEXT:  %a = "dnn.exp"(%words) : (tensor<6x4xf32>) -> tensor<6x4xf32>
// CHECK-NEXT:  %b = "dnn.concat"(%a, %words) {axis = 0 : i64} : (tensor<6x4xf32>, tensor<6x4xf32>) -> tensor<12x4xf32>
// CHECK-NEXT:  %c = "dnn.reshape"(%b) {shape = array<i64: -1>} : (tensor<12x4xf32>) -> tensor<48xf32>
// CHECK-NEXT:  %d = "dnn.pad"(%c) {pads = array<i64: 1, 2>} : (tensor<48xf32>) -> tensor<51xf32>
// CHECK-NEXT:  %s = "dnn.slice"(%d) {dim = 0 : i64, start = 2 : i64} : (tensor<51xf32>) -> tensor<49xf32>
// CHECK-NEXT:  %u, %v = "dnn.split"(%s) {split_size = 30 : i64} : (tensor<49xf32>) -> (tensor<30xf32>, tensor<19xf32>)
func.func @follows(%words: tensor<?x4xf32>) -> tensor<?xf32> {
  %a = "dnn.exp"(%words) : (tensor<?x4xf32>) -> tensor<?x4xf32>
  %b = "dnn.concat"(%a, %words) {axis = 0 : i64} : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x4xf32>
  %c = "dnn.reshape"(%b) {shape = array<i64: -1>} : (tensor<?x4xf32>) -> tensor<?xf32>
  %d = "dnn.pad"(%c) {pads = array<i64: 1, 2>} : (tensor<?xf32>) -> tensor<?xf32>
  %s = "dnn.slice"(%d) {dim = 0 : i64, start = 2 : i64} : (tensor<?xf32>) -> tensor<?xf32>
  %u, %v = "dnn.split"(%s) {split_size = 30 : i64} : (tensor<?xf32>) -> (tensor<30xf32>, tensor<?xf32>)
  func.return %v : tensor<?xf32>
}

// A size is called as the model calls the argument.
// CHECK-LABEL: func.func @named(%0: tensor<6x1xi64> {dnn.name = "words"}, %t: tensor<8x4xf32>) -> tensor<6x1x4xf32>
// CHECK-NEXT:  %1 = "dnn.gather"(%t, %0) {axis = 0 : i64} : (tensor<8x4xf32>, tensor<6x1xi64>) -> tensor<6x1x4xf32>
func.func @named(%0: tensor<?x1xi64> {dnn.name = "words"}, %t: tensor<8x4xf32>) -> tensor<?x1x4xf32> {
  %1 = "dnn.gather"(%t, %0) {axis = 0 : i64} : (tensor<8x4xf32>, tensor<?x1xi64>) -> tensor<?x1x4xf32>
  func.return %1 : tensor<?x1x4xf32>
}

// Decisions stay, and so do attributes of arguments and results.
// CHECK-LABEL: func.func @decided(%words: tensor<6xf32> {dnn.donated}) -> (tensor<6xf32> {dnn.tied = 0 : i32})
// CHECK-NEXT:  %a = "dnn.exp"(%words) {dnn.inplace = array<i32: 0>} : (tensor<6xf32>) -> tensor<6xf32>
func.func @decided(%words: tensor<?xf32> {dnn.donated}) -> (tensor<?xf32> {dnn.tied = 0 : i32}) {
  %a = "dnn.exp"(%words) {dnn.inplace = array<i32: 0>} : (tensor<?xf32>) -> tensor<?xf32>
  func.return %a : tensor<?xf32>
}

// Several sizes of one argument are told apart by their axis; only one of these is bound.
// CHECK-LABEL: func.func @matrix(%m: tensor<?x5xf32>) -> tensor<5x?xf32>
// CHECK-NEXT:  %a = "dnn.transpose"(%m) {perm = array<i64: 1, 0>} : (tensor<?x5xf32>) -> tensor<5x?xf32>
func.func @matrix(%m: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %a = "dnn.transpose"(%m) {perm = array<i64: 1, 0>} : (tensor<?x?xf32>) -> tensor<?x?xf32>
  func.return %a : tensor<?x?xf32>
}

// Two sizes that are told apart by their names broadcast once they are numbers.
// CHECK-LABEL: func.func @two(%words: tensor<6xf32>, %one: tensor<1xf32>) -> tensor<6xf32>
// CHECK-NEXT:  %a = "dnn.add"(%words, %one) : (tensor<6xf32>, tensor<1xf32>) -> tensor<6xf32>
func.func @two(%words: tensor<?xf32>, %one: tensor<?xf32>) -> tensor<?xf32> {
  %a = "dnn.add"(%words, %one) : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  func.return %a : tensor<?xf32>
}
