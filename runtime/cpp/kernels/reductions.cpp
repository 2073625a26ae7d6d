// Sums and means along axes in f32, as dialect/dnn/reductions.py defines them. Blocks of elements are added up in f32 and blocks in
// f64, in an order that depends on sizes alone: neither on threads nor on places.
#include <algorithm>
#include <limits>

#include "functions.hpp"

namespace lastuse::kernels {

namespace {

// Neighbouring axes of one kind as one axis; the stride is in elements.
struct Axis {
    int64_t size, stride;
};

struct Axes {
    std::vector<Axis> kept, reduced;
};

constexpr int64_t lanes = 16, block = 512;
// Columns that are added up together, and how many of their rows in f32.
constexpr int64_t columns = 256, rows = 32;

int64_t count_of(const std::vector<Axis> &axes) {
    int64_t count = 1;
    for (const Axis &axis : axes)
        count *= axis.size;
    return count;
}

// Where the element of this number is, counted along the axes, the last one fastest.
int64_t offset_of(int64_t number, const std::vector<Axis> &axes) {
    int64_t offset = 0;
    for (auto axis = axes.rbegin(); axis != axes.rend(); ++axis) {
        offset += number % axis->size * axis->stride;
        number /= axis->size;
    }
    return offset;
}

LASTUSE_WIDE float sum_block(const float *x, int64_t count) {
    float sums[lanes] = {};
    int64_t at = 0;
    for (; at + lanes <= count; at += lanes)
        for (int64_t lane = 0; lane < lanes; ++lane)
            sums[lane] += x[at + lane];
    for (int64_t lane = 0; at + lane < count; ++lane)
        sums[lane] += x[at + lane];
    for (int64_t half = lanes / 2; half > 0; half /= 2)
        for (int64_t lane = 0; lane < half; ++lane)
            sums[lane] += sums[lane + half];
    return sums[0];
}

// The results, of sums.
class Target {
public:
    Target(float *data, int64_t divisor) : data_(data), divisor_(static_cast<double>(divisor)) {}
    void set(int64_t at, double sum) const { data_[at] = static_cast<float>(sum / divisor_); }

private:
    float *data_;
    double divisor_;
};

double sum_row(const float *x, int64_t count) {
    double sum = 0;
    for (int64_t at = 0; at < count; at += block)
        sum += static_cast<double>(sum_block(x + at, std::min(block, count - at)));
    return sum;
}

LASTUSE_WIDE void add(float *to, const float *from, int64_t count) {
    for (int64_t k = 0; k < count; ++k)
        to[k] += from[k];
}

// Sums of `width` columns over the rows that start at these axes, as the results from `at` on.
void sum_columns(const float *x, int64_t width, const std::vector<Axis> &starts, const Target &target, int64_t at) {
    double sums[columns] = {};
    float part[columns];
    const int64_t count = count_of(starts);
    for (int64_t begin = 0; begin < count; begin += rows) {
        std::fill(part, part + width, 0.0f);
        for (int64_t row = begin; row < std::min(begin + rows, count); ++row)
            add(part, x + offset_of(row, starts), width);
        for (int64_t k = 0; k < width; ++k)
            sums[k] += static_cast<double>(part[k]);
    }
    for (int64_t k = 0; k < width; ++k)
        target.set(at + k, sums[k]);
}

// The axes of a dense array, merged. `last_reduced`: whether the last of all is reduced.
Axes merged(const Call &call, const Array &x, bool &last_reduced) {
    Axes axes;
    int64_t stride = 1;
    bool first = true;
    for (size_t axis = x.rank(); axis-- > 0; stride *= x.size(axis)) {
        if (x.size(axis) == 1)
            continue;
        const bool reduced = call.numbers[axis] != 0;
        auto &all = reduced ? axes.reduced : axes.kept;
        if (!all.empty() && all.front().stride * all.front().size == stride)
            all.front() = {all.front().size * x.size(axis), all.front().stride};
        else
            all.insert(all.begin(), {x.size(axis), stride});
        if (first)
            last_reduced = reduced;
        first = false;
    }
    return axes;
}

void reduce(const Call &call, bool takes_mean) {
    call.expect_counts(1, 1, call.ins.empty() ? 0 : call.ins[0].rank());
    const Array &x = call.ins[0], &y = call.outs[0];
    call.expect_floats({&x, &y});
    const auto *const from = x.elements_of<const float>();
    if (x.elements() == 0) {
        auto *const to = y.elements_of<float>();
        return std::fill(to, to + y.elements(), takes_mean ? std::numeric_limits<float>::quiet_NaN() : 0.0f);
    }
    bool last_reduced = true;
    auto [kept, reduced] = merged(call, x, last_reduced);
    call.expect(count_of(kept) == y.elements(), "the result has other sizes than the axes that are kept");
    const Target target(y.elements_of<float>(), takes_mean ? count_of(reduced) : 1);
    const int threads = lanes_for(call, x.elements());
    if (last_reduced) {
        const int64_t length = reduced.empty() ? 1 : reduced.back().size;
        if (!reduced.empty())
            reduced.pop_back();
        const int64_t starts = count_of(reduced);
        in_lanes(threads, y.elements(), [&, &kept = kept, &reduced = reduced](int64_t begin, int64_t end, int) {
            for (int64_t at = begin; at < end; ++at) {
                const float *const first = from + offset_of(at, kept);
                double sum = 0;
                for (int64_t row = 0; row < starts; ++row)
                    sum += sum_row(first + offset_of(row, reduced), length);
                target.set(at, sum);
            }
        });
        return;
    }
    const int64_t length = kept.back().size, pieces = (length + columns - 1) / columns;
    kept.pop_back();
    in_lanes(threads, count_of(kept) * pieces, [&, &kept = kept, &reduced = reduced](int64_t begin, int64_t end, int) {
        for (int64_t at = begin; at < end; ++at) {
            const int64_t start = at % pieces * columns, outer = at / pieces;
            sum_columns(from + offset_of(outer, kept) + start, std::min(columns, length - start), reduced,
                        target, outer * length + start);
        }
    });
}

} // namespace

void reduce_sum(const Call &call) { reduce(call, false); }

void reduce_mean(const Call &call) { reduce(call, true); }

} // namespace lastuse::kernels
