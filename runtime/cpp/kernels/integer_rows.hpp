// What products and convolutions of bytes share: operands, packed columns, and rows that are multiplied with them.
#pragma once

#include <functional>

#include "call.hpp"
#include "integer_product.hpp"

namespace lastuse::kernels {

// The kernels for this processor, as far as ONEDNN_MAX_CPU_ISA allows.
const IntegerProductKernels &integer_product_kernels();

// Operands that an op need not have: the first numbers of a call are their numbers, or -1.
enum class Role : size_t { x_zero, weights_zero, x_scale, weights_scale, y_scale, y_zero, bias, count };

// Sizes of a product of rows with the columns of each group, and the scratch that it takes.
struct IntegerSizes {
    int64_t depth, columns, groups; // columns of each group

    int64_t padded_depth() const { return (depth + quad - 1) / quad * quad; }
    int64_t padded_columns() const { return (columns + strip_width - 1) / strip_width * strip_width; }
    // Rows that a lane gathers and multiplies with all columns.
    int64_t rows_together() const;
    int64_t packed_bytes() const { return aligned(groups * padded_columns() * padded_depth()); }
    int64_t table_bytes() const { return aligned(groups * padded_columns() * 4); }
    int64_t gathered_bytes() const { return aligned(rows_together() * padded_depth()); }
    int64_t lane_bytes() const { return gathered_bytes() + aligned(rows_together() * 4) + aligned(rows_together() * padded_columns() * 4); }
    int64_t scratch_bytes(int threads) const;
};

// The rows of a chunk: gathered in `memory`, `padded_depth` bytes each, or elsewhere as they are.
using GatherRows = std::function<ByteRows(int64_t group, int64_t first, int64_t count, unsigned char *memory)>;
// Where results of a chunk go: `out_stride` bytes between rows; `finish` is called behind each group if it is there.
struct RowResults {
    std::function<char *(int64_t group, int64_t first, char *memory)> place;
    int64_t stride;
    std::function<void(int64_t group, int64_t first, int64_t count, const char *memory)> finish;
};

class IntegerRows {
public:
    // Throws Error if operands have types that are not taken, or scratch is missing.
    IntegerRows(const Call &call, const IntegerSizes &sizes);

    // Packs the columns of all groups, and computes what zero points take away.
    void pack(const std::function<ByteColumns(int64_t group)> &columns);
    void multiply(int64_t rows, const GatherRows &gather, const RowResults &results) const;

    bool x_is_signed() const { return call_.ins[0].is(Type::i8); }
    // The zero point of x, as a byte of x.
    unsigned char x_zero_byte() const { return static_cast<unsigned char>(x_zero_ + (x_is_signed() ? 128 : 0)) ^ flip(); }
    // What a byte of x is exchanged with to be unsigned.
    unsigned char flip() const { return x_is_signed() ? 0x80 : 0; }
    int64_t item() const { return call_.outs[0].is(Type::i32) ? 4 : 1; }

private:
    const Array *operand(Role role) const;
    int32_t integer(Role role, int64_t index) const;
    float scale(Role role, int64_t index) const;

    const Call &call_;
    IntegerSizes sizes_;
    const IntegerProductKernels &kernels_;
    int32_t x_zero_;
    bool reads_row_sums_ = false;
    signed char *packed_;
    int32_t *offsets_, *zeros_;
    float *factors_;
    char *lanes_;
};

// Copies rows of bytes, each exchanged with `flip`, and fills them up to whole quads.
void copy_bytes(const unsigned char *from, unsigned char *to, int64_t count, unsigned char flip);

} // namespace lastuse::kernels
