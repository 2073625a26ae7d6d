// The kernels of conv_rows.hpp, in GCC's vectors. Compiled once for each processor, in the namespace LASTUSE_PROCESSOR,
// with the compiler options of that processor (see CMakeLists.txt).
//
// No inline function of another header may be used here: the linker would keep one copy of it for all processors. Loops
// over sums are unrolled early: the sums are in registers then, and not in memory.
#include "conv_rows.hpp"

#if defined(__AVX2__)
#include <immintrin.h>
#endif

namespace lastuse::kernels::LASTUSE_PROCESSOR {

namespace {

// Elements of a vector, and the most outputs whose sums are in registers together.
#if defined(__AVX512F__)
constexpr int64_t lanes = 16;
constexpr int most_outputs = 12;
#else
constexpr int64_t lanes = 8;
constexpr int most_outputs = 6;
#endif

// Vectors of a row whose sums of so many outputs are in registers, beside what is read: of 32 registers, or 16.
constexpr int vectors_of(int outputs) {
    constexpr int sums = lanes == 16 ? 25 : 12;
    const int vectors = sums / outputs;
    return vectors < 6 ? vectors : 6;
}

#include "vector_lanes.inc"
// Behind what they use.
#include "masked_lanes.inc"
#include "row_functions.inc"

// A row of a group of y: `image`, `y` and `added` are those of the group.
struct Row {
    const float *image, *added;
    float *y;
    int64_t group, number;
};

// Adds the products of a tap with what it reads of all channels. `Inside`: all of that is in rows of x.
template <int Outputs, int Vectors, bool Inside>
__attribute__((always_inline)) inline void add_products(Lane (&sums)[Outputs][Vectors], const float *line,
                                                        const float *factors, int64_t channels, int64_t plane,
                                                        const Mask (&masks)[Vectors]) {
    for (int64_t channel = 0; channel < channels; ++channel, line += plane, factors += Outputs) {
        Lane read[Vectors];
#pragma GCC unroll 16
        for (int v = 0; v < Vectors; ++v)
            read[v] = Inside ? load(line + v * lanes) : load(line + v * lanes, masks[v]);
#pragma GCC unroll 16
        for (int o = 0; o < Outputs; ++o)
#pragma GCC unroll 16
            for (int v = 0; v < Vectors; ++v)
                sums[o][v] += factors[o] * read[v];
    }
}

// Makes `change(sum, output, vector)` of each sum.
template <int Outputs, int Vectors, class Change>
__attribute__((always_inline)) inline void change_each(Lane (&sums)[Outputs][Vectors], Change change) {
#pragma GCC unroll 16
    for (int o = 0; o < Outputs; ++o)
#pragma GCC unroll 16
        for (int v = 0; v < Vectors; ++v)
            sums[o][v] = change(sums[o][v], o, v);
}

// The post-op of sums whose vector `v` of output `o` lies at added + o * size + v * lanes.
template <int Outputs, int Vectors>
__attribute__((always_inline)) inline void apply(const RowPostOp &post_op, Lane (&sums)[Outputs][Vectors],
                                                 const float *added, int64_t size, const Mask (&ends)[Vectors]) {
    if (post_op.function == RowFunction::sum)
        return change_each(sums, [&](Lane sum, int o, int v) { return sum + load(added + o * size + v * lanes, ends[v]); });
    apply_function(post_op, [&](auto function) {
        change_each(sums, [&](Lane sum, int, int) { return function(sum); });
    });
}

// `Vectors` vectors of a row from `at` on, of outputs from `first` on.
template <int Outputs, int Vectors>
void pixels_of(const ConvRows &work, const Row &row, int64_t at, int64_t first) {
    const int64_t own = row.group * work.outputs + first, plane = work.in[0] * work.in[1];
    const float *factors = work.packed + own * work.channels * work.taps();
    Lane sums[Outputs][Vectors];
    change_each(sums, [&](Lane, int o, int) { return repeated(work.bias ? work.bias[own + o] : 0.0f); });
    const int64_t top = row.number * work.strides[0] - work.begins[0], left = at - work.begins[1];
    for (int64_t along = 0; along < work.kernel[1]; ++along) {
        const int64_t from = left + along * work.dilations[1], left_over = work.in[1] - from;
        if (left_over <= 0 || from + Vectors * lanes <= 0) {
            factors += work.kernel[0] * work.channels * Outputs;
            continue;
        }
        const bool inside = from >= 0 && left_over >= Vectors * lanes;
        Mask masks[Vectors];
#pragma GCC unroll 16
        for (int v = 0; v < Vectors; ++v)
            masks[v] = mask_of(-from - v * lanes, left_over - v * lanes);
        for (int64_t down = 0; down < work.kernel[0]; ++down, factors += work.channels * Outputs) {
            const int64_t high = top + down * work.dilations[0];
            if (high < 0 || high >= work.in[0])
                continue;
            const float *const line = row.image + high * work.in[1] + from;
            if (inside)
                add_products<Outputs, Vectors, true>(sums, line, factors, work.channels, plane, masks);
            else
                add_products<Outputs, Vectors, false>(sums, line, factors, work.channels, plane, masks);
        }
    }
    const int64_t size = work.out[0] * work.out[1], place = first * size + row.number * work.out[1] + at;
    Mask ends[Vectors];
#pragma GCC unroll 16
    for (int v = 0; v < Vectors; ++v)
        ends[v] = mask_of(0, work.out[1] - at - v * lanes);
    for (size_t k = 0; k < work.post_ops.count; ++k)
        apply(work.post_ops.all[k], sums, row.added + place, size, ends);
    float *const to = row.y + place;
#pragma GCC unroll 16
    for (int o = 0; o < Outputs; ++o)
#pragma GCC unroll 16
        for (int v = 0; v < Vectors; ++v)
            store(to + o * size + v * lanes, sums[o][v], ends[v]);
}

template <int Outputs, int Vectors>
void some_vectors(int64_t count, const ConvRows &work, Row row, int64_t until, int64_t at, int64_t first) {
    if constexpr (Vectors > 1)
        if (count < Vectors)
            return some_vectors<Outputs, Vectors - 1>(count, work, row, until, at, first);
    for (; row.number < until; ++row.number)
        pixels_of<Outputs, Vectors>(work, row, at, first);
}

// Rows from `row` to `until` of a group, of `count` outputs from `first` on.
template <int Outputs>
void some_outputs(int64_t count, int64_t vectors, const ConvRows &work, const Row &row, int64_t until, int64_t at,
                  int64_t first) {
    if constexpr (Outputs > 1)
        if (count < Outputs)
            return some_outputs<Outputs - 1>(count, vectors, work, row, until, at, first);
    some_vectors<Outputs, vectors_of(Outputs)>(vectors, work, row, until, at, first);
}

// The outputs of a group in blocks, and the vectors of a row in columns, each about as large as the others.
struct Blocks {
    int64_t outputs, blocks, vectors, columns;

