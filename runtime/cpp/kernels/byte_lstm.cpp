// The steps of an LSTM whose states become bytes in each step, as dialect/dnn/recurrent/byte_lstm.py defines it.
//
// Columns of the weights are ordered by vectors of the state: the strips of all gates of a vector, then those of the next
// vector. So what threads and blocks compute of a state is in one stretch of the weights.
#include <algorithm>
#include <cstring>
#include <string>

#include "../threads/lanes.hpp"
#include "dynamic_range.hpp"
#include "exponential.hpp"
#include "functions.hpp"
#include "integer_rows.hpp"

namespace lastuse::kernels {

namespace {

constexpr int64_t gates = 4, vector = strip_width, group = gates * vector; // columns of a vector, and of all gates of it
constexpr int64_t vectors_together = 2; // whose columns are multiplied before their gates are computed
constexpr int64_t block_columns = vectors_together * group;
// Multiply-adds of a lane in a step for which it pays that lanes wait for each other.
constexpr int64_t least_of_lane = 128 * 1024;

// Numbers of a call: of operands that it may lack, -1 there, and what attributes say.
enum class Part : size_t { zero, peepholes, lengths, h, c, is_packed, is_reverse, ties_forget, limit, count };

double number(const Call &call, Part part) { return call.numbers.at(static_cast<size_t>(part)); }

const Array *operand(const Call &call, Part part) {
    const double at = number(call, part);
    call.expect(at < static_cast<double>(call.ins.size()), "there is no operand of this number");
    return at < 0 ? nullptr : &call.ins[static_cast<size_t>(at)];
}

struct LstmSizes {
    int64_t steps, batch, hidden;
    bool is_packed;

    static LstmSizes of(const Call &call) {
        call.expect(call.ins.size() >= 3 && call.numbers.size() == static_cast<size_t>(Part::count) && call.ins[0].rank() == 3,
                    "the kernel takes other operands");
        const Array &x = call.ins[0];
        return {x.size(0), x.size(1), x.size(2) / gates, number(call, Part::is_packed) != 0};
    }

