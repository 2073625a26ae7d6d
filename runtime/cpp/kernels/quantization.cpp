// Between f32 and small integers, as dialect/dnn/quantization.py defines it.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>

#include "../moves/rows.hpp"
#include "dynamic_range.hpp"
#include "element_types.hpp"
#include "functions.hpp"

namespace lastuse::kernels {

namespace {

// Added to a number below 2^22 and subtracted again, it rounds to the nearest integer, to the even one of two.
constexpr float rounding = 12582912.0f;
constexpr int64_t piece = 16384;                       // elements that are computed at a time, at most
constexpr int64_t tile_rows = 16, tile_columns = 512; // the same where elements of x do not lie side by side

// Steps of a scale and a zero point between two elements, in elements: 0 where they are one number.
template <class Q>
struct Parameters {
    const float *scales;
    const Q *zeros;
    int64_t scale_step, zero_step;
};

// Bounds are whole numbers, so that rounding does not leave them. NaN is the smaller one.
template <class Q>
float quantized(float x, float scale, float zero) {
    const float low = static_cast<float>(std::numeric_limits<Q>::min()) - zero;
    const float high = static_cast<float>(std::numeric_limits<Q>::max()) - zero;
    float steps = x / scale;
    steps = steps > low ? steps : low;
    steps = steps < high ? steps : high;
    return (steps + rounding) - rounding + zero;
}

template <class Q>
LASTUSE_WIDE void quantize_with_one(const float *x, float scale, float zero, Q *y, int64_t count) {
    for (int64_t k = 0; k < count; ++k)
        y[k] = static_cast<Q>(static_cast<int32_t>(quantized<Q>(x[k], scale, zero)));
}

template <class Q>
LASTUSE_WIDE void quantize_with_each(const float *x, const float *scales, const Q *zeros, Q *y, int64_t count) {
    for (int64_t k = 0; k < count; ++k)
        y[k] = static_cast<Q>(static_cast<int32_t>(quantized<Q>(x[k], scales[k], static_cast<float>(zeros[k]))));
}

// Differences of 32-bit integers are exact in f64 alone.
template <class Q>
float dequantized(Q x, Q zero, float scale) {
    if constexpr (sizeof(Q) == 4)
        return static_cast<float>(static_cast<double>(x) - static_cast<double>(zero)) * scale;
    else
        return static_cast<float>(static_cast<int32_t>(x) - static_cast<int32_t>(zero)) * scale;
}

template <class Q>
LASTUSE_WIDE void dequantize_with_one(const Q *x, float scale, Q zero, float *y, int64_t count) {
    for (int64_t k = 0; k < count; ++k)
        y[k] = dequantized<Q>(x[k], zero, scale);
}

template <class Q>
LASTUSE_WIDE void dequantize_with_each(const Q *x, const float *scales, const Q *zeros, float *y, int64_t count) {
    for (int64_t k = 0; k < count; ++k)
        y[k] = dequantized<Q>(x[k], zeros[k], scales[k]);
}

template <class Q>
void quantize_row(const float *x, const Parameters<Q> &of, Q *y, int64_t count) {
    if (of.scale_step == 0)
        return quantize_with_one(x, *of.scales, static_cast<float>(*of.zeros), y, count);
    quantize_with_each(x, of.scales, of.zeros, y, count);
}

template <class Q>
void quantize_row(const Q *x, const Parameters<Q> &of, float *y, int64_t count) {
    if (of.scale_step == 0)
        return dequantize_with_one(x, *of.scales, *of.zeros, y, count);
    dequantize_with_each(x, of.scales, of.zeros, y, count);
}

// Strides in bytes of x, y, scale and zero point along the axes of x, of which those are merged that lie as one.
// Elements of y along the last one are nearest to each other.
struct Axes {
    std::vector<int64_t> sizes;
    std::array<std::vector<int64_t>, 4> strides;

    void add(int64_t size, const std::array<int64_t, 4> &steps) {
        if (size == 1)
            return;
        bool merges = !sizes.empty();
        for (size_t k = 0; k < steps.size() && merges; ++k)
            merges = strides[k].back() == steps[k] * size;
        if (merges)
            sizes.back() *= size;
        else
            sizes.push_back(size);
        for (size_t k = 0; k < steps.size(); ++k) {
            if (merges)
                strides[k].back() = steps[k];
            else
                strides[k].push_back(steps[k]);
        }
    }

