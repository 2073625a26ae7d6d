#include "float_windows.hpp"

#include "call.hpp"

namespace lastuse::kernels {

FloatWindows float_windows(const Call &call, size_t own) {
    call.expect(call.ins.size() >= own && call.outs.size() == 1 && call.ins[0].rank() >= 3,
                "the kernel takes other operands");
    const Array &x = call.ins[0], &y = call.outs[0];
    const size_t rank = x.rank() - 2;
    call.expect_floats({&y});
    for (size_t k = 0; k < own; ++k)
        call.expect_floats({&call.ins[k]});
    call.expect(rank <= 2 && y.rank() == x.rank() && call.numbers.size() >= end_of_windows(call),
                "the kernel takes one or two spatial axes");
    FloatWindows windows{};
    windows.batch = x.size(0);
    windows.channels = x.size(rank + 1);
    call.expect(y.size(0) == windows.batch, "the operands have other sizes");
    for (size_t axis = 0; axis < 2; ++axis) {
        const bool missing = axis + rank < 2;
        const size_t there = axis + rank - 2; // of the spatial axes that are there
        const auto number = [&](size_t which) { return call.integer(1 + which * rank + there); };
        windows.in[axis] = missing ? 1 : x.size(1 + there);
        windows.out[axis] = missing ? 1 : y.size(1 + there);
        windows.kernel[axis] = missing ? 1 : number(0);
        windows.strides[axis] = missing ? 1 : number(1);
        windows.dilations[axis] = missing ? 1 : number(2);
        windows.begins[axis] = missing ? 0 : number(3);
        call.expect(windows.strides[axis] > 0 && windows.dilations[axis] > 0, "a window moves on");
    }
    return windows;
}

size_t end_of_windows(const Call &call) { return 1 + 4 * (call.ins[0].rank() - 2); }

} // namespace lastuse::kernels
