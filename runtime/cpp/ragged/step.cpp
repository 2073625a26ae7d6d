#include "step.hpp"

#include <algorithm>
#include <optional>

namespace lastuse::ragged {

namespace {

void expect(const std::string &name, bool fits, const char *what) {
    if (!fits)
        throw Error(name + ": " + what);
}

bool is_rows(const View &view, int64_t rows, int64_t columns) {
    return view.shape() == Dims{rows, columns} && view.dtype().is(py::dtype::of<float>());
}

using Layers = std::vector<std::shared_ptr<const Gru>>;

// ins: x, offsets, initial states, weights that are views.
class GruKernel : public Kernel {
public:
    // `states`: how many operands behind x and offsets are initial states.
    GruKernel(std::shared_ptr<const StackRoom> room, size_t states) : room_(std::move(room)), states_(states) {}

    void run(const std::vector<Array> &ins, const std::vector<Array> &outs, char *scratch) const final {
        std::vector<Rows> h0;
        for (size_t k = 0; k < states_; ++k)
            h0.push_back(rows(ins[2 + k]));
        try {
            ragged::run(layers(ins.data() + 2 + states_, scratch + room_->packed), rows(ins[0]),
                        ins[1].elements_of<const int64_t>(), h0.empty() ? nullptr : h0.data(), rows(outs[0]), *room_,
                        scratch);
        } catch (const dnnl::error &error) {
            throw Error(error.what());
        }
    }

protected:
    // The layers of a run. `weights`: those that are views; `packed`: memory for them.
    virtual Layers layers(const Array *weights, char *packed) const = 0;

    const StackRoom &room() const { return *room_; }

private:
    static Rows rows(const Array &array) { return {array.data, array.form->strides[0], array.form->strides[1]}; }

    std::shared_ptr<const StackRoom> room_;
    size_t states_;
};

class PackedGru final : public GruKernel {
public:
    PackedGru(Layers layers, std::shared_ptr<const StackRoom> room, size_t states)
        : GruKernel(std::move(room), states), layers_(std::move(layers)) {}

    int64_t constant_bytes() const override {
        int64_t bytes = 0;
        for (const auto &layer : layers_)
            bytes += layer->weight_bytes();
        return bytes;
    }

private:
    Layers layers(const Array *, char *) const override { return layers_; }

    Layers layers_;
};

// Packs the weights in each run.
class UnpackedGru final : public GruKernel {
public:
    UnpackedGru(UnpackedWeights weights, std::shared_ptr<const StackRoom> room, size_t states)
        : GruKernel(std::move(room), states), weights_(std::move(weights)) {}

    int64_t constant_bytes() const override { return 0; } // the weights are operands

private:
    Layers layers(const Array *weights, char *packed) const override {
        // The packed layers end with the run, so they need not keep the memory alive.
        const auto unowned = [](const void *data) { return GruWeights::Owner(data, [](const void *) {}); };
        Layers layers;
        for (size_t layer = 0; layer < room().shapes.size(); ++layer) {
            std::vector<Direction> directions;
            const GruLayouts &layouts = room().layouts[layer];
            for (size_t k = 0; k < weights_.reverse.size(); ++k) {
                const size_t count = weights_.views[layer * weights_.reverse.size() + k].size();
                std::optional<Scales> scales;
                if (count > 3) {
                    const auto &[x_scale, x_shift] = weights_.data[2 * layer];
                    const auto &[h_scale, h_shift] = weights_.data[2 * layer + 1];
                    scales = {{x_scale, h_scale},
                              {x_shift, h_shift},
                              {weights[3].elements_of<const float>(), weights[4].elements_of<const float>()}};
                }
                directions.push_back({std::make_shared<const GruWeights>(room().shapes[layer], layouts,
                                                                         unowned(weights[0].data), unowned(weights[1].data),
                                                                         unowned(weights[2].data),
                                                                         scales ? &*scales : nullptr, packed),
                                      weights_.reverse[k]});
                weights += count;
                packed += layouts.bytes();
            }
            layers.push_back(std::make_shared<const Gru>(std::move(directions), weights_.sum, weights_.cache));
        }
        return layers;
    }