    int64_t vectors() const { return (hidden + vector - 1) / vector; }
    int64_t columns() const { return vectors() * group; }
    int64_t depth() const { return (hidden + quad - 1) / quad * quad; }
    int64_t panel_bytes() const { return columns() * depth(); }
    int64_t weights_bytes() const { return panel_bytes() + columns() * 4; }
    int64_t packed_bytes() const { return is_packed ? 0 : aligned(weights_bytes()); }
    int64_t table_bytes() const { return aligned(columns() * 4); }
    int64_t tables_bytes() const { return 3 * table_bytes(); }
    // Of a lane: sequences that have a step, the sums of their bytes, these, and products.
    int64_t rows_bytes() const { return aligned(batch * 8); }
    int64_t row_sums_bytes() const { return aligned(batch * 4); }
    int64_t bytes_bytes() const { return aligned(batch * depth()); }
    int64_t lane_bytes() const { return rows_bytes() + row_sums_bytes() + bytes_bytes() + aligned(batch * block_columns * 4); }
    int lanes(int threads) const {
        const int64_t blocks = (vectors() + vectors_together - 1) / vectors_together;
        const int64_t most = std::min<int64_t>({std::max(threads, 1), most_lanes, std::max<int64_t>(blocks, 1)});
        return static_cast<int>(std::clamp<int64_t>(batch * panel_bytes() / least_of_lane, 1, most));
    }
    int64_t scratch_bytes(int threads) const { return packed_bytes() + tables_bytes() + lanes(threads) * lane_bytes(); }
};

// What sums of columns are scaled with in a step.
LASTUSE_WIDE void make_rules(const int32_t *__restrict base, const float *__restrict scales, int32_t zero, float scale,
                             int64_t count, int32_t *__restrict offsets, float *__restrict factors) {
    for (int64_t c = 0; c < count; ++c) {
        offsets[c] = static_cast<int32_t>(static_cast<uint32_t>(zero) * static_cast<uint32_t>(base[c]));
        factors[c] = scale * scales[c];
    }
}

// Gates wait for one another in long chains: more registers overlap more of these. The bits are the same.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#define WIDE_GATES __attribute__((target_clones("avx512f", "avx2", "default"), optimize("O3")))
#else
#define WIDE_GATES
#endif

inline float sigmoid(float x) { return 1.0f / (1.0f + exponential(-x)); }

inline float tangent(float x) {
    const float e = exponential(2.0f * x);
    return (e - 1.0f) / (e + 1.0f);
}

inline float limited(float x, float limit) {
    x = x < -limit ? -limit : x;
    return x > limit ? limit : x;
}

// One vector of the state of one row. `x`: the products of the input, gates `hidden` apart; `products`: those of the
// state; `peepholes`: of three gates, `hidden` apart.
template <bool sees_cells, bool ties_forget>
WIDE_GATES void advance(const float *__restrict x, int64_t hidden, const float *__restrict products,
                          const float *__restrict peepholes, float limit, int64_t count, float *__restrict cells,
                          float *__restrict y) {
    for (int64_t k = 0; k < count; ++k) {
        float in = x[k] + products[k], out = x[hidden + k] + products[vector + k];
        float forget = x[2 * hidden + k] + products[2 * vector + k];
        const float candidate = tangent(limited(x[3 * hidden + k] + products[3 * vector + k], limit));
        if constexpr (sees_cells)
            in += peepholes[k] * cells[k];
        in = sigmoid(limited(in, limit));
        if constexpr (ties_forget) {
            forget = 1.0f - in;
        } else {
            if constexpr (sees_cells)
                forget += peepholes[2 * hidden + k] * cells[k];
            forget = sigmoid(limited(forget, limit));
        }
        const float cell = forget * cells[k] + in * candidate;
        if constexpr (sees_cells)
            out += peepholes[hidden + k] * cell;
        cells[k] = cell;
        y[k] = sigmoid(limited(out, limit)) * tangent(cell);
    }
}

class DynamicLstm {
public:
    explicit DynamicLstm(const Call &call)
        : call_(call), sizes_(LstmSizes::of(call)), kernels_(integer_product_kernels()),
          is_reverse_(number(call, Part::is_reverse) != 0), limit_(static_cast<float>(number(call, Part::limit))),
          longest_(sizes_.steps) {
        check();
        x_ = call.ins[0].elements_of<const float>();
        y_ = call.outs[0].elements_of<float>();
        h_ = call.outs[1].elements_of<float>();
        cells_ = call.outs[2].elements_of<float>();
        const Array *const peepholes = operand(call, Part::peepholes);
        peepholes_ = peepholes ? peepholes->elements_of<const float>() : nullptr;
        const bool ties = number(call, Part::ties_forget) != 0;
        advance_ = peepholes_ ? (ties ? advance<true, true> : advance<true, false>)
                              : (ties ? advance<false, true> : advance<false, false>);
        char *memory = call.scratch;
        const auto take = [&](int64_t bytes) {
            char *const taken = memory;
            memory += bytes;
            return taken;
        };
        own_ = reinterpret_cast<signed char *>(take(sizes_.packed_bytes()));
        const auto table = [&] { return take(sizes_.table_bytes()); };
        base_ = reinterpret_cast<int32_t *>(table());
        zeros_ = reinterpret_cast<int32_t *>(table());
        scales_ = reinterpret_cast<float *>(table());
        lanes_ = memory;
    }

