// The kernel of depthwise.hpp, in GCC's vectors. Compiled once for each processor, in the namespace LASTUSE_PROCESSOR, with
// the compiler options of that processor (see CMakeLists.txt).
//
// No inline function of another header may be used here: the linker would keep one copy of it for all processors.
#include "depthwise.hpp"

#include <type_traits>

#if defined(__AVX2__)
#include <immintrin.h>
#endif

#include "map_functions.inc"

namespace lastuse::kernels::LASTUSE_PROCESSOR {

namespace {

#include "product_lanes.inc"
// Behind what they use.
#include "masked_lanes.inc"
#include "row_functions.inc"
#include "memory_functions.inc"

// Elements of a row of y whose sums are in registers together: enough that they do not wait for each other.
constexpr int most_pixels = 8;

// Adds the products of a row of the window that has `Taps` elements side by side, and moves by `Step`: each column of x is
// read once. `line` is column `left` of x. `Inside`: all columns are there.
template <int Pixels, int Taps, int Step, bool Inside, bool Whole>
__attribute__((always_inline)) inline void add_taps(Lane (&sums)[Pixels], const float *line, int64_t left,
                                                    const float *weights, const Depthwise &work,
                                                    const Part<Whole> &channels) {
    Lane factors[Taps];
#pragma GCC unroll 8
    for (int k = 0; k < Taps; ++k)
        factors[k] = channels.read(weights + k * work.channels);
#pragma GCC unroll 24
    for (int c = 0; c < (Pixels - 1) * Step + Taps; ++c) {
        if (!Inside && (left + c < 0 || left + c >= work.in[1]))
            continue;
        const Lane value = channels.read(line + c * work.channels);
#pragma GCC unroll 8
        for (int k = 0; k < Taps; ++k)
            if (c >= k && (c - k) % Step == 0 && (c - k) / Step < Pixels)
                sums[(c - k) / Step] += value * factors[k];
    }
}

// The same for any window.
template <int Pixels, bool Inside, bool Whole>
__attribute__((always_inline)) inline void add_any(Lane (&sums)[Pixels], const float *line, int64_t left,
                                                   const float *weights, const Depthwise &work,
                                                   const Part<Whole> &channels) {
    for (int64_t k = 0; k < work.kernel[1]; ++k) {
        const Lane factor = channels.read(weights + k * work.channels);
#pragma GCC unroll 8
        for (int p = 0; p < Pixels; ++p) {
            const int64_t c = k * work.dilations[1] + p * work.strides[1];
            if (Inside || (left + c >= 0 && left + c < work.in[1]))
                sums[p] += channels.read(line + c * work.channels) * factor;
        }
    }
}

// Elements of row `row` of an image from `at` on, of the channels from `channel` on. `Taps` and `Step`: those of the window,
// or 0 for any.
template <int Pixels, int Taps, int Step, bool Inside, bool Whole>
void pixels_of(const Depthwise &work, const Part<Whole> &channels, int64_t image, int64_t channel, int64_t row,
               int64_t at) {
    Lane sums[Pixels];
#pragma GCC unroll 8
    for (int p = 0; p < Pixels; ++p)
        sums[p] = Lane{};
    const int64_t left = at * work.strides[1] - work.begins[1], top = row * work.strides[0] - work.begins[0];
    for (int64_t down = 0; down < work.kernel[0]; ++down) {
        const int64_t high = top + down * work.dilations[0];
        if (high < 0 || high >= work.in[0])
            continue;
        const float *const line = work.x + ((image * work.in[0] + high) * work.in[1] + left) * work.channels + channel;
        const float *const weights = work.weights + down * work.kernel[1] * work.channels + channel;
        if constexpr (Taps > 0)
            add_taps<Pixels, Taps, Step, Inside>(sums, line, left, weights, work, channels);
        else
            add_any<Pixels, Inside>(sums, line, left, weights, work, channels);
    }
    const int64_t place = ((image * work.out[0] + row) * work.out[1] + at) * work.channels + channel;
    if (work.bias) { // last, as it may be much larger than the products
        const Lane bias = channels.read(work.bias + channel);
#pragma GCC unroll 8
        for (int p = 0; p < Pixels; ++p)
            sums[p] += bias;
    }
    if (work.added)
#pragma GCC unroll 8
        for (int p = 0; p < Pixels; ++p)
            sums[p] += channels.read(work.added + place + p * work.channels);
    size_t done = 0;
    for (; done < work.post_ops.count && work.post_ops.all[done].function <= last_plain_function; ++done)
        apply_function(work.post_ops.all[done], [&](auto function) {
#pragma GCC unroll 8
            for (int p = 0; p < Pixels; ++p)
                sums[p] = function(sums[p]);
        });
#pragma GCC unroll 8
    for (int p = 0; p < Pixels; ++p)
        channels.write(work.y + place + p * work.channels, sums[p]);
    for (; done < work.post_ops.count; ++done)
        for (int p = 0; p < Pixels; ++p)
            apply_in_memory(work.post_ops.all[done], work.y + place + p * work.channels,
                            least_of(lanes, work.channels - channel));
}

// Channels of a group from `channel` to `last`, of elements `at` to at + Pixels of a row.
template <int Pixels, int Taps, int Step, bool Inside>
void some_channels(const Depthwise &work, int64_t image, int64_t channel, int64_t last, int64_t row, int64_t at) {
    for (; channel + lanes <= last; channel += lanes)
        pixels_of<Pixels, Taps, Step, Inside, true>(work, {mask_of(0, lanes)}, image, channel, row, at);
    if (channel < last)
        pixels_of<Pixels, Taps, Step, Inside, false>(work, {mask_of(0, last - channel)}, image, channel, row, at);
}

// Elements of a row from `at` to `end`, in blocks.
template <int Pixels, int Taps, int Step>
void some_pixels(const Depthwise &work, int64_t image, int64_t channel, int64_t last, int64_t row, int64_t at, int64_t end) {
    const int64_t reach = (Pixels - 1) * work.strides[1] + (work.kernel[1] - 1) * work.dilations[1];
    for (; at + Pixels <= end; at += Pixels) {
        const int64_t left = at * work.strides[1] - work.begins[1];
        if (left >= 0 && left + reach < work.in[1])
            some_channels<Pixels, Taps, Step, true>(work, image, channel, last, row, at);
        else
            some_channels<Pixels, Taps, Step, false>(work, image, channel, last, row, at);
    }
    if constexpr (Pixels > 1)
        if (at < end)
            some_pixels<Pixels / 2, Taps, Step>(work, image, channel, last, row, at, end);
}

// Channels that are computed together for a tile of each row: what they read is read again for the next rows, out of the
// first cache, and is in whole lines beside each other.
constexpr int64_t channels_together = 64, tile = 16;

template <int Taps, int Step>
void rows_of(const Depthwise &work, const WindowsPart &part) {
    for (int64_t channel = part.channel; channel < part.channel_end; channel += channels_together) {
        const int64_t last = least_of(channel + channels_together, part.channel_end);
        for (int64_t at = 0; at < work.out[1]; at += tile)
            for (int64_t row = part.row; row < part.row_end; ++row)
                some_pixels<most_pixels, Taps, Step>(work, part.image, channel, last, row, at,
                                                     least_of(at + tile, work.out[1]));
    }
}

void compute(const Depthwise &work, const WindowsPart &part) {
    const bool is_near = work.dilations[1] == 1 && work.strides[1] <= 2;
    const int64_t form = is_near ? work.kernel[1] * 2 + work.strides[1] : 0;
    switch (form) {
    case 3 * 2 + 1:
        return rows_of<3, 1>(work, part);
    case 3 * 2 + 2:
        return rows_of<3, 2>(work, part);
    case 5 * 2 + 1:
        return rows_of<5, 1>(work, part);
    case 5 * 2 + 2:
        return rows_of<5, 2>(work, part);
    default:
        return rows_of<0, 0>(work, part);
    }
}

} // namespace

const DepthwiseKernel depthwise = {compute};

} // namespace lastuse::kernels::LASTUSE_PROCESSOR
