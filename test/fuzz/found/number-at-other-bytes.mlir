// sqrt goes over a column of a numbered storage, whose first bytes the next op writes while it reads the column
builtin.module {
  func.func @main(%x0: tensor<3x3xf64>, %x1: tensor<3xf64>) -> tensor<3x1xi1> {
    %v1 = "dnn.select_scatter"(%x0, %x1) {dim = 0 : i64, index = -3 : i64} : (tensor<3x3xf64>, tensor<3xf64>) -> tensor<3x3xf64>
    %v2 = "dnn.slice"(%v1) {dim = 1 : i64, start = 2 : i64, end = 3 : i64, step = 1 : i64} : (tensor<3x3xf64>) -> tensor<3x1xf64>
    %v3 = "dnn.sqrt"(%v2) : (tensor<3x1xf64>) -> tensor<3x1xf64>
    %v5 = "dnn.sum"(%v3) : (tensor<3x1xf64>) -> tensor<3x1xf64>
    %v7 = "dnn.greater_or_equal"(%v5, %v5) : (tensor<3x1xf64>, tensor<3x1xf64>) -> tensor<3x1xi1>
    func.return %v7 : tensor<3x1xi1>
  }
}
