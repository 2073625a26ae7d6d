// A tensor without contents that a call may write is not copied for it.

// RUN: opt-tool --bufferize-pass=layouts=identity,arguments=writable,unproved=error --split-input-file %s | filecheck %s

// Its memory is given to the call, where no op that reads it later needs what it had before.
// CHECK-LABEL: @given(
// CHECK: [[MEMORY:%.*]] = memref.view
// CHECK-NOT: memref.alloc
// CHECK: func.call @fills(%a, [[MEMORY]])
// CHECK-NOT: memref.copy
// CHECK: return
func.func private @fills(tensor<16xf32> {bufferization.access = "read"}, tensor<16xf32> {bufferization.access = "write"})
func.func @given(%a: tensor<16xf32>, %b: tensor<16xf32>) -> tensor<16xf32> {
  %e = tensor.empty() : tensor<16xf32>
  func.call @fills(%a, %e) : (tensor<16xf32>, tensor<16xf32>) -> ()
  %y = linalg.exp ins(%b : tensor<16xf32>) outs(%e : tensor<16xf32>) -> tensor<16xf32>
  func.return %y : tensor<16xf32>
}

// -----

// The call gets other memory where a result lies in that of the tensor.
// CHECK-LABEL: @taken(
// CHECK: [[RESULT:%.*]] = memref.alloc()
// CHECK: [[ASIDE:%.*]] = memref.alloc()
// CHECK: func.call @fills(%a, [[ASIDE]])
// CHECK-NOT: memref.copy
// CHECK: linalg.exp {{.*}} outs([[RESULT]]
// CHECK-NOT: memref.copy
// CHECK: return
func.func private @fills(tensor<16xf32> {bufferization.access = "read"}, tensor<16xf32> {bufferization.access = "write"})
func.func @taken(%a: tensor<16xf32>, %b: tensor<16xf32>) -> (tensor<16xf32>, tensor<16xf32>) {
  %e = tensor.empty() : tensor<16xf32>
  func.call @fills(%a, %e) : (tensor<16xf32>, tensor<16xf32>) -> ()
  %y = linalg.exp ins(%b : tensor<16xf32>) outs(%e : tensor<16xf32>) -> tensor<16xf32>
  func.return %y, %b : tensor<16xf32>, tensor<16xf32>
}

// -----

// A tensor whose contents an op replaces later is given, one that an op reads is not.
// CHECK-LABEL: @replaced(
// CHECK: linalg.log {{.*}} outs([[X:%[a-z0-9]*]]
// CHECK: func.call @changes([[X]])
// CHECK-NOT: memref.copy
// CHECK-LABEL: @read(
// CHECK: linalg.log
// CHECK: memref.copy
// CHECK: func.call @changes(
func.func private @changes(tensor<16xf32>)
func.func @replaced(%a: tensor<16xf32>, %b: tensor<16xf32>) -> (tensor<16xf32>, tensor<16xf32>) {
  %e = tensor.empty() : tensor<16xf32>
  %x = linalg.log ins(%a : tensor<16xf32>) outs(%e : tensor<16xf32>) -> tensor<16xf32>
  func.call @changes(%x) : (tensor<16xf32>) -> ()
  %y = linalg.exp ins(%b : tensor<16xf32>) outs(%x : tensor<16xf32>) -> tensor<16xf32>
  func.return %y, %a : tensor<16xf32>, tensor<16xf32>
}
func.func @read(%a: tensor<16xf32>, %b: tensor<16xf32>) -> (tensor<16xf32>, tensor<16xf32>) {
  %e = tensor.empty() : tensor<16xf32>
  %x = linalg.log ins(%a : tensor<16xf32>) outs(%e : tensor<16xf32>) -> tensor<16xf32>
  func.call @changes(%x) : (tensor<16xf32>) -> ()
  %y = linalg.exp ins(%x : tensor<16xf32>) outs(%b : tensor<16xf32>) -> tensor<16xf32>
  func.return %y, %a : tensor<16xf32>, tensor<16xf32>
}
