// Means or maxima of boxes, as dialect/dnn/spatial/roi_align.py defines them.
#include <algorithm>
#include <cmath>

#include "functions.hpp"
#include "indices.hpp"

namespace lastuse::kernels {

namespace {

constexpr int64_t together = 256;              // samples along a row that are computed together
constexpr float most_samples = 1073741824.0f; // 2^30, of a bin along an axis

// Along one axis of a box: where its bins begin, how long each is, and how many samples it has.
struct Bins {
    float start, size;
    int64_t samples;

    Bins(float low, float high, bool half_pixel, int64_t count, int64_t ratio) : start(low) {
        const float length = half_pixel ? high - low : std::max(high - low, 1.0f);
        size = length / static_cast<float>(count);
        const float wanted = std::ceil(size);
        samples = ratio > 0 ? ratio : wanted > 0.0f ? static_cast<int64_t>(std::min(wanted, most_samples)) : 0;
    }

    float position(int64_t bin, int64_t sample) const {
        return start + static_cast<float>(bin) * size +
               (static_cast<float>(sample) + 0.5f) * size / static_cast<float>(samples);
    }
};

// The two elements beside a position, and their weights.
struct Pair {
    int64_t low, high;
    float low_weight, high_weight;
};

// Of a position from -1 to `size`.
Pair pair_at(float x, int64_t size) {
    x = std::max(x, 0.0f);
    const auto low = static_cast<int64_t>(x);
    if (low >= size - 1)
        return {size - 1, size - 1, 1.0f, 0.0f};
    const float behind = x - static_cast<float>(low);
    return {low, low + 1, 1.0f - behind, behind};
}

// The samples of a bin whose positions are inside of an axis: they are neighbours, as positions ascend or descend.
struct Inside {
    int64_t first, end;

    Inside(const Bins &bins, int64_t bin, int64_t size) {
        const float last = static_cast<float>(size);
        const bool ascends = bins.size >= 0.0f;
        const auto is_before = [&](float x) { return ascends ? x < -1.0f : x > last; };
        const auto is_behind = [&](float x) { return !(ascends ? x <= last : x >= -1.0f); };
        first = first_of(bins.samples, [&](int64_t k) { return !is_before(bins.position(bin, k)); });
        end = std::max(first, first_of(bins.samples, [&](int64_t k) { return is_behind(bins.position(bin, k)); }));
    }

private:
    // The first of the numbers below `count` that a condition holds for, as it does for all behind it.
    template <class Holds>
    static int64_t first_of(int64_t count, Holds holds) {
        int64_t low = 0;
        while (count > 0) {
            const int64_t half = count / 2;
            if (holds(low + half)) {
                count = half;
            } else {
                low += half + 1;
                count -= half + 1;
            }
        }
        return low;
    }
};

// Some samples along a row, and the bin of each.
struct Samples {
    int64_t count = 0;
    int32_t low[together], high[together];
    float low_weight[together], high_weight[together];
    int64_t bin[together];

    void add(const Pair &pair, int64_t of_bin) {
        low[count] = static_cast<int32_t>(pair.low);
        high[count] = static_cast<int32_t>(pair.high);
        low_weight[count] = pair.low_weight;
        high_weight[count] = pair.high_weight;
        bin[count++] = of_bin;
    }
};

struct Rows {
    const float *low, *high;
    float low_weight, high_weight;
};

LASTUSE_WIDE void add_row(const Samples &of, const Rows &rows, float *sums) {
    const int64_t count = of.count;
    for (int64_t k = 0; k < count; ++k)
        sums[k] += rows.low_weight * of.low_weight[k] * rows.low[of.low[k]] +
                   rows.low_weight * of.high_weight[k] * rows.low[of.high[k]] +
                   rows.high_weight * of.low_weight[k] * rows.high[of.low[k]] +
                   rows.high_weight * of.high_weight[k] * rows.high[of.high[k]];
}

// NaN where one is.
inline float larger(float a, float b) {
    const float most = a > b ? a : b;
    return a != a ? a : most;
}

// Elements are read first, and then compared in vectors.
LASTUSE_WIDE void take_largest(const Samples &of, const Rows &rows, float *most) {
    const int64_t count = of.count;
    float elements[4][together];
    for (int64_t k = 0; k < count; ++k) {
        const int32_t low = of.low[k], high = of.high[k];
        elements[0][k] = rows.low[low];
        elements[1][k] = rows.low[high];
        elements[2][k] = rows.high[low];
        elements[3][k] = rows.high[high];
    }
    for (int64_t k = 0; k < count; ++k) {
        const float upper = larger(rows.low_weight * of.low_weight[k] * elements[0][k],
                                   rows.low_weight * of.high_weight[k] * elements[1][k]);
        const float lower = larger(rows.high_weight * of.low_weight[k] * elements[2][k],
                                   rows.high_weight * of.high_weight[k] * elements[3][k]);
        most[k] = larger(most[k], larger(upper, lower));
    }
}

// What is the same for all boxes.
struct Boxes {
    bool takes_largest, half_pixel;
    int64_t ratio;
    float scale;
    int64_t channels, height, width, rows, columns; // of the operand and, in bins, of the result
};

// One row of bins of a box, of all channels.
class BinRow {
public:
    BinRow(const Boxes &of, const float *box, int64_t row)
        : of_(of), row_(row), across_(bins(box[0], box[2], of.columns)), down_(bins(box[1], box[3], of.rows)),
          inside_(down_, row, of.height) {}

