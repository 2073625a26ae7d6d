// The loss of a linear-chain CRF over ragged rows of f32 and its gradient, as dialect/dnn/recurrent/crf_loss.py defines
// them, in f64.
//
// The logarithm of a sum over all tags before a row is a product of exponentials with those of the transitions, which
// are computed once. Where the scores lie so far apart that an exponential might be 0, the sum is computed by itself.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "functions.hpp"
#include "offsets.hpp"

namespace lastuse::kernels {

namespace {

using Doubles = std::vector<double>;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double farthest = 600; // exp(-600) is no subnormal number, nor times one of as many as 2^100 terms

// The difference of the largest number that is finite and the least; infinite where one is NaN or not below infinity.
double spread(const double *x, int64_t count) {
    double low = infinity, high = -infinity;
    for (int64_t k = 0; k < count; ++k) {
        if (!(x[k] < infinity))
            return infinity;
        if (x[k] == -infinity)
            continue;
        low = std::min(low, x[k]);
        high = std::max(high, x[k]);
    }
    return low <= high ? high - low : infinity;
}

double largest(const double *x, int64_t count, int64_t step = 1) {
    double best = x[0];
    for (int64_t k = 1; k < count && best == best; ++k)
        best = x[k * step] <= best ? best : x[k * step];
    return best;
}

// log of the sum of exp(x + y), of which y has elements `step` apart.
double log_sum_exp(const double *x, const double *y, int64_t count, int64_t step, Doubles &memory) {
    for (int64_t k = 0; k < count; ++k)
        memory[static_cast<size_t>(k)] = x[k] + y[k * step];
    const double most = largest(memory.data(), count), finite = std::isfinite(most) ? most : 0.0;
    double sum = 0;
    for (int64_t k = 0; k < count; ++k)
        sum += std::exp(memory[static_cast<size_t>(k)] - finite);
    return finite + std::log(sum);
}

// to[j] = the sum of x[i] * matrix[i, j].
LASTUSE_WIDE void times_matrix(const double *x, const double *matrix, int64_t count, double *to) {
    for (int64_t j = 0; j < count; ++j)
        to[j] = 0;
    for (int64_t i = 0; i < count; ++i)
        for (int64_t j = 0; j < count; ++j)
            to[j] += x[i] * matrix[i * count + j];
}

// sums[i] = the sum of matrix[i, j] * y[j]; total[i, j] += x[i] * matrix[i, j] * y[j].
LASTUSE_WIDE void add_products(const double *x, const double *matrix, const double *y, int64_t count, double *total,
                               double *products, double *sums) {
    for (int64_t i = 0; i < count; ++i) {
        const double factor = x[i];
        for (int64_t j = 0; j < count; ++j) {
            products[j] = matrix[i * count + j] * y[j];
            total[i * count + j] += factor * products[j];
        }
        double sum = 0;
        for (int64_t j = 0; j < count; ++j)
            sum += products[j];
        sums[i] = sum;
    }
}

float element(const Array &array, int64_t row, int64_t column) {
    float value;
    std::memcpy(&value, array.data + row * array.form->strides[0] + column * array.form->strides[1], sizeof value);
    return value;
}

void set(const Array &array, int64_t row, int64_t column, double value) {
    const auto narrow = static_cast<float>(value);
    std::memcpy(array.data + row * array.form->strides[0] + column * array.form->strides[1], &narrow, sizeof narrow);
}

// The operands: emission, transition, labels, offsets.
struct Chain {
    const Array &emission;
    int64_t rows, tags, sequences;
    std::vector<int64_t> ends; // memory of `offsets` if they are not dense
    const int64_t *offsets;
    Doubles start, stop, between, powers; // powers: exp(between - most)
    double most, apart;                   // the largest transition; how far they lie apart
    std::vector<int64_t> path;

