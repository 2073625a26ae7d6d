// The kernels of conv_transpose.hpp, in GCC's vectors of eight floats. Compiled once for each processor, in the namespace
// LASTUSE_PROCESSOR, with the compiler options of that processor (see CMakeLists.txt).
//
// No inline function of another header may be used here: the linker would keep one copy of it for all processors. Loops
// over sums are unrolled early: the sums are in registers then, and not in memory.
#include "conv_transpose.hpp"

namespace lastuse::kernels::LASTUSE_PROCESSOR {

namespace {

constexpr int64_t width = transpose_group, together = 4; // lanes of a vector, pixels that are computed together

using Lane = float __attribute__((vector_size(32)));
using Four = float __attribute__((vector_size(16)));

inline Lane load(const float *from) {
    Lane lane;
    __builtin_memcpy(&lane, from, sizeof lane);
    return lane;
}

inline Lane load(const float *from, int64_t count) {
    Lane lane = {};
    __builtin_memcpy(&lane, from, static_cast<std::size_t>(count) * sizeof(float));
    return lane;
}

inline void store(float *to, Lane lane, int64_t count) {
    __builtin_memcpy(to, &lane, static_cast<std::size_t>(count) * sizeof(float));
}

inline int64_t least(int64_t a, int64_t b) { return a < b ? a : b; }

// How weights are packed and sums taken: each channel alone [tap, channel]; over channels, with few outputs
// [tap, group, output, channel]; or for several outputs at once [tap, group, channel, padded outputs].
enum class Form { alone, over_channels, over_outputs };

inline Form form_of(const ConvTranspose &work) {
    if (work.channels == 1 && work.outputs == 1)
        return Form::alone;
    return work.outputs < width / 2 && work.channels >= width ? Form::over_channels : Form::over_outputs;
}

void pack(const ConvTranspose &work) {
    const Form form = form_of(work);
    const int64_t taps = work.taps(), padded = work.padded_outputs();
    float *to = work.packed;
    for (int64_t tap = 0; tap < taps; ++tap)
        for (int64_t group = 0; group < work.groups; ++group) {
            const float *const from = work.weights + group * work.channels * work.outputs * taps + tap;
            if (form == Form::over_outputs) {
                for (int64_t channel = 0; channel < work.channels; ++channel)
                    for (int64_t output = 0; output < padded; ++output)
                        *to++ = output < work.outputs ? from[(channel * work.outputs + output) * taps] : 0.0f;
            } else {
                for (int64_t output = 0; output < work.outputs; ++output)
                    for (int64_t channel = 0; channel < work.channels; ++channel)
                        *to++ = from[(channel * work.outputs + output) * taps];
            }
        }
}

// An element of the window, at a phase of a row: x is read from `x` on at the phase's first pixel, which may lie before
// the row; pixels `begin` to `end` of the phase read within the row.
struct Tap {
    const float *x, *weights;
    int64_t begin, end;
};

struct Taps {
    Tap taps[most_taps];
    int64_t count;
};

// Of `Pixels` pixels, `step` floats of x apart, `Vectors` vectors of outputs from w on.
template <int Pixels, int Vectors>
inline void add_outputs(Lane (&sums)[Pixels][Vectors], const float *x, int64_t step, const float *w, int64_t padded,
                        int64_t channels) {
    for (int64_t channel = 0; channel < channels; ++channel, w += padded) {
        Lane factors[Vectors];
#pragma GCC unroll 4
        for (int k = 0; k < Vectors; ++k)
            factors[k] = load(w + k * width);
#pragma GCC unroll 4
        for (int pixel = 0; pixel < Pixels; ++pixel) {
            const float element = x[pixel * step + channel];
#pragma GCC unroll 4
            for (int k = 0; k < Vectors; ++k)
                sums[pixel][k] += element * factors[k];
        }
    }
}

// Pixels from `at` on of a phase, which the same taps reach.
struct Place {
    int64_t at, x_step, y_step;
    float *y; // at the pixel `at`
};

template <int Pixels, int Vectors>
void outputs_of(const ConvTranspose &work, const Taps &taps, const Place &place, int64_t group, int64_t first) {
    Lane sums[Pixels][Vectors];
    const int64_t count = least(work.outputs - first, Vectors * width);
#pragma GCC unroll 4
    for (int k = 0; k < Vectors; ++k) {
        const int64_t some = least(count - k * width, width);
        const Lane start = work.bias ? load(work.bias + group * work.outputs + first + k * width, some) : Lane{};
#pragma GCC unroll 4
        for (int pixel = 0; pixel < Pixels; ++pixel)
            sums[pixel][k] = start;
    }
    const int64_t padded = work.padded_outputs();
    for (int64_t k = 0; k < taps.count; ++k) {
        const Tap &tap = taps.taps[k];
        if (place.at >= tap.begin && place.at < tap.end)
            add_outputs(sums, tap.x + place.at * place.x_step + group * work.channels, place.x_step,
                        tap.weights + group * work.channels * padded + first, padded, work.channels);
    }
#pragma GCC unroll 4
    for (int pixel = 0; pixel < Pixels; ++pixel)
#pragma GCC unroll 4
        for (int k = 0; k < Vectors; ++k)
            store(place.y + pixel * place.y_step + group * work.outputs + first + k * width, sums[pixel][k],
                  least(count - k * width, width));
}

template <int Pixels>
void over_outputs(const ConvTranspose &work, const Taps &taps, const Place &place) {
    for (int64_t group = 0; group < work.groups; ++group)
        for (int64_t first = 0; first < work.outputs;) {
            const int64_t vectors = (work.outputs - first + width - 1) / width;
            if (vectors == 1)
                outputs_of<Pixels, 1>(work, taps, place, group, first);
            else if (vectors == 3)
                outputs_of<Pixels, 3>(work, taps, place, group, first);
            else
                outputs_of<Pixels, 2>(work, taps, place, group, first);
            first += (vectors == 1 ? 1 : vectors == 3 ? 3 : 2) * width;
        }
}

inline float total(Lane lane) {
    Four sum = __builtin_shufflevector(lane, lane, 0, 1, 2, 3) + __builtin_shufflevector(lane, lane, 4, 5, 6, 7);
    sum += __builtin_shufflevector(sum, sum, 2, 3, 0, 1);
    return sum[0] + sum[1];
}

// The totals of the sums, each added in the order of `total`.
template <int Pixels>
void write_totals(const Lane (&sums)[Pixels], float (&totals)[Pixels]) {
    if constexpr (Pixels == 4) {
        const auto halves = [](Lane a, Lane b) {
            return __builtin_shufflevector(a, b, 0, 1, 2, 3, 8, 9, 10, 11) +
                   __builtin_shufflevector(a, b, 4, 5, 6, 7, 12, 13, 14, 15);
        };
        const Lane first = halves(sums[0], sums[1]), second = halves(sums[2], sums[3]);
        Lane sum = __builtin_shufflevector(first, second, 0, 8, 1, 9, 4, 12, 5, 13) +
                   __builtin_shufflevector(first, second, 2, 10, 3, 11, 6, 14, 7, 15);
        sum += __builtin_shufflevector(sum, sum, 2, 3, 2, 3, 6, 7, 6, 7);
        totals[0] = sum[0];
        totals[1] = sum[4];
        totals[2] = sum[1];
        totals[3] = sum[5];
    } else {
#pragma GCC unroll 4
        for (int pixel = 0; pixel < Pixels; ++pixel)
            totals[pixel] = total(sums[pixel]);
    }
}

template <int Pixels>
void over_channels(const ConvTranspose &work, const Taps &taps, const Place &place) {
    const int64_t whole = work.channels / width * width, rest = work.channels - whole;
    for (int64_t own = 0; own < work.groups * work.outputs; ++own) {
        Lane sums[Pixels] = {};
        for (int64_t k = 0; k < taps.count; ++k) {
            const Tap &tap = taps.taps[k];
            if (place.at < tap.begin || place.at >= tap.end)
                continue;
            const float *const x = tap.x + place.at * place.x_step + own / work.outputs * work.channels;
            const float *const w = tap.weights + own * work.channels;
            for (int64_t channel = 0; channel < whole; channel += width)
#pragma GCC unroll 4
                for (int pixel = 0; pixel < Pixels; ++pixel)
                    sums[pixel] += load(x + pixel * place.x_step + channel) * load(w + channel);
            if (rest > 0)
#pragma GCC unroll 4
                for (int pixel = 0; pixel < Pixels; ++pixel)
                    sums[pixel] += load(x + pixel * place.x_step + whole, rest) * load(w + whole, rest);
        }
        float totals[Pixels];
        write_totals(sums, totals);
#pragma GCC unroll 4
        for (int pixel = 0; pixel < Pixels; ++pixel)
            place.y[pixel * place.y_step + own] = totals[pixel] + (work.bias ? work.bias[own] : 0.0f);
    }
}

// Of `Vectors` vectors of channels from `first` on, or with `Part` of `count` channels.
template <int Pixels, int Vectors, bool Part = false>
inline void alone_of(const ConvTranspose &work, const Taps &taps, const Place &place, int64_t first,
                     int64_t count = width) {
    const auto some = [&](const float *from, int k) {
        return Part ? load(from + first, count) : load(from + first + k * width);
    };
    Lane sums[Pixels][Vectors];
#pragma GCC unroll 4
    for (int pixel = 0; pixel < Pixels; ++pixel)
#pragma GCC unroll 4
        for (int k = 0; k < Vectors; ++k)
            sums[pixel][k] = work.bias ? some(work.bias, k) : Lane{};
    for (int64_t number = 0; number < taps.count; ++number) {
        const Tap &tap = taps.taps[number];
        if (place.at < tap.begin || place.at >= tap.end)
            continue;
#pragma GCC unroll 4
        for (int k = 0; k < Vectors; ++k) {
            const Lane factors = some(tap.weights, k);
#pragma GCC unroll 4
            for (int pixel = 0; pixel < Pixels; ++pixel)
                sums[pixel][k] += some(tap.x + (place.at + pixel) * place.x_step, k) * factors;
        }
    }
#pragma GCC unroll 4
    for (int pixel = 0; pixel < Pixels; ++pixel)
#pragma GCC unroll 4
        for (int k = 0; k < Vectors; ++k)
            store(place.y + pixel * place.y_step + first + k * width, sums[pixel][k], Part ? count : width);
}

template <int Pixels>
void alone(const ConvTranspose &work, const Taps &taps, const Place &place) {
    int64_t first = 0;
    for (; first + 2 * width <= work.groups; first += 2 * width)
        alone_of<Pixels, 2>(work, taps, place, first);
    for (; first + width <= work.groups; first += width)
        alone_of<Pixels, 1>(work, taps, place, first);
    if (first < work.groups)
        alone_of<Pixels, 1, true>(work, taps, place, first, work.groups - first);
}

template <int Pixels>
void compute_pixels(Form form, const ConvTranspose &work, const Taps &taps, const Place &place) {
    if (form == Form::over_outputs)
        over_outputs<Pixels>(work, taps, place);
    else if (form == Form::over_channels)
        over_channels<Pixels>(work, taps, place);
    else
        alone<Pixels>(work, taps, place);
}

// The taps that reach pixels `phase`, `phase` + stride, … of a row of y, of which there are `pixels`.
void find_taps(const ConvTranspose &work, const float *image, int64_t row, int64_t phase, int64_t pixels, Taps &taps) {
    const int64_t step = work.groups * work.channels, form = form_of(work) == Form::over_outputs;
    const int64_t tap_size = step * (form ? work.padded_outputs() : work.outputs);
    taps.count = 0;
    for (int64_t down = 0; down < work.kernel[0]; ++down) {
        const int64_t high = row + work.begins[0] - down * work.dilations[0];
        if (high < 0 || high % work.strides[0] != 0 || high / work.strides[0] >= work.in[0])
            continue;
        const float *const from = image + high / work.strides[0] * work.in[1] * step;
        for (int64_t along = 0; along < work.kernel[1]; ++along) {
            const int64_t far = phase + work.begins[1] - along * work.dilations[1];
            if (far % work.strides[1] != 0)
                continue;
            const int64_t first = far / work.strides[1];
            const int64_t begin = first < 0 ? -first : 0, end = least(pixels, work.in[1] - first);
            if (begin < end)
                taps.taps[taps.count++] = {from + first * step,
                                           work.packed + (down * work.kernel[1] + along) * tap_size, begin, end};
        }
    }
}

// How many pixels from `at` on the same taps reach: none begins or ends between them.
int64_t alike(const Taps &taps, int64_t at, int64_t pixels) {
    int64_t end = pixels;
    for (int64_t k = 0; k < taps.count; ++k) {
        const Tap &tap = taps.taps[k];
        end = tap.begin > at ? least(end, tap.begin) : end;
        end = tap.end > at ? least(end, tap.end) : end;
    }
    return end - at;
}

void compute(const ConvTranspose &work, int64_t begin, int64_t end) {
    const Form form = form_of(work);
    const int64_t x_step = work.groups * work.channels, y_step = work.groups * work.outputs;
    Taps taps;
    for (int64_t row = begin; row < end; ++row) {
        const float *const image = work.x + row / work.out[0] * work.in[0] * work.in[1] * x_step;
        for (int64_t phase = 0; phase < least(work.strides[1], work.out[1]); ++phase) {
            const int64_t pixels = (work.out[1] - phase + work.strides[1] - 1) / work.strides[1];
            find_taps(work, image, row % work.out[0], phase, pixels, taps);
            float *const y = work.y + (row * work.out[1] + phase) * y_step;
            const int64_t apart = work.strides[1] * y_step;
            for (int64_t at = 0; at < pixels;)
                for (const int64_t end = at + alike(taps, at, pixels); at < end;) {
                    const Place place{at, x_step, apart, y + at * apart};
                    if (end - at >= together)
                        compute_pixels<together>(form, work, taps, place);
                    else
                        compute_pixels<1>(form, work, taps, place);
                    at += end - at >= together ? together : 1;
                }
        }
    }
}

} // namespace

const ConvTransposeKernels conv_transpose = {pack, compute};

} // namespace lastuse::kernels::LASTUSE_PROCESSOR
