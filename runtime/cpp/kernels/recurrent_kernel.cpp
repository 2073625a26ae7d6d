// The kernels of recurrent.hpp, in GCC's vectors. Compiled once for each processor, as cell_kernel.cpp.
//
// No inline function of another header may be used here: the linker would keep one copy of it for all processors.
#include "recurrent.hpp"

#if defined(__AVX__)
#include <immintrin.h>
#endif

namespace lastuse::kernels::LASTUSE_PROCESSOR {

#include "cell_product.inc"
#include "cell_functions.inc"
#include "cell_pieces.inc"
#include "recurrent_functions.inc"

namespace {

// What the state of a row is computed from. `layer` and `iter`: the products of one vector of the state, of all gates of
// the group; `k`: its first column.
struct Row {
    const float *layer, *iter, *peephole;
    const float *before; // h
    float *cells, *reset, *y;
    int64_t k, hidden, padded;

    Lane gate(int64_t number) const {
        return load(layer + number * lanes) + load(iter + number * lanes);
    }
    Lane peep(int64_t number, Lane cell) const { return cell * load(peephole + number * padded + k); }
};

template <class Formula>
void step_lstm(const Row &row, const Formula &formula) {
    const Lane cell = piece(row.cells, row.k, row.hidden);
    Lane i = row.gate(0), o = row.gate(1), f = row.gate(2);
    if (row.peephole) {
        i += row.peep(0, cell);
        f += row.peep(2, cell);
    }
    i = formula.gate(i);
    f = formula.ties_forget ? 1.0f - i : formula.gate(f);
    const Lane next = f * cell + i * formula.candidate(row.gate(3));
    if (row.peephole)
        o += row.peep(1, next);
    put_piece(row.cells, row.k, row.hidden, next);
    put_piece(row.y, row.k, row.hidden, formula.gate(o) * formula.output(next));
}

template <class Formula>
void step_lbr_gru(const Row &row, const Formula &formula) {
    const int64_t n = 2 * lanes;
    const Lane candidate = load(row.layer + n) + formula.gate(row.gate(1)) * load(row.iter + n);
    put_piece(row.y, row.k, row.hidden, formula.next(row.gate(0), candidate, piece(row.before, row.k, row.hidden)));
}

// The gates of a GRU with the reset before the product: r * h, and u in the place of the first gate.
template <class Formula>
void step_gates(const Row &row, const Formula &formula, float *update) {
    put_piece(row.reset, row.k, row.hidden, formula.gate(row.gate(1)) * piece(row.before, row.k, row.hidden));
    store(update, row.gate(0));
}

template <class Formula>
void step_gru(const Row &row, const Formula &formula, const float *update) {
    put_piece(row.y, row.k, row.hidden, formula.next(load(update), row.gate(0), piece(row.before, row.k, row.hidden)));
}

template <class Formula>
void step_rnn(const Row &row, const Formula &formula) {
    put_piece(row.y, row.k, row.hidden, formula.gate(row.gate(0)));
}

// One direction, as one thread computes it.
class Layer {
public:
    Layer(const RecurrentShape &shape, const RecurrentFormula &formula, const float *packed, const RecurrentRun &run,
          float *scratch, const Share &share)
        : shape_(shape), formula_(formula), packed_(packed), run_(run), share_(share),
          states_((shape.hidden + lanes - 1) / lanes * lanes),
          columns_(shape.gates * states_), at_once_(kernels::steps_at_once(run.steps, run.width)),
          gates_(scratch), iter_(gates_ + at_once_ * run.width * columns_) {
        const int64_t vectors = states_ / lanes, shares = (vectors + panel_vectors - 1) / panel_vectors;
        first_ = least_of(shares * share.lane / share.lanes * panel_vectors, vectors);
        end_ = least_of(shares * (share.lane + 1) / share.lanes * panel_vectors, vectors);
        const int64_t used = (at_once_ + 1) * run.width * columns_;
        zeros_ = scratch + (used + 15) / 16 * 16;
        reset_ = zeros_ + states_;
    }

    void run() {
        if (!run_.h)
            for (int64_t k = 0; k < states_; ++k)
                zeros_[k] = 0.0f; // each thread writes the same
        const float *before = run_.h ? run_.h : zeros_;
        int64_t stride = run_.h ? run_.h_row : 0;
        for (int64_t done = 0; done < run_.steps; done += at_once_) {
            const int64_t count = least_of(at_once_, run_.steps - done);
            const int64_t begin = run_.reverse ? run_.steps - done - count : done;
            multiply_input(begin, count);
            for (int64_t k = 0; k < count; ++k) {
                const int64_t step = run_.reverse ? count - 1 - k : k;
                if (done + k > 0)
                    share_.wait(); // for the columns of the state of the other threads
                step_ = begin + step;
                float *y = run_.y + step_ * run_.y_step;
                const float *gates = gates_ + step * run_.width * columns_;
                if (formula_.is_standard)
                    advance(StandardFormula{}, gates, before, stride, y);
                else
                    advance(StatedFormula{formula_}, gates, before, stride, y);
                before = y;
                stride = run_.y_row;
            }
        }
    }

private:
    // The columns of a group begin at `group_column` of the columns of all.
    int64_t group_column(int64_t group) const { return shape_.group[group].first * states_; }

