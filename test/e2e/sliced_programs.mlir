// Programs whose forms are run by LLVM (test_form_of_kinds.py): slices of results, reshapes, maps that leave out elements, ops
// that xDSL has no such class of.
func.func @gen_diag_to_vector(%x: tensor<8x8xf32> {bufferization.writable = true}) -> (tensor<8xf32>, tensor<8x8xf32>) {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8xf32>
  %v = linalg.generic {indexing_maps = [affine_map<(i) -> (i, i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x : tensor<8x8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = arith.addf %a, %a : f32
    linalg.yield %s : f32
  } -> tensor<8xf32>
  %w = linalg.generic {indexing_maps = [affine_map<(i) -> (i, i)>], iterator_types = ["parallel"]} outs(%x : tensor<8x8xf32>) {
  ^bb0(%o: f32):
    linalg.yield %z : f32
  } -> tensor<8x8xf32>
  return %v, %w : tensor<8xf32>, tensor<8x8xf32>
}

func.func @e2e_mlp2_unknown_batch(%x: tensor<?x8xf32> {bufferization.writable = false}, %w0: tensor<8x16xf32> {bufferization.writable = false}, %b0: tensor<16xf32> {bufferization.writable = false}, %w1: tensor<16x4xf32> {bufferization.writable = false}, %b1: tensor<4xf32> {bufferization.writable = false}) -> tensor<?x4xf32> {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0.0 : f32
  %n = tensor.dim %x, %c0 : tensor<?x8xf32>
  %e0 = tensor.empty(%n) : tensor<?x16xf32>
  %f0 = linalg.fill ins(%z : f32) outs(%e0 : tensor<?x16xf32>) -> tensor<?x16xf32>
  %m0 = linalg.matmul ins(%x, %w0 : tensor<?x8xf32>, tensor<8x16xf32>) outs(%f0 : tensor<?x16xf32>) -> tensor<?x16xf32>
  %h = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%m0, %b0 : tensor<?x16xf32>, tensor<16xf32>) outs(%e0 : tensor<?x16xf32>) {
  ^bb0(%u: f32, %v: f32, %o: f32):
    %s = arith.addf %u, %v : f32
    %r = arith.maximumf %s, %z : f32
    linalg.yield %r : f32
  } -> tensor<?x16xf32>
  %e1 = tensor.empty(%n) : tensor<?x4xf32>
  %i1 = linalg.broadcast ins(%b1 : tensor<4xf32>) outs(%e1 : tensor<?x4xf32>) dimensions = [0]
  %m1 = linalg.matmul ins(%h, %w1 : tensor<?x16xf32>, tensor<16x4xf32>) outs(%i1 : tensor<?x4xf32>) -> tensor<?x4xf32>
  return %m1 : tensor<?x4xf32>
}

func.func @scf_if_nested_pick_row(%c: i1, %i: index, %x: tensor<8x4xf32> {bufferization.writable = true}, %y: tensor<8x4xf32> {bufferization.writable = false}) -> tensor<4xf32> {
  %c3 = arith.constant 3 : index
  %r = scf.if %c -> (tensor<4xf32>) {
    %lt = arith.cmpi ult, %i, %c3 : index
    %a = scf.if %lt -> (tensor<4xf32>) {
      %s = tensor.extract_slice %x[%i, 0] [1, 4] [1, 1] : tensor<8x4xf32> to tensor<4xf32>
      scf.yield %s : tensor<4xf32>
    } else {
      %s = tensor.extract_slice %x[0, 0] [1, 4] [1, 1] : tensor<8x4xf32> to tensor<4xf32>
      scf.yield %s : tensor<4xf32>
    }
    scf.yield %a : tensor<4xf32>
  } else {
    %s = tensor.extract_slice %y[%i, 0] [1, 4] [1, 1] : tensor<8x4xf32> to tensor<4xf32>
    scf.yield %s : tensor<4xf32>
  }
  %e = tensor.empty() : tensor<4xf32>
  %q = linalg.exp ins(%r : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  return %q : tensor<4xf32>
}

func.func @ten_pad_matmul(%a: tensor<5x7xf32> {bufferization.writable = false}, %b: tensor<8x8xf32> {bufferization.writable = false}) -> tensor<5x8xf32> {
  %z = arith.constant 0.0 : f32
  %p = tensor.pad %a low[0, 0] high[3, 1] {
  ^bb0(%i: index, %j: index):
    tensor.yield %z : f32
  } : tensor<5x7xf32> to tensor<8x8xf32>
  %e = tensor.empty() : tensor<8x8xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %m = linalg.matmul ins(%p, %b : tensor<8x8xf32>, tensor<8x8xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
  %s = tensor.extract_slice %m[0, 0] [5, 8] [1, 1] : tensor<8x8xf32> to tensor<5x8xf32>
  return %s : tensor<5x8xf32>
}

func.func @sl_conv_rows(%x: tensor<1x6x6x2xf32> {bufferization.writable = false}, %k: tensor<3x3x2x8xf32> {bufferization.writable = false}) -> tensor<1x2x4x8xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x4x4x8xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<1x4x4x8xf32>) -> tensor<1x4x4x8xf32>
  %c = linalg.conv_2d_nhwc_hwcf ins(%x, %k : tensor<1x6x6x2xf32>, tensor<3x3x2x8xf32>) outs(%f : tensor<1x4x4x8xf32>) -> tensor<1x4x4x8xf32>
  %s = tensor.extract_slice %c[0, 1, 0, 0] [1, 2, 4, 8] [1, 1, 1, 1] : tensor<1x4x4x8xf32> to tensor<1x2x4x8xf32>
  return %s : tensor<1x2x4x8xf32>
}

func.func @sl_conv_channels(%x: tensor<1x6x6x2xf32> {bufferization.writable = false}, %k: tensor<3x3x2x8xf32> {bufferization.writable = false}) -> tensor<1x4x4x3xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x4x4x8xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<1x4x4x8xf32>) -> tensor<1x4x4x8xf32>
  %c = linalg.conv_2d_nhwc_hwcf ins(%x, %k : tensor<1x6x6x2xf32>, tensor<3x3x2x8xf32>) outs(%f : tensor<1x4x4x8xf32>) -> tensor<1x4x4x8xf32>
  %s = tensor.extract_slice %c[0, 0, 0, 2] [1, 4, 4, 3] [1, 1, 1, 1] : tensor<1x4x4x8xf32> to tensor<1x4x4x3xf32>
  return %s : tensor<1x4x4x3xf32>
}

