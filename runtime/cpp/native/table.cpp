#include "table.hpp"

#include <map>
#include <set>

#include "../kernels/functions.hpp"
#include "../kernels/shared_values.hpp"
#include "../layers/training.hpp"
#include "../ragged/gradient.hpp"

namespace lastuse::native {

namespace {

const std::map<std::string, kernels::Function> table = {
    {"adam", kernels::adam},
    {"adam_with_powers", kernels::adam_with_powers},
    {"arg_max", kernels::arg_max},
    {"arg_min", kernels::arg_min},
    {"batch_norm", kernels::batch_norm},
    {"batch_norm_grad", kernels::batch_norm_grad},
    {"blockwise_matmul", kernels::blockwise_matmul},
    {"byte_table", kernels::byte_table},
    {"conv", kernels::conv},
    {"conv_transpose", kernels::conv_transpose},
    {"crf_decoding", kernels::crf_decoding},
    {"cumprod", kernels::cumprod},
    {"cumsum", kernels::cumsum},
    {"deform_columns", kernels::deform_columns},
    {"depthwise_conv", kernels::depthwise_conv},
    {"dequantize_linear", kernels::dequantize_linear},
    {"dequantized_matmul", kernels::dequantized_matmul},
    {"dropout", kernels::dropout},
    {"dynamic_lstm", kernels::dynamic_lstm},
    {"dynamic_quantize_linear", kernels::dynamic_quantize_linear},
    {"fused_gru_grad", ragged::fused_gru_grad},
    {"grid_sample", kernels::grid_sample},
    {"gru_grad", ragged::gru_grad},
    {"hardmax", kernels::hardmax},
    {"index_add", kernels::index_add},
    {"integer_convolution", kernels::integer_convolution},
    {"integer_matmul", kernels::integer_matmul},
    {"linear_chain_crf", kernels::linear_chain_crf},
    {"linear_chain_crf_grad", kernels::linear_chain_crf_grad},
    {"lp_normalization", kernels::lp_normalization},
    {"matmul", kernels::matmul},
    {"max_unpool", kernels::max_unpool},
    {"momentum", kernels::momentum},
    {"mse", kernels::mse},
    {"nll", kernels::nll},
    {"nll_grad", kernels::nll_grad},
    {"non_max_suppression", kernels::non_max_suppression},
    {"non_zero", kernels::non_zero},
    {"packed_conv", kernels::packed_conv},
    {"packed_matmul", kernels::packed_matmul},
    {"pool", kernels::pool},
    {"qlinear_add", kernels::qlinear_add},
    {"quantize_linear", kernels::quantize_linear},
    {"reduce_l1", kernels::reduce_l1},
    {"reduce_l2", kernels::reduce_l2},
    {"reduce_log_sum", kernels::reduce_log_sum},
    {"reduce_log_sum_exp", kernels::reduce_log_sum_exp},
    {"reduce_max", kernels::reduce_max},
    {"reduce_mean", kernels::reduce_mean},
    {"reduce_min", kernels::reduce_min},
    {"reduce_prod", kernels::reduce_prod},
    {"reduce_sum", kernels::reduce_sum},
    {"reduce_sum_square", kernels::reduce_sum_square},
    {"roi_align", kernels::roi_align},
    {"row_norm", kernels::row_norm},
    {"sgd", kernels::sgd},
    {"softmax", kernels::softmax},
    {"softmax_cross_entropy", kernels::softmax_cross_entropy},
    {"softmax_cross_entropy_grad", kernels::softmax_cross_entropy_grad},
    {"top_k", kernels::top_k},
};

// Kernels that compute something from shapes and strides first.
const std::map<std::string, kernels::Preparation> preparations = {
    {"dynamic_slice", kernels::dynamic_slice},
    {"dynamic_update_slice", kernels::dynamic_update_slice},
    {"eye_like", kernels::eye_like},
    {"fill", kernels::fill},
    {"range", kernels::range},
    {"gather", kernels::gather},
    {"gather_elements", kernels::gather_elements},
    {"gather_nd", kernels::gather_nd},
    {"interpolate", kernels::interpolate},
    {"map", kernels::map},
    {"move_blocks", kernels::move_blocks},
    {"one_hot", kernels::one_hot},
    {"pad", kernels::pad},
    {"recurrent_training", layers::training},
    {"recurrent_training_grad", layers::training_gradient},
    {"reverse_sequence", kernels::reverse_sequence},
    {"rotary_embedding", kernels::rotary_embedding},
    {"scatter_elements", kernels::scatter_elements},
    {"scatter_nd", kernels::scatter_nd},
    {"take_stretches", kernels::take_stretches},
    {"tensor_scatter", kernels::tensor_scatter},
    {"trilu", kernels::trilu},
};

// Of kernels whose ops cannot say how much scratch they take: it depends on threads, or on oneDNN.
const std::map<std::string, int64_t (*)(const kernels::Call &)> scratch_sizes = {
    {"blockwise_matmul", kernels::blockwise_matmul_scratch},
    {"conv", kernels::conv_scratch},
    {"dequantized_matmul", kernels::dequantized_matmul_scratch},
    {"dynamic_lstm", kernels::dynamic_lstm_scratch},
    {"fused_gru_grad", ragged::fused_gru_grad_scratch},
    {"gru_grad", ragged::gru_grad_scratch},
    {"integer_convolution", kernels::integer_convolution_scratch},
    {"integer_matmul", kernels::integer_matmul_scratch},
    {"interpolate", kernels::interpolate_scratch},
    {"matmul", kernels::matmul_scratch},
    {"non_max_suppression", kernels::non_max_suppression_scratch},
    {"recurrent_training", layers::training_scratch},
    {"recurrent_training_grad", layers::training_gradient_scratch},
};

// One object for each name of an op: steps of all programs have few.
const std::string &shared_name(const std::string &op) {
    static auto *const names = new std::set<std::string>;
    return *names->insert(op).first;
}

// One object for all numbers that are the same to the bit, which steps of programs for several sizes have.
using Numbers = std::shared_ptr<const std::vector<double>>;
Numbers shared_numbers(const std::vector<double> &numbers) {
    static auto *const known = new SharedValues<std::string, std::vector<double>>;
    return known->of(exact_key(numbers), [&numbers] { return numbers; });
}

class CalledKernel final : public Kernel {
public:
    CalledKernel(kernels::Prepared function, const std::string &op, Numbers numbers, int64_t scratch_bytes, int threads)
        : op_(op), function_(std::move(function)), numbers_(std::move(numbers)), scratch_bytes_(scratch_bytes),
          threads_(threads) {}

