// The kernels that are called by name (call.hpp).
#pragma once

#include "call.hpp"

namespace lastuse::kernels {

// dialect/dnn/optimizers.py; numbers: weight_decay and then momentum and nesterov, or beta1, beta2 and epsilon.
void sgd(const Call &call);
void momentum(const Call &call);
void adam(const Call &call);
void adam_with_powers(const Call &call);

// dialect/dnn/losses.py and loss_gradients.py; numbers: reduction is mean, and of rows of classes axis, whether there is
// an ignore_index, and it.
void mse(const Call &call);
void nll(const Call &call);
void nll_grad(const Call &call);
void softmax_cross_entropy(const Call &call);
void softmax_cross_entropy_grad(const Call &call);

// dialect/dnn/batch_norm.py, in training, and normalization_gradients.py; numbers: epsilon, momentum or whether the
// statistics are fixed, whether channels are last.
void batch_norm(const Call &call);
void batch_norm_grad(const Call &call);

// dialect/dnn/dropout.py; numbers: rate, stream.
void dropout(const Call &call);

// dialect/dnn/scatters.py; numbers: axis.
void index_add(const Call &call);

// dialect/dnn/reductions.py; numbers: of each axis whether it is reduced.
void reduce_sum(const Call &call);
void reduce_mean(const Call &call);

// dialect/dnn/recurrent/crf.py and crf_loss.py.
void crf_decoding(const Call &call);
void linear_chain_crf(const Call &call);
void linear_chain_crf_grad(const Call &call);

} // namespace lastuse::kernels