func.func @sl_rank_reduced_col(%x: tensor<8x6xf32> {bufferization.writable = false}, %b: tensor<6xf32> {bufferization.writable = false}, %i: index) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8x6xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%x, %b : tensor<8x6xf32>, tensor<6xf32>) outs(%e : tensor<8x6xf32>) {
  ^bb0(%a: f32, %c: f32, %o: f32):
    %s = arith.addf %a, %c : f32
    linalg.yield %s : f32
  } -> tensor<8x6xf32>
  %s = tensor.extract_slice %y[0, %i] [8, 1] [1, 1] : tensor<8x6xf32> to tensor<8xf32>
  return %s : tensor<8xf32>
}

func.func @sl_unknown_size_stride(%x: tensor<?x6xf32> {bufferization.writable = false}, %n: index, %k: index) -> tensor<?x3xf32> {
  %c0 = arith.constant 0 : index
  %d = tensor.dim %x, %c0 : tensor<?x6xf32>
  %e = tensor.empty(%d) : tensor<?x6xf32>
  %y = linalg.exp ins(%x : tensor<?x6xf32>) outs(%e : tensor<?x6xf32>) -> tensor<?x6xf32>
  %s = tensor.extract_slice %y[1, 0] [%n, 3] [%k, 2] : tensor<?x6xf32> to tensor<?x3xf32>
  return %s : tensor<?x3xf32>
}

func.func @sl_transposed(%a: tensor<6x5xf32> {bufferization.writable = false}) -> tensor<5x2xf32> {
  %e = tensor.empty() : tensor<5x6xf32>
  %t = linalg.transpose ins(%a : tensor<6x5xf32>) outs(%e : tensor<5x6xf32>) permutation = [1, 0]
  %e1 = tensor.empty() : tensor<5x6xf32>
  %x = linalg.exp ins(%t : tensor<5x6xf32>) outs(%e1 : tensor<5x6xf32>) -> tensor<5x6xf32>
  %s = tensor.extract_slice %x[0, 3] [5, 2] [1, 1] : tensor<5x6xf32> to tensor<5x2xf32>
  return %s : tensor<5x2xf32>
}

