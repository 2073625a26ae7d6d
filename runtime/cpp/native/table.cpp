#include "table.hpp"

#include <map>

#include "../kernels/functions.hpp"
#include "../ragged/gradient.hpp"

namespace lastuse::native {

namespace {

const std::map<std::string, kernels::Function> table = {
    {"adam", kernels::adam},
    {"adam_with_powers", kernels::adam_with_powers},
    {"batch_norm", kernels::batch_norm},
    {"batch_norm_grad", kernels::batch_norm_grad},
    {"crf_decoding", kernels::crf_decoding},
    {"dropout", kernels::dropout},
    {"gru_grad", ragged::gru_grad},
    {"index_add", kernels::index_add},
    {"linear_chain_crf", kernels::linear_chain_crf},
    {"linear_chain_crf_grad", kernels::linear_chain_crf_grad},
    {"momentum", kernels::momentum},
    {"mse", kernels::mse},
    {"nll", kernels::nll},
    {"nll_grad", kernels::nll_grad},
    {"reduce_mean", kernels::reduce_mean},
    {"reduce_sum", kernels::reduce_sum},
    {"sgd", kernels::sgd},
    {"softmax_cross_entropy", kernels::softmax_cross_entropy},
    {"softmax_cross_entropy_grad", kernels::softmax_cross_entropy_grad},
};

// Of kernels that take more scratch on more threads.
const std::map<std::string, int64_t (*)(const kernels::Call &)> scratch_sizes = {
    {"gru_grad", ragged::gru_grad_scratch},
};

kernels::Type type_of(const py::dtype &dtype) {
    const char kind = dtype.kind();
    const auto size = dtype.itemsize();
    if (kind == 'f')
        return size == 4 ? kernels::Type::f32 : size == 8 ? kernels::Type::f64 : kernels::Type::other;
    return kind != 'i' ? kernels::Type::other : size == 4 ? kernels::Type::i32
                                            : size == 8   ? kernels::Type::i64
                                                          : kernels::Type::other;
}

class CalledKernel final : public Kernel {
public:
    CalledKernel(std::string name, kernels::Function function, std::string op, std::vector<double> numbers,
                 std::vector<kernels::Form> ins, std::vector<kernels::Form> outs, int64_t scratch_bytes, int threads)
        : name_(std::move(name)), op_(std::move(op)), function_(function), numbers_(std::move(numbers)),
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
    kernels::Function function_;
    std::vector<double> numbers_;
    std::vector<kernels::Form> ins_, outs_;
    int64_t scratch_bytes_;
    int threads_;
};

} // namespace

kernels::Function kernel_of(const std::string &name) {
    const auto entry = table.find(name);
    if (entry == table.end())
        throw Error("there is no kernel '" + name + "'");
    return entry->second;
}

int64_t scratch_bytes(const std::string &name, const kernels::Call &call) {
    const auto entry = scratch_sizes.find(name);
    return entry == scratch_sizes.end() ? 0 : entry->second(call);
}

kernels::Form form_of(const py::dtype &dtype, const Dims &shape, const Dims &strides) {
    return {type_of(dtype), shape, strides};
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
    auto called = std::make_shared<const CalledKernel>(name, kernel_of(kernel), std::move(op), std::move(numbers),
                                                       forms(ins), forms(outs), scratch_bytes, program.threads());
    program.add_kernel(std::move(name), std::move(called), std::move(ins), std::move(outs), scratch, scratch_bytes);
}

} // namespace lastuse::native
