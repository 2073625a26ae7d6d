// What a loop's body captures is read in every round.
// DIFFERS: %b over %a is right, as names are values: the body reads %b. In place over the captured %b it is not.
// DECIDE: %b over %a; %u over %acc
// WRONG: %u {dnn.inplace = array<i32: 1>} => reads %b
// GIVES: {"x": [1, 1, 1, 1], "n": 2} => [[1.5, 1.5, 1.5, 1.5]]
// GIVES: {"x": [1, 1, 1, 1], "n": 0} => [[1, 1, 1, 1]]

func.func @main(%x: tensor<4xf32>, %n: index) -> tensor<4xf32> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %a = "dnn.relu"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %b = "dnn.softmax"(%a) {axis = 0 : i64} : (tensor<4xf32>) -> tensor<4xf32>
  %r = scf.for %i = %zero to %n step %one iter_args(%acc = %x) -> (tensor<4xf32>) {
    %u = "dnn.add"(%acc, %b) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    scf.yield %u : tensor<4xf32>
  }
  func.return %r : tensor<4xf32>
}
