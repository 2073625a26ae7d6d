// What the kernels of convolutions and of their transposes are told: one or two spatial axes, of which a missing one has
// size 1, f32 operands, and perhaps a bias.

#pragma once

#include "functions.hpp"

namespace lastuse::kernels {

// The work of a call but for channels and bias. `spatial`: the first spatial axis of x and y; that of the weights is 2.
// `own`: operands that do not belong to post-ops, whose numbers come behind those that are read here.
template <class Work> Work spatial_work(const Call &call, size_t spatial, size_t own) {
    call.expect(own >= 2 && own <= 3 && call.ins.size() >= own && call.outs.size() == 1 && !call.numbers.empty(),
                "the kernel takes other operands");
    const Array &x = call.ins[0], &weights = call.ins[1], &y = call.outs[0];
    call.expect_floats({&x, &weights, &y});
    const size_t rank = x.rank() - 2;
    call.expect(x.rank() >= 3 && rank <= 2 && y.rank() == x.rank() && weights.rank() == x.rank() &&
                    call.numbers.size() >= 1 + 3 * rank,
                "the kernel takes one or two spatial axes");
    Work work{};
    work.batch = x.size(0);
    work.groups = call.integer(0);
    for (size_t axis = 0; axis < 2; ++axis) {
        const bool missing = axis + rank < 2;
        const size_t there = axis + rank - 2; // of the spatial axes that are there
        const auto number = [&](size_t which) { return call.integer(1 + which * rank + there); };
        work.in[axis] = missing ? 1 : x.size(spatial + there);
        work.out[axis] = missing ? 1 : y.size(spatial + there);
        work.kernel[axis] = missing ? 1 : weights.size(2 + there);
        work.strides[axis] = missing ? 1 : number(0);
        work.dilations[axis] = missing ? 1 : number(1);
        work.begins[axis] = missing ? 0 : number(2);
    }
    call.expect(work.groups > 0, "there is a group");
    work.x = x.elements_of<const float>();
    work.weights = weights.elements_of<const float>();
    work.y = y.elements_of<float>();
    return work;
}

// Reads the bias, once the channels are known.
template <class Work> void read_bias(const Call &call, Work &work, size_t own) {
    if (own < 3)
        return;
    call.expect_floats({&call.ins[2]});
    call.expect(call.ins[2].elements() == work.groups * work.outputs, "the bias has an element for each channel");
    work.bias = call.ins[2].elements_of<const float>();
}

} // namespace lastuse::kernels
