builtin.module {
  func.func @main(%x0: tensor<6xf64>, %x1: tensor<2x2xi32>, %x2: tensor<1xi32>, %x3: tensor<6xf64> {dnn.donated}, %c0: i1) -> (tensor<6xf64>, tensor<1xi32> {dnn.tied = 2 : i32}, tensor<1xi32>) {
    %v0 = "dnn.reduce_mean"(%x0) {axes = array<i64: 0>, keepdims = false, dnn.engine = "cpu"} : (tensor<6xf64>) -> tensor<f64>
    %v1 = "dnn.select"(%x1) {dim = 1 : i64, index = -1 : i64} : (tensor<2x2xi32>) -> tensor<2xi32>
    %r4, %r5 = scf.if %c0 -> (tensor<6xf64>, tensor<2xi32>) {
      %v2 = "dnn.slice_scatter"(%v1, %x2) {dim = 0 : i64, start = 0 : i64, end = 2 : i64, step = 2 : i64} : (tensor<2xi32>, tensor<1xi32>) -> tensor<2xi32>
      scf.yield %x0, %v2 : tensor<6xf64>, tensor<2xi32>
    } else {
      %v3 = "dnn.cumsum"(%v1) {axis = -1 : i64} : (tensor<2xi32>) -> tensor<2xi32>
      scf.yield %x3, %v3 : tensor<6xf64>, tensor<2xi32>
    }
    func.return %x3, %x2, %x2 : tensor<6xf64>, tensor<1xi32>, tensor<1xi32>
  }
}
// optimal: 2 refused=[kernel]; 4 reuse=-1,0; 5 reuse=0 refused=[program-input]; 7 reuse=0 refused=[program-input]
// paddle: 2 refused=[kernel]; 4 reuse=-1,0; 5 reuse=0 refused=[not-listed]; 7 reuse=0 refused=[not-listed]
// nntrainer: 2 refused=[kernel] inplace_mode=none; 3 inplace_mode=none; 4 reuse=-1,0 inplace_mode=none; 5 reuse=0 refused=[not-listed] inplace_mode=none; 7 reuse=0 refused=[not-listed] inplace_mode=none
// reinplace: 2 refused=[kernel]; 4 reuse=-1,0; 5 reuse=0 refused=[program-input]; 7 reuse=0 refused=[program-input]
// transpiler: 2 refused=[kernel]; 4 reuse=-1,0; 5 reuse=0 refused=[not-listed]; 7 reuse=0 refused=[program-input]
// pool optimal: 2 refused=[kernel]; 4 reuse=-1,0; 5 reuse=0 refused=[program-input]; 7 reuse=0 refused=[program-input]
// pool transpiler: 2 refused=[kernel]; 4 reuse=-1,0; 5 reuse=0 refused=[not-listed]; 7 reuse=0 refused=[program-input]
// random nntrainer: 2 refused=[kernel] inplace_mode=none; 3 inplace_mode=none; 4 reuse=-1,0 inplace_mode=none; 5 reuse=0 refused=[not-listed] inplace_mode=none; 7 reuse=0 refused=[not-listed] inplace_mode=none
// random transpiler: 2 refused=[kernel]; 4 reuse=-1,0; 5 reuse=0 refused=[not-listed]; 7 reuse=0 refused=[program-input]
//   dnn.reduce_mean (v0): %v0 is not written over %x0: no kernel of this op writes over that operand [kernel] | all
//   dnn.slice_scatter (v2): %v2 is not written over %v1: the operand is memory of the caller, neither donated nor tied [program-input] | reinplace
//   dnn.cumsum (v3): %v3 is not written over %v1: the operand is memory of the caller, neither donated nor tied [program-input] | reinplace
//   dnn.slice_scatter (v2): %v2 is not written over %v1: the strategy's system does not do that [not-listed] | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.cumsum (v3): %v3 is not written over %v1: the strategy's system does not do that [not-listed] | paddle, nntrainer, random nntrainer
//   dnn.slice_scatter (v2): %v1 is copied into %v2, 8 bytes: the strategy's system does not do that [not-listed]; `strategy=optimal` goes by contracts alone | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.slice_scatter (v2): %x2 is copied into %v2, 4 bytes: the strategy's system does not do that [not-listed]; `strategy=optimal` goes by contracts alone | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.slice_scatter (v2): %v2 is not written over %v1: the operand is memory of the caller, neither donated nor tied, as %x1 [program-input] | optimal, pool optimal
//   dnn.cumsum (v3): %v3 is not written over %v1: the operand is memory of the caller, neither donated nor tied, as %x1 [program-input] | optimal, transpiler, pool optimal, pool transpiler, random transpiler
//   dnn.slice_scatter (v2): %v1 is copied into %v2, 8 bytes: the operand is memory of the caller, neither donated nor tied [program-input]; mark the argument `dnn.donated`, or tie a result to it with `dnn.tied` | optimal, reinplace, pool optimal
//   dnn.slice_scatter (v2): %x2 is copied into %v2, 4 bytes: the operand is memory of the caller, so no op computes it in its part of the result [program-input]; compute the operand in the function: an op may write its result to a part of another value | optimal, reinplace, pool optimal
//   scf.yield: %x0 is copied into %r4, 48 bytes: the operand is memory of the caller, neither donated nor tied [program-input]; mark the argument `dnn.donated`, or tie a result to it with `dnn.tied` | all
//   scf.yield: %x3 is copied into %r4, 48 bytes: it is read again on another path or iteration [control-flow]; compute it on the path or in the iteration that reads it | all
//   func.return: %x2 is copied into the memory of result 2, 4 bytes: it is returned [returned]; return it once, from the op that makes it, or tie it to an argument | all
