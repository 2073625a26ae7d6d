#include "training.hpp"

#include <algorithm>
#include <cstring>
#include <memory>
#include <optional>
#include <sstream>
#include <unordered_map>

#include "../threads/team.hpp"
#include "weights.hpp"

namespace lastuse::layers {

namespace {

using dnnl::memory;
using kernels::Array;
using kernels::Call;
using Arguments = std::unordered_map<int, memory>;

// Operands of a call, which come one after the other.
class Reader {
public:
    explicit Reader(const std::vector<Array> &arrays) : arrays_(arrays) {}

    const Array &next() { return arrays_.at(next_++); }
    const Array *next_if(bool there) { return there ? &next() : nullptr; }
    bool is_done() const { return next_ == arrays_.size(); }

private:
    const std::vector<Array> &arrays_;
    size_t next_ = 0;
};

// The parts of a scratch, one behind the other.
class Room {
public:
    int64_t add(size_t bytes) {
        const int64_t offset = end_;
        end_ += aligned(static_cast<int64_t>(bytes));
        return offset;
    }
    int64_t bytes() const { return end_; }

private:
    int64_t end_ = 0;
};

// What both kernels have: a primitive for each direction, and where weights, biases and zeros are in the scratch.
class TrainingBase {
public:
    virtual ~TrainingBase() = default;

    int64_t scratch_bytes() const { return layer_.is_empty() ? 0 : room_.bytes(); }

    void run(const Call &call) const {
        check(call);
        on_team(layer_.threads, [&] {
            dnnl::stream stream(engine());
            compute(call, stream);
            stream.wait();
        });
    }

protected:
    TrainingBase(const Call &call) : layer_(layer_of(call)) {}

    virtual void compute(const Call &call, dnnl::stream &stream) const = 0;

    // Room for what both have, for the primitives in `chosen_`.
    void reserve() {
        const auto largest = [&](Desc Chosen::*what) {
            size_t bytes = 0;
            for (const Chosen &chosen : chosen_)
                bytes = std::max(bytes, (chosen.*what).get_size());
            return bytes;
        };
        weights_layer_ = room_.add(largest(&Chosen::weights_layer));
        weights_iter_ = room_.add(largest(&Chosen::weights_iter));
        bias_ = room_.add(layer_.bias_row().get_size());
        zeros_ = room_.add(zero_bytes());
        primitive_ = room_.add(largest(&Chosen::scratch));
    }

    // Zeros where there are no initial states.
    int64_t zero_bytes() const { return layer_.batch * layer_.hidden * (layer_.batch_first ? layer_.directions : 1) * item; }

    // Writes bias and zeros, and the arguments that both have.
    Arguments arguments(int64_t k, const Array *b, const Array *h, const Array *c, const Array &workspace,
                        char *scratch) const {
        const auto bytes = workspace.size(1);
        if (chosen_[k].workspace.get_size() > static_cast<size_t>(bytes))
            throw Error("oneDNN's workspace takes " + std::to_string(chosen_[k].workspace.get_size()) + " bytes, it has " +
                        std::to_string(bytes));
        auto *const bias = reinterpret_cast<float *>(scratch + bias_);
        write_bias(layer_, b == nullptr ? nullptr : b->elements_of<float>() + k * 2 * layer_.gates() * layer_.hidden, bias);
        if (h == nullptr)
            std::memset(scratch + zeros_, 0, static_cast<size_t>(zero_bytes()));
        const auto start = [&](const Array *array) {
            return array == nullptr ? scratch + zeros_ : array->data + layer_.state_offset(k);
        };
        Arguments arguments{
            {DNNL_ARG_SRC_ITER, {layer_.state(), engine(), start(h)}},
            {DNNL_ARG_BIAS, {layer_.bias_row(), engine(), bias}},
            {DNNL_ARG_WEIGHTS_LAYER, {chosen_[k].weights_layer, engine(), scratch + weights_layer_}},
            {DNNL_ARG_WEIGHTS_ITER, {chosen_[k].weights_iter, engine(), scratch + weights_iter_}},
            {DNNL_ARG_WORKSPACE, {chosen_[k].workspace, engine(), workspace.data + k * bytes}},
            {DNNL_ARG_SCRATCHPAD, {chosen_[k].scratch, engine(), scratch + primitive_}},
        };
        if (layer_.is_lstm())
            arguments.emplace(DNNL_ARG_SRC_ITER_C, memory(layer_.state(), engine(), start(c)));
        return arguments;
    }

