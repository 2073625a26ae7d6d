#include "cell_gradient.hpp"

#include <algorithm>

#include "../support.hpp"
#include "processors.hpp"

namespace lastuse::kernels {

void pack_panels(const float *elements, int64_t row, int64_t column, int64_t rows, int64_t columns, float *panels) {
    for (int64_t first = 0; first < columns; first += panel_columns, panels += rows * panel_columns) {
        const int64_t count = std::min(panel_columns, columns - first);
        for (int64_t k = 0; k < rows; ++k) {
            const float *from = elements + k * row + first * column;
            float *to = panels + k * panel_columns;
            for (int64_t c = 0; c < count; ++c)
                to[c] = from[c * column];
            std::fill(to + count, to + panel_columns, 0.0f);
        }
    }
}

int64_t weight_gradient_bytes(int64_t channels, int64_t input, int64_t rows) {
    return aligned((channels + input) * rows * 4) + aligned(gate_bytes(rows, channels, Kind::f32));
}

const CellGradientKernels &cell_gradient_kernels() { return LASTUSE_BEST_TO_AVX2(cell_gradient); }

} // namespace lastuse::kernels
