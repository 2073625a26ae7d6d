builtin.module {
  func.func @main(%x0: tensor<2x3x2xi32>, %x1: tensor<f32> {dnn.donated}, %x2: tensor<f32> {dnn.donated}, %x3: tensor<2xi32>, %x4: tensor<1xf32>, %c0: i1, %c1: index) -> (tensor<f32> {dnn.tied = 1 : i32}, tensor<2xi32>) {
    %0 = arith.constant 1 : index
    %1 = arith.constant 0 : index
    %r4 = scf.if %c0 -> (tensor<f32>) {
      %v0, %v1, %v2 = "dnn.split"(%x0) {axis = 1 : i64, split_size = 1 : i64} : (tensor<2x3x2xi32>) -> (tensor<2x1x2xi32>, tensor<2x1x2xi32>, tensor<2x1x2xi32>)
      %v3 = "dnn.sigmoid"(%x1) : (tensor<f32>) -> tensor<f32>
      scf.yield %x1 : tensor<f32>
    } else {
      scf.yield %x2 : tensor<f32>
    }
    %v5 = "dnn.select"(%x0) {dim = 1 : i64, index = -1 : i64} : (tensor<2x3x2xi32>) -> tensor<2x2xi32>
    %r9 = scf.for %2 = %1 to %c1 step %0 iter_args(%r6 = %x2) -> (tensor<f32>) {
      %v7 = "dnn.diagonal_scatter"(%v5, %x3) {offset = 0 : i64, dim1 = 0 : i64, dim2 = 1 : i64} : (tensor<2x2xi32>, tensor<2xi32>) -> tensor<2x2xi32>
      %v8 = "dnn.as_strided_scatter"(%r6, %x4) {size = array<i64: 1>, stride = array<i64: 1>, storage_offset = 0 : i64, dnn.engine = "cpu"} : (tensor<f32>, tensor<1xf32>) -> tensor<f32>
      scf.yield %r6 : tensor<f32>
    }
    func.return %r4, %x3 : tensor<f32>, tensor<2xi32>
  }
}
// optimal: 4 reuse=0; 6 refused=[used-later]; 10 inplace=3; 11 refused=[program-input]; 12 refused=[used-later]
// paddle: 6 refused=[not-listed]; 10 inplace=3; 11 refused=[not-listed]; 12 refused=[not-listed]
// nntrainer: 4 inplace_mode=none; 5 inplace_mode=none; 6 refused=[used-later] inplace_mode=none; 9 inplace_mode=none; 10 inplace=3 inplace_mode=none; 11 refused=[not-listed] inplace_mode=none; 12 refused=[not-listed] inplace_mode=none
// reinplace: 6 refused=[program-input]; 10 inplace=3; 11 refused=[program-input]; 12 refused=[used-later]
// transpiler: 6 refused=[used-later]; 10 inplace=3; 11 refused=[not-listed]; 12 refused=[not-listed]
// pool optimal: 4 reuse=0; 6 refused=[used-later]; 10 inplace=3; 11 refused=[program-input]; 12 refused=[used-later]
// pool transpiler: 6 refused=[used-later]; 10 inplace=3; 11 refused=[not-listed]; 12 refused=[not-listed]
// random nntrainer: 4 inplace_mode=none; 5 inplace_mode=none; 6 refused=[used-later] inplace_mode=none; 9 inplace_mode=none; 10 inplace=3 inplace_mode=none; 11 refused=[not-listed] inplace_mode=none; 12 refused=[not-listed] inplace_mode=none
// random transpiler: 6 refused=[used-later]; 10 inplace=3; 11 refused=[not-listed]; 12 refused=[not-listed]
//   dnn.sigmoid (v3): %v3 is not written over %x1: the operand is memory of the caller, neither donated nor tied [program-input] | reinplace
//   dnn.sigmoid (v3): %v3 is not written over %x1: the strategy's system does not do that [not-listed] | paddle
//   dnn.sigmoid (v3): %v3 is not written over %x1: it is read later, by scf.yield at line 8 [used-later] | optimal, nntrainer, transpiler, pool optimal, pool transpiler, random nntrainer, random transpiler
//   scf.for (r9): %r9 is written over %x2, operand 3 | all
//   dnn.diagonal_scatter (v7): %v7 is not written over %v5: the operand is memory of the caller, neither donated nor tied [program-input] | reinplace
//   dnn.as_strided_scatter (v8): %v8 is not written over %r6: it is read later [used-later] | reinplace
//   dnn.diagonal_scatter (v7): %v7 is not written over %v5: the strategy's system does not do that [not-listed] | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.as_strided_scatter (v8): %v8 is not written over %r6: the strategy's system does not do that [not-listed] | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   scf.yield: %x1 is copied into %r4, 4 bytes: it is read again on another path or iteration [control-flow]; compute it on the path or in the iteration that reads it | paddle, nntrainer, reinplace, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.diagonal_scatter (v7): %v7 is not written over %v5: the operand is memory of the caller, neither donated nor tied, as %x0 [program-input] | optimal, pool optimal
//   dnn.as_strided_scatter (v8): %v8 is not written over %r6: it is read later, by scf.yield at line 16 [used-later] | optimal, pool optimal
//   scf.yield: %x2 is copied into %r4, 4 bytes: it is read again on another path or iteration [control-flow]; compute it on the path or in the iteration that reads it | all
//   dnn.diagonal_scatter (v7): %v5 is copied into %v7, 16 bytes: the strategy's system does not do that [not-listed]; `strategy=optimal` goes by contracts alone | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.diagonal_scatter (v7): %x3 is copied into %v7, 8 bytes: the strategy's system does not do that [not-listed]; `strategy=optimal` goes by contracts alone | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.as_strided_scatter (v8): %r6 is copied into %v8, 4 bytes: the strategy's system does not do that [not-listed]; `strategy=optimal` goes by contracts alone | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.as_strided_scatter (v8): %x4 is copied into %v8, 4 bytes: the strategy's system does not do that [not-listed]; `strategy=optimal` goes by contracts alone | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   func.return: %r4 is copied into the memory of result 0, 4 bytes: it is returned [returned]; return it once, from the op that makes it, or tie it to an argument | paddle, nntrainer, reinplace, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.diagonal_scatter (v7): %v5 is copied into %v7, 16 bytes: the operand is memory of the caller, neither donated nor tied [program-input]; mark the argument `dnn.donated`, or tie a result to it with `dnn.tied` | optimal, reinplace, pool optimal
//   dnn.diagonal_scatter (v7): %x3 is copied into %v7, 8 bytes: the operand is memory of the caller, so no op computes it in its part of the result [program-input]; compute the operand in the function: an op may write its result to a part of another value | optimal, reinplace, pool optimal
//   dnn.as_strided_scatter (v8): %r6 is copied into %v8, 4 bytes: it is read later [used-later]; move the op that reads it later before this one; `--plan-pass` tries that | reinplace
//   dnn.as_strided_scatter (v8): %x4 is copied into %v8, 4 bytes: it is read later [used-later]; move the op that reads it later before this one; `--plan-pass` tries that | reinplace
//   dnn.as_strided_scatter (v8): %r6 is copied into %v8, 4 bytes: it is read later, by scf.yield at line 16 [used-later]; move the op that reads it later before this one; `--plan-pass` tries that | optimal, pool optimal
//   dnn.as_strided_scatter (v8): %x4 is copied into %v8, 4 bytes: it is read later, by scf.yield at line 16 [used-later]; move the op that reads it later before this one; `--plan-pass` tries that | optimal, pool optimal
//   func.return: %x3 is copied into the memory of result 1, 8 bytes: the operand is memory of the caller, neither donated nor tied [program-input]; mark the argument `dnn.donated`, or tie a result to it with `dnn.tied` | all