    static void clear_all(const std::vector<Array> &arrays) {
        for (const Array &array : arrays)
            if (array.is(kernels::Type::f32))
                std::fill_n(array.elements_of<float>(), array.elements(), 0.0F);
    }

    char *weights_of(const Array &weights, int64_t k, int64_t rows) const {
        return weights.data + k * layer_.gates() * layer_.hidden * rows * item;
    }

    const Layer layer_;
    Room room_;
    std::vector<Chosen> chosen_; // of each direction
    int64_t weights_layer_ = 0, weights_iter_ = 0, bias_ = 0, zeros_ = 0, primitive_ = 0;

private:
    // The workspace has elements of i8.
    static void check(const Call &call) {
        for (const auto *arrays : {&call.ins, &call.outs})
            for (const Array &array : *arrays)
                call.expect((array.is(kernels::Type::f32) || array.is(kernels::Type::i8)) && array.form->is_dense(),
                            "the kernel takes dense f32, and a workspace");
    }
};

class Training final : public TrainingBase {
public:
    Training(const Call &call) : TrainingBase(call) {
        if (layer_.is_empty())
            return;
        for (int64_t k = 0; k < layer_.directions; ++k)
            chosen_.push_back(forward(layer_, k));
        reserve();
        layer_gates_.emplace(layer_, layer_.inputs, chosen_[0].weights_layer, false);
        iter_gates_.emplace(layer_, layer_.hidden, chosen_[0].weights_iter, false);
    }

private:
    void compute(const Call &call, dnnl::stream &stream) const override {
        Reader ins(call.ins), outs(call.outs);
        const Array &x = ins.next(), &w = ins.next(), &r = ins.next();
        const Array *const b = ins.next_if(layer_.bias), *const h = ins.next_if(layer_.states);
        const Array *const c = ins.next_if(layer_.states && layer_.is_lstm());
        const Array &y = outs.next(), &y_h = outs.next();
        const Array *const y_c = outs.next_if(layer_.is_lstm());
        const Array &workspace = outs.next();
        call.expect(ins.is_done() && outs.is_done(), "the kernel takes other operands");
        if (layer_.is_empty())
            return clear_all(call.outs); // of a sequence without steps the last state is 0
        // oneDNN does not write all of it: what it leaves would depend on the place.
        std::memset(workspace.data, 0, static_cast<size_t>(workspace.elements()));
        for (int64_t k = 0; k < layer_.directions; ++k) {
            layer_gates_->run(stream, weights_of(w, k, layer_.inputs), call.scratch + weights_layer_);
            iter_gates_->run(stream, weights_of(r, k, layer_.hidden), call.scratch + weights_iter_);
            Arguments all = arguments(k, b, h, c, workspace, call.scratch);
            all.emplace(DNNL_ARG_SRC_LAYER, memory(layer_.x(), engine(), x.data));
            all.emplace(DNNL_ARG_DST_LAYER, memory(layer_.y(), engine(), y.data + layer_.y_offset(k)));
            all.emplace(DNNL_ARG_DST_ITER, memory(layer_.state(), engine(), y_h.data + layer_.state_offset(k)));
            if (y_c != nullptr)
                all.emplace(DNNL_ARG_DST_ITER_C, memory(layer_.state(), engine(), y_c->data + layer_.state_offset(k)));
            chosen_[k].primitive.execute(stream, all);
            stream.wait();
        }
    }

