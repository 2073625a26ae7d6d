// A slice of unknown size that has the sizes of its source, and begins where that does, is its source: what is computed
// into it is put back without a copy. A slice that is not known to have them is another part.
//
// RUN: opt-tool --bufferize-pass=arguments=writable %s | filecheck %s

// CHECK-LABEL: func.func @sliced_again
// CHECK-NEXT: %[[PART:.*]] = memref.subview %c[%i, %j] [%m, %n] [1, 1]
// CHECK-NEXT: linalg.matmul {{.*}} outs(%[[PART]] :
// CHECK-NEXT: func.return %c
func.func @sliced_again(%m: index, %n: index, %i: index, %j: index, %a: tensor<8x6xf32>, %b: tensor<6x6xf32>, %c: tensor<30x20xf32>) -> tensor<30x20xf32> {
  %part = tensor.extract_slice %c[%i, %j] [%m, %n] [1, 1] : tensor<30x20xf32> to tensor<?x?xf32>
  %made = linalg.matmul ins(%a, %b : tensor<8x6xf32>, tensor<6x6xf32>) outs(%part : tensor<?x?xf32>) -> tensor<?x?xf32>
  %all = tensor.extract_slice %made[0, 0] [%m, %n] [1, 1] : tensor<?x?xf32> to tensor<?x?xf32>
  %put = tensor.insert_slice %all into %c[%i, %j] [%m, %n] [1, 1] : tensor<?x?xf32> into tensor<30x20xf32>
  func.return %put : tensor<30x20xf32>
}

// The offset is a value that is known.
// CHECK-LABEL: func.func @other_type
// CHECK-NOT: memref.copy
// CHECK: func.return
func.func @other_type(%m: index, %i: index, %v: f32, %c: tensor<30xf32>) -> tensor<30xf32> {
  %zero = arith.constant 0 : index
  %part = tensor.extract_slice %c[%i] [%m] [1] : tensor<30xf32> to tensor<?xf32>
  %all = tensor.extract_slice %part[%zero] [%m] [1] : tensor<?xf32> to tensor<?xf32>
  %made = tensor.insert %v into %all[%zero] : tensor<?xf32>
  %put = tensor.insert_slice %made into %c[%i] [%m] [1] : tensor<?xf32> into tensor<30xf32>
  func.return %put : tensor<30xf32>
}

// CHECK-LABEL: func.func @other_size
// CHECK: memref.copy
// CHECK: func.return
func.func @other_size(%m: index, %n: index, %i: index, %v: f32, %c: tensor<30xf32>) -> tensor<30xf32> {
  %zero = arith.constant 0 : index
  %part = tensor.extract_slice %c[%i] [%m] [1] : tensor<30xf32> to tensor<?xf32>
  %some = tensor.extract_slice %part[0] [%n] [1] : tensor<?xf32> to tensor<?xf32>
  %made = tensor.insert %v into %some[%zero] : tensor<?xf32>
  %put = tensor.insert_slice %made into %c[%i] [%m] [1] : tensor<?xf32> into tensor<30xf32>
  func.return %put : tensor<30xf32>
}

// What a loop carries has another size in each iteration: the slice of one iteration is not all of what comes next.
// CHECK-LABEL: func.func @carried
// CHECK: scf.for
// CHECK: memref.subview %{{.*}}[0] [%n] [1]
func.func @carried(%n: index, %k: index, %v: f32, %c: tensor<?xf32>) -> f32 {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %end = scf.for %i = %zero to %k step %one iter_args(%t = %c) -> (tensor<?xf32>) {
    %rest = tensor.extract_slice %t[0] [%i] [1] : tensor<?xf32> to tensor<?xf32>
    scf.yield %rest : tensor<?xf32>
  }
  %some = tensor.extract_slice %end[0] [%n] [1] : tensor<?xf32> to tensor<?xf32>
  %x = tensor.extract %some[%zero] : tensor<?xf32>
  func.return %x : f32
}
