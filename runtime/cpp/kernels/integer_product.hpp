// Products of matrices of bytes, exactly: sums in 32 bits, which wrap.
//
// Rows are unsigned bytes and columns signed ones: a byte of the other kind is its value less or more 128, and so is its
// zero point. Sums of the bytes themselves are made first; what zero points take away is added behind them.
// integer_product_kernel.cpp is compiled for several processors; integer_product.cpp chooses by the one it runs on.
#pragma once

#include <cstdint>

namespace lastuse::kernels {

// Columns that are packed together, and the summed elements of a column that are.
constexpr int64_t strip_width = 16;
constexpr int64_t quad = 4;
// At most so many rows are few: to read the columns takes longer than to multiply.
constexpr int64_t few_rows = 3;

// A matrix [depth, columns] of bytes, with the bytes from one element to the next along each axis.
struct ByteColumns {
    const unsigned char *from;
    int64_t depth, columns, depth_step, column_step;
    bool is_unsigned;

    int64_t strips() const { return (columns + strip_width - 1) / strip_width; }
    int64_t padded_depth() const { return (depth + quad - 1) / quad * quad; }
};

// Rows of so many unsigned bytes, zeros behind them up to a whole quad, and the sum of each row; null if it is not read.
// Rows may overlap, and may have parts of whole quads, `part_step` bytes apart; `part_bytes` is 0 where they have one part.
struct ByteRows {
    const unsigned char *from;
    int64_t stride, count;
    const int32_t *sums;
    int64_t part_bytes = 0, part_step = 0;
};

// What becomes of the sums: `offsets` are added, and `zeros` times the sum of the row are taken away; null are 0. They are
// then results, or bytes: times the factor, rounded, plus the zero point, or floats: as f32 times the factor, plus the
// bias, unless that is null, and not below `low`, which NaN becomes, nor above `high`; infinite bounds do not bind. Arrays
// have whole strips.
enum class Results { sums, bytes, floats };
struct ColumnRules {
    Results results;
    const int32_t *offsets, *zeros;
    const float *factors, *biases;
    int32_t zero_point, least, largest;
    float low = -__builtin_inff(), high = __builtin_inff();
};

// Packed columns, and where results go: 4 bytes each, or 1 of `bytes`.
struct ProductOf {
    const signed char *packed;
    int64_t padded_depth, columns;
    ColumnRules rules;
    char *out;
    int64_t out_stride; // bytes between rows
};

// A row of places of a convolution whose channels each have a window of their own, and lie side by side. Of the lines of
// the window that are inside of x: where element 0 is, and weights less their zero points, [taps, `weights_step`], whose
// channels are whole strips. Lengths along a line are in elements, with all channels.
struct ChannelLine {
    const unsigned char *const *lines;
    const int32_t *const *weights;
    int64_t count, channels, weights_step;
    int64_t taps, dilation, in, out, stride, begin;
    int32_t zero; // of x
    bool is_signed;
    const unsigned char *end; // of x: nothing is read from there on
};

// The same of a window whose elements are all inside of lines: where each of them is for the first place, and its weights,
// signed bytes [taps, `weights_step`], zeros behind the channels up to 64. Lines are unsigned bytes, and 63 more behind them
// are read. Where places are joined, channels are one behind the other from place to place, 16 or 32 of them, and weights
// are repeated up to 64. `taps` is a whole number of quads, or one more; those from `window` on count nothing. Of weights with
// `zeros`, of whole strips, these times the sum of the window are taken away; null are 0.
constexpr int64_t most_taps = 64;
struct TapLine {
    const unsigned char *const *lines, *weights;
    const int32_t *zeros;
    int64_t taps, window, channels, weights_step, places;
    int64_t step; // bytes from place to place
    bool are_joined;
};

struct IntegerProductKernels {
    // Packs strips `first` to `end` to `packed`, and adds up each of their columns.
    void (*pack)(const ByteColumns &columns, int64_t first, int64_t end, signed char *packed, int32_t *sums);
    void (*multiply)(const ByteRows &rows, const ProductOf &of);
    // What becomes of the sums of one row.
    void (*finish)(const int32_t *sums, const ColumnRules &rules, int64_t columns, char *out);
    // Writes the results of a row of places, one behind the other.
    void (*multiply_channels)(const ChannelLine &line, const ColumnRules &rules, char *out);
    // The same of quads of elements of the window; null where the processor has no instruction for them.
    void (*multiply_taps)(const TapLine &line, const ColumnRules &rules, char *out);
    int64_t most_rows; // that are multiplied together
};

namespace vnni {
extern const IntegerProductKernels integer_product;
}
namespace avx2 {
extern const IntegerProductKernels integer_product;
}
namespace generic {
extern const IntegerProductKernels integer_product;
}

} // namespace lastuse::kernels
