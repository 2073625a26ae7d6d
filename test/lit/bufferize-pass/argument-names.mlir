// Tensors of unknown sizes have memory of their own sizes, whatever their arguments are called: xDSL leaves out the numbers
// at the ends of names, and calls both of these %x.
// RUN: opt-tool --bufferize-pass=arena=none,unproved=error %s | filecheck %s
// RUN: opt-tool --bufferize-pass=unproved=error %s | filecheck %s

// CHECK-LABEL: @main(
// CHECK-SAME: [[X:%.*]]: memref<?xf32, {{.*}}>, [[Y:%.*]]: memref<?xf32,
// CHECK-DAG: [[M:%.*]] = memref.dim [[X]],
// CHECK-DAG: [[N:%.*]] = memref.dim [[Y]],
// CHECK: [[A:%.*]] = memref.alloc([[M]])
// CHECK: "memref.copy"([[X]], [[A]])
// CHECK: [[B:%.*]] = memref.alloc([[N]])
// CHECK: "memref.copy"([[Y]], [[B]])
func.func @main(%x_1: tensor<?xf32>, %x_2: tensor<?xf32>, %v: f32, %i: index) -> (tensor<?xf32>, tensor<?xf32>) {
  %a = tensor.insert %v into %x_1[%i] : tensor<?xf32>
  %b = tensor.insert %v into %x_2[%i] : tensor<?xf32>
  func.return %a, %b : tensor<?xf32>, tensor<?xf32>
}
