#include "channel_norm.hpp"

#include <algorithm>

#include "functions.hpp"
#include "processors.hpp"

namespace lastuse::kernels {

namespace {

const ChannelNormKernels &channel_norm_kernels() { return LASTUSE_BEST_TO_AVX2(channel_norm); }

// On at most the call's threads, which are OpenMP's, as those of the primitives around it are.
template <class Work>
void over_channels(const Call &call, const ChannelArray &array, void (*kernel)(const Work &, int64_t, int64_t),
                   const Work &work) {
    const int64_t together = array.last ? channel_group : 1, groups = (array.channels + together - 1) / together;
    const int most = lanes_for(call, call.ins[0].elements());
    const int lanes = static_cast<int>(std::clamp<int64_t>(groups, 1, std::max(most, 1)));
#pragma omp parallel for num_threads(lanes) schedule(static) if (lanes > 1)
    for (int lane = 0; lane < lanes; ++lane)
        kernel(work, groups * lane / lanes * together,
               std::min(groups * (lane + 1) / lanes * together, array.channels));
}

// The array that all of the call's are, or have one row of.
ChannelArray channel_array(const Call &call, std::initializer_list<const Array *> alike) {
    const Array &x = call.ins[0];
    call.expect(x.rank() >= 2, "x has two axes or more");
    const bool last = call.numbers[2] != 0.0;
    const size_t axis = last ? x.rank() - 1 : 1;
    ChannelArray array{x.size(0), x.size(axis), 1, last};
    for (size_t k = 1; k < x.rank(); ++k)
        array.inner *= k == axis ? 1 : x.size(k);
    for (const std::vector<Array> *arrays : {&call.ins, &call.outs})
        for (const Array &other : *arrays) {
            call.expect_floats({&other});
            const bool whole = &other == &x || std::find(alike.begin(), alike.end(), &other) != alike.end();
            call.expect(whole ? other.form->shape == x.form->shape : other.elements() == array.channels,
                        "arrays have x's shape, or a row for its channels");
        }
    return array;
}

} // namespace

void batch_norm(const Call &call) {
    const bool kept = call.outs.size() == 5; // x's own statistics are results
    call.expect_counts(5, kept ? 5 : 3, 3);
    const ChannelArray array = channel_array(call, {&call.outs[0]});
    std::vector<float> memory(kept ? 0 : static_cast<size_t>(2 * array.channels));
    const auto in = [&](size_t k) { return call.ins[k].elements_of<const float>(); };
    const auto out = [&](size_t k) { return call.outs[k].elements_of<float>(); };
    const ChannelNorm norm{array,
                           static_cast<float>(call.numbers[0]),
                           static_cast<float>(call.numbers[1]),
                           in(0),
                           in(1),
                           in(2),
                           in(3),
                           in(4),
                           out(0),
                           out(1),
                           out(2),
                           kept ? out(3) : memory.data(),
                           kept ? out(4) : memory.data() + array.channels};
    over_channels(call, array, channel_norm_kernels().normalize, norm);
}

void batch_norm_grad(const Call &call) {
    call.expect_counts(5, 3, 3);
    const ChannelArray array = channel_array(call, {&call.ins[4], &call.outs[0]});
    const auto in = [&](size_t k) { return call.ins[k].elements_of<const float>(); };
    const auto out = [&](size_t k) { return call.outs[k].elements_of<float>(); };
    const ChannelNormGradient gradient{array,
                                       static_cast<float>(call.numbers[0]),
                                       call.numbers[1] != 0.0,
                                       in(0),
                                       in(1),
                                       in(2),
                                       in(3),
                                       in(4),
                                       out(0),
                                       out(1),
                                       out(2)};
    over_channels(call, array, channel_norm_kernels().go_back, gradient);
}

} // namespace lastuse::kernels
