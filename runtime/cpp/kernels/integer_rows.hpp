// What products and convolutions of bytes share: operands, packed columns, and rows that are multiplied with them.
#pragma once

#include <algorithm>
#include <functional>
#include <vector>

#include "call.hpp"
#include "integer_parameters.hpp"
#include "integer_product.hpp"

namespace lastuse::kernels {

// The kernels for this processor, as far as ONEDNN_MAX_CPU_ISA allows.
const IntegerProductKernels &integer_product_kernels();

// Sizes of a product of rows with the columns of each group, and the scratch that it takes: some columns are packed, and
// multiplied with all rows, at a time. Packed weights are the strips of each group, one group behind the other, and then
// the sums of their columns, i32.
struct IntegerSizes {
    int64_t depth, columns, groups; // columns of each group
    bool is_staged;                 // results of a lane lie in its memory first
    bool is_packed;                 // the weights are
    int64_t repeats = 1;            // of the parameters of columns: so many times the same columns, of one group
    int64_t chunk = 0, chunk_bytes = 0; // rows that a lane multiplies, and bytes that it gathers; 0: of the depth

    int64_t strip_bytes() const { return padded_depth() * strip_width; }
    int64_t panel_bytes() const { return groups * strips() * strip_bytes(); }
    int64_t weights_bytes() const { return panel_bytes() + groups * strips() * strip_width * 4; }

    int64_t padded_depth() const { return (depth + quad - 1) / quad * quad; }
    int64_t strips() const { return std::max<int64_t>((columns + strip_width - 1) / strip_width, 1); }
    // Of a group, and groups, that are packed together: parts of one group, or several whole ones.
    int64_t strips_together() const;
    int64_t groups_together() const;
    // Rows that a lane gathers and multiplies.
    int64_t rows_together() const;
    int64_t packed_columns() const { return groups_together() * strips_together() * strip_width; }
    int64_t packed_bytes() const { return is_packed ? 0 : aligned(packed_columns() * padded_depth()); }
    int64_t table_bytes() const { return aligned(packed_columns() * 4); }
    int64_t gathered_bytes() const { return chunk > 0 ? chunk_bytes : aligned(rows_together() * padded_depth()); }
    int64_t sums_bytes() const { return aligned(rows_together() * 4); }
    int64_t staged_bytes() const { return is_staged ? aligned(rows_together() * strips_together() * strip_width * 4) : 0; }
    int64_t lane_bytes() const { return gathered_bytes() + sums_bytes() + staged_bytes(); }
    int64_t scratch_bytes(int threads) const;
};

// Columns of a group, from one on.
struct ColumnRange {
    int64_t group, first, count;
};

// The rows of a chunk: gathered in `memory`, `padded_depth` bytes each, or elsewhere as they are. Their sums are made where
// they are read and not given.
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

    // Multiplies all rows with the columns of all groups. They are `runs` times `rows`: those of a chunk are of one run.
    void multiply(const std::function<ByteColumns(int64_t group)> &columns, int64_t rows, const GatherRows &gather,
                  const RowResults &results, int64_t runs = 1);

    bool x_is_signed() const { return parameters_.x_is_signed(); }
    // The zero point of x, as a byte of x.
    unsigned char x_zero_byte() const {
        return static_cast<unsigned char>(parameters_.x_zero() + (x_is_signed() ? 128 : 0)) ^ flip();
    }
    // What a byte of x is exchanged with to be unsigned.
    unsigned char flip() const { return x_is_signed() ? 0x80 : 0; }
    int64_t item() const { return parameters_.item(); }
    // Whether sums of rows are read; those of rows of several parts are to be given. Known where rows are gathered.
    bool reads_row_sums() const { return reads_row_sums_; }

private:
    // Packs columns and adds them up, or reads both from packed weights.
    void pack(const std::function<ByteColumns(int64_t group)> &columns, const std::vector<ColumnRange> &ranges);
    // Computes what zero points take away from the sums of each column, and what else becomes of them.
    void make_tables(const std::vector<ColumnRange> &ranges, bool is_unsigned);
    void multiply_packed(const std::vector<ColumnRange> &ranges, int64_t rows, int64_t runs, const GatherRows &gather,
                         const RowResults &results) const;
    // Repeats what a table has for the columns that differ.
    template <class Number>
    void repeat(Number *table, int64_t count) const;
    // Few rows: each lane multiplies all of them with a share of the columns.
    void multiply_columns(const ColumnRange &range, int64_t rows, int lanes, const GatherRows &gather,
                          const RowResults &results) const;
    // The rows of a chunk, with their sums if these are read, in the memory of a lane.
    ByteRows gathered(const ColumnRange &range, int64_t first, int64_t count, const GatherRows &gather, char *memory) const;
    // What becomes of the sums of columns from `table` of the tables on.
    ColumnRules rules_of(int64_t table) const;
    // The strips of a range, which is one of so many.
    const signed char *panel(const ColumnRange &range, int64_t number) const;
    int64_t width() const { return sizes_.strips_together() * strip_width; }

    const Call &call_;
    IntegerSizes sizes_;
    const IntegerProductKernels &kernels_;
    IntegerParameters parameters_;
    bool reads_row_sums_ = false;
    signed char *packed_;
    int32_t *offsets_, *zeros_;
    float *factors_, *biases_;
    char *lanes_;
};

// What bytes add up to, which wraps.
int32_t sum_of(const unsigned char *bytes, int64_t count);

// Copies rows of bytes, each exchanged with `flip`, and fills them up to whole quads.
void copy_bytes(const unsigned char *from, unsigned char *to, int64_t count, unsigned char flip);

} // namespace lastuse::kernels