    // Brings the axis along which x has such a stride, if there is one but the last, before the last.
    void move_before_last(int64_t stride) {
        const size_t last = sizes.size() - 1;
        for (size_t axis = 0; axis < last; ++axis)
            if (strides[0][axis] == stride) {
                std::swap(sizes[axis], sizes[last - 1]);
                for (auto &steps : strides)
                    std::swap(steps[axis], steps[last - 1]);
                return;
            }
    }
};

Axes axes_of(const Call &call, const std::array<const Array *, 4> &arrays) {
    const Array &x = *arrays[0];
    const auto axis = call.index(0);
    const std::vector<int64_t> &y_strides = arrays[1]->form->strides;
    std::vector<size_t> order(x.rank());
    for (size_t a = 0; a < order.size(); ++a)
        order[a] = a;
    std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) { return y_strides[a] > y_strides[b]; });
    Axes axes;
    for (const size_t a : order) {
        std::array<int64_t, 4> steps{x.form->strides[a], y_strides[a], 0, 0};
        for (size_t k = 2; k < 4; ++k)
            if (arrays[k] != nullptr && a == axis && arrays[k]->elements() > 1) {
                call.expect(arrays[k]->rank() == 1 && arrays[k]->size(0) == x.size(a), "a parameter has other sizes");
                steps[k] = arrays[k]->form->strides[0];
            }
        axes.add(x.size(a), steps);
    }
    return axes;
}

// What is computed in tiles of rows of the last axis: elements that do not lie side by side are gathered and scattered.
template <class From, class To, class Q>
class Conversion {
public:
    Conversion(const Call &call, const Array *zero)
        : axes_(axes_of(call, {&call.ins[0], &call.outs[0], &call.ins[1], zero})),
          data_{call.ins[0].data, call.outs[0].data, call.ins[1].data,
                zero ? zero->data : reinterpret_cast<char *>(const_cast<Q *>(&none))} {
        while (axes_.sizes.size() < 2) { // rows, and their elements
            axes_.sizes.insert(axes_.sizes.begin(), 1);
            for (auto &strides : axes_.strides)
                strides.insert(strides.begin(), 0);
        }
        last_ = axes_.sizes.size() - 1;
        const int64_t columns = axes_.sizes[last_];
        const auto step = [&](size_t array) { return axes_.strides[array][last_]; };
        has_dense_y_ = columns == 1 || step(1) == sizeof(To);
        has_dense_x_ = columns == 1 || step(0) == sizeof(From);
        is_even_ = (step(2) == 0 && step(3) == 0) || (step(2) == sizeof(float) && step(3) == sizeof(Q));
        columns_ = has_dense_x_ && has_dense_y_ ? piece : tile_columns;
        if (!has_dense_x_ && is_even_)
            axes_.move_before_last(sizeof(From));
        rows_ = has_dense_x_ ? std::max<int64_t>(columns_ / columns, 1) : tile_rows;
        rows_ = std::min(rows_, axes_.sizes[last_ - 1]);
        across_ = (columns + columns_ - 1) / columns_;
        down_ = (axes_.sizes[last_ - 1] + rows_ - 1) / rows_;
        tiles_ = across_ * down_;
        for (size_t axis = 0; axis + 1 < last_; ++axis)
            tiles_ *= axes_.sizes[axis];
    }

    int64_t tiles() const { return tiles_; }