func.func @sl_two_slices_kept(%a: tensor<8xf32> {bufferization.writable = false}) -> (tensor<4xf32>, tensor<4xf32>) {
  %e = tensor.empty() : tensor<8xf32>
  %x = linalg.exp ins(%a : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %s = tensor.extract_slice %x[0] [4] [1] : tensor<8xf32> to tensor<4xf32>
  %t = tensor.extract_slice %x[4] [4] [1] : tensor<8xf32> to tensor<4xf32>
  return %s, %t : tensor<4xf32>, tensor<4xf32>
}

func.func @sl_matmul_given_acc(%a: tensor<6x5xf32> {bufferization.writable = false}, %b: tensor<5x7xf32> {bufferization.writable = false}, %c: tensor<6x7xf32> {bufferization.writable = true}, %i: index) -> tensor<2x7xf32> {
  %m = linalg.matmul ins(%a, %b : tensor<6x5xf32>, tensor<5x7xf32>) outs(%c : tensor<6x7xf32>) -> tensor<6x7xf32>
  %s = tensor.extract_slice %m[%i, 0] [2, 7] [1, 1] : tensor<6x7xf32> to tensor<2x7xf32>
  return %s : tensor<2x7xf32>
}

func.func @ten_collapse_of_slice(%x: tensor<2xi32> {bufferization.writable = false}) -> tensor<i32> {
  %s = tensor.extract_slice %x[0] [1] [1] : tensor<2xi32> to tensor<1xi32>
  %c = tensor.collapse_shape %s [] : tensor<1xi32> into tensor<i32>
  return %c : tensor<i32>
}

func.func @ten_collapse_of_slice4(%x: tensor<?x2x4xf32> {bufferization.writable = false}, %i: index, %n: index) -> tensor<8xf32> {
  %s = tensor.extract_slice %x[0, 0, %i] [4, 2, 1] [1, 1, 1] : tensor<?x2x4xf32> to tensor<4x2x1xf32>
  %c = tensor.collapse_shape %s [[0, 1, 2]] : tensor<4x2x1xf32> into tensor<8xf32>
  return %c : tensor<8xf32>
}

func.func @ten_expand_of_scalar_slice(%x: tensor<?xf32> {bufferization.writable = false}, %i: index) -> tensor<1xf32> {
  %s = tensor.extract_slice %x[%i] [1] [1] : tensor<?xf32> to tensor<f32>
  %e = tensor.expand_shape %s [] output_shape [1] : tensor<f32> into tensor<1xf32>
  return %e : tensor<1xf32>
}

func.func @buf_materialize_dest_arg(%x: tensor<?xf32> {bufferization.writable = false}, %y: tensor<?xf32> {bufferization.writable = true}) -> tensor<?xf32> {
  %r = bufferization.materialize_in_destination %x in %y : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}

"func.func"() <{arg_attrs = [{bufferization.writable = false}, {bufferization.writable = false}], function_type = (tensor<8x16xf32>, tensor<8x16xf32>) -> (tensor<8xf32>, tensor<8xf32>), sym_name = "lin_reduce_two_results"}> ({
^bb0(%arg0: tensor<8x16xf32>, %arg1: tensor<8x16xf32>):
  %0 = "arith.constant"() <{value = 0.000000e+00 : f32}> : () -> f32
  %1 = "arith.constant"() <{value = 1.000000e+00 : f32}> : () -> f32
  %2 = "tensor.empty"() : () -> tensor<8xf32>
  %3 = "linalg.fill"(%0, %2) <{operandSegmentSizes = array<i32: 1, 1>}> ({
  ^bb0(%arg8: f32, %arg9: f32):
    "linalg.yield"(%arg8) : (f32) -> ()
  }) : (f32, tensor<8xf32>) -> tensor<8xf32>
  %4 = "linalg.fill"(%1, %2) <{operandSegmentSizes = array<i32: 1, 1>}> ({
  ^bb0(%arg6: f32, %arg7: f32):
    "linalg.yield"(%arg6) : (f32) -> ()
  }) : (f32, tensor<8xf32>) -> tensor<8xf32>
  %5:2 = "linalg.reduce"(%arg0, %arg1, %3, %4) <{dimensions = array<i64: 1>}> ({
  ^bb0(%arg2: f32, %arg3: f32, %arg4: f32, %arg5: f32):
    %6 = "arith.addf"(%arg2, %arg4) : (f32, f32) -> f32
    %7 = "arith.maximumf"(%arg3, %arg5) : (f32, f32) -> f32
    "linalg.yield"(%6, %7) : (f32, f32) -> ()
  }) : (tensor<8x16xf32>, tensor<8x16xf32>, tensor<8xf32>, tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>)
  "func.return"(%5#0, %5#1) : (tensor<8xf32>, tensor<8xf32>) -> ()
}) : () -> ()

"func.func"() <{arg_attrs = [{bufferization.writable = false}, {bufferization.writable = false}], function_type = (tensor<2x4x3xf32>, tensor<2x3x5xf32>) -> tensor<4x5xf32>, sym_name = "sl_batch_first"}> ({
^bb0(%arg0: tensor<2x4x3xf32>, %arg1: tensor<2x3x5xf32>):
  %0 = "arith.constant"() <{value = 0.000000e+00 : f32}> : () -> f32
  %1 = "tensor.empty"() : () -> tensor<2x4x5xf32>
  %2 = "linalg.fill"(%0, %1) <{operandSegmentSizes = array<i32: 1, 1>}> ({
  ^bb0(%arg5: f32, %arg6: f32):
    "linalg.yield"(%arg5) : (f32) -> ()
  }) : (f32, tensor<2x4x5xf32>) -> tensor<2x4x5xf32>
  %3 = "linalg.batch_matmul"(%arg0, %arg1, %2) <{operandSegmentSizes = array<i32: 2, 1>}> ({
  ^bb0(%arg2: f32, %arg3: f32, %arg4: f32):
    %5 = "arith.mulf"(%arg2, %arg3) : (f32, f32) -> f32
    %6 = "arith.addf"(%arg4, %5) : (f32, f32) -> f32
    "linalg.yield"(%6) : (f32) -> ()
  }) {linalg.memoized_indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d3, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>]} : (tensor<2x4x3xf32>, tensor<2x3x5xf32>, tensor<2x4x5xf32>) -> tensor<2x4x5xf32>
  %4 = "tensor.extract_slice"(%3) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>, static_offsets = array<i64: 1, 0, 0>, static_sizes = array<i64: 1, 4, 5>, static_strides = array<i64: 1, 1, 1>}> : (tensor<2x4x5xf32>) -> tensor<4x5xf32>
  "func.return"(%4) : (tensor<4x5xf32>) -> ()
}) : () -> ()