    explicit Blocks(const ConvRows &work)
        : outputs(work.outputs), blocks((outputs + most_outputs - 1) / most_outputs),
          vectors((work.out[1] + lanes - 1) / lanes), columns(0) {
        const int64_t most = vectors_of(static_cast<int>((outputs + blocks - 1) / blocks));
        columns = (vectors + most - 1) / most;
    }

    int64_t output(int64_t block) const { return outputs * block / blocks; }
    int64_t vector(int64_t column) const { return vectors * column / columns; }
};

void pack(const ConvRows &work) {
    const Blocks blocks(work);
    const int64_t taps = work.taps(), size = work.channels * taps;
    float *to = work.packed;
    for (int64_t group = 0; group < work.groups; ++group)
        for (int64_t block = 0; block < blocks.blocks; ++block)
            for (int64_t along = 0; along < work.kernel[1]; ++along)
                for (int64_t down = 0; down < work.kernel[0]; ++down)
                    for (int64_t channel = 0; channel < work.channels; ++channel) {
                        const float *const from = work.weights + channel * taps + down * work.kernel[1] + along;
                        for (int64_t output = blocks.output(block); output < blocks.output(block + 1); ++output)
                            *to++ = from[(group * work.outputs + output) * size];
                    }
}

int64_t columns(const ConvRows &work) { return work.batch * work.groups * Blocks(work).columns; }

void compute(const ConvRows &work, int64_t begin, int64_t end) {
    const Blocks blocks(work);
    const int64_t in = work.in[0] * work.in[1], out = work.out[0] * work.out[1];
    while (begin < end) {
        const int64_t column = begin / work.out[0], from = begin % work.out[0];
        const int64_t until = least_of(work.out[0], from + end - begin);
        const int64_t image = column / blocks.columns, part = column % blocks.columns;
        const int64_t at = blocks.vector(part), vectors = blocks.vector(part + 1) - at, y = image * work.outputs * out;
        const Row row{work.x + image * work.channels * in, work.added ? work.added + y : work.y, work.y + y,
                      image % work.groups, from};
        for (int64_t block = 0; block < blocks.blocks; ++block) {
            const int64_t first = blocks.output(block), count = blocks.output(block + 1) - first;
            some_outputs<most_outputs>(count, vectors, work, row, until, at * lanes, first);
        }
        begin += until - from;
    }
}

} // namespace

const ConvRowsKernels conv_rows = {pack, columns, compute};

} // namespace lastuse::kernels::LASTUSE_PROCESSOR
