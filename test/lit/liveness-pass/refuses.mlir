// What is not live.

// RUN: opt-tool --liveness-pass %s | filecheck %s

// An unread value is live nowhere, however many of its sort there are.
// CHECK-LABEL: func.func @dead(
// CHECK-NEXT:  %a = "dnn.exp"(%x) {dnn.live_in = ["x"], dnn.live_out = ["a"]} :
// CHECK-NEXT:  %b = "dnn.relu"(%a) {dnn.live_in = ["a"], dnn.live_out = []} :
// CHECK-NEXT:  "other.op"() {dnn.live_in = [], dnn.live_out = []} :
// CHECK-NEXT:  func.return {dnn.live_in = [], dnn.live_out = []}
func.func @dead(%x: tensor<4xf32>) {
  %a = "dnn.exp"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %b = "dnn.relu"(%a) : (tensor<4xf32>) -> tensor<4xf32>
  "other.op"() : () -> ()
  func.return
}

// A view does not keep what it views alive for longer than it is read itself: this is liveness of values, not of bytes.
// CHECK-LABEL: func.func @view(
// CHECK-NEXT:  %a = "dnn.exp"(%x) {dnn.live_in = ["x"], dnn.live_out = ["a"]} :
// CHECK-NEXT:  %v = "dnn.identity"(%a) {dnn.live_in = ["a"], dnn.live_out = ["v"]} :
// CHECK-NEXT:  %b = "dnn.relu"(%v) {dnn.live_in = ["v"], dnn.live_out = ["b"]} :
// CHECK-NEXT:  func.return {dnn.live_in = ["b"], dnn.live_out = []} %b : tensor<4xf32>
func.func @view(%x: tensor<4xf32>) -> tensor<4xf32> {
  %a = "dnn.exp"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %v = "dnn.identity"(%a) : (tensor<4xf32>) -> tensor<4xf32>
  %b = "dnn.relu"(%v) : (tensor<4xf32>) -> tensor<4xf32>
  func.return %b : tensor<4xf32>
}

// What an arm of a branch does not read is not live in it.
// CHECK-LABEL: func.func @arms(
// CHECK-NEXT:  %r = scf.if %c -> (tensor<4xf32>) {
// CHECK-NEXT:  %a = "dnn.exp"(%x) {dnn.live_in = ["x"], dnn.live_out = ["a"]} :
// CHECK-NEXT:  scf.yield {dnn.live_in = ["a"], dnn.live_out = []} %a : tensor<4xf32>
// CHECK-NEXT:  } else {
// CHECK-NEXT:  %b = "dnn.relu"(%y) {dnn.live_in = ["y"], dnn.live_out = ["b"]} :
// CHECK-NEXT:  scf.yield {dnn.live_in = ["b"], dnn.live_out = []} %b : tensor<4xf32>
// CHECK-NEXT:  }{dnn.live_in = ["x", "y", "c"], dnn.live_out = ["r"]}
// CHECK-NEXT:  func.return {dnn.live_in = ["r"], dnn.live_out = []} %r : tensor<4xf32>
func.func @arms(%x: tensor<4xf32>, %y: tensor<4xf32>, %c: i1) -> tensor<4xf32> {
  %r = "scf.if"(%c) ({
    %a = "dnn.exp"(%x) : (tensor<4xf32>) -> tensor<4xf32>
    "scf.yield"(%a) : (tensor<4xf32>) -> ()
  }, {
    %b = "dnn.relu"(%y) : (tensor<4xf32>) -> tensor<4xf32>
    "scf.yield"(%b) : (tensor<4xf32>) -> ()
  }) : (i1) -> tensor<4xf32>
  func.return %r : tensor<4xf32>
}
