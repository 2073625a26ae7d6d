// Options are sizes, by name; a dot in a name is an underscore in a pipeline. Bound one after the other, or at once.

// RUN: opt-tool --specialize-pass=x.0=2,x.1=3,y=4 %s | filecheck %s
// RUN: opt-tool --specialize-pass=x.0=2,x.1=3 --specialize-pass=y=4 %s | filecheck %s
// RUN: opt-tool --specialize-pass=x.0=2 --specialize-pass=x.1=3 --specialize-pass=y.0=4 %s | filecheck %s
// RUN: opt-tool --specialize-pass=x.1=3 --specialize-pass=x=2,y=4 %s | filecheck %s
// RUN: opt-tool -p 'specialize-pass{x_0=2 x_1=3 y=4}' %s | filecheck %s
// RUN: opt-tool -p 'specialize-pass{x_0=2},specialize-pass{x_1=3 y_0=4}' %s | filecheck %s
// RUN: opt-tool --specialize-pass=y=0 %s | filecheck %s --check-prefix=ZERO
// RUN: opt-tool --specialize-pass %s | filecheck %s --check-prefix=NONE
// RUN: opt-tool --specialize-pass=x.0=2,x.1=3,y=4 --inplace-pass --memory-plan-pass --verify-storage-pass %s | filecheck %s --check-prefix=PLAN

// CHECK: func.func @main(%x: tensor<2x3xf32>, %y: tensor<4xf32>) -> tensor<6xf32>
// ZERO:  func.func @main(%x: tensor<?x?xf32>, %y: tensor<0xf32>) -> tensor<?xf32>
// NONE:  func.func @main(%x: tensor<?x?xf32>, %y: tensor<?xf32>) -> tensor<?xf32>
// PLAN:  func.func @main({{.*}}) -> tensor<6xf32> attributes {dnn.arena_bytes = 128 : i64}
func.func @main(%x: tensor<?x?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  %a = "dnn.exp"(%y) : (tensor<?xf32>) -> tensor<?xf32>
  %b = "dnn.opaque"(%a) {kind = "print"} : (tensor<?xf32>) -> tensor<1xf32>
  %c = "dnn.reshape"(%x) {shape = array<i64: -1>} : (tensor<?x?xf32>) -> tensor<?xf32>
  %d = "dnn.relu"(%c) : (tensor<?xf32>) -> tensor<?xf32>
  func.return %d : tensor<?xf32>
}