    void run(const std::vector<Array> &ins, const std::vector<Array> &outs, char *scratch) const override {
        function_({op_, ins, outs, *numbers_, scratch, scratch_bytes_, threads_});
    }

    int64_t constant_bytes() const override { return 0; }

    bool is_same(const Kernel &kernel) const override {
        const auto *const other = dynamic_cast<const CalledKernel *>(&kernel);
        const auto *const own = function_.target<kernels::Function>();
        const auto *const others = other ? other->function_.target<kernels::Function>() : nullptr;
        return own && others && *own == *others && &op_ == &other->op_ && numbers_ == other->numbers_ &&
               scratch_bytes_ == other->scratch_bytes_ && threads_ == other->threads_;
    }

private:
    const std::string &op_;
    kernels::Prepared function_;
    Numbers numbers_;
    int64_t scratch_bytes_;
    int threads_;
};

} // namespace

kernels::Prepared prepare(const std::string &name, const kernels::Call &call) {
    if (const auto entry = preparations.find(name); entry != preparations.end())
        return entry->second(call);
    if (const auto entry = table.find(name); entry != table.end())
        return entry->second;
    throw Error("there is no kernel '" + name + "'");
}

int64_t scratch_bytes(const std::string &name, const kernels::Call &call) {
    const auto entry = scratch_sizes.find(name);
    return entry == scratch_sizes.end() ? 0 : entry->second(call);
}

void add_native(StepProgram &program, StepName name, const std::string &kernel, const std::string &op,
                const std::vector<double> &numbers, const std::vector<int> &ins, const std::vector<int> &outs, int scratch,
                int64_t scratch_bytes) {
    const auto arrays = [&](const std::vector<int> &views) {
        std::vector<Array> result;
        for (const int index : views)
            result.push_back({&program.view(index).layout->form, nullptr});
        return result;
    };
    const std::string &shared_op = shared_name(op);
    kernels::Prepared function =
        prepare(kernel, {shared_op, arrays(ins), arrays(outs), numbers, nullptr, scratch_bytes, program.threads()});
    auto called = std::make_shared<const CalledKernel>(std::move(function), shared_op, shared_numbers(numbers), scratch_bytes,
                                                       program.threads());
    program.add_kernel(std::move(name), std::move(called), ins, outs, scratch, scratch_bytes);
}

} // namespace lastuse::native
