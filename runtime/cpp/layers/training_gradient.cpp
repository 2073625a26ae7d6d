#include "training.hpp"
#include "training_base.hpp"

namespace lastuse::layers {

namespace {

class TrainingGradient final : public TrainingBase {
public:
    explicit TrainingGradient(const Call &call) : TrainingBase(call) {
        call.expect(call.numbers.size() == 10, "the kernel takes other numbers");
        for (size_t k = 0; k < 3; ++k)
            given_[k] = call.numbers[6 + k] != 0;
        of_x_ = call.numbers[9] != 0;
        if (layer_.is_empty())
            return;
        const int64_t columns = layer_.columns(), hidden = layer_.hidden, inputs = layer_.inputs, rows = layer_.rows();
        const auto product = [&](const Desc &a, const Desc &b, const Desc &result, Weights how, Result kind) {
            return Product(a, b, std::nullopt, result, how, kind, layer_.threads);
        };
        const auto plain = [&](const Desc &a, const Desc &b, const Desc &result, Result kind = Result::written) {
            return product(a, b, result, Weights::plain, kind);
        };
        const Desc gates = matrix(rows, columns, columns), turned = matrix(columns, rows, 1, columns);
        const Desc x = matrix(rows, inputs, inputs), states = matrix(rows, hidden, hidden);
        for (int64_t k = 0; of_x_ && k < layer_.directions; ++k)
            to_x_.push_back(
                plain(gates, matrix(columns, inputs, inputs), x, k == 0 ? Result::written : Result::added));
        to_w_.emplace(plain(turned, x, matrix(columns, inputs, inputs)));
        int64_t packed = 0;
        for (const GatePart part : layer_.parts()) {
            const bool beside = is_beside(part), of_reset = is_of_reset(part);
            const int64_t width = part.count * hidden, stride = beside ? hidden : columns;
            to_r_.push_back(plain(matrix(width, rows, 1, stride), states, matrix(width, hidden, hidden)));
            to_state_.push_back(product(matrix(layer_.batch, width, step_stride(stride)), matrix(width, hidden, hidden),
                                        matrix(layer_.batch, hidden, of_reset ? hidden : state_stride()),
                                        Weights::packed,
                                        of_reset || layer_.is_lstm() ? Result::written : Result::added));
            packed_.push_back(packed);
            packed += aligned(to_state_.back().packed_bytes());
        }
        // The weights of the state are packed where their gradient will be, if they fit there.
        packs_in_result_ = packed <= columns * hidden * item;
        room_ = take(packs_in_result_ ? 0 : packed);
        states_ = take(rows * hidden * item);
        reset_ = take(layer_.cell == Cell::gru ? layer_.batch * hidden * item : 0);
        zeros_ = take(hidden * item);
        int64_t most = to_w_->scratch_bytes();
        for (const auto *products : {&to_x_, &to_r_, &to_state_})
            for (const Product &each : *products)
                most = std::max(most, each.scratch_bytes());
        own_ = take(most);
    }

private:
    // Whether the gradient of the gates, for the weights of the state, is beside the gates.
    bool is_beside(GatePart part) const { return layer_.cell == Cell::lbr_gru && part.first > 0; }
    // Whether the weights are multiplied with r * h.
    bool is_of_reset(GatePart part) const { return layer_.cell == Cell::gru && part.first > 0; }

    float *columns_of(float *gates, GatePart part) const {
        return is_beside(part) ? kept_of(gates) : gates + part.first * layer_.hidden;
    }

    // What one direction reads and writes.
    struct Arrays {
        float *gates, *y, *dy;
        Rows first, first_cells, state, cells; // states before the first step, gradients of states
        std::vector<BoundProduct> to_state;
    };

