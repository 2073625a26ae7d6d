// Recurrent layers in training: dnn.onnx_gru_training, dnn.onnx_lstm_training and their gradients, as
// dialect/dnn/recurrent/onnx_training.py and onnx_training_gradients.py define them.
//
// The gradient reads a workspace that the forward kernel leaves, one for each direction: what the functions of the gates
// have made, to which it writes the gradients of the gates. Products are oneDNN's: of the input, and of the gradients of
// weights, over all rows at once; of the state step by step, with weights that are packed in each run.
#pragma once

#include "../kernels/call.hpp"

namespace lastuse::layers {

// Numbers of the call: the cell (0: lstm, 1: lbr_gru, 2: gru), how many directions, whether the first one is reverse,
// whether the batch comes first, whether there are biases and initial states. Data of arrays is not read.
// Throws Error where operands do not fit.
kernels::Prepared training(const kernels::Call &call);
// Numbers besides: which gradients there are, of y, y_h and of an lstm y_c; whether that of x is a result.
kernels::Prepared training_gradient(const kernels::Call &call);

// Bytes of their scratch, for operands without elements.
int64_t training_scratch(const kernels::Call &call);
int64_t training_gradient_scratch(const kernels::Call &call);

} // namespace lastuse::layers