    std::optional<Gates> layer_gates_, iter_gates_;
};

class TrainingGradient final : public TrainingBase {
public:
    TrainingGradient(const Call &call) : TrainingBase(call) {
        call.expect(call.numbers.size() == 9, "the kernel takes other numbers");
        for (size_t k = 0; k < 3; ++k)
            given_[k] = call.numbers[6 + k] != 0;
        if (layer_.is_empty())
            return;
        for (int64_t k = 0; k < layer_.directions; ++k)
            chosen_.push_back(backward(layer_, k));
        reserve();
        const Chosen &first = chosen_[0];
        layer_gradient_ = room_.add(first.weights_layer_gradient.get_size());
        iter_gradient_ = room_.add(first.weights_iter_gradient.get_size());
        bias_gradient_ = room_.add(layer_.bias_row().get_size());
        no_gradient_ = room_.add(given_[1] && (given_[2] || !layer_.is_lstm()) ? 0 : zero_bytes());
        no_y_gradient_ = room_.add(given_[0] ? 0 : layer_.directions * layer_.steps * layer_.batch * layer_.hidden * item);
        second_x_ = room_.add(layer_.directions > 1 ? x_bytes() : 0);
        layer_gates_.emplace(layer_, layer_.inputs, first.weights_layer, false);
        iter_gates_.emplace(layer_, layer_.hidden, first.weights_iter, false);
        layer_gates_back_.emplace(layer_, layer_.inputs, first.weights_layer_gradient, true);
        iter_gates_back_.emplace(layer_, layer_.hidden, first.weights_iter_gradient, true);
    }

private:
    void compute(const Call &call, dnnl::stream &stream) const override {
        Reader ins(call.ins), outs(call.outs);
        const bool lstm = layer_.is_lstm();
        const Array &x = ins.next(), &w = ins.next(), &r = ins.next();
        const Array *const b = ins.next_if(layer_.bias), *const h = ins.next_if(layer_.states);
        const Array *const c = ins.next_if(layer_.states && lstm);
        const Array &y = ins.next();
        const Array *const y_c = ins.next_if(lstm);
        const Array &kept = ins.next();
        const Array *const dy = ins.next_if(given_[0]), *const dh = ins.next_if(given_[1]);
        const Array *const dc = ins.next_if(given_[2]);
        const Array &dx = outs.next(), &dw = outs.next(), &dr = outs.next(), &db = outs.next(), &dh0 = outs.next();
        const Array *const dc0 = outs.next_if(lstm);
        const Array &workspace = outs.next();
        call.expect(ins.is_done() && outs.is_done(), "the kernel takes other operands");
        if (layer_.is_empty())
            return clear_all(call.outs);
        if (workspace.data != kept.data) // oneDNN writes gradients of states into it
            std::memcpy(workspace.data, kept.data, static_cast<size_t>(kept.elements()));
        char *const scratch = call.scratch;
        const auto clear = [&](int64_t offset, size_t bytes) { std::memset(scratch + offset, 0, bytes); };
        if (dh == nullptr || (lstm && dc == nullptr))
            clear(no_gradient_, static_cast<size_t>(zero_bytes()));
        if (dy == nullptr)
            clear(no_y_gradient_, static_cast<size_t>(y.elements() * item));
        for (int64_t k = 0; k < layer_.directions; ++k) {
            const Chosen &chosen = chosen_[k];
            layer_gates_->run(stream, weights_of(w, k, layer_.inputs), scratch + weights_layer_);
            iter_gates_->run(stream, weights_of(r, k, layer_.hidden), scratch + weights_iter_);
            // oneDNN adds to the gradients of weights.
            clear(layer_gradient_, chosen.weights_layer_gradient.get_size());
            clear(iter_gradient_, chosen.weights_iter_gradient.get_size());
            clear(bias_gradient_, layer_.bias_row().get_size());
            Arguments all = arguments(k, b, h, c, workspace, scratch);
            const auto add = [&](int arg, const Desc &desc, char *data) { all.emplace(arg, memory(desc, engine(), data)); };
            const Desc state = layer_.state();
            const int64_t at = layer_.state_offset(k);
            const auto end = [&](const Array *array) { return array == nullptr ? scratch + no_gradient_ : array->data + at; };
            add(DNNL_ARG_SRC_LAYER, layer_.x(), x.data);
            add(DNNL_ARG_DST_LAYER, layer_.y(), y.data + layer_.y_offset(k));
            add(DNNL_ARG_DST_ITER, layer_.state_in_y(),
                y.data + layer_.y_offset(k) + layer_.step_offset(layer_.last_step(k)));
            add(DNNL_ARG_DIFF_DST_LAYER, layer_.y(), (dy == nullptr ? scratch + no_y_gradient_ : dy->data) + layer_.y_offset(k));
            add(DNNL_ARG_DIFF_DST_ITER, state, end(dh));
            add(DNNL_ARG_DIFF_SRC_LAYER, layer_.x(), k == 0 ? dx.data : scratch + second_x_);
            add(DNNL_ARG_DIFF_SRC_ITER, state, dh0.data + at);
            add(DNNL_ARG_DIFF_WEIGHTS_LAYER, chosen.weights_layer_gradient, scratch + layer_gradient_);
            add(DNNL_ARG_DIFF_WEIGHTS_ITER, chosen.weights_iter_gradient, scratch + iter_gradient_);
            add(DNNL_ARG_DIFF_BIAS, layer_.bias_row(), scratch + bias_gradient_);
            if (lstm) {
                add(DNNL_ARG_DST_ITER_C, state, y_c->data + at);
                add(DNNL_ARG_DIFF_DST_ITER_C, state, end(dc));
                add(DNNL_ARG_DIFF_SRC_ITER_C, state, dc0->data + at);
            }
            chosen.primitive.execute(stream, all);
            layer_gates_back_->run(stream, weights_of(dw, k, layer_.inputs), scratch + layer_gradient_);
            iter_gates_back_->run(stream, weights_of(dr, k, layer_.hidden), scratch + iter_gradient_);
            stream.wait();
            read_bias(layer_, reinterpret_cast<const float *>(scratch + bias_gradient_),
                      db.elements_of<float>() + k * 2 * layer_.gates() * layer_.hidden);
        }
        if (layer_.directions > 1) {
            auto *const sum = dx.elements_of<float>();
            const auto *const more = reinterpret_cast<const float *>(scratch + second_x_);
            for (int64_t k = 0; k < dx.elements(); ++k)
                sum[k] += more[k];
        }
    }