    void run() {
        start();
        if (longest_ > 0 && sizes_.batch > 0 && sizes_.hidden > 0) {
            prepare_weights();
            const int64_t room = (call_.scratch_bytes - (lanes_ - call_.scratch)) / sizes_.lane_bytes();
            const int lanes = static_cast<int>(std::min<int64_t>(sizes_.lanes(call_.threads), room));
            const auto work = [&](const Share &share) { walk(share, lanes_ + share.lane * sizes_.lane_bytes()); };
            if (lanes < 2 || !run_together(lanes, work))
                work({0, 1, nullptr});
        }
        end();
    }

private:
    void check() {
        const int64_t steps = sizes_.steps, batch = sizes_.batch, hidden = sizes_.hidden;
        const Array &r = call_.ins[1], &scale = call_.ins[2];
        const auto expect_parameter = [&](const Array &array) {
            call_.expect(array.elements() == 1 || array.elements() == gates * hidden, "a parameter has other sizes");
        };
        const auto expect_state = [&](const Array *array, int64_t rows) {
            if (array != nullptr) {
                call_.expect_floats({array});
                call_.expect(array->elements() == rows * hidden, "a state has other sizes");
            }
        };
        call_.expect(call_.outs.size() == 3 && call_.ins[0].size(2) == gates * hidden, "the kernel takes other operands");
        for (const Array &array : call_.ins)
            call_.expect(array.form->is_dense(), "the kernel takes dense operands");
        call_.expect_floats({&call_.ins[0], &scale});
        call_.expect(r.is(Type::u8) || r.is(Type::i8), "the kernel takes ui8 and i8");
        call_.expect(r.elements() == (sizes_.is_packed ? sizes_.weights_bytes() : hidden * gates * hidden),
                     "the weights have other sizes");
        expect_parameter(scale);
        if (const Array *const zero = operand(call_, Part::zero)) {
            call_.expect(zero->form->type == r.form->type, "the zero point has another type");
            expect_parameter(*zero);
        }
        if (const Array *const peepholes = operand(call_, Part::peepholes))
            expect_state(peepholes, 3);
        expect_state(operand(call_, Part::h), batch);
        expect_state(operand(call_, Part::c), batch);
        expect_state(&call_.outs[0], steps * batch);
        expect_state(&call_.outs[1], batch);
        expect_state(&call_.outs[2], batch);
        call_.expect(call_.scratch_bytes >= sizes_.scratch_bytes(1), "the kernel takes more scratch");
        if (const Array *const lengths = operand(call_, Part::lengths)) {
            const Integers numbers(call_, *lengths);
            call_.expect(lengths->elements() == batch, "there is another number of lengths");
            longest_ = 0;
            for (int64_t n = 0; n < batch; ++n) {
                if (numbers[n] < 0 || numbers[n] > steps)
                    throw IndicesError(call_.op + ": sequence " + std::to_string(n) + " has length " +
                                       std::to_string(numbers[n]) + ", there are " + std::to_string(steps) + " steps");
                longest_ = std::max(longest_, numbers[n]);
            }
        }
    }

    int64_t length(int64_t sequence) const {
        const Array *const lengths = operand(call_, Part::lengths);
        return lengths == nullptr ? sizes_.steps : Integers(call_, *lengths)[sequence];
    }
    // The place of the step of a sequence that is computed as number `walked`, in rows.
    int64_t row(int64_t sequence, int64_t walked) const {
        return (is_reverse_ ? length(sequence) - 1 - walked : walked) * sizes_.batch + sequence;
    }
    size_t state_bytes() const { return static_cast<size_t>(sizes_.hidden) * sizeof(float); }

    // The cells before the first step, and zeros where a sequence has no step.
    void start() {
        const Array *const h = operand(call_, Part::h), *const c = operand(call_, Part::c);
        const size_t bytes = state_bytes() * static_cast<size_t>(sizes_.batch);
        if (c == nullptr)
            std::memset(cells_, 0, bytes);
        else
            std::memmove(cells_, c->data, bytes);
        if (h == nullptr)
            std::memset(h_, 0, bytes);
        before_ = h == nullptr ? h_ : h->elements_of<const float>();
        for (int64_t n = 0; n < sizes_.batch; ++n)
            for (int64_t step = length(n); step < sizes_.steps; ++step)
                std::memset(y_ + (step * sizes_.batch + n) * sizes_.hidden, 0, state_bytes());
    }

