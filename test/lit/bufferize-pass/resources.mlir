// Constants whose elements stand behind the text, or in a file beside it, are a memref.global with these.
// RUN: opt-tool --bufferize-pass=unproved=error %s | filecheck %s
// RUN: opt-tool %s -o %t.mlir && opt-tool --bufferize-pass=unproved=error %t.mlir | filecheck %s
// RUN: opt-tool --bufferize-pass=source=keep %s | opt-tool --verify-lowering-pass - | filecheck %s

// CHECK: "memref.global"() <{{.*}}initial_value = dense<[1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00]> : tensor<4xf32>
// CHECK: "memref.global"() <{{.*}}initial_value = dense<[true, false, true, true]> : tensor<4xi1>
builtin.module {
  func.func @main(%x: tensor<4xf32>, %i: index) -> (tensor<4xf32>, i1) {
    %k = arith.constant dense_resource<numbers> : tensor<4xf32>
    %y = arith.addf %x, %k : tensor<4xf32>
    %flags = arith.constant dense_resource<flags> : tensor<4xi1>
    %f = tensor.extract %flags[%i] : tensor<4xi1>
    func.return %y, %f : tensor<4xf32>, i1
  }
}
{-#
  dialect_resources: {
    builtin: {
      numbers: "0x040000000000803f000000400000404000008040",
      flags: "0x0100000001000101"
    }
  }
#-}
