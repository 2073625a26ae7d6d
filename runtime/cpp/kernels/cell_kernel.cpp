// The kernels of cell.hpp, in GCC's vectors of eight floats. Compiled once for each processor, in the namespace
// LASTUSE_PROCESSOR, with the compiler options of that processor (see CMakeLists.txt).
//
// No inline function of another header may be used here: the linker would keep one copy of it for all processors.
#include "cell.hpp"

#if defined(__AVX__)
#include <immintrin.h>
#endif

namespace lastuse::kernels::LASTUSE_PROCESSOR {

#include "cell_product.inc"
#include "cell_factors.inc"
#include "cell_functions.inc"
#include "cell_pieces.inc"

namespace {

// Writes eight elements of a row of `size` in the type that is multiplied; `which`: 0 for the input, 1 for the state.
// int8 is written in whole pairs, with zeros past the end of the row.
template <class Type>
inline void put_given(const Cell &cell, int which, typename Type::Given *row, int64_t from, int64_t size, Lane lane) {
    if constexpr (is_f32<Type>) {
        put_piece(row, from, size, lane);
    } else {
        lane = Type::rounded(lane, cell.data_scale[which], cell.data_shift[which]);
        if (from + 8 <= size)
            return Type::put(row + from, lane);
        typename Type::Given last[8];
        Type::put(last, lane);
        for (int64_t k = from; k < paired<Type>(size); ++k)
            row[k] = k < size ? last[k - from] : typename Type::Given(0);
    }
}

// Writes columns of dense rows [.., size] from row `row` to `end` to `memory`, in the type that is multiplied.
template <class Type>
void put_rows(const Cell &cell, int which, const float *rows, int64_t size, int64_t row, int64_t end, Columns columns,
          typename Type::Given *memory) {
    for (; row < end; ++row)
        for (int64_t k = columns.first; k < columns.end; k += 8)
            put_given<Type>(cell, which, memory + row * paired<Type>(size), k, size,
                            piece(rows + row * size, k, size));
}

// Prefetches memory that the other threads wrote: without that the product waits for each cache line in turn.
inline void fetch(const void *from, int64_t bytes, const Share &share) {
    if (share.lanes > 1)
        for (int64_t k = 0; k < bytes; k += 64)
            __builtin_prefetch(static_cast<const char *>(from) + k);
}

inline char *take(char *&memory, int64_t bytes) {
    char *taken = memory;
    memory += (bytes + 63) / 64 * 64;
    return taken;
}

template <class Type>
void run(const Cell &cell, int64_t steps, int64_t width, const float *x, const float *state, float *states,
         char *scratch, const Share &share) {
    using Given = typename Type::Given;
    using Item = typename Type::Item;
    const int64_t channels = cell.channels, columns = padded(channels), rows = steps * width, every = 3 * columns;
    const int64_t input_depth = paired<Type>(cell.input), depth = paired<Type>(channels);
    const auto item = static_cast<int64_t>(sizeof(Given));
    const Columns own = columns_of(share, channels);
    const int64_t first = own.first / vector_columns, end = (own.end + vector_columns - 1) / vector_columns;
    auto *gates = reinterpret_cast<float *>(take(scratch, rows * every * 4));
    auto *reset = reinterpret_cast<Given *>(take(scratch, width * columns * item));
    // The factors: f32 is read in place and has no scratch for them.
    const Given *input, *before;
    Given *rounded = nullptr;
    if constexpr (is_f32<Type>) {
        input = x;
        before = state;
    } else {
        rounded = reinterpret_cast<Given *>(take(scratch, width * columns * item));
        before = rounded;
        auto *inputs = reinterpret_cast<Given *>(scratch);
        input = inputs;
        put_rows<Type>(cell, 0, x, cell.input, rows * share.lane / share.lanes, rows * (share.lane + 1) / share.lanes,
                       {0, cell.input}, inputs);
        put_rows<Type>(cell, 1, state, channels, 0, width, own, rounded);
        share.wait();
    }
    for (int gate = 0; gate < 3; ++gate)
        multiply<Type>({input_depth, input_depth, 0, every, input, static_cast<const Item *>(cell.layer[gate]),
                        cell.bias + gate * columns, cell.inverse[0] + gate * columns, gates + gate * columns},
                       rows, first, end);
    for (int64_t step = 0; step < steps; ++step, gates += width * every, states += width * channels) {
        const auto add = [&](const Given *from, int gate) {
            multiply<Type>({depth, depth, every, every, from, static_cast<const Item *>(cell.iter[gate]),
                            gates + gate * columns, cell.inverse[1] + gate * columns, gates + gate * columns},
                           width, first, end);
        };
        if (step > 0)
            share.wait(); // for the columns of the state of the other threads
        fetch(before, width * depth * item, share);
        add(before, 0);
        add(before, 1);
        for (int64_t row = 0; row < width; ++row)
            for (int64_t k = own.first; k < own.end; k += 8)
                put_given<Type>(cell, 1, reset + row * depth, k, channels,
                                sigmoid(load(gates + row * every + columns + k)) *
                                    piece(state + row * channels, k, channels));
        share.wait(); // for the columns of r * h of the other threads
        fetch(reset, width * depth * item, share);
        add(reset, 2);
        for (int64_t row = 0; row < width; ++row)
            for (int64_t k = own.first; k < own.end; k += 8) {
                const float *gate = gates + row * every + k;
                const Lane next =
                    next_state(load(gate), load(gate + 2 * columns), piece(state + row * channels, k, channels));
                put_piece(states + row * channels, k, channels, next);
                if constexpr (!is_f32<Type>)
                    put_given<Type>(cell, 1, rounded + row * depth, k, channels, next);
            }
        state = states;
        if constexpr (is_f32<Type>)
            before = states;
    }
}

} // namespace

void run_cell(const Cell &cell, int64_t steps, int64_t width, const float *x, const float *state, float *states,
              char *scratch, const Share &share) {
    switch (cell.kind) {
    case Kind::f32:
        return run<F32>(cell, steps, width, x, state, states, scratch, share);
    case Kind::bf16:
        return run<Bf16>(cell, steps, width, x, state, states, scratch, share);
    case Kind::int8:
        return run<Int8>(cell, steps, width, x, state, states, scratch, share);
    }
}

} // namespace lastuse::kernels::LASTUSE_PROCESSOR
