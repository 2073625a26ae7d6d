// Greedy decoding: a step mixes the last token into the state and takes the likeliest token next, until that is `end`
// or `most` tokens are written.
//
//     opt-tool --inplace-pass --memory-plan-pass --verify-storage-pass --lower-to-onednn-pass examples/loops/decode.mlir
//
// State, token, text and the position in the text are donated and updated in place:
// the lowered program copies nothing.

func.func @main(
  %embedding: tensor<6x4xf32>, %mix: tensor<4x4xf32>, %head: tensor<4x6xf32>,
  %state: tensor<4xf32> {dnn.donated}, %token: tensor<1xi64> {dnn.donated}, %text: tensor<8xi64> {dnn.donated}, %end: i64, %most: index
) -> (tensor<8xi64> {dnn.name = "written"}, tensor<4xf32> {dnn.name = "last"}, index {dnn.name = "count"}) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %first = "dnn.zeros"() : () -> tensor<1xi64>
  %step = "dnn.constant"() {value = dense<1> : tensor<1xi64>} : () -> tensor<1xi64>
  %places = "dnn.constant"() {value = dense<[0, 1, 2, 3, 4, 5, 6, 7]> : tensor<8xi64>} : () -> tensor<8xi64>
  %h, %t, %w, %p, %n = scf.while (%h0 = %state, %t0 = %token, %w0 = %text, %p0 = %first, %n0 = %zero)
      : (tensor<4xf32>, tensor<1xi64>, tensor<8xi64>, tensor<1xi64>, index)
     -> (tensor<4xf32>, tensor<1xi64>, tensor<8xi64>, tensor<1xi64>, index) {
    %last = tensor.extract %t0[%zero] : tensor<1xi64>
    %other = arith.cmpi ne, %last, %end : i64
    %room = arith.cmpi slt, %n0, %most : index
    %more = arith.andi %other, %room : i1
    scf.condition(%more) %h0, %t0, %w0, %p0, %n0 : tensor<4xf32>, tensor<1xi64>, tensor<8xi64>, tensor<1xi64>, index
  } do {
  ^bb0(%h1: tensor<4xf32>, %t1: tensor<1xi64>, %w1: tensor<8xi64>, %p1: tensor<1xi64>, %n1: index):
    %row = "dnn.gather"(%embedding, %t1) {axis = 0 : i64} : (tensor<6x4xf32>, tensor<1xi64>) -> tensor<1x4xf32>
    %seen = "dnn.reshape"(%row) {shape = array<i64: 4>} : (tensor<1x4xf32>) -> tensor<4xf32>
    %mixed = "dnn.matmul"(%h1, %mix) : (tensor<4xf32>, tensor<4x4xf32>) -> tensor<4xf32>
    %sum = "dnn.add"(%mixed, %seen) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %h2 = "dnn.tanh"(%sum) : (tensor<4xf32>) -> tensor<4xf32>
    %scores = "dnn.matmul"(%h2, %head) : (tensor<4xf32>, tensor<4x6xf32>) -> tensor<6xf32>
    %score, %t2 = "dnn.top_k"(%scores) {k = 1 : i64} : (tensor<6xf32>) -> (tensor<1xf32>, tensor<1xi64>)
    %here = "dnn.equal"(%places, %p1) : (tensor<8xi64>, tensor<1xi64>) -> tensor<8xi1>
    %w2 = "dnn.where"(%here, %t2, %w1) : (tensor<8xi1>, tensor<1xi64>, tensor<8xi64>) -> tensor<8xi64>
    %p2 = "dnn.add"(%p1, %step) : (tensor<1xi64>, tensor<1xi64>) -> tensor<1xi64>
    %n2 = arith.addi %n1, %one : index
    scf.yield %h2, %t2, %w2, %p2, %n2 : tensor<4xf32>, tensor<1xi64>, tensor<8xi64>, tensor<1xi64>, index
  }
  func.return %w, %h, %n : tensor<8xi64>, tensor<4xf32>, index
}
