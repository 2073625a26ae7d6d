#include "pooling.hpp"

#include "functions.hpp"
#include "processors.hpp"
#include "window_parts.hpp"

namespace lastuse::kernels {

namespace {

const PoolingKernel &pooling_kernel() { return LASTUSE_BEST_TO_AVX512(pooling); }

// A window over a whole plane is one row: its sums are made in one order whatever the plane's shape.
void join_plane(Pooling &work) {
    for (size_t axis = 0; axis < 2; ++axis)
        if (work.kernel[axis] != work.in[axis] || work.out[axis] != 1 || work.begins[axis] != 0 || work.dilations[axis] != 1)
            return;
    work.in[1] *= work.in[0];
    work.kernel[1] = work.in[1];
    work.in[0] = work.kernel[0] = 1;
}

} // namespace

void pool(const Call &call) {
    Pooling work{};
    static_cast<FloatWindows &>(work) = float_windows(call, 1);
    const Array &x = call.ins[0], &y = call.outs[0];
    const size_t rank = x.rank() - 2, end = end_of_windows(call);
    const int64_t kind = call.integer(0);
    call.expect(kind >= 0 && kind <= static_cast<int64_t>(Pool::padded_mean) && call.ins.size() == 1 &&
                    call.numbers.size() == end + rank && y.size(rank + 1) == work.channels,
                "the kernel takes other pools");
    work.pool = static_cast<Pool>(kind);
    for (size_t axis = 2 - rank; axis < 2; ++axis)
        work.ends[axis] = call.integer(end + axis + rank - 2);
    if (y.elements() == 0)
        return;
    join_plane(work);
    work.x = x.elements_of<const float>();
    work.y = y.elements_of<float>();
    const auto &kernel = pooling_kernel();
    over_window_parts(work, lanes_for(call, y.elements() * work.taps() / 8), pooled_channels,
                      [&](const WindowsPart &part) { kernel.compute(work, part); });
}

} // namespace lastuse::kernels
