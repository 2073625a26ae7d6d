// opt-tool --verify-lowering-pass
func.func @main(%x: memref<4xf32> {dnn.name = "x"}, %b: memref<4xf32> {dnn.name = "b"}, %s: memref<4xf32> {onednn.result = "out0"}) {
  onednn.eltwise "exp" ins(%x : memref<4xf32>) outs(%s : memref<4xf32>) {onednn.op = "a"}
  onednn.binary "sub" ins(%x, %b : memref<4xf32>, memref<4xf32>) outs(%s : memref<4xf32>) {onednn.op = "s"}
  func.return
}
onednn.source {
  func.func @main(%x: tensor<4xf32> {dnn.name = "x"}, %b: tensor<4xf32> {dnn.name = "b"}) -> (tensor<4xf32> {dnn.name = "out0"}) {
    %a = "dnn.exp"(%x) {onednn.op = "a"} : (tensor<4xf32>) -> tensor<4xf32>
    %s = "dnn.sub"(%a, %b) {onednn.op = "s"} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    func.return %s : tensor<4xf32>
  }
}
