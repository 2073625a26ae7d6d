#include "weights.hpp"

#include <algorithm>

namespace lastuse::layers {

using dnnl::memory;

Gates::Gates(const Layer &layer, int64_t rows, const Desc &inside, bool to_onnx) : to_onnx_(to_onnx) {
    for (int64_t place = 0; place < layer.gates();) {
        int64_t count = 1;
        while (place + count < layer.gates() && layer.gate(place + count) == layer.gate(place) + count)
            ++count;
        const Desc outer = layer.onnx_weights(rows, count);
        const Desc inner = Layer::f32({1, 1, rows, count, layer.hidden}, inside.get_strides());
        const Desc &from = to_onnx ? inner : outer, &to = to_onnx ? outer : inner;
        const dnnl::reorder::primitive_desc description(engine(), from, engine(), to, attributes());
        if (description.scratchpad_desc().get_size() != 0)
            throw Error("a conversion of weights takes scratch");
        parts_.push_back({layer.gate(place) * layer.hidden * rows * item, place * inside.get_strides()[3] * item,
                          from, to, dnnl::reorder(description)});
        place += count;
    }
}

void Gates::run(dnnl::stream &stream, char *onnx, char *inside) const {
    for (const Part &part : parts_) {
        char *const outer = onnx + part.outer, *const inner = inside + part.inner;
        const memory from(part.from, engine(), to_onnx_ ? inner : outer);
        const memory to(part.to, engine(), to_onnx_ ? outer : inner);
        part.reorder.execute(stream, {{DNNL_ARG_FROM, from}, {DNNL_ARG_TO, to}});
    }
}

void write_bias(const Layer &layer, const float *b, float *to) {
    const int64_t hidden = layer.hidden, size = layer.gates() * hidden;
    if (b == nullptr) {
        std::fill_n(to, layer.biases() * hidden, 0.0F);
        return;
    }
    for (int64_t place = 0; place < layer.gates(); ++place) {
        const float *const own = b + layer.gate(place) * hidden;
        const bool apart = layer.cell == Cell::lbr_gru && place == 2; // the reset multiplies the second one
        for (int64_t k = 0; k < hidden; ++k)
            to[place * hidden + k] = apart ? own[k] : own[k] + own[size + k];
        if (apart)
            std::copy_n(own + size, hidden, to + 3 * hidden);
    }
}

void read_bias(const Layer &layer, const float *from, float *b) {
    const int64_t hidden = layer.hidden, size = layer.gates() * hidden;
    for (int64_t place = 0; place < layer.gates(); ++place) {
        const int64_t second = layer.cell == Cell::lbr_gru && place == 2 ? 3 : place;
        std::copy_n(from + place * hidden, hidden, b + layer.gate(place) * hidden);
        std::copy_n(from + second * hidden, hidden, b + size + layer.gate(place) * hidden);
    }
}

} // namespace lastuse::layers