    void compute(int64_t begin, int64_t end) const {
        std::vector<From> gathered(has_dense_x_ ? 0 : static_cast<size_t>(rows_ * columns_));
        std::vector<To> made(has_dense_y_ ? 0 : static_cast<size_t>(columns_));
        for (int64_t number = begin; number < end; ++number) {
            const int64_t column = number % across_ * columns_, row = number / across_ % down_ * rows_;
            const int64_t columns = std::min(columns_, axes_.sizes[last_] - column);
            const int64_t rows = std::min(rows_, axes_.sizes[last_ - 1] - row);
            std::array<char *, 4> at = data_;
            int64_t rest = number / across_ / down_;
            for (size_t axis = last_ - 1; axis-- > 0; rest /= axes_.sizes[axis])
                move(at, axis, rest % axes_.sizes[axis]);
            move(at, last_ - 1, row);
            move(at, last_, column);
            tile(at, rows, columns, gathered.data(), made.data());
        }
    }

private:
    void move(std::array<char *, 4> &at, size_t axis, int64_t steps) const {
        for (size_t k = 0; k < at.size(); ++k)
            at[k] += steps * axes_.strides[k][axis];
    }

    void tile(std::array<char *, 4> at, int64_t rows, int64_t columns, From *gathered, To *made) const {
        const auto stride = [&](size_t array, size_t axis) { return axes_.strides[array][axis]; };
        if (!has_dense_x_ && is_even_)
            gather_rows({rows, columns, stride(0, last_ - 1), stride(0, last_), sizeof(From)}, at[0],
                        reinterpret_cast<char *>(gathered));
        for (int64_t r = 0; r < rows; ++r, move(at, last_ - 1, 1)) {
            if (!is_even_) {
                compute_each(at, columns);
                continue;
            }
            const From *const from = has_dense_x_ ? reinterpret_cast<const From *>(at[0]) : gathered + r * columns;
            To *const to = has_dense_y_ ? reinterpret_cast<To *>(at[1]) : made;
            quantize_row(from, parameters(at, stride(2, last_), stride(3, last_)), to, columns);
            if (!has_dense_y_)
                scatter_rows({1, columns, 0, stride(1, last_), sizeof(To)}, reinterpret_cast<const char *>(made),
                             at[1]);
        }
    }

    void compute_each(std::array<char *, 4> at, int64_t columns) const {
        for (int64_t k = 0; k < columns; ++k, move(at, last_, 1))
            quantize_row(reinterpret_cast<const From *>(at[0]), parameters(at, 0, 0), reinterpret_cast<To *>(at[1]), 1);
    }

    static Parameters<Q> parameters(const std::array<char *, 4> &at, int64_t scale_step, int64_t zero_step) {
        return {reinterpret_cast<const float *>(at[2]), reinterpret_cast<const Q *>(at[3]), scale_step, zero_step};
    }

    static constexpr Q none = 0;
    Axes axes_;
    std::array<char *, 4> data_; // of x, y, scale and zero point
    size_t last_ = 0;
    int64_t rows_ = 1, columns_ = 1, across_ = 1, down_ = 1, tiles_ = 1; // of a tile, and tiles
    bool has_dense_x_ = false, has_dense_y_ = false, is_even_ = false;
};

template <class From, class To, class Q>
void convert(const Call &call) {
    const Array &x = call.ins[0], &scale = call.ins[1], &y = call.outs[0];
    const Array *const zero = call.ins.size() > 2 ? &call.ins[2] : nullptr;
    call.expect(scale.is(Type::f32) && x.form->shape == y.form->shape, "the kernel takes other operands");
    if (y.elements() == 0)
        return;
    const Conversion<From, To, Q> conversion(call, zero);
    in_lanes(lanes_for(call, y.elements()), conversion.tiles(),
             [&](int64_t begin, int64_t end, int) { conversion.compute(begin, end); });
}

// Calls work(Element{}) for the type of quantised elements.
template <class Work>
void with_quantized_type(const Call &call, const Array &array, Work work) {
    switch (array.form->type) {
    case Type::u8:
        return work(uint8_t{});
    case Type::i8:
        return work(int8_t{});
    case Type::u16:
        return work(uint16_t{});
    case Type::i16:
        return work(int16_t{});
    default:
        call.expect(array.is(Type::i32), "the kernel takes ui8, i8, ui16, i16 and i32");
        return work(int32_t{});
    }
}

