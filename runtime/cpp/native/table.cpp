#include "table.hpp"

#include <map>

#include "../kernels/functions.hpp"
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
    {"depthwise_conv", kernels::depthwise_conv},
    {"dequantize_linear", kernels::dequantize_linear},
    {"dequantized_matmul", kernels::dequantized_matmul},
    {"dropout", kernels::dropout},
    {"dynamic_lstm", kernels::dynamic_lstm},
    {"dynamic_quantize_linear", kernels::dynamic_quantize_linear},
    {"fused_gru_grad", ragged::fused_gru_grad},
    {"gru_grad", ragged::gru_grad},
    {"index_add", kernels::index_add},
    {"integer_convolution", kernels::integer_convolution},
    {"integer_matmul", kernels::integer_matmul},
    {"linear_chain_crf", kernels::linear_chain_crf},
    {"linear_chain_crf_grad", kernels::linear_chain_crf_grad},
    {"momentum", kernels::momentum},
    {"mse", kernels::mse},
    {"nll", kernels::nll},
    {"nll_grad", kernels::nll_grad},
    {"packed_matmul", kernels::packed_matmul},
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
    {"recurrent_training", layers::training_scratch},
    {"recurrent_training_grad", layers::training_gradient_scratch},
};

const std::map<std::string, kernels::Type> types = {
    {"float64", kernels::Type::f64}, {"float32", kernels::Type::f32}, {"float16", kernels::Type::f16},
    {"bfloat16", kernels::Type::bf16}, {"int64", kernels::Type::i64}, {"int32", kernels::Type::i32},
    {"int16", kernels::Type::i16}, {"int8", kernels::Type::i8}, {"uint64", kernels::Type::u64},
    {"uint32", kernels::Type::u32}, {"uint16", kernels::Type::u16}, {"uint8", kernels::Type::u8},
    {"bool", kernels::Type::boolean},
};

class CalledKernel final : public Kernel {
public:
    CalledKernel(std::string name, kernels::Prepared function, std::string op, std::vector<double> numbers,
                 std::vector<kernels::Form> ins, std::vector<kernels::Form> outs, int64_t scratch_bytes, int threads)
        : name_(std::move(name)), op_(std::move(op)), function_(std::move(function)), numbers_(std::move(numbers)),
          ins_(std::move(ins)), outs_(std::move(outs)), scratch_bytes_(scratch_bytes), threads_(threads) {}

    void run(const std::vector<char *> &ins, const std::vector<char *> &outs, char *scratch) const override {
        try {
            function_({op_, arrays(ins_, ins), arrays(outs_, outs), numbers_, scratch, scratch_bytes_, threads_});
        } catch (const OffsetsError &error) {
            throw OffsetsError(name_ + ": " + error.what());
        } catch (const IndicesError &error) {
            throw IndicesError(name_ + ": " + error.what());
        } catch (const Error &error) {
            throw Error(name_ + ": " + error.what());
        }
    }

    int64_t constant_bytes() const override { return 0; }

private:
    static std::vector<kernels::Array> arrays(const std::vector<kernels::Form> &forms, const std::vector<char *> &data) {
        std::vector<kernels::Array> arrays;
        arrays.reserve(forms.size());
        for (size_t k = 0; k < forms.size(); ++k)
            arrays.push_back({&forms[k], data[k]});
        return arrays;
    }

    std::string name_, op_;
    kernels::Prepared function_;
    std::vector<double> numbers_;
    std::vector<kernels::Form> ins_, outs_;
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

kernels::Form form_of(const py::dtype &dtype, const Dims &shape, const Dims &strides) {
    const auto entry = types.find(py::str(dtype));
    return {entry == types.end() ? kernels::Type::other : entry->second, shape, strides};
}

void add_native(StepProgram &program, std::string name, const std::string &kernel, std::string op,
                std::vector<double> numbers, std::vector<int> ins, std::vector<int> outs, int scratch,
                int64_t scratch_bytes) {
    const auto forms = [&](const std::vector<int> &views) {
        std::vector<kernels::Form> result;
        for (const int index : views) {
            const View &view = program.view(index);
            Dims strides = view.strides;
            for (auto &stride : strides)
                stride *= view.dtype.itemsize();
            result.push_back(form_of(view.dtype, view.shape, strides));
        }
        return result;
    };
    std::vector<kernels::Form> in_forms = forms(ins), out_forms = forms(outs);
    const auto arrays = [](const std::vector<kernels::Form> &all) {
        std::vector<kernels::Array> result;
        for (const kernels::Form &form : all)
            result.push_back({&form, nullptr});
        return result;
    };
    kernels::Prepared function =
        prepare(kernel, {op, arrays(in_forms), arrays(out_forms), numbers, nullptr, scratch_bytes, program.threads()});
    auto called = std::make_shared<const CalledKernel>(name, std::move(function), std::move(op), std::move(numbers),
                                                       std::move(in_forms), std::move(out_forms), scratch_bytes,
                                                       program.threads());
    program.add_kernel(std::move(name), std::move(called), std::move(ins), std::move(outs), scratch, scratch_bytes);
}

} // namespace lastuse::native
