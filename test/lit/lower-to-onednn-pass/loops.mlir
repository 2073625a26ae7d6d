// The examples of loops: state is updated where it lies, every iteration, and nothing is copied.

// RUN: opt-tool --inplace-pass --memory-plan-pass --verify-storage-pass --lower-to-onednn-pass %S/../../../examples/loops/decode.mlir | filecheck %s --check-prefix=DECODE
// RUN: opt-tool --specialize-pass=x=3 --inplace-pass --memory-plan-pass --verify-storage-pass --lower-to-onednn-pass %S/../../../examples/loops/rnn.mlir | filecheck %s --check-prefix=RNN

// DECODE-NOT: onednn.copy
// DECODE:     %n = scf.while (%n0 = %zero) : (index) -> index {
// DECODE-NOT: onednn.copy
// DECODE:       scf.condition(%more) %n0 : index
// DECODE-NOT: onednn.copy
// DECODE:       onednn.eltwise "tanh" ins(%{{[0-9]+}} : memref<4xf32>) outs(%state : memref<4xf32>)
// DECODE-NOT: onednn.copy
// DECODE:       onednn.call "dnn.top_k" ins(%{{[0-9]+}} : memref<6xf32>) outs(%{{[0-9]+}}, %token : memref<1xf32>, memref<1xi64>)
// DECODE-NOT: onednn.copy
// DECODE:       onednn.call "dnn.where" ins(%{{[0-9]+}}, %token, %text : {{.*}}) outs(%text : memref<8xi64>)
// DECODE-NOT: onednn.copy
// DECODE:       scf.yield %n2 : index
// DECODE-NOT: onednn.copy

// RNN-NOT: onednn.copy
// RNN:     scf.for %i = %zero to %steps step %one {
// RNN-NOT: onednn.copy
// RNN:       onednn.eltwise "tanh" ins(%{{[0-9]+}} : memref<3x4xf32>) outs(%state : memref<3x4xf32>)
// RNN-NOT: onednn.copy
// RNN:       onednn.binary "add" ins(%mean, %{{[0-9]+}} : {{.*}}) outs(%mean : memref<3x4xf32>)
// RNN-NOT: onednn.copy
// RNN:     func.return