    // `x`: the first channel of the operand; `y`: the row in the first channel of the result.
    void compute(const float *x, float *y) {
        begin(y);
        for (int64_t first = inside_.first; first < inside_.end; first += together) {
            const int64_t last = std::min(inside_.end, first + together);
            for (int64_t k = first; k < last; ++k)
                pairs_[k - first] = pair_at(down_.position(row_, k), of_.height);
            samples_.count = 0;
            for (int64_t column = 0; column < of_.columns; ++column) {
                const Inside range(across_, column, of_.width);
                for (int64_t k = range.first; k < range.end; ++k) {
                    samples_.add(pair_at(across_.position(column, k), of_.width), column);
                    if (samples_.count == together)
                        add(x, y, last - first);
                }
            }
            add(x, y, last - first);
        }
        if (!of_.takes_largest)
            divide(y);
    }

private:
    Bins bins(float low, float high, int64_t count) const {
        const float shift = of_.half_pixel ? 0.5f : 0.0f;
        return {low * of_.scale - shift, high * of_.scale - shift, of_.half_pixel, count, of_.ratio};
    }

    // Samples outside count as 0.
    void begin(float *y) const {
        for (int64_t column = 0; column < of_.columns; ++column) {
            const Inside range(across_, column, of_.width);
            const bool all_down = down_.samples > 0 && inside_.end - inside_.first == down_.samples;
            const bool all_across = across_.samples > 0 && range.end - range.first == across_.samples;
            for (int64_t channel = 0; channel < of_.channels; ++channel)
                at(y, channel)[column] = of_.takes_largest && all_down && all_across ? -INFINITY : 0.0f;
        }
    }

    float *at(float *y, int64_t channel) const { return y + channel * of_.rows * of_.columns; }

    // What the collected samples make of `count` rows of samples.
    void add(const float *x, float *y, int64_t count) {
        float made[together];
        for (int64_t channel = 0; channel < of_.channels; ++channel) {
            const float *const plane = x + channel * of_.height * of_.width;
            std::fill_n(made, samples_.count, of_.takes_largest ? -INFINITY : 0.0f);
            for (int64_t k = 0; k < count; ++k) {
                const Pair &pair = pairs_[k];
                const Rows rows{plane + pair.low * of_.width, plane + pair.high * of_.width, pair.low_weight,
                                pair.high_weight};
                of_.takes_largest ? take_largest(samples_, rows, made) : add_row(samples_, rows, made);
            }
            float *const to = at(y, channel);
            for (int64_t k = 0; k < samples_.count; ++k) {
                float &bin = to[samples_.bin[k]];
                bin = of_.takes_largest ? larger(bin, made[k]) : bin + made[k];
            }
        }
        samples_.count = 0;
    }

    void divide(float *y) const {
        const float count = std::max(static_cast<float>(down_.samples) * static_cast<float>(across_.samples), 1.0f);
        for (int64_t channel = 0; channel < of_.channels; ++channel)
            for (int64_t column = 0; column < of_.columns; ++column)
                at(y, channel)[column] /= count;
    }

    const Boxes &of_;
    int64_t row_;
    Bins across_, down_;
    Inside inside_;
    Pair pairs_[together];
    Samples samples_;
};

} // namespace

void roi_align(const Call &call) {
    call.expect_counts(3, 1, 4);
    const Array &x = call.ins[0], &boxes = call.ins[1], &batch = call.ins[2], &y = call.outs[0];
    call.expect_floats({&x, &boxes, &y});
    expect_indices(call, batch);
    const bool four = x.rank() == 4 && y.rank() == 4 && boxes.rank() == 2 && batch.rank() == 1;
    call.expect(four && boxes.size(1) == 4 && boxes.size(0) == batch.size(0) && y.size(0) == batch.size(0) &&
                    y.size(1) == x.size(1) && x.size(3) <= INT32_MAX,
                "operands have other sizes");
    const Boxes of{call.numbers[0] != 0, call.numbers[1] != 0, call.integer(2), static_cast<float>(call.numbers[3]),
                   x.size(1),            x.size(2),            x.size(3),       y.size(2),
                   y.size(3)};
    const Type type = batch.form->type;
    check_indices(call, {x.size(0), false}, type, RowLoop<1>(batch.form->shape, {batch.form->strides}), batch.data);
    if (of.height == 0 || of.width == 0) {
        std::fill_n(y.elements_of<float>(), y.elements(), 0.0f);
        return;
    }
    const auto *const from = x.elements_of<const float>(), *const box = boxes.elements_of<const float>();
    auto *const to = y.elements_of<float>();
    const int64_t plane = of.channels * of.height * of.width;
    in_lanes(lanes_for(call, y.elements() * 16), batch.size(0) * of.rows, [&](int64_t begin, int64_t end, int) {
        for (int64_t number = begin; number < end; ++number) {
            const int64_t n = number / of.rows, row = number % of.rows;
            const int64_t index = index_at(type, batch.data + n * batch.form->strides[0]);
            BinRow(of, box + 4 * n, row)
                .compute(from + index * plane, to + (n * of.channels * of.rows + row) * of.columns);
        }
    });
}

} // namespace lastuse::kernels
