// What products and convolutions of bytes share: operands, packed columns, and rows that are multiplied with them.
#pragma once

#include <algorithm>
#include <functional>
#include <vector>

#include "call.hpp"
#include "integer_product.hpp"

namespace lastuse::kernels {

// The kernels for this processor, as far as ONEDNN_MAX_CPU_ISA allows.
const IntegerProductKernels &integer_product_kernels();

// Operands that an op need not have: the first numbers of a call are their numbers, or -1.
enum class Role : size_t { x_zero, weights_zero, x_scale, weights_scale, y_scale, y_zero, bias, count };

// Sizes of a product of rows with the columns of each group, and the scratch that it takes: some columns are packed, and
// multiplied with all rows, at a time.
struct IntegerSizes {
    int64_t depth, columns, groups; // columns of each group
    bool is_staged;                 // results of a lane lie in its memory first

    int64_t padded_depth() const { return (depth + quad - 1) / quad * quad; }
    int64_t strips() const { return std::max<int64_t>((columns + strip_width - 1) / strip_width, 1); }
    // Of a group, and groups, that are packed together: parts of one group, or several whole ones.
    int64_t strips_together() const;
    int64_t groups_together() const;
    // Rows that a lane gathers and multiplies.
    int64_t rows_together() const;
    int64_t packed_columns() const { return groups_together() * strips_together() * strip_width; }
    int64_t packed_bytes() const { return aligned(packed_columns() * padded_depth()); }
    int64_t table_bytes() const { return aligned(packed_columns() * 4); }
    int64_t gathered_bytes() const { return aligned(rows_together() * padded_depth()); }
    int64_t sums_bytes() const { return aligned(rows_together() * 4); }
    int64_t staged_bytes() const { return is_staged ? aligned(rows_together() * strips_together() * strip_width * 4) : 0; }
    int64_t lane_bytes() const { return gathered_bytes() + sums_bytes() + staged_bytes(); }
    int64_t scratch_bytes(int threads) const;
};

// Columns of a group, from one on.
struct ColumnRange {
    int64_t group, first, count;
};

// The rows of a chunk: gathered in `memory`, `padded_depth` bytes each, or elsewhere as they are.
using GatherRows = std::function<ByteRows(int64_t group, int64_t first, int64_t count, unsigned char *memory)>;
// Where results of a chunk go: `stride` bytes between rows; `finish` is called behind the chunk if it is there.
struct RowResults {
    std::function<char *(const ColumnRange &columns, int64_t first, char *memory)> place;
    int64_t stride;
    std::function<void(const ColumnRange &columns, int64_t first, int64_t count, const char *memory)> finish;
};

class IntegerRows {
public:
    // Throws Error if operands have types that are not taken, or scratch is missing.
    IntegerRows(const Call &call, const IntegerSizes &sizes);

    // Multiplies all rows with the columns of all groups.
    void multiply(const std::function<ByteColumns(int64_t group)> &columns, int64_t rows, const GatherRows &gather,
                  const RowResults &results);

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
    // Packs columns, and computes what zero points take away from each.
    void pack(const std::function<ByteColumns(int64_t group)> &columns, const std::vector<ColumnRange> &ranges);
    void multiply_packed(const std::vector<ColumnRange> &ranges, int64_t rows, const GatherRows &gather,
                         const RowResults &results) const;

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
