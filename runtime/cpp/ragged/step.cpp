// Ragged GRUs as a step of a program: what it asks of its operands, and a run of it.
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

} // namespace

void Program::add_gru(std::string name, std::vector<std::shared_ptr<const ragged::Gru>> layers,
                      std::shared_ptr<const ragged::StackRoom> room, std::vector<int> ins, std::vector<int> outs,
                      int scratch) {
    const auto &[directions, words, sequences, shapes, threads, _layers, _between, _results, bytes] = *room;
    expect(name, !layers.empty() && shapes.size() == layers.size() && threads == threads_,
           "the room is for other layers or another number of threads");
    for (size_t k = 0; k < layers.size(); ++k) {
        expect(name, layers[k]->shape() == shapes[k] && layers[k]->directions() == directions,
               "the room is for layers of other sizes");
        expect(name, k == 0 || shapes[k].input == layers[k - 1]->columns(), "a layer reads what the one before writes");
    }
    const auto per_layer = static_cast<size_t>(directions);
    expect(name, ins.size() == 2 || ins.size() == 2 + layers.size() * per_layer,
           "ins are x, offsets and, if any, the states to start with, one for each direction of each layer");
    expect(name, outs.size() == 1, "it has one out");
    expect(name, is_rows(view(ins[0]), words, shapes.front().input), "x is rows of f32, one a word of the room's");
    const View &offsets = view(ins[1]);
    expect(name, offsets.shape == Dims{sequences + 1} && offsets.dtype.is(py::dtype::of<int64_t>()) &&
                     (sequences == 0 || offsets.strides[0] == 1),
           "offsets are i64, one more than the room's sequences, dense");
    expect(name, is_rows(view(outs[0]), words, layers.back()->columns()),
           "the result is rows of f32, one a word, as long as the state of all directions");
    for (size_t k = 2; k < ins.size(); ++k)
        expect(name, is_rows(view(ins[k]), sequences, shapes[(k - 2) / per_layer].channels),
               "the states to start with are rows of f32, one a sequence");
    const int64_t needed = bytes;
    add_step({std::move(name), Ragged{std::move(layers), std::move(room)}, std::move(ins), std::move(outs), scratch,
              needed});
}

void Context::gru(const Ragged &ragged, const Step &step) const {
    const auto rows = [&](int index) {
        const View &view = program_->view(index);
        const int64_t item = view.dtype.itemsize();
        return ragged::Rows{address(view), view.strides[0] * item, view.strides[1] * item};
    };
    std::vector<ragged::Rows> h0;
    for (size_t k = 2; k < step.ins.size(); ++k)
        h0.push_back(rows(step.ins[k]));
    const auto *offsets = reinterpret_cast<const int64_t *>(address(program_->view(step.ins[1])));
    try {
        ragged::run(ragged.layers, rows(step.ins[0]), offsets, h0.empty() ? nullptr : h0.data(), rows(step.outs[0]),
                    *ragged.room, scratch(step));
    } catch (const ragged::OffsetsError &error) {
        throw ragged::OffsetsError(step.name + ": " + error.what());
    } catch (const dnnl::error &error) {
        throw Error(step.name + ": " + error.what());
    }
}

} // namespace lastuse
