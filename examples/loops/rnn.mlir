// A recurrent layer by hand: a batch of any size, `steps` steps; it returns the last state and the running mean of all
// states.
//
//     opt-tool --specialize-pass=x=3 --inplace-pass --memory-plan-pass --verify-storage-pass --lower-to-onednn-pass \
//         examples/loops/rnn.mlir
//
// The matmul needs memory of its own, because it reads the old state until its end; all other ops are in place, and the
// new state overwrites the old one.

func.func @main(
  %x: tensor<?x4xf32>, %weight: tensor<4x4xf32>, %bias: tensor<4xf32>, %steps: index
) -> (tensor<?x4xf32> {dnn.name = "state"}, tensor<?x4xf32> {dnn.name = "mean"}) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %start = "dnn.fill"(%x) {value = 0.0 : f32} : (tensor<?x4xf32>) -> tensor<?x4xf32>
  %none = "dnn.fill"(%x) {value = 0.0 : f32} : (tensor<?x4xf32>) -> tensor<?x4xf32>
  %state, %mean = scf.for %i = %zero to %steps step %one iter_args(%h = %start, %m = %none)
      -> (tensor<?x4xf32>, tensor<?x4xf32>) {
    %p = "dnn.matmul"(%h, %weight) : (tensor<?x4xf32>, tensor<4x4xf32>) -> tensor<?x4xf32>
    %q = "dnn.add"(%p, %x) : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x4xf32>
    %r = "dnn.add"(%q, %bias) : (tensor<?x4xf32>, tensor<4xf32>) -> tensor<?x4xf32>
    %new = "dnn.tanh"(%r) : (tensor<?x4xf32>) -> tensor<?x4xf32>
    %a = "dnn.scale"(%m) {scale = 0.9 : f32} : (tensor<?x4xf32>) -> tensor<?x4xf32>
    %b = "dnn.scale"(%new) {scale = 0.1 : f32} : (tensor<?x4xf32>) -> tensor<?x4xf32>
    %c = "dnn.add"(%a, %b) : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x4xf32>
    scf.yield %new, %c : tensor<?x4xf32>, tensor<?x4xf32>
  }
  func.return %state, %mean : tensor<?x4xf32>, tensor<?x4xf32>
}
