// Losses and their gradients in f32, as dialect/dnn/losses.py and loss_gradients.py define them. Sums over rows are in
// f64; each lane adds up its own rows, and the lanes are added in order.
#include <array>
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "exponential.hpp"
#include "functions.hpp"

namespace lastuse::kernels {

namespace {

constexpr int64_t block_elements = 2048;

LASTUSE_WIDE void take_exponentials(float *x, int64_t count) {
    for (int64_t k = 0; k < count; ++k)
        x[k] = exponential(x[k]);
}

LASTUSE_WIDE double squared_distance(const float *a, const float *b, int64_t count) {
    constexpr int64_t width = 8;
    double sums[width] = {};
    int64_t start = 0;
    for (; start + width <= count; start += width)
        for (int64_t k = 0; k < width; ++k) {
            const float difference = a[start + k] - b[start + k];
            sums[k] += static_cast<double>(difference * difference);
        }
    for (int64_t k = 0; start + k < count; ++k) {
        const float difference = a[start + k] - b[start + k];
        sums[k] += static_cast<double>(difference * difference);
    }
    return ((sums[0] + sums[4]) + (sums[2] + sums[6])) + ((sums[1] + sums[5]) + (sums[3] + sums[7]));
}

double divided(double total, int64_t count, bool is_mean) {
    if (!is_mean)
        return total;
    return count == 0 ? std::numeric_limits<double>::quiet_NaN() : total / static_cast<double>(count);
}

// The sum of what work(begin, end) gives for shares of `count` rows.
template <class Work>
double sum_in_lanes(int lanes, int64_t count, Work work) {
    std::array<double, most_lanes> sums{};
    in_lanes(lanes, count,
             [&](int64_t begin, int64_t end, int lane) { sums[static_cast<size_t>(lane)] = work(begin, end); });
    double total = 0;
    for (int lane = 0; lane < lanes; ++lane)
        total += sums[static_cast<size_t>(lane)];
    return total;
}

// Rows of classes along an axis, and their labels: indices, or distributions in the place of the rows.
struct Rows {
    const Call &call;
    int64_t classes, inner, count, kept = 0; // `inner`: elements from one class to the next
    bool is_mean, ignores;
    int64_t ignored;
    const float *x, *distributions = nullptr;
    std::vector<Integers> labels; // one, or none

    explicit Rows(const Call &of) : call(of) {
        const auto axis = call.index(0);
        call.expect(call.numbers.size() == 4 && call.ins.size() >= 2 && axis < call.ins[0].rank(),
                    "the kernel takes rows and labels");
        call.expect_floats({&call.ins[0]});
        is_mean = call.numbers[1] != 0.0;
        ignores = call.numbers[2] != 0.0;
        ignored = call.integer(3);
        const Array &rows = call.ins[0], &marks = call.ins[1];
        classes = rows.size(axis);
        inner = 1;
        count = 1;
        for (size_t other = 0; other < rows.rank(); ++other)
            (other > axis ? inner : count) *= other == axis ? 1 : rows.size(other);
        count *= inner;
        x = rows.elements_of<float>();
        kept = count;
        if (marks.is(Type::f32)) {
            call.expect_floats({&marks});
            call.expect(marks.elements() == rows.elements(), "distributions have the shape of the rows");
            distributions = marks.elements_of<float>();
            kept = classes == 0 ? 0 : count;
            return;
        }
        labels.emplace_back(call, marks);
        call.expect(marks.elements() == count, "there is a label for each row");
        int64_t low = 0, high = -1;
        bool none = true;
        for (int64_t row = 0; row < count; ++row) {
            const int64_t label = labels.front()[row];
            if (ignores && label == ignored) {
                --kept;
                continue;
            }
            low = none ? label : std::min(low, label);
            high = none ? label : std::max(high, label);
            none = false;
        }
        if (low < 0 || high >= classes)
            throw IndicesError(call.op + ": index " + std::to_string(low < 0 ? low : high) +
                               " is outside the axis of size " + std::to_string(classes));
    }

    int lanes() const { return lanes_for(call, count * classes); }
    // The class of a row, -1 of one that does not count.
    int64_t label(int64_t row) const {
        const int64_t label = labels.front()[row];
        return ignores && label == ignored ? -1 : label;
    }
    // The element of the row's first class.
    int64_t first(int64_t row) const { return row / inner * inner * classes + row % inner; }
    // What one row contributes to the loss, times its gradient.
    double share() const {
        const double dy = number_of(call, call.ins[2]);
        return dy / (is_mean ? static_cast<double>(std::max<int64_t>(kept, 1)) : 1.0);
    }
    void write(double loss) const {
        call.expect_floats({&call.outs[0]});
        *call.outs[0].elements_of<float>() = static_cast<float>(divided(loss, kept, is_mean));
    }

