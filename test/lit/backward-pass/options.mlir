// A step of training: every parameter and every state is tied to the argument that it replaces.

// RUN: opt-tool --backward-pass=optimizer=sgd,clip=0.5 %s | filecheck %s --check-prefix=SGD
// RUN: opt-tool -p "backward-pass{optimizer=momentum momentum=0.8 nesterov=true weight_decay=0.01}" %s | filecheck %s --check-prefix=MOMENTUM
// RUN: opt-tool -p "backward-pass{optimizer=adam beta1=0.8 epsilon=0.001}" %s | filecheck %s --check-prefix=ADAM
// RUN: opt-tool --backward-pass=optimizer=adam,check=true %s | filecheck %s --check-prefix=CHECKED
// RUN: opt-tool --backward-pass=check=true %s | filecheck %s --check-prefix=RESULT
// RUN: not opt-tool --backward-pass=optimizer=lion %s 2>&1 | filecheck %s --check-prefix=OTHER
// RUN: not opt-tool -p "backward-pass{optimizer=sgd momentum=0.8}" %s 2>&1 | filecheck %s --check-prefix=OPTION
// RUN: not opt-tool -p "backward-pass{clip=-1.0}" %s 2>&1 | filecheck %s --check-prefix=CLIP

// SGD: @main(%w: tensor<3xf32> {dnn.trainable}, %lr: tensor<f32> {dnn.name = "lr"})
// SGD-SAME: (tensor<f32> {dnn.loss}, tensor<3xf32> {dnn.name = "w", dnn.tied = 0 : i32})
// SGD: %[[CLIPPED:.*]] = "dnn.clip"(%w_grad)
// SGD: %[[W:.*]] = "dnn.sgd"(%w, %[[CLIPPED]], %lr)
// SGD-NEXT: func.return %loss, %[[W]]

// MOMENTUM: @main(%w: {{.*}}, %w_velocity: tensor<3xf32> {dnn.name = "w.velocity"}, %lr:
// MOMENTUM-SAME: dnn.name = "w", dnn.tied = 0 : i32}, tensor<3xf32> {dnn.name = "w.velocity", dnn.tied = 1 : i32})
// MOMENTUM: "dnn.momentum"(%w, %w_grad, %w_velocity, %lr) {momentum = 8.000000e-01 : f64, nesterov = true, weight_decay = 1.000000e-02 : f64}

// ADAM: %w_m: {{.*}}, %w_v: {{.*}}, %step: tensor<i64> {dnn.name = "step"}, %lr:
// ADAM-SAME: tensor<i64> {dnn.name = "step", dnn.tied = 3 : i32}
// ADAM: %[[STEP:.*]] = "dnn.add"(%step, %{{.*}}) : (tensor<i64>, tensor<i64>)
// ADAM: "dnn.adam"(%w, %w_grad, %w_m, %w_v, %[[STEP]], %lr) {beta1 = 8.000000e-01 : f64, epsilon = 1.000000e-03 : f64}

// Every update waits for a loss that is finite.

// CHECKED: %[[BEFORE:.*]] = "dnn.require_finite"(%step, %loss)
// CHECKED: %[[AFTER:.*]] = "dnn.add"(%[[BEFORE]], %{{.*}})
// CHECKED: %[[LR:.*]] = "dnn.require_finite"(%lr, %loss)
// CHECKED: "dnn.adam"(%w, %w_grad, %w_m, %w_v, %[[AFTER]], %[[LR]])

// RESULT: %[[LOSS:.*]] = "dnn.require_finite"(%loss, %loss)
// RESULT: func.return %[[LOSS]], %w_grad

// OTHER: error: backward-pass: optimizer is one of none, sgd, momentum, adam, not 'lion'
// OPTION: error: backward-pass: optimizer=sgd has no option 'momentum'
// CLIP: error: backward-pass: clip is a number from 0 on, not -1.0
func.func @main(%w: tensor<3xf32> {dnn.trainable}) -> (tensor<f32> {dnn.loss}) {
  %loss = "dnn.reduce_sum"(%w) : (tensor<3xf32>) -> tensor<f32>
  func.return %loss : tensor<f32>
}
