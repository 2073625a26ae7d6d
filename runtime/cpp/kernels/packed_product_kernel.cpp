// The kernel of packed_product.hpp, in GCC's vectors. Compiled once for each processor, in the namespace
// LASTUSE_PROCESSOR, with the compiler options of that processor (see CMakeLists.txt).
//
// No inline function of another header may be used here: the linker would keep one copy of it for all processors.
#include "packed_product.hpp"

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

#include "product_blocks.inc"

// Bytes of rows, and of their results, that stay in the second cache while all panels are multiplied with them.
constexpr int64_t kept_bytes = 640 * 1024;

// Rows `begin` to `until` of columns `first` to `end`.
template <class Rows>
void multiply(const Rows &rows, int64_t begin, int64_t until, int64_t first, int64_t end) {
    const PackedProduct &of = rows.of;
    const int64_t last = least_of(end, of.columns), size = static_cast<int64_t>(sizeof(float));
    const int64_t all = until - begin, row_bytes = (rows.floats() + of.columns) * size;
    const int64_t kept = most_rows * (1 + kept_bytes / (most_rows * row_bytes));
    const int64_t fetches = rows.fetches(); // in a block
    const bool few = all <= few_rows, is_shallow = of.depth <= shallow;
    const int64_t together = few          ? widest_block(static_cast<int>(all)) * lanes
                             : is_shallow ? widest_block(few_rows) * lanes
                                          : product_panel;
    const int64_t parts = (all + kept - 1) / kept;
    for (int64_t part = 0; part < parts; ++part) {
        const int64_t top = begin + all * part / parts, height = begin + all * (part + 1) / parts - top;
        for (int64_t column = first; column < last; column += together) {
            const int64_t right = least_of(column + together, last);
            const int64_t highest = highest_block(right - column, is_shallow && right - column == together);
            const int64_t blocks = (height + highest - 1) / highest;
            const int64_t least = height / blocks, higher = height % blocks; // so many blocks have a row more
            // Few rows are read as fast as the weights come, whoever asks for them.
            const int64_t next = few ? right : least_of(right + together, panelled_columns(last));
            const int64_t lines = (next - right) * of.depth * size / line_bytes;
            Ahead ahead{reinterpret_cast<const char *>(of.weights + right * of.depth), 0};
            if (lines > 0)
                ahead.lines = (lines + blocks * fetches - 1) / (blocks * fetches);
            int64_t row = top;
            for (int64_t number = 0; number < blocks; ++number) {
                const int64_t count = least + (number < higher);
                some_rows<most_rows>(count, rows, row, column, right, ahead);
                row += count;
                ahead.from += ahead.lines * fetches * line_bytes;
            }
        }
    }
}

void compute(const PackedProduct &of, int64_t first, int64_t end) { multiply(DenseRows{{of}}, 0, of.rows, first, end); }

void convolve(const PackedConvolution &of, int64_t begin, int64_t until, int64_t first, int64_t end) {
    multiply(WindowRows{{of}}, begin, until, first, end);
}

} // namespace

const PackedKernel packed_product = {most_rows, compute, convolve};

} // namespace lastuse::kernels::LASTUSE_PROCESSOR
