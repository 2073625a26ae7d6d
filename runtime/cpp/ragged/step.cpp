// Ragged GRUs as a step of a program: what it asks of its operands, and a run of it.
#include <algorithm>
#include <optional>

#include "../context.hpp"

namespace lastuse {

namespace {

void expect(const std::string &name, bool fits, const char *what) {
    if (!fits)
        throw Error(name + ": " + what);
}

bool is_rows(const View &view, int64_t rows, int64_t columns) {
    return view.shape == Dims{rows, columns} && view.dtype.is(py::dtype::of<float>());
}

bool is_dense(const View &view) {
    int64_t step = 1;
    for (size_t axis = view.shape.size(); axis-- > 0; step *= view.shape[axis])
        if (view.shape[axis] != 1 && view.strides[axis] != step)
            return false;
    return true;
}

} // namespace

void Program::check_gru(const std::string &name, const ragged::StackRoom &room, int64_t columns,
                        const std::vector<int> &ins, const std::vector<int> &outs) const {
    const auto &shapes = room.shapes;
    const auto per_layer = static_cast<size_t>(room.directions);
    expect(name, !shapes.empty() && room.threads == threads_,
           "the room is for other layers or another number of threads");
    expect(name, ins.size() == 2 || ins.size() == 2 + shapes.size() * per_layer,
           "ins are x, offsets and, if any, the states to start with, one for each direction of each layer");
    expect(name, outs.size() == 1, "it has one out");
    expect(name, is_rows(view(ins[0]), room.words, shapes.front().input), "x is rows of f32, one a word of the room's");
    const View &offsets = view(ins[1]);
    expect(name, offsets.shape == Dims{room.sequences + 1} && offsets.dtype.is(py::dtype::of<int64_t>()) &&
                     (room.sequences == 0 || offsets.strides[0] == 1),
           "offsets are i64, one more than the room's sequences, dense");
    expect(name, is_rows(view(outs[0]), room.words, columns),
           "the result is rows of f32, one a word, as long as the state of all directions");
    for (size_t k = 2; k < ins.size(); ++k)
        expect(name, is_rows(view(ins[k]), room.sequences, shapes[(k - 2) / per_layer].channels),
               "the states to start with are rows of f32, one a sequence");
}

void Program::add_gru(std::string name, std::vector<std::shared_ptr<const ragged::Gru>> layers,
                      std::shared_ptr<const ragged::StackRoom> room, std::vector<int> ins, std::vector<int> outs,
                      int scratch) {
    const auto &shapes = room->shapes;
    expect(name, !layers.empty() && shapes.size() == layers.size(),
           "the room is for other layers or another number of threads");
    for (size_t k = 0; k < layers.size(); ++k) {
        expect(name, layers[k]->shape() == shapes[k] && layers[k]->directions() == room->directions,
               "the room is for layers of other sizes");
        expect(name, k == 0 || shapes[k].input == layers[k - 1]->columns(), "a layer reads what the one before writes");
    }
    check_gru(name, *room, layers.back()->columns(), ins, outs);
    const int64_t needed = room->bytes;
    add_step({std::move(name), Ragged{std::move(layers), std::move(room), nullptr}, std::move(ins), std::move(outs),
              scratch, needed});
}

void Program::add_free_gru(std::string name, Ragged::Free free, std::shared_ptr<const ragged::StackRoom> room,
                           std::vector<int> ins, std::vector<int> outs, int scratch) {
    const auto &shapes = room->shapes;
    const size_t directions = free.reverse.size();
    expect(name, static_cast<int64_t>(directions) == room->directions && !shapes.empty() &&
                     free.weights.size() == directions * shapes.size(),
           "the room is for other layers or another number of threads");
    const int64_t wide = free.sum ? 1 : room->directions;
    for (size_t k = 0; k < free.weights.size(); ++k) {
        const ragged::GruShape &shape = shapes[k / directions];
        const bool scaled = shape.kind == ragged::Kind::int8;
        const int64_t item = ragged::item_bytes(shape.kind), triple = 3 * shape.channels;
        const std::vector<int> &given = free.weights[k];
        expect(name, given.size() == (scaled ? 5U : 3U) && free.data.size() == (scaled ? 2 * shapes.size() : 0),
               "weights are layer, iter and bias and, of int8, have scales");
        const Dims wanted[] = {{shape.input, triple}, {shape.channels, 3, shape.channels}, {1, triple}};
        for (size_t part = 0; part < given.size(); ++part) {
            const View &have = view(given[part]);
            expect(name, have.shape == wanted[std::min<size_t>(part, 2)] && have.dtype.itemsize() == (part < 2 ? item : 4) &&
                             is_dense(have),
                   "weights are dense, of the sizes and type that the room has");
        }
        expect(name, k < directions || shape.input == wide * shapes[k / directions - 1].channels,
               "a layer reads what the one before writes");
    }
    check_gru(name, *room, wide * shapes.back().channels, ins, outs);
    const int64_t needed = room->bytes;
    add_step({std::move(name), Ragged{{}, std::move(room), std::make_shared<const Ragged::Free>(std::move(free))},
              std::move(ins), std::move(outs), scratch, needed});
}

namespace {

// The layers, packed now. `at` says where a view is.
template <class At>
std::vector<std::shared_ptr<const ragged::Gru>> packed(const Ragged::Free &free, const ragged::StackRoom &room, At at) {
    std::vector<std::shared_ptr<const ragged::Gru>> layers;
    for (size_t layer = 0; layer < room.shapes.size(); ++layer) {
        std::vector<ragged::Direction> directions;
        for (size_t k = 0; k < free.reverse.size(); ++k) {
            const std::vector<int> &views = free.weights[layer * free.reverse.size() + k];
            // The memory outlives the run, which is all that these do.
            const auto lent = [&](size_t part) { return ragged::GruWeights::Owner(at(views[part]), [](const void *) {}); };
            std::optional<ragged::Scales> scales;
            if (views.size() > 3) {
                const auto &[x_scale, x_shift] = free.data[2 * layer];
                const auto &[h_scale, h_shift] = free.data[2 * layer + 1];
                scales = {{x_scale, h_scale},
                          {x_shift, h_shift},
                          {static_cast<const float *>(at(views[3])), static_cast<const float *>(at(views[4]))}};
            }
            directions.push_back({std::make_shared<const ragged::GruWeights>(room.shapes[layer], lent(0), lent(1), lent(2),
                                                                             scales ? &*scales : nullptr),
                                  free.reverse[k]});
        }
        layers.push_back(std::make_shared<const ragged::Gru>(std::move(directions), free.sum, free.cache));
    }
    return layers;
}

} // namespace

void Context::gru(const Ragged &ragged, const Step &step) const {
    const auto rows = [&](int index) {
        const View &view = program_->view(index);
        const int64_t item = view.dtype.itemsize();
        return ragged::Rows{address(view), view.strides[0] * item, view.strides[1] * item};
    };
    std::vector<ragged::Rows> h0;
    for (size_t k = 2; k < step.ins.size(); ++k)
        h0.push_back(rows(step.ins[k]));
    const auto at = [&](int index) -> const void * { return address(program_->view(index)); };
    const auto *offsets = reinterpret_cast<const int64_t *>(address(program_->view(step.ins[1])));
    try {
        ragged::run(ragged.free ? packed(*ragged.free, *ragged.room, at) : ragged.layers, rows(step.ins[0]), offsets, h0.empty() ? nullptr : h0.data(), rows(step.outs[0]),
                    *ragged.room, scratch(step));
    } catch (const ragged::OffsetsError &error) {
        throw ragged::OffsetsError(step.name + ": " + error.what());
    } catch (const dnnl::error &error) {
        throw Error(step.name + ": " + error.what());
    }
}

} // namespace lastuse
