// Products and convolutions of bytes, as dialect/dnn/integer_products.py and integer_convolution.py define them.
#include <algorithm>
#include <array>
#include <cstring>

#include "functions.hpp"
#include "integer_depthwise.hpp"
#include "integer_lines.hpp"
#include "integer_rows.hpp"
#include "integer_windows.hpp"

namespace lastuse::kernels {

namespace {

const unsigned char *bytes_of(const Array &array) { return array.elements_of<const unsigned char>(); }

// Matrices

struct Matrices {
    int64_t rows, depth, columns;
    std::vector<int64_t> batch, left, right; // of the result; steps of both operands in matrices, 0 where they are broadcast
};

using Shape = std::vector<int64_t>;

Matrices matrices_of(Shape a, Shape b) {
    if (a.size() == 1)
        a.insert(a.begin(), 1);
    if (b.size() == 1)
        b.push_back(1);
    Matrices made{a[a.size() - 2], a.back(), b.back(), {}, {}, {}};
    a.resize(a.size() - 2);
    b.resize(b.size() - 2);
    const size_t rank = std::max(a.size(), b.size());
    a.insert(a.begin(), rank - a.size(), 1);
    b.insert(b.begin(), rank - b.size(), 1);
    made.batch.resize(rank), made.left.resize(rank), made.right.resize(rank);
    int64_t left = 1, right = 1;
    for (size_t axis = rank; axis-- > 0; left *= a[axis], right *= b[axis]) {
        made.batch[axis] = a[axis] == 1 ? b[axis] : a[axis];
        made.left[axis] = a[axis] == 1 ? 0 : left;
        made.right[axis] = b[axis] == 1 ? 0 : right;
    }
    if (right == 1) { // one matrix for all batches, which are rows of one matrix
        made.rows *= left;
        made.batch.clear();
    }
    return made;
}

Matrices matrices_of(const Call &call) { return matrices_of(call.ins[0].form->shape, weights_shape(call, parameters)); }

// Weights are packed where numbers behind the parameters are their sizes.
IntegerSizes sizes_of(const Call &call, const Matrices &of) {
    return {of.depth, of.columns, 1, false, call.numbers.size() > parameters};
}

// Copies bytes of which more may be written, up to 31 behind them, but none read from `end` on: calls of memcpy take longer
// than a row of a window does.
inline void copy_few(const unsigned char *from, unsigned char *to, int64_t count, const unsigned char *end) {
    constexpr int64_t piece = 32;
    if (end - from < (count + piece - 1) / piece * piece) {
        std::memcpy(to, from, static_cast<size_t>(count));
        return;
    }
    for (int64_t k = 0; k < count; k += piece)
        std::memcpy(to + k, from + k, piece);
}

// Rows: all elements of a window, in the order of the weights. Up to 31 bytes behind a row are written, too.
class WindowRows {
public:
    WindowRows(const Windows &of, const unsigned char *x, unsigned char zero)
        : of_(of), x_(x), end_(x + of.batch * of.in[0] * of.in[1] * of.in[2] * of.channels * of.groups), zero_(zero) {}

    // Writes rows from `first` on, `stride` bytes apart, and calls `finish` with each of them.
    template <class Finish>
    void write(int64_t group, int64_t first, int64_t count, unsigned char *to, int64_t stride, Finish finish) const {
        int64_t sample = first / of_.places(), place = first % of_.places();
        std::array<int64_t, most_axes> at{};
        for (size_t axis = most_axes; axis-- > 0; place /= of_.out[axis])
            at[axis] = place % of_.out[axis];
        for (int64_t r = 0; r < count; ++r, to += stride) {
            std::array<int64_t, most_axes> start{};
            for (size_t axis = 0; axis < most_axes; ++axis)
                start[axis] = at[axis] * of_.strides[axis] - of_.begins[axis];
            if (of_.is_last)
                write_last(group, sample, start, to);
            else
                write_second(group, sample, start, to);
            finish(to);
            size_t axis = most_axes;
            while (axis-- > 0 && ++at[axis] == of_.out[axis])
                at[axis] = 0;
            sample += axis > most_axes; // all axes have come to their ends
        }
    }

private:
    bool is_inside(size_t axis, int64_t at) const { return at >= 0 && at < of_.in[axis]; }