    // The last states.
    void end() {
        for (int64_t n = 0; n < sizes_.batch; ++n) {
            float *const h = h_ + n * sizes_.hidden;
            if (length(n) > 0) {
                std::memcpy(h, y_ + row(n, length(n) - 1) * sizes_.hidden, state_bytes());
            } else {
                std::memset(h, 0, state_bytes());
                std::memset(cells_ + n * sizes_.hidden, 0, state_bytes());
            }
        }
    }

    void prepare_weights() {
        const Array &r = call_.ins[1], &scale = call_.ins[2], *const zero = operand(call_, Part::zero);
        const int64_t hidden = sizes_.hidden, strip_bytes = vector * sizes_.depth();
        const bool is_unsigned = r.is(Type::u8);
        packed_ = sizes_.is_packed ? r.elements_of<const signed char>() : own_;
        auto *const own_sums = reinterpret_cast<int32_t *>(own_ + sizes_.panel_bytes());
        const auto one_of = [&](const Array &array, int64_t column) { return array.elements() == 1 ? 0 : column; };
        for (int64_t strip = 0; strip < gates * sizes_.vectors(); ++strip) {
            const int64_t gate = strip % gates, first = strip / gates * vector, count = std::min(vector, hidden - first);
            const int64_t column = gate * hidden + first;
            if (!sizes_.is_packed)
                kernels_.pack({r.elements_of<const unsigned char>() + column, hidden, count, gates * hidden, 1, is_unsigned}, 0,
                              1, own_ + strip * strip_bytes, own_sums + strip * vector);
            for (int64_t c = 0; c < vector; ++c) {
                const int64_t at = strip * vector + c;
                zeros_[at] = 0;
                scales_[at] = 0;
                if (c >= count)
                    continue;
                scales_[at] = scale.elements_of<const float>()[one_of(scale, column + c)];
                if (zero != nullptr)
                    zeros_[at] = is_unsigned ? zero->elements_of<const uint8_t>()[one_of(*zero, column + c)]
                                             : zero->elements_of<const int8_t>()[one_of(*zero, column + c)];
                zeros_[at] -= is_unsigned ? 128 : 0;
                reads_row_sums_ = reads_row_sums_ || zeros_[at] != 0;
            }
        }
        std::memcpy(base_, packed_ + sizes_.panel_bytes(), static_cast<size_t>(sizes_.columns()) * sizeof(int32_t));
        for (int64_t c = 0; c < sizes_.columns(); ++c)
            base_[c] = static_cast<int32_t>(static_cast<uint32_t>(hidden) * static_cast<uint32_t>(zeros_[c]) -
                                            static_cast<uint32_t>(base_[c]));
    }

    // The sequences that have a step, and their states in bytes.
    struct StateRows {
        int64_t *sequences;
        ByteRows rows;
        ByteScale scale;
    };

    const float *state(int64_t sequence, int64_t walked) const {
        return walked == 0 ? before_ + sequence * sizes_.hidden : y_ + row(sequence, walked - 1) * sizes_.hidden;
    }

    StateRows quantized(int64_t walked, char *memory) const {
        auto *const sequences = reinterpret_cast<int64_t *>(memory);
        auto *const sums = reinterpret_cast<int32_t *>(memory + sizes_.rows_bytes());
        auto *const bytes = reinterpret_cast<unsigned char *>(memory + sizes_.rows_bytes() + sizes_.row_sums_bytes());
        const int64_t hidden = sizes_.hidden, depth = sizes_.depth();
        DynamicRange range;
        int64_t count = 0;
        for (int64_t n = 0; n < sizes_.batch; ++n)
            if (walked < length(n)) {
                sequences[count++] = n;
                range.add(state(n, walked), hidden);
            }
        const ByteScale scale = range.scale();
        for (int64_t k = 0; k < count; ++k) {
            unsigned char *const to = bytes + k * depth;
            quantize(state(sequences[k], walked), scale, to, hidden);
            std::memset(to + hidden, 0, static_cast<size_t>(depth - hidden));
            if (reads_row_sums_)
                sums[k] = sum_of(to, hidden);
        }
        return {sequences, {bytes, depth, count, reads_row_sums_ ? sums : nullptr}, scale};
    }

