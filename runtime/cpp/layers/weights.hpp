// Weights and biases of a recurrent layer, between ONNX's order and oneDNN's.
#pragma once

#include <vector>

#include "layer.hpp"

namespace lastuse::layers {

// Weights of one kind between ONNX's layout and that of a primitive, whose gates may have another order.
class Gates {
public:
    // `rows`: inputs or channels; `inside`: the layout of the primitive, at strides.
    Gates(const Layer &layer, int64_t rows, const Desc &inside, bool to_onnx);

    void run(dnnl::stream &stream, char *onnx, char *inside) const;

private:
    struct Part {
        int64_t outer, inner; // bytes
        Desc from, to;
        dnnl::reorder reorder;
    };
    bool to_onnx_;
    std::vector<Part> parts_;
};

// b [2 * gates * hidden], of w and then of r, as oneDNN has biases; zeros where b is null.
void write_bias(const Layer &layer, const float *b, float *to);
// The gradient of b, from that of oneDNN's biases.
void read_bias(const Layer &layer, const float *from, float *b);

} // namespace lastuse::layers
