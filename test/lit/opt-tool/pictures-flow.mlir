// Regions and blocks are bands below the steps; a function that is called has its arena on top of its caller's; names
// that need escaping are escaped; what no memory is needed for has an empty map.

// RUN: opt-tool --inplace-pass --memory-plan-pass -t svg %s | filecheck %s
// RUN: opt-tool -t dot %s | filecheck %s --check-prefix=DOT

// CHECK: Memory map of @main, @called, @empty</title>
// CHECK-SAME: arena of a function called</text>
// CHECK: <g class="boxes">
// CHECK-NEXT: <g class="b run n0"><title>7 values, 64 bytes at 0
// CHECK: a&lt;&amp;"中文"\  dnn.exp {{.*}}from step
// CHECK: %s  argument of scf.for {{.*}}from step 3
// CHECK: <g class="b frame n{{[0-2]}}"><title>arena of @called  func.call
// CHECK-NEXT: 64 bytes at
// CHECK: <g class="bands"><g><title>scf.for</title><rect class="d"
// CHECK-SAME: >scf.for</text>
// CHECK: <g><title>scf.if 1/2</title>
// CHECK-SAME: <g><title>scf.if 2/2</title>
// CHECK: @called</text>
// CHECK-SAME: arena 64 bytes
// CHECK: @empty</text>
// CHECK-SAME: arena 0 bytes · lower bound 0 B, reached · naive 0 B · 0 boxes
// CHECK: no memory is needed in the arena

// DOT: label="dnn.exp\na<&amp;\"中文\"\\: tensor<16xf32>
// DOT: label="scf.for"
// DOT: label="scf.if 1/2"
// DOT: label="scf.if 2/2"
// DOT: label="@called"
func.func @main(%x: tensor<16xf32>, %n: index, %c: i1) -> tensor<16xf32> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %a = "dnn.exp"(%x) {dnn.names = ["a<&\"中文\"\\"]} : (tensor<16xf32>) -> tensor<16xf32>
  %r = scf.for %i = %zero to %n step %one iter_args(%s = %a) -> (tensor<16xf32>) {
    %t = "dnn.softmax"(%s) {axis = -1 : i64} : (tensor<16xf32>) -> tensor<16xf32>
    %u = scf.if %c -> (tensor<16xf32>) {
      %v = "dnn.relu"(%t) : (tensor<16xf32>) -> tensor<16xf32>
      scf.yield %v : tensor<16xf32>
    } else {
      %w = "dnn.add"(%t, %x) : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
      scf.yield %w : tensor<16xf32>
    }
    scf.yield %u : tensor<16xf32>
  }
  %y = func.call @called(%r) : (tensor<16xf32>) -> tensor<16xf32>
  %z = "dnn.tanh"(%y) : (tensor<16xf32>) -> tensor<16xf32>
  func.return %z : tensor<16xf32>
}

func.func @called(%x: tensor<16xf32>) -> tensor<16xf32> {
  %a = "dnn.exp"(%x) : (tensor<16xf32>) -> tensor<16xf32>
  %b = "dnn.add"(%a, %x) : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
  %c = "dnn.mul"(%b, %a) : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
  func.return %c : tensor<16xf32>
}

func.func @empty(%x: tensor<16xf32>) -> tensor<16xf32> {
  %y = "dnn.exp"(%x) : (tensor<16xf32>) -> tensor<16xf32>
  func.return %y : tensor<16xf32>
}

func.func private @elsewhere(tensor<16xf32>) -> tensor<16xf32>