// Compilers leave arrays of this in memory that vectors keep in registers.
LASTUSE_WIDE DynamicRange range_of(const float *x, int64_t count) {
    using Lane = float __attribute__((vector_size(32)));
    using Ints = int32_t __attribute__((vector_size(32)));
    constexpr int64_t width = 8, together = 4;
    Lane least[together] = {}, largest[together] = {};
    Ints nans[together] = {};
    int64_t k = 0;
    for (; k + together * width <= count; k += together * width)
        for (int64_t part = 0; part < together; ++part) {
            Lane lane;
            std::memcpy(&lane, x + k + part * width, sizeof lane);
            least[part] = lane < least[part] ? lane : least[part];
            largest[part] = lane > largest[part] ? lane : largest[part];
            nans[part] |= lane != lane;
        }
    DynamicRange all;
    for (; k < count; ++k)
        all.add({std::min(x[k], 0.0f), std::max(x[k], 0.0f), x[k] != x[k]});
    for (int64_t part = 0; part < together; ++part)
        for (int64_t lane = 0; lane < width; ++lane)
            all.add({least[part][lane], largest[part][lane], nans[part][lane] != 0});
    return all;
}

} // namespace

void DynamicRange::add(const float *x, int64_t count) { add(range_of(x, count)); }

void DynamicRange::add(const DynamicRange &other) {
    least = std::min(least, other.least);
    largest = std::max(largest, other.largest);
    has_nan = has_nan || other.has_nan;
}

ByteScale DynamicRange::scale() const {
    const float nan = std::numeric_limits<float>::quiet_NaN();
    const float width = has_nan ? nan : largest == least ? 1.0f : largest - least;
    const float step = width / 255.0f;
    float start = (has_nan ? nan : -least) / step;
    start = start > 0.0f ? start : 0.0f; // also of NaN
    return {step, std::nearbyint(std::min(start, 255.0f))};
}

void quantize(const float *x, const ByteScale &by, uint8_t *y, int64_t count) {
    quantize_with_one(x, by.scale, by.zero, y, count);
}

void quantize_linear(const Call &call) {
    call.expect(call.ins.size() >= 2 && call.ins.size() <= 3 && call.outs.size() == 1 && call.numbers.size() == 1 &&
                    call.ins[0].is(Type::f32) && !call.outs[0].is(Type::i32) &&
                    (call.ins.size() < 3 || call.ins[2].form->type == call.outs[0].form->type),
                "the kernel takes other operands");
    with_quantized_type(call, call.outs[0], [&](auto of) {
        using Q = decltype(of);
        if constexpr (sizeof(Q) < 4)
            convert<float, Q, Q>(call);
    });
}

void dequantize_linear(const Call &call) {
    call.expect(call.ins.size() >= 2 && call.ins.size() <= 3 && call.outs.size() == 1 && call.numbers.size() == 1 &&
                    call.outs[0].is(Type::f32) &&
                    (call.ins.size() < 3 || call.ins[2].form->type == call.ins[0].form->type),
                "the kernel takes other operands");
    with_quantized_type(call, call.ins[0], [&](auto of) { convert<decltype(of), float, decltype(of)>(call); });
}

void dynamic_quantize_linear(const Call &call) {
    call.expect_counts(1, 3, 0);
    const Array &x = call.ins[0], &y = call.outs[0];
    call.expect_floats({&x});
    call.expect(y.is(Type::u8) && y.form->is_dense() && y.elements() == x.elements(), "the kernel makes dense ui8");
    const auto *const from = x.elements_of<const float>();
    const int64_t count = x.elements(), pieces = (count + piece - 1) / piece;
    const int lanes = lanes_for(call, count);
    std::array<DynamicRange, most_lanes> found;
    in_lanes(lanes, pieces, [&](int64_t begin, int64_t end, int lane) {
        found[static_cast<size_t>(lane)].add(from + begin * piece, std::min(end * piece, count) - begin * piece);
    });
    DynamicRange all;
    for (const DynamicRange &part : found)
        all.add(part);
    const ByteScale by = all.scale();
    *call.outs[1].elements_of<float>() = by.scale;
    *call.outs[2].elements_of<uint8_t>() = static_cast<uint8_t>(by.zero);
    in_lanes(lanes, pieces, [&](int64_t begin, int64_t end, int) {
        const int64_t first = begin * piece;
        quantize(from + first, by, y.elements_of<uint8_t>() + first, std::min(end * piece, count) - first);
    });
}

} // namespace lastuse::kernels
