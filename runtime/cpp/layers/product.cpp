#include "product.hpp"

#include <algorithm>

#include "../threads/team.hpp"

namespace lastuse::layers {

using dnnl::memory;

Desc matrix(int64_t rows, int64_t columns, int64_t row, int64_t column) {
    return strided("float32", {rows, columns}, {row, column});
}

Product::Product(const Desc &rows, const Desc &weights, const std::optional<Desc> &bias, const Desc &result, Weights how,
                 Result kind, int threads) {
    const Desc wanted = how == Weights::packed ? free_layout("float32", weights.get_dims()) : weights;
    product_ = matmul(rows, wanted, bias, result, 1.0F, kind == Result::added ? 1.0F : 0.0F, {}, threads);
    if (product_.ins[1] != weights)
        pack_ = reorder(weights, product_.ins[1], threads);
}

int64_t Product::scratch_bytes() const {
    const size_t bytes = product_.scratch.get_size();
    return static_cast<int64_t>(pack_ ? std::max(bytes, pack_->scratch.get_size()) : bytes);
}

float *Product::pack(dnnl::stream &stream, float *weights, char *to, char *scratch) const {
    if (!pack_)
        return weights;
    pack_->handle.execute(stream, {{DNNL_ARG_FROM, {pack_->ins[0], engine(), weights}},
                                   {DNNL_ARG_TO, {pack_->outs[0], engine(), to}},
                                   {DNNL_ARG_SCRATCHPAD, {pack_->scratch, engine(), scratch}}});
    return reinterpret_cast<float *>(to);
}

BoundProduct Product::bind(float *weights, float *bias, char *scratch) const {
    std::unordered_map<int, memory> arguments{{DNNL_ARG_SRC, {product_.ins[0], engine(), nullptr}},
                                              {DNNL_ARG_WEIGHTS, {product_.ins[1], engine(), weights}},
                                              {DNNL_ARG_DST, {product_.outs[0], engine(), nullptr}},
                                              {DNNL_ARG_SCRATCHPAD, {product_.scratch, engine(), scratch}}};
    if (product_.ins.size() > 2)
        arguments.emplace(DNNL_ARG_BIAS, memory(product_.ins[2], engine(), bias));
    return {product_, std::move(arguments)};
}

void BoundProduct::run(dnnl::stream &stream, float *rows, float *result) const {
    arguments_.at(DNNL_ARG_SRC).set_data_handle(rows);
    arguments_.at(DNNL_ARG_DST).set_data_handle(result);
    const SafeStack safe(moves_stack_, threads_);
    handle_.execute(stream, arguments_);
    stream.wait();
}

} // namespace lastuse::layers
