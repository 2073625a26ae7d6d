#include "cell.hpp"

#include <algorithm>
#include <cstring>
#include <limits>

#include "../support.hpp"
#include "processors.hpp"

namespace lastuse::kernels {

namespace {

// The position of an element in its panel.
int64_t position(int64_t row, int64_t column, Kind kind) {
    // int8: pairs of rows side by side, as they are multiplied.
    const int64_t together = kind == Kind::int8 ? 2 : 1;
    return row / together * together * panel_columns + column * together + row % together;
}

} // namespace

void pack_gate(const void *elements, int64_t stride, int64_t rows, int64_t channels, Kind kind, void *panels) {
    const int64_t item = item_bytes(kind), panel = depth_of(rows, kind) * panel_columns;
    std::memset(panels, 0, static_cast<size_t>(gate_bytes(rows, channels, kind)));
    for (int64_t row = 0; row < rows; ++row)
        for (int64_t column = 0; column < channels; ++column) {
            const int64_t to = column / panel_columns * panel + position(row, column % panel_columns, kind);
            std::memcpy(static_cast<char *>(panels) + to * item,
                        static_cast<const char *>(elements) + (row * stride + column) * item,
                        static_cast<size_t>(item));
        }
}

int64_t cell_scratch_bytes(int64_t input, int64_t channels, Kind kind, int64_t steps, int64_t width) {
    const int64_t rows = steps * width, columns = padded(channels);
    const int64_t item = kind == Kind::int8 ? 2 : 4;
    const int64_t gates = aligned(rows * 3 * columns * 4), reset = aligned(width * columns * item);
    if (kind == Kind::f32)
        return gates + reset;
    return gates + 2 * reset + aligned(rows * depth_of(input, kind) * item);
}

Columns columns_of(const Share &share, int64_t channels) {
    const int64_t panels = panels_of(channels);
    return {std::min(panels * share.lane / share.lanes * panel_columns, channels),
            std::min(panels * (share.lane + 1) / share.lanes * panel_columns, channels)};
}

int64_t own_width(Kind kind) {
    constexpr int64_t any = std::numeric_limits<int64_t>::max(), narrow = 3;
    if (kind != Kind::f32)
        return any;
    return !has_avx2() ? 0 : has_avx512() ? narrow : any;
}

void run_cell(const Cell &cell, int64_t steps, int64_t width, const float *x, const float *state, float *states,
              char *scratch, const Share &share) {
    return LASTUSE_BEST_TO_AVX2(run_cell)(cell, steps, width, x, state, states, scratch, share);
}

} // namespace lastuse::kernels