    // All steps of the share's vectors of the state. Every other step from the last ones to the first, whose weights are
    // still in the cache then. Where threads wait long for each other the first one goes on alone.
    void walk(Share share, char *memory) const {
        const int64_t blocks = (sizes_.vectors() + vectors_together - 1) / vectors_together;
        char *const products = memory + sizes_.rows_bytes() + sizes_.row_sums_bytes() + sizes_.bytes_bytes();
        for (int64_t walked = 0; walked < longest_; ++walked) {
            if (walked > 0 && !share.continue_together()) // behind the vectors of the other threads
                return;
            const int64_t first = blocks * share.lane / share.lanes, end = blocks * (share.lane + 1) / share.lanes;
            const StateRows states = quantized(walked, memory);
            for (int64_t k = first; k < end; ++k)
                advance_block(walked % 2 == 0 ? k : first + end - 1 - k, walked, states, products);
        }
    }

    void advance_block(int64_t block, int64_t walked, const StateRows &states, char *products) const {
        const int64_t column = block * block_columns, columns = std::min(block_columns, sizes_.columns() - column);
        const int64_t hidden = sizes_.hidden, stride = columns * static_cast<int64_t>(sizeof(float));
        int32_t offsets[block_columns];
        float factors[block_columns];
        make_rules(base_ + column, scales_ + column, static_cast<int32_t>(states.scale.zero), states.scale.scale, columns,
                   offsets, factors);
        const ColumnRules rules{Results::floats, offsets, reads_row_sums_ ? zeros_ + column : nullptr,
                                factors,         nullptr, 0, 0, 0};
        // What the gates read besides comes while their products are computed.
        for (int64_t k = 0; k < states.rows.count; ++k)
            for (int64_t c = 0; c < columns; c += vector)
                __builtin_prefetch(x_ + row(states.sequences[k], walked) * gates * hidden + c / vector % gates * hidden +
                                   (column + c / group * group) / gates);
        kernels_.multiply(states.rows, {packed_ + column * sizes_.depth(), sizes_.depth(), columns, rules, products, stride});
        for (int64_t k = 0; k < states.rows.count; ++k) {
            const int64_t sequence = states.sequences[k], place = row(sequence, walked);
            const auto *const of_row = reinterpret_cast<const float *>(products + k * stride);
            for (int64_t c = 0; c < columns; c += group) {
                const int64_t at = (column + c) / gates;
                advance_(x_ + place * gates * hidden + at, hidden, of_row + c, peepholes_ ? peepholes_ + at : nullptr, limit_,
                         std::min(vector, hidden - at), cells_ + sequence * hidden + at, y_ + place * hidden + at);
            }
        }
    }

    const Call &call_;
    LstmSizes sizes_;
    const IntegerProductKernels &kernels_;
    bool is_reverse_, reads_row_sums_ = false;
    float limit_;
    int64_t longest_; // steps of any sequence
    const float *x_, *peepholes_, *before_ = nullptr;
    float *y_, *h_, *cells_;
    decltype(&advance<false, false>) advance_;
    const signed char *packed_ = nullptr;
    signed char *own_; // weights that are packed in the run
    int32_t *base_, *zeros_; // of each column: its zero point times the depth less its sum, and that zero point
    float *scales_;
    char *lanes_;
};

} // namespace

void dynamic_lstm(const Call &call) { DynamicLstm(call).run(); }

int64_t dynamic_lstm_scratch(const Call &call) { return LstmSizes::of(call).scratch_bytes(call.threads); }

} // namespace lastuse::kernels