    void write_last(int64_t group, int64_t sample, const std::array<int64_t, most_axes> &start, unsigned char *to) const {
        const int64_t all = of_.channels * of_.groups, width = of_.kernel[2] * of_.channels;
        const int64_t low = std::clamp<int64_t>(-start[2], 0, of_.kernel[2]);
        const int64_t high = std::clamp<int64_t>(of_.in[2] - start[2], low, of_.kernel[2]);
        for (int64_t k0 = 0; k0 < of_.kernel[0]; ++k0)
            for (int64_t k1 = 0; k1 < of_.kernel[1]; ++k1, to += width) {
                const int64_t at0 = start[0] + k0 * of_.dilations[0], at1 = start[1] + k1 * of_.dilations[1];
                if (!is_inside(0, at0) || !is_inside(1, at1)) {
                    fill(to, width);
                    continue;
                }
                const unsigned char *const row = x_ + ((sample * of_.in[0] + at0) * of_.in[1] + at1) * of_.in[2] * all;
                if (of_.groups == 1 && of_.dilations[2] == 1) {
                    copy_few(row + (start[2] + low) * all, to + low * all, (high - low) * all, end_);
                    if (low > 0)
                        fill(to, low * all);
                    if (high < of_.kernel[2])
                        fill(to + high * all, (of_.kernel[2] - high) * all);
                    continue;
                }
                for (int64_t k2 = 0; k2 < of_.kernel[2]; ++k2) {
                    const int64_t at2 = start[2] + k2 * of_.dilations[2];
                    unsigned char *const part = to + k2 * of_.channels;
                    if (is_inside(2, at2))
                        std::memcpy(part, row + at2 * all + group * of_.channels, static_cast<size_t>(of_.channels));
                    else
                        fill(part, of_.channels);
                }
            }
    }

    void write_second(int64_t group, int64_t sample, const std::array<int64_t, most_axes> &start, unsigned char *to) const {
        const int64_t plane = of_.in[0] * of_.in[1] * of_.in[2], all = of_.channels * of_.groups;
        const unsigned char *channel = x_ + (sample * all + group * of_.channels) * plane;
        for (int64_t c = 0; c < of_.channels; ++c, channel += plane)
            for (int64_t k0 = 0; k0 < of_.kernel[0]; ++k0)
                for (int64_t k1 = 0; k1 < of_.kernel[1]; ++k1)
                    for (int64_t k2 = 0; k2 < of_.kernel[2]; ++k2) {
                        const int64_t at0 = start[0] + k0 * of_.dilations[0], at1 = start[1] + k1 * of_.dilations[1];
                        const int64_t at2 = start[2] + k2 * of_.dilations[2];
                        const bool inside = is_inside(0, at0) && is_inside(1, at1) && is_inside(2, at2);
                        *to++ = inside ? channel[(at0 * of_.in[1] + at1) * of_.in[2] + at2] : zero_;
                    }
    }

public:
    // Rows that lie in x as they are: those of places side by side whose windows are inside, a part for each row of the
    // window. False where they are none.
    bool finds(int64_t first, int64_t count, ByteRows &rows) const {
        const int64_t width = of_.kernel[2] * of_.channels, row = first % of_.places() / of_.out[2], at = first % of_.out[2];
        if (!of_.is_last || of_.groups != 1 || of_.kernel[0] != 1 || of_.dilations[2] != 1 || width % quad != 0 ||
            at + count > of_.out[2])
            return false;
        const std::array<int64_t, most_axes> places{row / of_.out[1], row % of_.out[1], at};
        std::array<int64_t, most_axes> start{};
        for (size_t axis = 0; axis < most_axes; ++axis) {
            const int64_t more = axis == 2 ? (count - 1) * of_.strides[2] : 0;
            start[axis] = places[axis] * of_.strides[axis] - of_.begins[axis];
            const int64_t end = start[axis] + more + (of_.kernel[axis] - 1) * of_.dilations[axis];
            if (start[axis] < 0 || end >= of_.in[axis])
                return false;
        }
        const int64_t sample = first / of_.places();
        const int64_t element = ((sample * of_.in[0] + start[0]) * of_.in[1] + start[1]) * of_.in[2] + start[2];
        const int64_t step = of_.dilations[1] * of_.in[2] * of_.channels;
        rows = {x_ + element * of_.channels, of_.strides[2] * of_.channels, count, nullptr, width, step};
        return true;
    }

private:
    void fill(unsigned char *to, int64_t count) const { std::memset(to, zero_, static_cast<size_t>(count)); }

