// A step of a decoder with attention to the last 32 positions: one row is written to each cache, 32 are read.
//
//     opt-tool --inplace-pass --remarks examples/kv-cache/step.mlir
//
// The caches are the caller's. Each is donated, and a result is tied to it: the step writes its row and copies nothing of
// the rest, however many rows a cache has. `dnn.dynamic_slice` clamps its start, so that the first steps read the first 32
// rows; what is not written yet among them has the score minus infinity.

func.func @main(
  %x: tensor<1x64xf32>, %position: tensor<i64>, %keys: tensor<?x64xf32> {dnn.donated}, %values: tensor<?x64xf32> {dnn.donated},
  %wq: tensor<64x64xf32>, %wk: tensor<64x64xf32>, %wv: tensor<64x64xf32>, %wo: tensor<64x64xf32>
) -> (tensor<1x64xf32> {dnn.name = "y"}, tensor<?x64xf32> {dnn.name = "new_keys", dnn.tied = 2 : i32},
      tensor<?x64xf32> {dnn.name = "new_values", dnn.tied = 3 : i32}) {
  %zero = "dnn.constant"() {value = dense<0> : tensor<i64>} : () -> tensor<i64>
  %rows = "dnn.range"() {start = 0 : i64, limit = 32 : i64, delta = 1 : i64, dtype = i64} : () -> tensor<32xi64>
  %before = "dnn.constant"() {value = dense<31> : tensor<i64>} : () -> tensor<i64>
  %q = "dnn.matmul"(%x, %wq) : (tensor<1x64xf32>, tensor<64x64xf32>) -> tensor<1x64xf32>
  %k = "dnn.matmul"(%x, %wk) : (tensor<1x64xf32>, tensor<64x64xf32>) -> tensor<1x64xf32>
  %v = "dnn.matmul"(%x, %wv) : (tensor<1x64xf32>, tensor<64x64xf32>) -> tensor<1x64xf32>
  %new_keys = "dnn.dynamic_update_slice"(%keys, %k, %position, %zero)
      : (tensor<?x64xf32>, tensor<1x64xf32>, tensor<i64>, tensor<i64>) -> tensor<?x64xf32>
  %new_values = "dnn.dynamic_update_slice"(%values, %v, %position, %zero)
      : (tensor<?x64xf32>, tensor<1x64xf32>, tensor<i64>, tensor<i64>) -> tensor<?x64xf32>
  %first = "dnn.sub"(%position, %before) : (tensor<i64>, tensor<i64>) -> tensor<i64>
  %last_keys = "dnn.dynamic_slice"(%new_keys, %first, %zero) {slice_sizes = array<i64: 32, 64>}
      : (tensor<?x64xf32>, tensor<i64>, tensor<i64>) -> tensor<32x64xf32>
  %last_values = "dnn.dynamic_slice"(%new_values, %first, %zero) {slice_sizes = array<i64: 32, 64>}
      : (tensor<?x64xf32>, tensor<i64>, tensor<i64>) -> tensor<32x64xf32>
  %turned = "dnn.transpose"(%last_keys) {perm = array<i64: 1, 0>} : (tensor<32x64xf32>) -> tensor<64x32xf32>
  %products = "dnn.matmul"(%q, %turned) : (tensor<1x64xf32>, tensor<64x32xf32>) -> tensor<1x32xf32>
  %scores = "dnn.scale"(%products) {scale = 0.125 : f32} : (tensor<1x32xf32>) -> tensor<1x32xf32>
  %empty = "dnn.greater"(%rows, %position) : (tensor<32xi64>, tensor<i64>) -> tensor<32xi1>
  %masked = "dnn.masked_fill"(%scores, %empty) {value = 0xFF800000 : f32} : (tensor<1x32xf32>, tensor<32xi1>) -> tensor<1x32xf32>
  %weights = "dnn.softmax"(%masked) {axis = 1 : i64} : (tensor<1x32xf32>) -> tensor<1x32xf32>
  %mixed = "dnn.matmul"(%weights, %last_values) : (tensor<1x32xf32>, tensor<32x64xf32>) -> tensor<1x64xf32>
  %y = "dnn.matmul"(%mixed, %wo) : (tensor<1x64xf32>, tensor<64x64xf32>) -> tensor<1x64xf32>
  func.return %y, %new_keys, %new_values : tensor<1x64xf32>, tensor<?x64xf32>, tensor<?x64xf32>
}