    // Calls visit(row, exponentials, sum, largest) for rows from `begin` to `end`: of each exp(x - largest), and the sum.
    template <class Visit>
    void visit_exponentials(int64_t begin, int64_t end, Visit visit) const {
        float own[block_elements];
        std::vector<float> longer(classes > block_elements ? static_cast<size_t>(classes) : 0);
        float *const memory = longer.empty() ? own : longer.data();
        const int64_t most = std::max<int64_t>(1, block_elements / std::max<int64_t>(classes, 1));
        std::vector<float> largest(static_cast<size_t>(most));
        for (int64_t start = begin; start < end; start += most) {
            const int64_t rows = std::min(most, end - start);
            for (int64_t row = 0; row < rows; ++row) {
                float *const to = memory + row * classes;
                const float *const from = x + first(start + row);
                float best = from[0];
                for (int64_t k = 1; k < classes; ++k)
                    best = from[k * inner] > best ? from[k * inner] : best;
                for (int64_t k = 0; k < classes; ++k)
                    to[k] = from[k * inner] - best;
                largest[static_cast<size_t>(row)] = best;
            }
            take_exponentials(memory, rows * classes);
            for (int64_t row = 0; row < rows; ++row) {
                float sum = 0;
                for (int64_t k = 0; k < classes; ++k)
                    sum += memory[row * classes + k];
                visit(start + row, memory + row * classes, sum, largest[static_cast<size_t>(row)]);
            }
        }
    }
};

float *gradient_of(const Rows &rows) {
    const Call &call = rows.call;
    call.expect(call.ins.size() == 3 && call.outs.size() == 1, "the kernel takes rows, labels and dy");
    call.expect_floats({&call.outs[0]});
    call.expect(call.outs[0].elements() == call.ins[0].elements(), "the gradient has the shape of the rows");
    return call.outs[0].elements_of<float>();
}

} // namespace

void mse(const Call &call) {
    call.expect_counts(2, 1, 1);
    call.expect_floats({&call.ins[0], &call.ins[1], &call.outs[0]});
    const auto *a = call.ins[0].elements_of<float>(), *b = call.ins[1].elements_of<float>();
    const int64_t count = call.ins[0].elements();
    call.expect(call.ins[1].elements() == count, "a and b have one shape");
    const double total = sum_in_lanes(lanes_for(call, count), count, [&](int64_t begin, int64_t end) {
        return squared_distance(a + begin, b + begin, end - begin);
    });
    *call.outs[0].elements_of<float>() = static_cast<float>(divided(total, count, call.numbers[0] != 0.0));
}

void nll(const Call &call) {
    const Rows rows(call);
    call.expect(rows.distributions == nullptr, "labels are indices");
    rows.write(sum_in_lanes(rows.lanes(), rows.count, [&](int64_t begin, int64_t end) {
        double total = 0;
        for (int64_t row = begin; row < end; ++row)
            if (const int64_t label = rows.label(row); label >= 0)
                total -= static_cast<double>(rows.x[rows.first(row) + label * rows.inner]);
        return total;
    }));
}

void nll_grad(const Call &call) {
    const Rows rows(call);
    call.expect(rows.distributions == nullptr, "labels are indices");
    float *const dx = gradient_of(rows);
    std::fill(dx, dx + rows.count * rows.classes, 0.0f);
    const auto share = static_cast<float>(-rows.share());
    for (int64_t row = 0; row < rows.count; ++row)
        if (const int64_t label = rows.label(row); label >= 0)
            dx[rows.first(row) + label * rows.inner] = share;
}

void softmax_cross_entropy(const Call &call) {
    const Rows rows(call);
    const int64_t count = rows.classes == 0 ? 0 : rows.count;
    rows.write(sum_in_lanes(rows.lanes(), count, [&](int64_t begin, int64_t end) {
        double total = 0;
        rows.visit_exponentials(begin, end, [&](int64_t row, const float *, float sum, float largest) {
            const float all = largest + std::log(sum);
            const int64_t first = rows.first(row);
            if (rows.distributions == nullptr) {
                if (const int64_t label = rows.label(row); label >= 0)
                    total += static_cast<double>(all - rows.x[first + label * rows.inner]);
                return;
            }
            for (int64_t k = first; k < first + rows.classes * rows.inner; k += rows.inner)
                total += static_cast<double>((all - rows.x[k]) * rows.distributions[k]);
        });
        return total;
    }));
}

void softmax_cross_entropy_grad(const Call &call) {
    const Rows rows(call);
    float *const dx = gradient_of(rows);
    const auto share = static_cast<float>(rows.share());
    in_lanes(rows.lanes(), rows.classes == 0 ? 0 : rows.count, [&](int64_t begin, int64_t end, int) {
        rows.visit_exponentials(begin, end, [&](int64_t row, const float *parts, float sum, float) {
            float *const to = dx + rows.first(row);
            if (rows.distributions != nullptr) {
                const float *const marks = rows.distributions + rows.first(row);
                float weight = 0;
                for (int64_t k = 0; k < rows.classes; ++k)
                    weight += marks[k * rows.inner];
                for (int64_t k = 0; k < rows.classes; ++k)
                    to[k * rows.inner] = (parts[k] / sum * weight - marks[k * rows.inner]) * share;
                return;
            }
            const int64_t label = rows.label(row);
            for (int64_t k = 0; k < rows.classes; ++k)
                to[k * rows.inner] = label < 0 ? 0.0f : (parts[k] / sum - (k == label ? 1.0f : 0.0f)) * share;
        });
    });
}

} // namespace lastuse::kernels