    int64_t x_bytes() const { return layer_.steps * layer_.batch * layer_.inputs * item; }

    bool given_[3] = {};
    int64_t layer_gradient_ = 0, iter_gradient_ = 0, bias_gradient_ = 0, no_gradient_ = 0, no_y_gradient_ = 0, second_x_ = 0;
    std::optional<Gates> layer_gates_, iter_gates_, layer_gates_back_, iter_gates_back_;
};

template <class Make>
auto with_errors(const Call &call, const Layer &layer, Make make) {
    try {
        return make();
    } catch (const dnnl::error &error) {
        std::ostringstream out;
        out << "oneDNN has no " << call.op << " of " << layer.steps << " steps, " << layer.batch << " sequences, "
            << layer.inputs << " inputs and " << layer.hidden << " channels: " << dnnl_status2str(error.status);
        throw Error(out.str());
    }
}

template <class Kind>
std::shared_ptr<const Kind> made(const Call &call) {
    const Layer layer = layer_of(call);
    std::shared_ptr<const Kind> kernel;
    on_team(layer.threads, [&] {
        kernel = with_errors(call, layer, [&] { return std::make_shared<const Kind>(call); });
    });
    return kernel;
}

template <class Kind>
kernels::Prepared prepared(const Call &call) {
    return [kernel = made<Kind>(call)](const Call &run) { kernel->run(run); };
}

} // namespace

kernels::Prepared training(const Call &call) { return prepared<Training>(call); }

kernels::Prepared training_gradient(const Call &call) { return prepared<TrainingGradient>(call); }

int64_t training_scratch(const Call &call) { return made<Training>(call)->scratch_bytes(); }

int64_t training_gradient_scratch(const Call &call) { return made<TrainingGradient>(call)->scratch_bytes(); }

} // namespace lastuse::layers
