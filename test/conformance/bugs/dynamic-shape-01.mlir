// An unknown size equals no other.
// DECIDE: %o not over %c: size
// WRONG: %c {dnn.reuse = array<i32: 0>}, %o {dnn.reuse = array<i32: 0>} => dnn.div writes %o
// GIVES: {"x": [[[1, 2], [3, 4]]], "b": [[[4]]]} => [[[[4, 2], [1.3333334, 1]]]]

func.func @main(%x: tensor<?x2x?xf32>, %b: tensor<?x1x1xf32>) -> tensor<?x2x?xf32> {
  %c = "dnn.relu"(%b) : (tensor<?x1x1xf32>) -> tensor<?x1x1xf32>
  %o = "dnn.div"(%c, %x) : (tensor<?x1x1xf32>, tensor<?x2x?xf32>) -> tensor<?x2x?xf32>
  func.return %o : tensor<?x2x?xf32>
}
