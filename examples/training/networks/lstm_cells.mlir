// The same layer, each step as ops of its own; the bias is the sum of both of `lstm`.
func.func @main(
    %x: tensor<8x32x256xf32> {dnn.name = "x"},
    %target: tensor<32x256xf32> {dnn.name = "target"},
    %w: tensor<1024x256xf32> {dnn.name = "w", dnn.trainable},
    %r: tensor<1024x256xf32> {dnn.name = "r", dnn.trainable},
    %b: tensor<1024xf32> {dnn.name = "b", dnn.trainable})
  -> (
    tensor<f32> {dnn.name = "loss", dnn.loss}) {
  %0 = "dnn.select"(%x) {dim = 0 : i64, index = 0 : i64} : (tensor<8x32x256xf32>) -> tensor<32x256xf32>
  %1 = "dnn.gemm"(%0, %w, %b) {transB = 1 : i64} : (tensor<32x256xf32>, tensor<1024x256xf32>, tensor<1024xf32>) -> tensor<32x1024xf32>
  %2, %3, %4, %5 = "dnn.split"(%1) {axis = 1 : i64, split_size = 256 : i64} : (tensor<32x1024xf32>) -> (tensor<32x256xf32>, tensor<32x256xf32>, tensor<32x256xf32>, tensor<32x256xf32>)
  %6 = "dnn.sigmoid"(%2) : (tensor<32x256xf32>) -> tensor<32x256xf32>
  %7 = "dnn.tanh"(%5) : (tensor<32x256xf32>) -> tensor<32x256xf32>
  %8 = "dnn.mul"(%6, %7) : (tensor<32x256xf32>, tensor<32x256xf32>) -> tensor<32x256xf32>
  %9 = "dnn.sigmoid"(%3) : (tensor<32x256xf32>) -> tensor<32x256xf32>
  %10 = "dnn.tanh"(%8) : (tensor<32x256xf32>) -> tensor<32x256xf32>
  %11 = "dnn.mul"(%9, %10) : (tensor<32x256xf32>, tensor<32x256xf32>) -> tensor<32x256xf32>
  %12 = "dnn.select"(%x) {dim = 0 : i64, index = 1 : i64} : (tensor<8x32x256xf32>) -> tensor<32x256xf32>
  %13 = "dnn.gemm"(%12, %w, %b) {transB = 1 : i64} : (tensor<32x256xf32>, tensor<1024x256xf32>, tensor<1024xf32>) -> tensor<32x1024xf32>
  %14 = "dnn.gemm"(%11, %r, %13) {transB = 1 : i64} : (tensor<32x256xf32>, tensor<1024x256xf32>, tensor<32x1024xf32>) -> tensor<32x1024xf32>
  %15, %16, %17, %18 = "dnn.split"(%14) {axis = 1 : i64, split_size = 256 : i64} : (tensor<32x1024xf32>) -> (tensor<32x256xf32>, tensor<32x256xf32>, tensor<32x256xf32>, tensor<32x256xf32>)
  %19 = "dnn.sigmoid"(%15) : (tensor<32x256xf32>) -> tensor<32x256xf32>
  %20 = "dnn.tanh"(%18) : (tensor<32x256xf32>) -> tensor<32x256xf32>
  %21 = "dnn.mul"(%19, %20) : (tensor<32x256xf32>, tensor<32x256xf32>) -> tensor<32x256xf32>
  %22 = "dnn.sigmoid"(%17) : (tensor<32x256xf32>) -> tensor<32x256xf32>
  %23 = "dnn.mul"(%22, %8) : (tensor<32x256xf32>, tensor<32x256xf32>) -> tensor<32x256xf32>
  %24 = "dnn.add"(%23, %21) : (tensor<32x256xf32>, tensor<32x256xf32>) -> tensor<32x256xf32>
  %25 = "dnn.sigmoid"(%16) : (tensor<32x256xf32>) -> tensor<32x256xf32>
  %26 = "dnn.tanh"(%24) : (tensor<32x256xf32>) -> tensor<32x256xf32>
  %27 = "dnn.mul"(%25, %26) : (tensor<32x256xf32>, tensor<32x256xf32>) -> tensor<32x256xf32>
  %28 = "dnn.select"(%x) {dim = 0 : i64, index = 2 : i64} : (tensor<8x32x256xf32>) -> tensor<32x256xf32>
  %29 = "dnn.gemm"(%28, %w, %b) {transB = 1 : i64} : (tensor<32x256xf32>, tensor<1024x256xf32>, tensor<1024xf32>) -> tensor<32x1024xf32>
  %30 = "dnn.gemm"(%27, %r, %29) {transB = 1 : i64} : (tensor<32x256xf32>, tensor<1024x256xf32>, tensor<32x1024xf32>) -> tensor<32x1024xf32>
  %31, %32, %33, %34 = "dnn.split"(%30) {axis = 1 : i64, split_size = 256 : i64} : (tensor<32x1024xf32>) -> (tensor<32x256xf32>, tensor<32x256xf32>, tensor<32x256xf32>, tensor<32x256xf32>)
  %35 = "dnn.sigmoid"(%31) : (tensor<32x256xf32>) -> tensor<32x256xf32>
  %36 = "dnn.tanh"(%34) : (tensor<32x256xf32>) -> tensor<32x256xf32>
  %37 = "dnn.mul"(%35, %36) : (tensor<32x256xf32>, tensor<32x256xf32>) -> tensor<32x256xf32>
  %38 = "dnn.sigmoid"(%33) : (tensor<32x256xf32>) -> tensor<32x256xf32>
  %39 = "dnn.mul"(%38, %24) : (tensor<32x256xf32>, tensor<32x256xf32>) -> tensor<32x256xf32>
  %40 = "dnn.add"(%39, %37) : (tensor<32x256xf32>, tensor<32x256xf32>) -> tensor<32x256xf32>
  %41 = "dnn.sigmoid"(%32) : (tensor<32x256xf32>) -> tensor<32x256xf32>
  %42 = "dnn.tanh"(%40) : (tensor<32x256xf32>) -> tensor<32x256xf32>
  %43 = "dnn.mul"(%41, %42) : (tensor<32x256xf32>, tensor<32x256xf32>) -> tensor<32x256xf32>
  %44 = "dnn.select"(%x) {dim = 0 : i64, index = 3 : i64} : (tensor<8x32x256xf32>) -> tensor<32x256xf32>
  %45 = "dnn.gemm"(%44, %w, %b) {transB = 1 : i64} : (tensor<32x256xf32>, tensor<1024x256xf32>, tensor<1024xf32>) -> tensor<32x1024xf32>
  %46 = "dnn.gemm"(%43, %r, %45) {transB = 1 : i64} : (tensor<32x256xf32>, tensor<1024x256xf32>, tensor<32x1024xf32>) -> tensor<32x1024xf32>
  %47, %48, %49, %50 = "dnn.split"(%46) {axis = 1 : i64, split_size = 256 : i64} : (tensor<32x1024xf32>) -> (tensor<32x256xf32>, tensor<32x256xf32>, tensor<32x256xf32>, tensor<32x256xf32>)
  %51 = "dnn.sigmoid"(%47) : (tensor<32x256xf32>) -> tensor<32x256xf32>
  %52 = "dnn.tanh"(%50) : (tensor<32x256xf32>) -> tensor<32x256xf32>
  %53 = "dnn.mul"(%51, %52) : (tensor<32x256xf32>, tensor<32x256xf32>) -> tensor<32x256xf32>
  %54 = "dnn.sigmoid"(%49) : (tensor<32x256xf32>) -> tensor<32x256xf32>
  %55 = "dnn.mul"(%54, %40) : (tensor<32x256xf32>, tensor<32x256xf32>) -> tensor<32x256xf32>
  %56 = "dnn.add"(%55, %53) : (tensor<32x256xf32>, tensor<32x256xf32>) -> tensor<32x256xf32>
  %57 = "dnn.sigmoid"(%48) : (tensor<32x256xf32>) -> tensor<32x256xf32>
  %58 = "dnn.tanh"(%56) : (tensor<32x256xf32>) -> tensor<32x256xf32>
  %59 = "dnn.mul"(%57, %58) : (tensor<32x256xf32>, tensor<32x256xf32>) -> tensor<32x256xf32>
  %60 = "dnn.select"(%x) {dim = 0 : i64, index = 4 : i64} : (tensor<8x32x256xf32>) -> tensor<32x256xf32>
  %61 = "dnn.gemm"(%60, %w, %b) {transB = 1 : i64} : (tensor<32x256xf32>, tensor<1024x256xf32>, tensor<1024xf32>) -> tensor<32x1024xf32>
  %62 = "dnn.gemm"(%59, %r, %61) {transB = 1 : i64} : (tensor<32x256xf32>, tensor<1024x256xf32>, tensor<32x1024xf32>) -> tensor<32x1024xf32>
  %63, %64, %65, %66 = "dnn.split"(%62) {axis = 1 : i64, split_size = 256 : i64} : (tensor<32x1024xf32>) -> (tensor<32x256xf32>, tensor<32x256xf32>, tensor<32x256xf32>, tensor<32x256xf32>)
  %67 = "dnn.sigmoid"(%63) : (tensor<32x256xf32>) -> tensor<32x256xf32>
  %68 = "dnn.tanh"(%66) : (tensor<32x256xf32>) -> tensor<32x256xf32>
  %69 = "dnn.mul"(%67, %68) : (tensor<32x256xf32>, tensor<32x256xf32>) -> tensor<32x256xf32>
  %70 = "dnn.sigmoid"(%65) : (tensor<32x256xf32>) -> tensor<32x256xf32>
  %71 = "dnn.mul"(%70, %56) : (tensor<32x256xf32>, tensor<32x256xf32>) -> tensor<32x256xf32>
  %72 = "dnn.add"(%71, %69) : (tensor<32x256xf32>, tensor<32x256xf32>) -> tensor<32x256xf32>
  %73 = "dnn.sigmoid"(%64) : (tensor<32x256xf32>) -> tensor<32x256xf32>
  %74 = "dnn.tanh"(%72) : (tensor<32x256xf32>) -> tensor<32x256xf32>
  %75 = "dnn.mul"(%73, %74) : (tensor<32x256xf32>, tensor<32x256xf32>) -> tensor<32x256xf32>
  %76 = "dnn.select"(%x) {dim = 0 : i64, index = 5 : i64} : (tensor<8x32x256xf32>) -> tensor<32x256xf32>
  %77 = "dnn.gemm"(%76, %w, %b) {transB = 1 : i64} : (tensor<32x256xf32>, tensor<1024x256xf32>, tensor<1024xf32>) -> tensor<32x1024xf32>
  %78 = "dnn.gemm"(%75, %r, %77) {transB = 1 : i64} : (tensor<32x256xf32>, tensor<1024x256xf32>, tensor<32x1024xf32>) -> tensor<32x1024xf32>
  %79, %80, %81, %82 = "dnn.split"(%78) {axis = 1 : i64, split_size = 256 : i64} : (tensor<32x1024xf32>) -> (tensor<32x256xf32>, tensor<32x256xf32>, tensor<32x256xf32>, tensor<32x256xf32>)
  %83 = "dnn.sigmoid"(%79) : (tensor<32x256xf32>) -> tensor<32x256xf32>
  %84 = "dnn.tanh"(%82) : (tensor<32x256xf32>) -> tensor<32x256xf32>
  %85 = "dnn.mul"(%83, %84) : (tensor<32x256xf32>, tensor<32x256xf32>) -> tensor<32x256xf32>
  %86 = "dnn.sigmoid"(%81) : (tensor<32x256xf32>) -> tensor<32x256xf32>
  %87 = "dnn.mul"(%86, %72) : (tensor<32x256xf32>, tensor<32x256xf32>) -> tensor<32x256xf32>
  %88 = "dnn.add"(%87, %85) : (tensor<32x256xf32>, tensor<32x256xf32>) -> tensor<32x256xf32>
  %89 = "dnn.sigmoid"(%80) : (tensor<32x256xf32>) -> tensor<32x256xf32>
  %90 = "dnn.tanh"(%88) : (tensor<32x256xf32>) -> tensor<32x256xf32>
  %91 = "dnn.mul"(%89, %90) : (tensor<32x256xf32>, tensor<32x256xf32>) -> tensor<32x256xf32>
  %92 = "dnn.select"(%x) {dim = 0 : i64, index = 6 : i64} : (tensor<8x32x256xf32>) -> tensor<32x256xf32>
  %93 = "dnn.gemm"(%92, %w, %b) {transB = 1 : i64} : (tensor<32x256xf32>, tensor<1024x256xf32>, tensor<1024xf32>) -> tensor<32x1024xf32>
  %94 = "dnn.gemm"(%91, %r, %93) {transB = 1 : i64} : (tensor<32x256xf32>, tensor<1024x256xf32>, tensor<32x1024xf32>) -> tensor<32x1024xf32>
  %95, %96, %97, %98 = "dnn.split"(%94) {axis = 1 : i64, split_size = 256 : i64} : (tensor<32x1024xf32>) -> (tensor<32x256xf32>, tensor<32x256xf32>, tensor<32x256xf32>, tensor<32x256xf32>)
  %99 = "dnn.sigmoid"(%95) : (tensor<32x256xf32>) -> tensor<32x256xf32>
  %100 = "dnn.tanh"(%98) : (tensor<32x256xf32>) -> tensor<32x256xf32>
  %101 = "dnn.mul"(%99, %100) : (tensor<32x256xf32>, tensor<32x256xf32>) -> tensor<32x256xf32>
  %102 = "dnn.sigmoid"(%97) : (tensor<32x256xf32>) -> tensor<32x256xf32>
  %103 = "dnn.mul"(%102, %88) : (tensor<32x256xf32>, tensor<32x256xf32>) -> tensor<32x256xf32>
  %104 = "dnn.add"(%103, %101) : (tensor<32x256xf32>, tensor<32x256xf32>) -> tensor<32x256xf32>
  %105 = "dnn.sigmoid"(%96) : (tensor<32x256xf32>) -> tensor<32x256xf32>
  %106 = "dnn.tanh"(%104) : (tensor<32x256xf32>) -> tensor<32x256xf32>
  %107 = "dnn.mul"(%105, %106) : (tensor<32x256xf32>, tensor<32x256xf32>) -> tensor<32x256xf32>
  %108 = "dnn.select"(%x) {dim = 0 : i64, index = 7 : i64} : (tensor<8x32x256xf32>) -> tensor<32x256xf32>
  %109 = "dnn.gemm"(%108, %w, %b) {transB = 1 : i64} : (tensor<32x256xf32>, tensor<1024x256xf32>, tensor<1024xf32>) -> tensor<32x1024xf32>
  %110 = "dnn.gemm"(%107, %r, %109) {transB = 1 : i64} : (tensor<32x256xf32>, tensor<1024x256xf32>, tensor<32x1024xf32>) -> tensor<32x1024xf32>
  %111, %112, %113, %114 = "dnn.split"(%110) {axis = 1 : i64, split_size = 256 : i64} : (tensor<32x1024xf32>) -> (tensor<32x256xf32>, tensor<32x256xf32>, tensor<32x256xf32>, tensor<32x256xf32>)
  %115 = "dnn.sigmoid"(%111) : (tensor<32x256xf32>) -> tensor<32x256xf32>
  %116 = "dnn.tanh"(%114) : (tensor<32x256xf32>) -> tensor<32x256xf32>
  %117 = "dnn.mul"(%115, %116) : (tensor<32x256xf32>, tensor<32x256xf32>) -> tensor<32x256xf32>
  %118 = "dnn.sigmoid"(%113) : (tensor<32x256xf32>) -> tensor<32x256xf32>
  %119 = "dnn.mul"(%118, %104) : (tensor<32x256xf32>, tensor<32x256xf32>) -> tensor<32x256xf32>
  %120 = "dnn.add"(%119, %117) : (tensor<32x256xf32>, tensor<32x256xf32>) -> tensor<32x256xf32>
  %121 = "dnn.sigmoid"(%112) : (tensor<32x256xf32>) -> tensor<32x256xf32>
  %122 = "dnn.tanh"(%120) : (tensor<32x256xf32>) -> tensor<32x256xf32>
  %123 = "dnn.mul"(%121, %122) : (tensor<32x256xf32>, tensor<32x256xf32>) -> tensor<32x256xf32>
  %124 = "dnn.mse"(%123, %target) : (tensor<32x256xf32>, tensor<32x256xf32>) -> tensor<f32>
  func.return %124 : tensor<f32>
}