    UnpackedWeights weights_;
};

// `columns`: of the result.
void check_operands(const StepProgram &program, const std::string &name, const StackRoom &room, int64_t columns,
                    const std::vector<int> &ins, const std::vector<int> &outs) {
    const auto &shapes = room.shapes;
    const auto per_layer = static_cast<size_t>(room.directions);
    expect(name, !shapes.empty() && room.threads == program.threads(),
           "the room is for other layers or another number of threads");
    expect(name, ins.size() == 2 || ins.size() == 2 + shapes.size() * per_layer,
           "ins are x, offsets and, if any, the initial states, one for each direction of each layer");
    expect(name, outs.size() == 1, "it has one out");
    expect(name, is_rows(program.view(ins[0]), room.rows, shapes.front().input),
           "x is rows of f32, as many as the room is for");
    const View &offsets = program.view(ins[1]);
    expect(name, offsets.shape() == Dims{room.sequences + 1} && offsets.dtype().is(py::dtype::of<int64_t>()) &&
                     offsets.layout->form.is_dense(),
           "offsets are i64, one more than the room's sequences, dense");
    expect(name, is_rows(program.view(outs[0]), room.rows, columns),
           "the result is rows of f32, as many as x has, with a column for each channel of all directions");
    for (size_t k = 2; k < ins.size(); ++k)
        expect(name, is_rows(program.view(ins[k]), room.sequences, shapes[(k - 2) / per_layer].channels),
               "the initial states are rows of f32, one for each sequence");
}

} // namespace

void add_gru(StepProgram &program, const std::string &name, std::vector<std::shared_ptr<const Gru>> layers,
             std::shared_ptr<const StackRoom> room, std::vector<int> ins, const std::vector<int> &outs, int scratch) {
    const auto &shapes = room->shapes;
    expect(name, !layers.empty() && shapes.size() == layers.size(),
           "the room is for other layers or another number of threads");
    for (size_t k = 0; k < layers.size(); ++k) {
        expect(name, layers[k]->shape() == shapes[k] && layers[k]->directions() == room->directions,
               "the room is for layers of other sizes");
        expect(name, k == 0 || shapes[k].input == layers[k - 1]->columns(), "a layer reads the result of the one before");
    }
    check_operands(program, name, *room, layers.back()->columns(), ins, outs);
    const int64_t bytes = room->bytes;
    auto kernel = std::make_shared<const PackedGru>(std::move(layers), std::move(room), ins.size() - 2);
    program.add_kernel(name, std::move(kernel), ins, outs, scratch, bytes);
}

void add_gru(StepProgram &program, const std::string &name, UnpackedWeights weights, std::shared_ptr<const StackRoom> room,
             std::vector<int> ins, const std::vector<int> &outs, int scratch) {
    const auto &shapes = room->shapes;
    const size_t directions = weights.reverse.size();
    expect(name, static_cast<int64_t>(directions) == room->directions && room->layouts.size() == shapes.size() &&
                     !shapes.empty() &&
                     weights.views.size() == directions * shapes.size(),
           "the room is for other layers or another number of threads");
    const int64_t wide = weights.sum ? 1 : room->directions;
    std::vector<int> weight_views;
    for (size_t k = 0; k < weights.views.size(); ++k) {
        const GruShape &shape = shapes[k / directions];
        const bool scaled = shape.kind == Kind::int8;
        const int64_t item = kernels::item_bytes(shape.kind), triple = 3 * shape.channels;
        const std::vector<int> &views = weights.views[k];
        expect(name, views.size() == (scaled ? 5U : 3U) && weights.data.size() == (scaled ? 2 * shapes.size() : 0),
               "weights are layer, iter and bias and, of int8, have scales");
        const Dims sizes[] = {{shape.input, triple}, {shape.channels, 3, shape.channels}, {1, triple}};
        for (size_t part = 0; part < views.size(); ++part) {
            const View &view = program.view(views[part]);
            expect(name, view.shape() == sizes[std::min<size_t>(part, 2)] &&
                             view.layout->item() == (part < 2 ? item : 4) && view.layout->form.is_dense(),
                   "weights are dense, of the sizes and type that the room has");
        }
        expect(name, k < directions || shape.input == wide * shapes[k / directions - 1].channels,
               "a layer reads the result of the one before");
        weight_views.insert(weight_views.end(), views.begin(), views.end());
    }
    check_operands(program, name, *room, wide * shapes.back().channels, ins, outs);
    const int64_t bytes = room->bytes;
    auto kernel = std::make_shared<const UnpackedGru>(std::move(weights), std::move(room), ins.size() - 2);
    ins.insert(ins.end(), weight_views.begin(), weight_views.end());
    program.add_kernel(name, std::move(kernel), ins, outs, scratch, bytes);
}

} // namespace lastuse::ragged
