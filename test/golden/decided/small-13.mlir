builtin.module {
  func.func @main(%x0: tensor<6xf64> {dnn.donated}, %c0: i1) -> tensor<6xf64> {
    %r2 = scf.if %c0 -> (tensor<6xf64>) {
      %r0 = tensor.extract_slice %x0[1] [2] [1] : tensor<6xf64> to tensor<2xf64>
      scf.yield %x0 : tensor<6xf64>
    } else {
      %v1 = "dnn.constant"() {value = dense<[-5.000000e-01, -2.500000e+00, 5.000000e-01, -1.500000e+00, 2.500000e+00, 1.500000e+00]> : tensor<6xf64>} : () -> tensor<6xf64>
      scf.yield %v1 : tensor<6xf64>
    }
    %r3 = func.call @f0(%x0, %x0) : (tensor<6xf64>, tensor<6xf64>) -> tensor<6xf64>
    %v4 = "dnn.add"(%r2, %r3) : (tensor<6xf64>, tensor<6xf64>) -> tensor<6xf64>
    func.return %x0 : tensor<6xf64>
  }
  func.func private @f0(tensor<6xf64>, tensor<6xf64>) -> tensor<6xf64>
}
// optimal: 8 inplace=0
// paddle: 8 refused=[engine]
// nntrainer: 2 inplace_mode=none; 3 inplace_mode=none; 7 inplace_mode=none; 8 refused=[not-listed] inplace_mode=none
// reinplace: 8 inplace=0
// transpiler: 8 refused=[not-listed]
// pool optimal: 8 inplace=0
// pool transpiler: 8 refused=[not-listed]
// random nntrainer: 2 inplace_mode=none; 3 inplace_mode=none; 7 inplace_mode=none; 8 refused=[not-listed] inplace_mode=none
// random transpiler: 8 refused=[not-listed]
//   dnn.add (v4): %v4 is not written over %r2: the strategy's system does not do that [not-listed] | nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.add (v4): %v4 is not written over %r2: the op is not to run on oneDNN, which the strategy asks for [engine] | paddle
//   dnn.add (v4): %v4 is written over %r2, operand 0 | optimal, reinplace, pool optimal
//   scf.yield: %x0 is copied into %r2, 48 bytes: it is read again on another path or iteration [control-flow]; compute it on the path or in the iteration that reads it | all
//   scf.yield: %v1 is copied into %r2, 48 bytes: the operand is a constant [constant]; make it an argument with `dnn.donated`, or put an op before that makes a new value | all
