// The kernel of conv_rows.hpp, in GCC's vectors of eight floats. Compiled once for each processor, in the namespace
// LASTUSE_PROCESSOR, with the compiler options of that processor (see CMakeLists.txt).
//
// No inline function of another header may be used here: the linker would keep one copy of it for all processors.
#include "conv_rows.hpp"

namespace lastuse::kernels::LASTUSE_PROCESSOR {

namespace {

constexpr int64_t width = 8;
// Outputs whose sums are in registers together; those of one or two have twice as many pixels.
constexpr int most_outputs = 5;

using Lane = float __attribute__((vector_size(32)));

inline int64_t least(int64_t a, int64_t b) { return a < b ? a : b; }

inline Lane load(const float *from) {
    Lane lane;
    __builtin_memcpy(&lane, from, sizeof lane);
    return lane;
}

// Elements `at` and on of a row of so many, with zeros around it.
inline Lane load(const float *row, int64_t at, int64_t size) {
    float elements[width] = {};
    for (int64_t k = 0; k < width; ++k)
        if (at + k >= 0 && at + k < size)
            elements[k] = row[at + k];
    return load(elements);
}

inline void store(float *to, Lane lane, int64_t count) {
    __builtin_memcpy(to, &lane, static_cast<std::size_t>(count) * sizeof(float));
}

// A row of a group of y: `image` and `y` are those of the group.
struct Row {
    const float *image;
    float *y;
    int64_t group, number;
};

// `Vectors` vectors of pixels of a row from `at` on, of outputs from `first` on. `Inside`: all that they read is in rows of x.
template <int Outputs, int Vectors, bool Inside>
void pixels_of(const ConvRows &work, const Row &row, int64_t at, int64_t first) {
    const int64_t own = row.group * work.outputs + first, size = work.channels * work.taps();
    const float *weights = work.weights + own * size;
    Lane sums[Outputs][Vectors];
    for (int o = 0; o < Outputs; ++o)
        for (int v = 0; v < Vectors; ++v)
            sums[o][v] = (work.bias ? work.bias[own + o] : 0.0f) - Lane{};
    const int64_t top = row.number * work.strides[0] - work.begins[0], left = at - work.begins[1];
    for (int64_t channel = 0; channel < work.channels; ++channel)
        for (int64_t down = 0; down < work.kernel[0]; ++down) {
            const int64_t high = top + down * work.dilations[0];
            if (high < 0 || high >= work.in[0])
                continue;
            const float *const line = row.image + (channel * work.in[0] + high) * work.in[1];
            const float *factors = weights + (channel * work.kernel[0] + down) * work.kernel[1];
            for (int64_t along = 0; along < work.kernel[1]; ++along, ++factors) {
                const int64_t from = left + along * work.dilations[1];
                Lane read[Vectors];
                for (int v = 0; v < Vectors; ++v)
                    read[v] = Inside ? load(line + from + v * width) : load(line, from + v * width, work.in[1]);
                for (int o = 0; o < Outputs; ++o)
                    for (int v = 0; v < Vectors; ++v)
                        sums[o][v] += factors[o * size] * read[v];
            }
        }
    float *const to = row.y + (first * work.out[0] + row.number) * work.out[1] + at;
    for (int o = 0; o < Outputs; ++o)
        for (int v = 0; v < Vectors; ++v)
            if (at + v * width < work.out[1])
                store(to + o * work.out[0] * work.out[1] + v * width, sums[o][v],
                      least(work.out[1] - at - v * width, width));
}

// Rows `from` to `until` of a group. Pixels of all rows before the next ones: rows of x stay in a cache.
template <int Outputs>
void outputs_of(const ConvRows &work, Row row, int64_t from, int64_t until, int64_t first) {
    constexpr int vectors = Outputs > 2 ? 2 : 4;
    const int64_t reach = (work.kernel[1] - 1) * work.dilations[1] + vectors * width;
    for (int64_t at = 0; at < work.out[1]; at += vectors * width) {
        const int64_t left = at - work.begins[1];
        const bool inside = left >= 0 && left + reach <= work.in[1];
        for (row.number = from; row.number < until; ++row.number) {
            if (inside)
                pixels_of<Outputs, vectors, true>(work, row, at, first);
            else
                pixels_of<Outputs, vectors, false>(work, row, at, first);
        }
    }
}

template <int Outputs, class... Arguments>
void some_outputs(int64_t count, Arguments... arguments) {
    if constexpr (Outputs > 1)
        if (count < Outputs)
            return some_outputs<Outputs - 1>(count, arguments...);
    outputs_of<Outputs>(arguments...);
}

} // namespace

void conv_rows(const ConvRows &work, int64_t begin, int64_t end) {
    const int64_t blocks = (work.outputs + most_outputs - 1) / most_outputs, pixels = work.in[0] * work.in[1];
    while (begin < end) {
        const int64_t image = begin / work.out[0], from = begin % work.out[0];
        const int64_t until = least(work.out[0], from + end - begin);
        const Row row{work.x + image * work.channels * pixels,
                      work.y + image * work.outputs * work.out[0] * work.out[1], image % work.groups, from};
        for (int64_t number = 0; number < blocks; ++number) {
            const int64_t first = work.outputs * number / blocks, next = work.outputs * (number + 1) / blocks;
            some_outputs<most_outputs>(next - first, work, row, from, until, first);
        }
        begin += until - from;
    }
}

} // namespace lastuse::kernels::LASTUSE_PROCESSOR
