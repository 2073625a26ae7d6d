#include "training.hpp"

#include "training_base.hpp"

namespace lastuse::layers {

namespace {

class Training final : public TrainingBase {
public:
    explicit Training(const Call &call) : TrainingBase(call) {
        if (layer_.is_empty())
            return;
        const int64_t columns = layer_.columns(), hidden = layer_.hidden, inputs = layer_.inputs;
        products_.emplace_back(matrix(layer_.rows(), inputs, inputs), matrix(inputs, columns, 1, inputs),
                               matrix(1, columns, columns), matrix(layer_.rows(), columns, columns), Weights::plain,
                               Result::written, layer_.threads);
        for (const GatePart part : layer_.parts()) {
            const bool apart = is_apart(part);
            const int64_t width = part.count * hidden;
            products_.emplace_back(matrix(layer_.batch, hidden, hidden), matrix(hidden, width, 1, hidden),
                                   apart ? std::optional(matrix(1, hidden, hidden)) : std::nullopt,
                                   matrix(layer_.batch, width, step_stride(apart ? hidden : columns)), Weights::packed,
                                   apart ? Result::written : Result::added, layer_.threads);
            packed_.push_back(take(products_.back().packed_bytes()));
        }
        bias_ = take((columns + hidden) * item);
        before_ = take(layer_.batch * hidden * item);
        zeros_ = take(hidden * item);
        int64_t most = 0;
        for (const Product &product : products_)
            most = std::max(most, product.scratch_bytes());
        own_ = take(most);
    }

private:
    // Whether what the reset multiplies is kept beside the gates.
    bool is_apart(GatePart part) const { return layer_.cell == Cell::lbr_gru && part.first > 0; }

    // bias: what is added to the products of the input, and behind it what the reset multiplies besides.
    void write_bias(const float *b, float *bias) const {
        const int64_t columns = layer_.columns(), hidden = layer_.hidden;
        std::fill_n(bias, columns + hidden, 0.0F);
        if (b == nullptr)
            return;
        const int64_t together = layer_.cell == Cell::lbr_gru ? columns - hidden : columns;
        std::copy_n(b, columns, bias);
        for (int64_t k = 0; k < together; ++k)
            bias[k] += b[columns + k];
        std::copy_n(b + columns + together, columns - together, bias + columns);
    }

    void compute(const Call &call, dnnl::stream &stream) const override {
        Reader ins(call.ins), outs(call.outs);
        float *const x = ins.floats(), *const w = ins.floats(), *const r = ins.floats();
        float *const b = ins.floats_if(layer_.bias), *const h = ins.floats_if(layer_.states);
        float *const c = ins.floats_if(layer_.states && layer_.is_lstm());
        float *const y = outs.floats(), *const y_h = outs.floats(), *const y_c = outs.floats_if(layer_.is_lstm());
        const Array &workspace = outs.next();
        call.expect(ins.is_done() && outs.is_done(), "the kernel takes other operands");
        if (layer_.is_empty())
            return clear_all(call.outs); // of a sequence without steps the last state is 0
        float *const zeros = at(call, zeros_), *const bias = at(call, bias_);
        std::fill_n(zeros, layer_.hidden, 0.0F);
        for (int64_t k = 0; k < layer_.directions; ++k) {
            float *const gates = workspace_of(workspace, k), *const r_of = r + k * layer_.columns() * layer_.hidden;
            const int64_t used = layer_.rows() * (layer_.columns() + layer_.kept_columns());
            std::memset(gates + used, 0, static_cast<size_t>(workspace.size(1) - used * item));
            write_bias(b == nullptr ? nullptr : b + k * 2 * layer_.columns(), bias);
            products_[0].run(stream, x, w + k * layer_.columns() * layer_.inputs, bias, gates, call.scratch + own_);
            std::vector<BoundProduct> products;
            for (size_t p = 0; p < layer_.parts().size(); ++p)
                products.push_back(bound(call, stream, p, r_of + layer_.parts()[p].first * layer_.hidden * layer_.hidden));
            const Rows first = h == nullptr ? Rows{zeros, 0} : layer_.state_rows(h, k);
            const Rows cells = c == nullptr ? Rows{zeros, 0} : layer_.state_rows(c, k);
            for (int64_t walked = 0; walked < layer_.steps; ++walked)
                advance(call, stream, step_of(gates, y, k, walked, first, cells), products,
                        layer_.y_rows(y, k, layer_.step(k, walked)));
            const int64_t last = layer_.step(k, layer_.steps - 1);
            copy_rows(layer_.y_rows(y, k, last), layer_.state_rows(y_h, k));
            if (y_c != nullptr)
                copy_rows(layer_.step_rows(kept_of(gates), layer_.hidden, last), layer_.state_rows(y_c, k));
        }
    }

    // The product of the state with a part of the gates.
    BoundProduct bound(const Call &call, dnnl::stream &stream, size_t part, float *weights) const {
        const Product &product = products_[part + 1];
        char *const own = call.scratch + own_;
        return product.bind(product.pack(stream, weights, call.scratch + packed_[part], own),
                            at(call, bias_) + layer_.columns(), own);
    }

    // The states after a step.
    void advance(const Call &call, dnnl::stream &stream, const CellStep &step,
                 const std::vector<BoundProduct> &products, Rows y) const {
        float *const before = at(call, before_);
        const Rows copied{before, layer_.hidden};
        copy_rows(step.before, copied);
        const auto multiply = [&](size_t part, float *result) { products[part].run(stream, before, result); };
        multiply(0, step.gates.data);
        if (layer_.cell == Cell::lstm)
            return for_rows(call, [&](int64_t first, int64_t end) { lstm_forward(step, y, first, end); });
        if (layer_.cell == Cell::lbr_gru) {
            multiply(1, step.kept.data);
            return for_rows(call, [&](int64_t first, int64_t end) { lbr_gru_forward(step, y, first, end); });
        }
        for_rows(call, [&](int64_t first, int64_t end) { gru_gates(step, copied, first, end); });
        multiply(1, step.gates.data + 2 * layer_.hidden);
        for_rows(call, [&](int64_t first, int64_t end) { gru_forward(step, y, first, end); });
    }

    std::vector<Product> products_; // of the input; of the state, with each part of the gates
    std::vector<int64_t> packed_;
    int64_t bias_ = 0, before_ = 0, zeros_ = 0, own_ = 0;
};

} // namespace

kernels::Prepared training(const Call &call) { return prepared_training<Training>(call); }

int64_t training_scratch(const Call &call) { return Training(call).scratch_bytes(); }

} // namespace lastuse::layers