"func.func"() <{arg_attrs = [{bufferization.writable = true}], function_type = (tensor<7xi32>) -> tensor<7xi32>, sym_name = "lin_map_no_inputs"}> ({
^bb0(%arg0: tensor<7xi32>):
  %0 = "arith.constant"() <{value = 41 : i32}> : () -> i32
  %1 = "linalg.map"(%arg0) ({
    %2 = "linalg.index"() <{dim = 0 : i64}> : () -> index
    %3 = "arith.index_cast"(%2) : (index) -> i32
    %4 = "arith.addi"(%3, %0) : (i32, i32) -> i32
    "linalg.yield"(%4) : (i32) -> ()
  }) : (tensor<7xi32>) -> tensor<7xi32>
  "func.return"(%1) : (tensor<7xi32>) -> ()
}) : () -> ()

"func.func"() <{arg_attrs = [{bufferization.writable = false}], function_type = (tensor<8x4xf32>) -> tensor<3xf32>, sym_name = "sl_reduce_rows"}> ({
^bb0(%arg0: tensor<8x4xf32>):
  %0 = "arith.constant"() <{value = 0.000000e+00 : f32}> : () -> f32
  %1 = "tensor.empty"() : () -> tensor<8xf32>
  %2 = "linalg.fill"(%0, %1) <{operandSegmentSizes = array<i32: 1, 1>}> ({
  ^bb0(%arg3: f32, %arg4: f32):
    "linalg.yield"(%arg3) : (f32) -> ()
  }) : (f32, tensor<8xf32>) -> tensor<8xf32>
  %3 = "linalg.reduce"(%arg0, %2) <{dimensions = array<i64: 1>}> ({
  ^bb0(%arg1: f32, %arg2: f32):
    %5 = "arith.addf"(%arg2, %arg1) : (f32, f32) -> f32
    "linalg.yield"(%5) : (f32) -> ()
  }) : (tensor<8x4xf32>, tensor<8xf32>) -> tensor<8xf32>
  %4 = "tensor.extract_slice"(%3) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>, static_offsets = array<i64: 2>, static_sizes = array<i64: 3>, static_strides = array<i64: 1>}> : (tensor<8xf32>) -> tensor<3xf32>
  "func.return"(%4) : (tensor<3xf32>) -> ()
}) : () -> ()