    explicit Chain(const Call &call)
        : emission(call.ins[0]), rows(emission.size(0)), tags(emission.size(1)), sequences(call.ins[3].elements() - 1),
          offsets(dense_numbers(call.ins[3], ends)) {
        const Array &transition = call.ins[1], &labels = call.ins[2];
        call.expect(emission.is(Type::f32) && transition.is(Type::f32) && tags > 0 && transition.size(0) == tags + 2 &&
                        transition.size(1) == tags && (labels.is(Type::i32) || labels.is(Type::i64)) &&
                        labels.elements() == rows && call.ins[3].is(Type::i64),
                    "the kernel takes scores of f32, a tag for each row and offsets");
        read_path(call, labels);
        check_offsets(offsets, sequences, rows);
        Doubles *const parts[] = {&start, &stop, &between};
        for (int64_t row = 0; row < tags + 2; ++row)
            for (int64_t tag = 0; tag < tags; ++tag)
                parts[std::min<int64_t>(row, 2)]->push_back(static_cast<double>(element(transition, row, tag)));
        most = largest(between.data(), tags * tags);
        apart = spread(between.data(), tags * tags);
        for (const double score : between)
            powers.push_back(std::exp(score - most));
    }

    void read(int64_t row, double *to) const {
        for (int64_t tag = 0; tag < tags; ++tag)
            to[tag] = static_cast<double>(element(emission, row, tag));
    }

    // Calls visit(sequence) for shares of the sequences, by rows; visit is what work(lane) returns.
    template <class Work>
    void in_sequence_lanes(int lanes, Work work) const {
        in_lanes(lanes, rows, [&](int64_t begin, int64_t end, int lane) {
            auto visit = work(lane);
            const int64_t *const last = offsets + sequences;
            for (const int64_t *at = std::lower_bound(offsets, last, begin); at != last && *at < end; ++at)
                if (at[1] > at[0])
                    visit(at - offsets);
        });
    }

    int lanes(const Call &call) const { return lanes_for(call, 8 * rows * tags * std::max<int64_t>(1, tags / 8)); }

private:
    void read_path(const Call &call, const Array &labels) {
        int64_t low = 0, high = -1;
        for (int64_t row = 0; row < rows; ++row) {
            const char *place = labels.data + row * labels.form->strides[0];
            int64_t tag = 0;
            int32_t narrow = 0;
            std::memcpy(labels.is(Type::i64) ? static_cast<void *>(&tag) : &narrow, place, labels.is(Type::i64) ? 8 : 4);
            path.push_back(labels.is(Type::i64) ? tag : narrow);
            low = std::min(low, path.back());
            high = std::max(high, path.back());
        }
        if (low < 0 || high >= tags)
            throw IndicesError(call.op + ": index " + std::to_string(low < 0 ? low : high) +
                               " is outside the axis of size " + std::to_string(tags));
    }
};

// The scores of all paths to each tag of a row, one row after the other.
class Prefixes {
public:
    explicit Prefixes(const Chain &chain)
        : score(static_cast<size_t>(chain.tags)), chain_(chain), emitted_(score), powers_(score), next_(score) {}

    Doubles score;

    void begin(int64_t row) {
        chain_.read(row, score.data());
        for (size_t tag = 0; tag < score.size(); ++tag)
            score[tag] += chain_.start[tag];
    }

    void advance(int64_t row) {
        const int64_t tags = chain_.tags;
        chain_.read(row, emitted_.data());
        if (chain_.apart + spread(score.data(), tags) < farthest) {
            const double best = largest(score.data(), tags);
            for (size_t tag = 0; tag < score.size(); ++tag)
                powers_[tag] = std::exp(score[tag] - best);
            times_matrix(powers_.data(), chain_.powers.data(), tags, next_.data());
            for (size_t tag = 0; tag < score.size(); ++tag)
                score[tag] = best + chain_.most + std::log(next_[tag]) + emitted_[tag];
            return;
        }
        for (int64_t tag = 0; tag < tags; ++tag)
            next_[static_cast<size_t>(tag)] = log_sum_exp(score.data(), chain_.between.data() + tag, tags, tags, powers_) +
                                              emitted_[static_cast<size_t>(tag)];
        std::swap(score, next_);
    }

