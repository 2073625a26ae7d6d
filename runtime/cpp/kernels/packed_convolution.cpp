#include "functions.hpp"
#include "packed_product.hpp"

namespace lastuse::kernels {

void packed_conv(const Call &call) {
    PackedConvolution work{};
    work.windows = float_windows(call, 2);
    const Array &x = call.ins[0], &weights = call.ins[1], &y = call.outs[0];
    work.rows = work.windows.places();
    work.depth = work.windows.taps() * work.windows.channels;
    work.columns = y.form->shape.back();
    call.expect(work.windows.taps() > 0 && weights.elements() == work.depth * panelled_columns(work.columns),
                "the weights have other sizes");
    static_cast<RowEpilogue &>(work) = row_epilogue(call, end_of_windows(call), work.columns);
    if (y.elements() == 0)
        return;
    work.given = x.elements_of<const float>();
    work.weights = weights.elements_of<const float>();
    work.out = y.elements_of<float>();
    share_product(call, work, [&](int64_t begin, int64_t until, int64_t first, int64_t end) {
        packed_kernel().convolve(work, begin, until, first, end);
    });
}

} // namespace lastuse::kernels