    void compute(const Call &call, dnnl::stream &stream) const override {
        Reader ins(call.ins), outs(call.outs);
        const bool lstm = layer_.is_lstm();
        float *const x = ins.floats(), *const w = ins.floats(), *const r = ins.floats();
        ins.next_if(layer_.bias);
        float *const h = ins.floats_if(layer_.states), *const c = ins.floats_if(layer_.states && lstm);
        float *const y = ins.floats();
        const Array &kept = ins.next();
        float *const dy = ins.floats_if(given_[0]), *const dh = ins.floats_if(given_[1]);
        float *const dc = ins.floats_if(given_[2]);
        float *const dx = outs.floats_if(of_x_), *const dw = outs.floats(), *const dr = outs.floats(), *const db = outs.floats();
        float *const dh0 = outs.floats(), *const dc0 = outs.floats_if(lstm);
        const Array &workspace = outs.next();
        call.expect(ins.is_done() && outs.is_done(), "the kernel takes other operands");
        if (layer_.is_empty())
            return clear_all(call.outs);
        if (workspace.data != kept.data)
            std::memcpy(workspace.data, kept.data, static_cast<size_t>(kept.elements()));
        char *const own = call.scratch + own_;
        float *const zeros = at(call, zeros_);
        std::fill_n(zeros, layer_.hidden, 0.0F);
        const Rows none{zeros, 0};
        for (int64_t k = 0; k < layer_.directions; ++k) {
            const int64_t wide = k * layer_.columns() * layer_.inputs, square = k * layer_.columns() * layer_.hidden;
            Arrays arrays{workspace_of(workspace, k), y, dy, h == nullptr ? none : layer_.state_rows(h, k),
                          c == nullptr ? none : layer_.state_rows(c, k), layer_.state_rows(dh0, k), none, {}};
            copy_rows(dh == nullptr ? none : layer_.state_rows(dh, k), arrays.state);
            if (lstm) {
                arrays.cells = layer_.state_rows(dc0, k);
                copy_rows(dc == nullptr ? none : layer_.state_rows(dc, k), arrays.cells);
            }
            char *const packed = packs_in_result_ ? reinterpret_cast<char *>(dr + square) : call.scratch + room_;
            for (size_t p = 0; p < to_state_.size(); ++p)
                arrays.to_state.push_back(to_state_[p].bind(
                    to_state_[p].pack(stream, r + square + first_row(p), packed + packed_[p], own), nullptr, own));
            for (int64_t walked = layer_.steps; walked-- > 0;)
                go_back(call, stream, arrays, k, walked);
            float *const gates = arrays.gates;
            if (of_x_)
                to_x_[static_cast<size_t>(k)].run(stream, gates, w + wide, nullptr, dx, own);
            to_w_->run(stream, gates, x, nullptr, dw + wide, own);
            for (size_t p = to_r_.size(); p-- > 0;) {
                if (!is_of_reset(layer_.parts()[p]))
                    write_states(call, arrays, k);
                to_r_[p].run(stream, columns_of(gates, layer_.parts()[p]), at(call, states_), nullptr,
                             dr + square + first_row(p), own);
            }
            write_bias(gates, db + k * 2 * layer_.columns());
        }
    }

    int64_t first_row(size_t part) const { return layer_.parts()[part].first * layer_.hidden * layer_.hidden; }

    // From the gradient of the states after a step to that of those before it.
    void go_back(const Call &call, dnnl::stream &stream, const Arrays &arrays, int64_t direction, int64_t walked) const {
        const int64_t number = layer_.step(direction, walked);
        const CellStep step = step_of(arrays.gates, arrays.y, direction, walked, arrays.first, arrays.first_cells);
        const Rows dy = arrays.dy == nullptr ? Rows{nullptr, 0} : layer_.y_rows(arrays.dy, direction, number);
        const Rows state = arrays.state;
        const auto multiply = [&](size_t p, float *rows, float *result) {
            arrays.to_state[p].run(stream, rows, result);
        };
        if (layer_.cell == Cell::lstm) {
            for_rows(call, [&](int64_t first, int64_t end) { lstm_backward(step, dy, state, arrays.cells, first, end); });
            return multiply(0, step.gates.data, state.data);
        }
        if (layer_.cell == Cell::lbr_gru) {
            for_rows(call, [&](int64_t first, int64_t end) { lbr_gru_backward(step, dy, state, first, end); });
            multiply(1, step.kept.data, state.data);
            return multiply(0, step.gates.data, state.data);
        }
        const Rows reset = layer_.step_rows(at(call, states_), layer_.hidden, number);
        const Rows product{at(call, reset_), layer_.hidden};
        for_rows(call, [&](int64_t first, int64_t end) { gru_backward(step, dy, state, reset, first, end); });
        multiply(1, step.gates.data + 2 * layer_.hidden, product.data);
        for_rows(call, [&](int64_t first, int64_t end) { gru_reset_backward(step, product, state, first, end); });
        multiply(0, step.gates.data, state.data);
    }

    // The states before each step, in the order of the gates.
    void write_states(const Call &call, const Arrays &arrays, int64_t direction) const {
        for (int64_t walked = 0; walked < layer_.steps; ++walked) {
            const CellStep step = step_of(arrays.gates, arrays.y, direction, walked, arrays.first, arrays.first_cells);
            copy_rows(step.before, layer_.step_rows(at(call, states_), layer_.hidden, layer_.step(direction, walked)));
        }
    }

    void write_bias(float *gates, float *b) const {
        const int64_t columns = layer_.columns(), hidden = layer_.hidden;
        std::fill_n(b, columns, 0.0F);
        add_rows(gates, columns, layer_.rows(), columns, b);
        std::copy_n(b, columns, b + columns);
        if (layer_.cell == Cell::lbr_gru) {
            std::fill_n(b + 2 * columns - hidden, hidden, 0.0F);
            add_rows(kept_of(gates), hidden, layer_.rows(), hidden, b + 2 * columns - hidden);
        }
    }

    bool given_[3] = {}, of_x_ = true, packs_in_result_ = false;
    std::vector<Product> to_x_, to_r_, to_state_; // of each direction; of each part of the gates
    std::optional<Product> to_w_;
    std::vector<int64_t> packed_;
    int64_t room_ = 0, states_ = 0, reset_ = 0, zeros_ = 0, own_ = 0;
};

} // namespace

kernels::Prepared training_gradient(const Call &call) { return prepared_training<TrainingGradient>(call); }

int64_t training_gradient_scratch(const Call &call) { return TrainingGradient(call).scratch_bytes(); }

} // namespace lastuse::layers