    const Windows &of_;
    const unsigned char *x_, *end_;
    unsigned char zero_;
};

void fill_quad(unsigned char *row, const IntegerSizes &sizes) {
    std::memset(row + sizes.depth, 0, static_cast<size_t>(sizes.padded_depth() - sizes.depth));
}

} // namespace

void integer_matmul(const Call &call) {
    const Array &a = call.ins[0], &b = call.ins.at(call.index(static_cast<size_t>(Role::weights))), &y = call.outs.at(0);
    const Matrices of = matrices_of(call);
    const IntegerSizes sizes = sizes_of(call, of);
    if (y.elements() == 0)
        return;
    IntegerRows rows(call, sizes);
    int64_t count = 1;
    for (const int64_t size : of.batch)
        count *= size;
    call.expect(y.elements() == count * of.rows * of.columns, "the kernel takes other sizes");
    const bool is_whole = of.depth % quad == 0; // rows are copied as they lie
    for (int64_t number = 0; number < count; ++number) {
        int64_t rest = number, left = 0, right = 0;
        for (size_t axis = of.batch.size(); axis-- > 0; rest /= of.batch[axis]) {
            left += rest % of.batch[axis] * of.left[axis];
            right += rest % of.batch[axis] * of.right[axis];
        }
        const unsigned char *const from = bytes_of(a) + left * of.rows * of.depth;
        char *const out = y.data + number * of.rows * of.columns * rows.item();
        const auto columns = [&](int64_t) {
            return ByteColumns{bytes_of(b) + right * of.depth * of.columns, of.depth, of.columns, of.columns, 1, b.is(Type::u8)};
        };
        const GatherRows gather = [&](int64_t, int64_t first, int64_t of_rows, unsigned char *memory) {
            if (is_whole && !rows.x_is_signed())
                return ByteRows{from + first * of.depth, of.depth, of_rows, nullptr};
            if (is_whole) {
                copy_bytes(from + first * of.depth, memory, of_rows * of.depth, rows.flip());
                return ByteRows{memory, of.depth, of_rows, nullptr};
            }
            for (int64_t r = 0; r < of_rows; ++r) {
                unsigned char *const row = memory + r * sizes.padded_depth();
                copy_bytes(from + (first + r) * of.depth, row, of.depth, rows.flip());
                fill_quad(row, sizes);
            }
            return ByteRows{memory, sizes.padded_depth(), of_rows, nullptr};
        };
        const int64_t stride = of.columns * rows.item();
        const auto place = [&](const ColumnRange &range, int64_t first, char *) {
            return out + first * stride + range.first * rows.item();
        };
        rows.multiply(columns, of.rows, gather, {place, stride, {}});
    }
}

void integer_convolution(const Call &call) {
    const Windows of = windows_of(call).with_long_lines();
    const Array &x = call.ins[0], &w = call.ins.at(call.index(static_cast<size_t>(Role::weights))), &y = call.outs.at(0);
    const IntegerSizes sizes = of.sizes();
    call.expect(y.elements() == of.batch * of.groups * of.outputs * of.places(), "the kernel takes other sizes");
    if (y.elements() == 0)
        return;
    if (of.is_depthwise())
        return integer_depthwise(call, of);
    if (const LineForm form(of); form.fits())
        return integer_lines(call, form);
    IntegerRows rows(call, sizes);
    const auto columns = [&](int64_t group) {
        return ByteColumns{bytes_of(w) + group * of.outputs * sizes.depth, sizes.depth, of.outputs, 1, sizes.depth, w.is(Type::u8)};
    };
    const bool is_whole = of.is_last && of.is_pointwise() && sizes.depth % quad == 0; // rows lie as they are read
    const WindowRows window(of, bytes_of(x), rows.x_zero_byte());
    const GatherRows gather = [&](int64_t group, int64_t first, int64_t count, unsigned char *memory) {
        if (is_whole && !rows.x_is_signed())
            return ByteRows{bytes_of(x) + first * sizes.depth, sizes.depth, count, nullptr};
        if (is_whole) {
            copy_bytes(bytes_of(x) + first * sizes.depth, memory, count * sizes.depth, rows.flip());
            return ByteRows{memory, sizes.depth, count, nullptr};
        }
        ByteRows found{};
        if (!rows.x_is_signed() && !rows.reads_row_sums() && window.finds(first, count, found))
            return found;
        window.write(group, first, count, memory, sizes.padded_depth(), [&](unsigned char *row) {
            if (rows.x_is_signed())
                copy_bytes(row, row, sizes.depth, rows.flip());
            fill_quad(row, sizes);
        });
        return ByteRows{memory, sizes.padded_depth(), count, nullptr};
    };
    const int64_t item = rows.item(), all = of.groups * of.outputs, places = of.places();
    if (of.is_last) {
        const auto place = [&](const ColumnRange &range, int64_t first, char *) {
            return y.data + (first * all + range.group * of.outputs + range.first) * item;
        };
        return rows.multiply(columns, of.batch * places, gather, {place, all * item, {}});
    }
    const int64_t stride = sizes.strips_together() * strip_width * item;
    const auto finish = [&](const ColumnRange &range, int64_t first, int64_t count, const char *memory) {
        for (int64_t c = 0; c < range.count; ++c)
            for (int64_t r = 0; r < count; ++r) {
                const int64_t sample = (first + r) / places, at = (first + r) % places;
                const int64_t channel = sample * all + range.group * of.outputs + range.first + c;
                char *const to = y.data + (channel * places + at) * item;
                std::memcpy(to, memory + r * stride + c * item, static_cast<size_t>(item));
            }
    };
    const auto place = [](const ColumnRange &, int64_t, char *memory) { return memory; };
    rows.multiply(columns, of.batch * places, gather, {place, stride, finish});
}

int64_t integer_matmul_scratch(const Call &call) { return sizes_of(call, matrices_of(call)).scratch_bytes(call.threads); }

int64_t integer_convolution_scratch(const Call &call) {
    const Windows stated = windows_of(call); // whose places are not known: lines may be longer, or no lines, or not
    int64_t bytes = 0;
    for (const Windows &of : {stated, stated.with_long_lines()}) {
        if (of.is_depthwise()) {
            bytes = std::max(bytes, integer_depthwise_scratch(of, call.threads));
            continue;
        }
        const LineForm form(of);
        if (form.fits())
            bytes = std::max(bytes, form.scratch_bytes(call.threads));
        if (!form.fits() || (of.is_last && of.reads_elements()))
            bytes = std::max(bytes, of.sizes().scratch_bytes(call.threads));
    }
    return bytes;
}

} // namespace lastuse::kernels