    // log of the sum over all paths, which end in the row.
    double total() { return log_sum_exp(score.data(), chain_.stop.data(), chain_.tags, 1, powers_); }

private:
    const Chain &chain_;
    Doubles emitted_, powers_, next_;
};

// Adds the gradients of sequences.
class Differentiation {
public:
    Differentiation(const Call &call, const Chain &chain, double *total)
        : call_(call), chain_(chain), prefixes_(chain), total_(total), behind_(chain.stop), onward_(behind_),
          before_(behind_), share_(behind_), left_(behind_), right_(behind_), memory_(behind_) {}

    void add(int64_t sequence) {
        const int64_t first = chain_.offsets[sequence], last = chain_.offsets[sequence + 1] - 1, tags = chain_.tags;
        const double steep = static_cast<double>(element(call_.ins[4], sequence, 0));
        prefixes_.begin(first);
        keep(first);
        for (int64_t row = first + 1; row <= last; ++row) {
            prefixes_.advance(row);
            keep(row);
        }
        const double whole = prefixes_.total();
        behind_ = chain_.stop;
        for (int64_t row = last; row >= first; --row) {
            recall(row, before_);
            for (size_t tag = 0; tag < before_.size(); ++tag)
                share_[tag] = std::exp(before_[tag] + behind_[tag] - whole);
            share_[static_cast<size_t>(chain_.path[static_cast<size_t>(row)])] -= 1;
            for (int64_t tag = 0; tag < tags; ++tag) {
                const double own = steep * share_[static_cast<size_t>(tag)];
                total_[tag] += row == first ? own : 0.0;
                total_[tags + tag] += row == last ? own : 0.0;
            }
            if (row > first)
                go_back(row, steep, whole);
            for (int64_t tag = 0; tag < tags; ++tag)
                set(call_.outs[0], row, tag, steep * share_[static_cast<size_t>(tag)]);
        }
    }

    // Bytes of scratch: for each row the scores of the paths to it, in f32 less their largest, and this in f64.
    static int64_t scratch_bytes(int64_t rows, int64_t tags) { return aligned(rows * 8) + rows * tags * 4; }

private:
    float *kept(int64_t row) const {
        return reinterpret_cast<float *>(call_.scratch + aligned(chain_.rows * 8)) + row * chain_.tags;
    }

    void keep(int64_t row) {
        const double most = largest(prefixes_.score.data(), chain_.tags), base = std::isfinite(most) ? most : 0.0;
        reinterpret_cast<double *>(call_.scratch)[row] = base;
        for (int64_t tag = 0; tag < chain_.tags; ++tag)
            kept(row)[tag] = static_cast<float>(prefixes_.score[static_cast<size_t>(tag)] - base);
    }

    void recall(int64_t row, Doubles &to) const {
        const double base = reinterpret_cast<const double *>(call_.scratch)[row];
        for (int64_t tag = 0; tag < chain_.tags; ++tag)
            to[static_cast<size_t>(tag)] = base + static_cast<double>(kept(row)[tag]);
    }

