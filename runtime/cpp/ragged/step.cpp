// A ragged GRU as a step of a program: what it asks of its operands, and a run of it.
#include "../context.hpp"

namespace lastuse {

namespace {

void expect(const std::string &name, bool fits, const char *what) {
    if (!fits)
        throw Error(name + ": " + what);
}

bool is_rows(const View &view, int64_t columns) {
    return view.shape.size() == 2 && view.shape[1] == columns && (columns == 1 || view.strides[1] == 1) &&
           view.dtype.is(py::dtype::of<float>());
}

} // namespace

void Program::add_gru(std::string name, std::shared_ptr<const ragged::Gru> gru, std::vector<int> ins,
                      std::vector<int> outs, int scratch) {
    expect(name, ins.size() == 2 || (ins.size() == 3 && gru->directions() == 1),
           "ins are x, offsets and, where there is one direction, the states to start with");
    expect(name, outs.size() == 1, "it has one out");
    const View &x = view(ins[0]), &offsets = view(ins[1]), &out = view(outs[0]);
    expect(name, is_rows(x, gru->shape().input), "x is rows of f32, as long as the layer's weights are high");
    expect(name, offsets.shape.size() == 1 && offsets.shape[0] > 0 && offsets.dtype.is(py::dtype::of<int64_t>()) &&
                     (offsets.shape[0] == 1 || offsets.strides[0] == 1),
           "offsets are i64, one more than there are sequences, dense");
    expect(name, is_rows(out, gru->columns()) && out.shape[0] == x.shape[0],
           "the result is rows of f32, one a word, as long as the state of all directions");
    const int64_t sequences = offsets.shape[0] - 1;
    if (ins.size() == 3) {
        const View &h0 = view(ins[2]);
        expect(name, is_rows(h0, gru->shape().channels) && h0.shape[0] == sequences,
               "the states to start with are rows of f32, one a sequence");
    }
    const ragged::Room room = ragged::Room::of(gru->shape(), gru->directions(), x.shape[0], sequences, threads_);
    const int64_t bytes = room.bytes;
    add_step({std::move(name), Ragged{std::move(gru), room}, std::move(ins), std::move(outs), scratch, bytes});
}

void Context::gru(const Ragged &ragged, const Step &step) const {
    const auto rows = [&](int index) {
        const View &view = program_->view(index);
        return ragged::Rows{address(view), view.strides[0] * view.dtype.itemsize()};
    };
    const View &x = program_->view(step.ins[0]), &offsets = program_->view(step.ins[1]);
    const ragged::Rows h0 = step.ins.size() == 3 ? rows(step.ins[2]) : ragged::Rows{};
    try {
        ragged.gru->run(rows(step.ins[0]), reinterpret_cast<const int64_t *>(address(offsets)), offsets.shape[0] - 1,
                        x.shape[0], step.ins.size() == 3 ? &h0 : nullptr, rows(step.outs[0]), ragged.room,
                        scratch(step));
    } catch (const dnnl::error &error) {
        throw Error(step.name + ": " + error.what());
    }
}

} // namespace lastuse
