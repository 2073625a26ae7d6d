// What kernels of products and convolutions make of each element before it is written.
#pragma once

#include <cstddef>
#include <cstdint>

namespace lastuse::kernels {

// dialect/dnn/row_post_ops.py has the same order. `sum` adds an element of a further operand; `clip` is between alpha and
// beta; `hardswish` is v times alpha * v + beta between 0 and 1; `swish` is v / (1 + exp(-alpha * v)). The functions behind
// `hardswish` have exponentials.
enum class RowFunction : int64_t {
    sum,
    relu,
    clip,
    linear,
    hardswish,
    logistic,
    swish,
    tanh,
    gelu_erf,
    gelu_tanh
};
constexpr RowFunction last_plain_function = RowFunction::hardswish, last_row_function = RowFunction::gelu_tanh;

struct RowPostOp {
    RowFunction function;
    float alpha, beta;
};

constexpr size_t most_row_post_ops = 16;

struct RowPostOps {
    size_t count;
    RowPostOp all[most_row_post_ops];
};

struct Call;

// The post-ops of a call, three numbers each from number `first` on: the function, alpha, beta. Throws Error where there
// are others than functions up to `last`.
RowPostOps row_post_ops(const Call &call, size_t first, RowFunction last);

// What the sum among the post-ops adds: the last operand, dense and like the result; null where there is no sum. Throws
// Error where the sum is not the first of them.
const float *added_by(const Call &call, const RowPostOps &post_ops);

// What is added to sums of products, and made of them then.
struct RowEpilogue {
    const float *bias;  // of each column, or null
    const float *added; // like the result, which it may be, or null: what the sum among the post-ops adds
    RowPostOps post_ops;
};

// Of a call whose number 0 says whether operand 2 is a bias, with an element for each of `columns`; post-ops are from number
// `first` on. Throws Error where there are other operands.
RowEpilogue row_epilogue(const Call &call, size_t first, int64_t columns);

} // namespace lastuse::kernels
