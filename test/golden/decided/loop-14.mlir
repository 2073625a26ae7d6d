builtin.module {
  func.func @main(%x0: tensor<2x2xf32> {dnn.donated}, %c: i1, %n: index) -> tensor<2x2xf32> {
    %v1 = "dnn.transpose"(%x0) {perm = array<i64: 1, 0>} : (tensor<2x2xf32>) -> tensor<2x2xf32>
    %v5 = scf.while (%v2 = %v1) : (tensor<2x2xf32>) -> tensor<2x2xf32> {
      %v4 = "dnn.neg"(%v2) : (tensor<2x2xf32>) -> tensor<2x2xf32>
      scf.condition(%c) %v2 : tensor<2x2xf32>
    } do {
    ^bb0(%v3: tensor<2x2xf32>):
      scf.yield %v3 : tensor<2x2xf32>
    }
    func.return %v5 : tensor<2x2xf32>
  }
}
// optimal: 3 inplace=0; 4 refused=[used-later]
// paddle: 3 refused=[layout]; 4 refused=[not-listed]
// nntrainer: 2 inplace_mode=none; 3 refused=[layout] inplace_mode=none; 4 refused=[not-listed] inplace_mode=none
// reinplace: 3 refused=[layout]; 4 refused=[used-later]
// transpiler: 3 refused=[layout]; 4 refused=[used-later]
// pool optimal: 3 inplace=0; 4 refused=[used-later]
// pool transpiler: 3 refused=[layout]; 4 refused=[used-later]
// random nntrainer: 2 inplace_mode=none; 3 refused=[layout] inplace_mode=none; 4 refused=[not-listed] inplace_mode=none
// random transpiler: 3 refused=[layout]; 4 refused=[used-later]
//   scf.while (v5): %v5 is not written over %v1: the operand does not lie row-major there and a kernel needs that [layout] | paddle, nntrainer, reinplace, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.neg (v4): %v4 is not written over %v2: it is read later [used-later] | reinplace
//   dnn.neg (v4): %v4 is not written over %v2: the strategy's system does not do that [not-listed] | paddle, nntrainer, random nntrainer
//   scf.while (v5): %v1 is copied into %v2, 16 bytes: the operand does not lie row-major there and a kernel needs that [layout]; use an op whose contract is `strided` | paddle, nntrainer, reinplace, transpiler, pool transpiler, random nntrainer, random transpiler
//   scf.condition: %v2 is copied into %v5, 16 bytes: it is read again on another path or iteration [control-flow]; compute it on the path or in the iteration that reads it | paddle, nntrainer, reinplace, transpiler, pool transpiler, random nntrainer, random transpiler
//   scf.yield: %v3 is copied into %v2, 16 bytes: it is read again on another path or iteration [control-flow]; compute it on the path or in the iteration that reads it | paddle, nntrainer, reinplace, transpiler, pool transpiler, random nntrainer, random transpiler
//   scf.while (v5): %v5 is written over %v1, operand 0 | optimal, pool optimal
//   dnn.neg (v4): %v4 is not written over %v2: it is read later, by scf.condition at line 6 [used-later] | optimal, transpiler, pool optimal, pool transpiler, random transpiler
//   func.return: %v5 is copied into the memory of result 0, 16 bytes: it is returned [returned]; return it once, from the op that makes it, or tie it to an argument | optimal, pool optimal
