builtin.module {
  func.func @main(%x0: tensor<2x2xf32>, %c: i1, %n: index) -> tensor<2x2xf32> {
    %v1 = "dnn.transpose"(%x0) {perm = array<i64: 1, 0>} : (tensor<2x2xf32>) -> tensor<2x2xf32>
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : index
    %v6 = scf.for %i = %zero to %n step %one iter_args(%v2 = %v1) -> (tensor<2x2xf32>) {
      %v3 = "dnn.slice"(%v2) {dim = 0 : i64, start = 1 : i64, end = 2 : i64} : (tensor<2x2xf32>) -> tensor<1x2xf32>
      %v4 = "dnn.fill"(%x0) {value = 1.000000e+00 : f32} : (tensor<2x2xf32>) -> tensor<2x2xf32>
      %v5 = "dnn.copy"(%v4) : (tensor<2x2xf32>) -> tensor<2x2xf32>
      scf.yield %v4 : tensor<2x2xf32>
    }
    %v7 = "dnn.opaque"(%x0) {kind = "f"} : (tensor<2x2xf32>) -> tensor<2x2xf32>
    func.return %v7 : tensor<2x2xf32>
  }
}
// optimal: 5 reuse=0 refused=[program-input]; 7 reuse=0 refused=[program-input]; 10 refused=[kernel]
// paddle: 5 refused=[program-input]; 7 refused=[not-listed]; 10 refused=[kernel]
// nntrainer: 2 inplace_mode=none; 5 refused=[program-input] inplace_mode=none; 6 inplace_mode=none; 7 refused=[not-listed] inplace_mode=none; 8 inplace_mode=none; 10 refused=[kernel] inplace_mode=none
// reinplace: 5 refused=[program-input]; 7 refused=[program-input]; 10 refused=[kernel]
// transpiler: 5 refused=[program-input]; 7 refused=[program-input]; 10 refused=[kernel]
// pool optimal: 5 reuse=0 refused=[program-input]; 7 reuse=0 refused=[program-input]; 10 refused=[kernel]
// pool transpiler: 5 refused=[program-input]; 7 refused=[program-input]; 10 refused=[kernel]
// random nntrainer: 2 inplace_mode=none; 5 refused=[program-input] inplace_mode=none; 6 inplace_mode=none; 7 refused=[not-listed] inplace_mode=none; 8 inplace_mode=none; 10 refused=[kernel] inplace_mode=none
// random transpiler: 5 refused=[program-input]; 7 refused=[program-input]; 10 refused=[kernel]
//   scf.for (v6): %v6 is not written over %v1: the operand is memory of the caller, neither donated nor tied, as %x0 [program-input] | all
//   dnn.fill (v4): %v4 is not written over %x0: the strategy's system does not do that [not-listed] | paddle, nntrainer, random nntrainer
//   dnn.fill (v4): %v4 is not written over %x0: the operand is memory of the caller, neither donated nor tied [program-input] | optimal, reinplace, transpiler, pool optimal, pool transpiler, random transpiler
//   dnn.opaque (v7): %v7 is not written over %x0: no kernel of this op writes over that operand [kernel] | all
//   scf.for (v6): %v1 is copied into %v6, 16 bytes: the operand is memory of the caller, neither donated nor tied [program-input]; mark the argument `dnn.donated`, or tie a result to it with `dnn.tied` | all
//   dnn.copy (v5): %v4 is copied into %v5, 16 bytes: the strategy's system does not do that [not-listed]; `strategy=optimal` goes by contracts alone | paddle, nntrainer, random nntrainer
//   scf.yield: %v4 is copied into %v6, 16 bytes: it is read again on another path or iteration [control-flow]; compute it on the path or in the iteration that reads it | paddle, nntrainer, reinplace, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.copy (v5): %v4 is copied into %v5, 16 bytes: the operand is memory of the caller, neither donated nor tied [program-input]; mark the argument `dnn.donated`, or tie a result to it with `dnn.tied` | optimal, reinplace, transpiler, pool optimal, pool transpiler, random transpiler