    void product(int64_t group, const int64_t *weights, int64_t bias, int64_t depth, const float *rows, int64_t count,
                 int64_t stride, float *out, int64_t out_stride) {
        const int64_t column = group_column(group), gates = shape_.group[group].count;
        const float *init = packed_ + bias + column;
        multiply<F32>({depth, stride, 0, out_stride, rows, packed_ + weights[group], init, init, out + column}, count,
                      first_ * gates, end_ * gates, is_reversed_);
    }

    void multiply_input(int64_t begin, int64_t count) {
        const float *x = run_.x + begin * run_.x_step;
        const int64_t width = run_.width;
        for (int64_t group = 0; group < shape_.groups; ++group) {
            const auto rows = [&](const float *from, int64_t number, int64_t stride, float *out, int64_t out_stride) {
                product(group, shape_.layer, shape_.layer_bias, shape_.input, from, number, stride, out, out_stride);
            };
            if (width == 1)
                rows(x, count, run_.x_step, gates_, columns_);
            else if (count == 1 || run_.x_step == width * run_.x_row)
                rows(x, count * width, run_.x_row, gates_, columns_);
            else
                for (int64_t n = 0; n < width; ++n)
                    rows(x + n * run_.x_row, count, run_.x_step, gates_ + n * columns_, width * columns_);
        }
    }

    // Every other time from the last panel to the first: the panels that were read last are still in the cache then, also
    // where all of them are not.
    void multiply_state(int64_t group, const float *states, int64_t stride) {
        is_reversed_ = !is_reversed_;
        product(group, shape_.iter, shape_.iter_bias, shape_.hidden, states, run_.width, stride, iter_, columns_);
    }

    // The state of row `n` stays at a step that it does not have.
    void keep_state(int64_t n, const float *before, int64_t stride, float *y) const {
        for (int64_t k = first_ * lanes; k < end_ * lanes; k += lanes)
            put_piece(y + n * run_.y_row, k, shape_.hidden, piece(before + n * stride, k, shape_.hidden));
    }

    // Calls work(row, the place of its first gate in `iter_`) for each row and each of the thread's vectors.
    template <class Work>
    void for_rows(int64_t group, const float *gates, const float *before, int64_t stride, float *y, const Work &work) {
        const int64_t each = shape_.group[group].count * lanes;
        for (int64_t n = 0; n < run_.width; ++n) {
            if (run_.lengths && step_ >= run_.lengths[n]) {
                if (group + 1 == shape_.groups) // the last group writes y
                    keep_state(n, before, stride, y);
                continue;
            }
            const int64_t place = n * columns_ + group_column(group);
            for (int64_t vector = first_; vector < end_; ++vector)
                work(Row{gates + place + vector * each, iter_ + place + vector * each,
                         shape_.peephole ? packed_ + shape_.peepholes : nullptr, before + n * stride,
                         run_.c ? run_.c + n * run_.c_row : nullptr, reset_ + n * states_, y + n * run_.y_row,
                         vector * lanes, shape_.hidden, states_},
                     n * columns_ + vector * 2 * lanes);
        }
    }

    // One step. `gates`: the products of the input; `before`: the states before the step.
    template <class Formula>
    void advance(const Formula &formula, const float *gates, const float *before, int64_t stride, float *y) {
        multiply_state(0, before, stride);
        switch (shape_.cell) {
        case RecurrentCell::lstm:
            return for_rows(0, gates, before, stride, y, [&](const Row &row, int64_t) { step_lstm(row, formula); });
        case RecurrentCell::lbr_gru:
            return for_rows(0, gates, before, stride, y, [&](const Row &row, int64_t) { step_lbr_gru(row, formula); });
        case RecurrentCell::gru:
            for_rows(0, gates, before, stride, y,
                     [&](const Row &row, int64_t place) { step_gates(row, formula, iter_ + place); });
            share_.wait(); // for the columns of r * h of the other threads
            multiply_state(1, reset_, states_);
            return for_rows(1, gates, before, stride, y,
                            [&](const Row &row, int64_t place) { step_gru(row, formula, iter_ + place); });
        default:
            return for_rows(0, gates, before, stride, y, [&](const Row &row, int64_t) { step_rnn(row, formula); });
        }
    }

    const RecurrentShape &shape_;
    const RecurrentFormula &formula_;
    const float *packed_;
    const RecurrentRun &run_;
    const Share &share_;
    int64_t states_, columns_, at_once_; // columns of a state in whole vectors, and of all gates; steps
    int64_t first_, end_;                // vectors of the state that this thread computes
    int64_t step_ = 0;                   // the one that is computed
    bool is_reversed_ = false;
    float *gates_, *iter_, *zeros_, *reset_;
};

} // namespace

void run_recurrent(const RecurrentShape &shape, const RecurrentFormula &formula, const float *packed,
                   const RecurrentRun &run, float *scratch, const Share &share) {
    Layer(shape, formula, packed, run, scratch, share).run();
}

} // namespace lastuse::kernels::LASTUSE_PROCESSOR
