// The kernels of cell_gradient.hpp, in GCC's vectors of eight floats. Compiled once for each processor, in the namespace
// LASTUSE_PROCESSOR, with the compiler options of that processor (see CMakeLists.txt).
//
// No inline function of another header may be used here: the linker would keep one copy of it for all processors.
#include "cell_gradient.hpp"

#if defined(__AVX__)
#include <immintrin.h>
#endif

namespace lastuse::kernels::LASTUSE_PROCESSOR {

#include "cell_product.inc"
#include "cell_functions.inc"

namespace {

inline Lane tangent(Lane x) {
    const Lane power_of_two = power(x * (2.0f * log2e));
    return (power_of_two - 1.0f) / (power_of_two + 1.0f);
}

// out += rows * panels, for rows and results at strides.
void add_product(const float *rows, int64_t depth, int64_t stride, const float *panels, int64_t count, int64_t vectors,
                 float *out, int64_t out_stride) {
    multiply<F32>({depth, stride, out_stride, out_stride, rows, panels, out, out, out}, count, 0, vectors);
}

int64_t columns_for(int64_t channels) { return (channels + vector_columns - 1) / vector_columns * vector_columns; }

void compute_gates(const CellGradient &cell, int64_t rows, const float *x, const float *before, float *gates,
                   float *reset) {
    const int64_t columns = columns_for(cell.channels), every = 3 * columns, vectors = columns / vector_columns;
    for (int gate = 0; gate < 3 && cell.input > 0; ++gate)
        add_product(x, cell.input, columns_for(cell.input), cell.input_weights[gate], rows, vectors,
                    gates + gate * columns, every);
    for (int gate = 0; gate < 2; ++gate)
        add_product(before, cell.channels, columns, cell.weights[gate], rows, vectors, gates + gate * columns, every);
    for (int64_t row = 0; row < rows; ++row) {
        float *own = gates + row * every;
        for (int64_t k = 0; k < 2 * columns; k += vector_columns)
            store(own + k, sigmoid(load(own + k)));
        for (int64_t k = 0; k < columns; k += vector_columns)
            store(reset + row * columns + k, load(own + columns + k) * load(before + row * columns + k));
    }
    add_product(reset, cell.channels, columns, cell.weights[2], rows, vectors, gates + 2 * columns, every);
    for (int64_t row = 0; row < rows; ++row)
        for (int64_t k = 2 * columns; k < every; k += vector_columns)
            store(gates + row * every + k, tangent(load(gates + row * every + k)));
}

void go_back(const CellGradient &cell, int64_t rows, const float *before, float *gates, float *own, float *state) {
    const int64_t columns = columns_for(cell.channels), every = 3 * columns, vectors = columns / vector_columns;
    for (int64_t row = 0; row < rows; ++row)
        for (int64_t k = 0; k < columns; k += vector_columns) {
            float *update = gates + row * every + k, *candidate = update + 2 * columns, *kept = state + row * columns + k;
            float *rest = own + row * columns + k;
            const Lane u = load(update), c = load(candidate), h = load(before + row * columns + k);
            const Lane d = load(kept) + load(rest), share = cell.origin ? 1.0f - u : u;
            store(kept, d * (1.0f - share));
            store(candidate, d * share * (1.0f - c * c));
            store(update, d * (cell.origin ? h - c : c - h) * (u * (1.0f - u)));
            store(rest, Lane{});
        }
    // `own` becomes the gradient of r * h.
    add_product(gates + 2 * columns, cell.channels, every, cell.transposed[2], rows, vectors, own, columns);
    for (int64_t row = 0; row < rows; ++row)
        for (int64_t k = 0; k < columns; k += vector_columns) {
            float *reset = gates + row * every + columns + k, *kept = state + row * columns + k;
            const Lane r = load(reset), h = load(before + row * columns + k), d = load(own + row * columns + k);
            store(kept, load(kept) + d * r);
            store(reset, d * h * (r * (1.0f - r)));
        }
    for (int gate = 0; gate < 2; ++gate)
        add_product(gates + gate * columns, cell.channels, every, cell.transposed[gate], rows, vectors, state, columns);
}

// turned [columns, rows]: the first columns of rows that are `stride` elements apart.
void turn(const float *from, int64_t stride, int64_t rows, int64_t columns, float *turned) {
    for (int64_t row = 0; row < rows; ++row)
        for (int64_t k = 0; k < columns; ++k)
            turned[k * rows + row] = from[row * stride + k];
}

void add_weight_gradients(const CellGradient &cell, int64_t rows, float *x, const float *before, const float *reset,
                          const float *gates, float *sums, char *memory) {
    const int64_t channels = cell.channels, input = cell.input, columns = columns_for(channels), every = 3 * columns;
    const int64_t x_columns = columns_for(input), vectors = columns / vector_columns;
    auto *turned = reinterpret_cast<float *>(memory), *turned_x = turned + channels * rows;
    auto *panels = reinterpret_cast<float *>(memory + ((channels + input) * rows * 4 + 63) / 64 * 64);
    float *of_x = sums + channels * every, *of_bias = of_x + input * every;
    const bool of_rows = input > 0 && cell.input_transposed[0] != nullptr;
    turn(x, x_columns, rows, input, turned_x);
    for (int64_t k = 0; of_rows && k < rows * x_columns; ++k)
        x[k] = 0.0f;
    for (int gate = 0; gate < 3; ++gate) {
        const float *own = gates + gate * columns;
        if (gate != 1)
            turn(gate < 2 ? before : reset, columns, rows, channels, turned);
        pack_panels(own, every, 1, rows, channels, panels);
        add_product(turned, rows, rows, panels, channels, vectors, sums + gate * columns, every);
        if (input > 0)
            add_product(turned_x, rows, rows, panels, input, vectors, of_x + gate * columns, every);
        if (of_rows)
            add_product(own, channels, every, cell.input_transposed[gate], rows, x_columns / vector_columns, x,
                        x_columns);
    }
    for (int64_t row = 0; row < rows; ++row)
        for (int64_t k = 0; k < every; k += vector_columns)
            store(of_bias + k, load(of_bias + k) + load(gates + row * every + k));
}

} // namespace

extern const CellGradientKernels cell_gradient;
const CellGradientKernels cell_gradient = {compute_gates, go_back, add_weight_gradients};

} // namespace lastuse::kernels::LASTUSE_PROCESSOR