    // The transitions into a row; `behind_` becomes that of the row before.
    void go_back(int64_t row, double steep, double whole) {
        const int64_t tags = chain_.tags;
        double *const pairs = total_ + 2 * tags;
        chain_.read(row, onward_.data());
        for (size_t tag = 0; tag < onward_.size(); ++tag)
            onward_[tag] += behind_[tag];
        recall(row - 1, before_);
        if (chain_.apart + spread(before_.data(), tags) + spread(onward_.data(), tags) < farthest) {
            const double from = largest(before_.data(), tags), to = largest(onward_.data(), tags);
            const double scale = steep * std::exp(from + to + chain_.most - whole);
            for (size_t tag = 0; tag < onward_.size(); ++tag) {
                left_[tag] = scale * std::exp(before_[tag] - from);
                right_[tag] = std::exp(onward_[tag] - to);
            }
            add_products(left_.data(), chain_.powers.data(), right_.data(), tags, pairs, memory_.data(), behind_.data());
            for (double &score : behind_)
                score = to + chain_.most + std::log(score);
        } else {
            for (int64_t tag = 0; tag < tags; ++tag) {
                const double *const between = chain_.between.data() + tag * tags;
                for (int64_t next = 0; next < tags; ++next) {
                    const double score = between[next] + onward_[static_cast<size_t>(next)];
                    pairs[tag * tags + next] += steep * std::exp(before_[static_cast<size_t>(tag)] + score - whole);
                }
                behind_[static_cast<size_t>(tag)] = log_sum_exp(onward_.data(), between, tags, 1, memory_);
            }
        }
        pairs[chain_.path[static_cast<size_t>(row - 1)] * tags + chain_.path[static_cast<size_t>(row)]] -= steep;
    }

    const Call &call_;
    const Chain &chain_;
    Prefixes prefixes_;
    double *total_;
    Doubles behind_, onward_, before_, share_, left_, right_, memory_;
};

} // namespace

void linear_chain_crf(const Call &call) {
    call.expect_counts(4, 1, 0);
    const Chain chain(call);
    const Array &cost = call.outs[0];
    call.expect(cost.is(Type::f32) && cost.rank() == 2 && cost.size(0) == chain.sequences, "a cost is f32 for each sequence");
    for (int64_t sequence = 0; sequence < chain.sequences; ++sequence)
        set(cost, sequence, 0, 0.0);
    chain.in_sequence_lanes(chain.lanes(call), [&](int) {
        return [&, prefixes = Prefixes(chain)](int64_t sequence) mutable {
            const int64_t first = chain.offsets[sequence], end = chain.offsets[sequence + 1], tags = chain.tags;
            const int64_t *const path = chain.path.data();
            double right = chain.start[static_cast<size_t>(path[first])] + chain.stop[static_cast<size_t>(path[end - 1])];
            for (int64_t row = first; row < end; ++row) {
                right += static_cast<double>(element(chain.emission, row, path[row]));
                if (row == first) {
                    prefixes.begin(row);
                    continue;
                }
                right += chain.between[static_cast<size_t>(path[row - 1] * tags + path[row])];
                prefixes.advance(row);
            }
            set(cost, sequence, 0, prefixes.total() - right);
        };
    });
}

void linear_chain_crf_grad(const Call &call) {
    call.expect_counts(5, 2, 0);
    const Chain chain(call);
    const Array &dy = call.ins[4], &demission = call.outs[0], &dtransition = call.outs[1];
    call.expect(dy.is(Type::f32) && dy.rank() == 2 && dy.size(0) == chain.sequences && demission.is(Type::f32) &&
                    demission.form->shape == chain.emission.form->shape && dtransition.is(Type::f32) &&
                    dtransition.form->shape == call.ins[1].form->shape,
                "the gradients have the shapes of the scores");
    call.expect(call.scratch_bytes >= Differentiation::scratch_bytes(chain.rows, chain.tags), "there is too little scratch");
    const int lanes = chain.lanes(call);
    const auto size = static_cast<size_t>((chain.tags + 2) * chain.tags);
    Doubles totals(size * static_cast<size_t>(lanes));
    chain.in_sequence_lanes(lanes, [&](int lane) {
        double *const total = totals.data() + static_cast<size_t>(lane) * size;
        return [sum = Differentiation(call, chain, total)](int64_t sequence) mutable { sum.add(sequence); };
    });
    for (size_t k = 0; k < size; ++k) {
        double total = 0;
        for (size_t lane = 0; lane < static_cast<size_t>(lanes); ++lane)
            total += totals[lane * size + k];
        const auto place = static_cast<int64_t>(k);
        set(dtransition, place / chain.tags, place % chain.tags, total);
    }
}

} // namespace lastuse::kernels
