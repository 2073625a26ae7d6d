#include "cell_step.hpp"

#include "../kernels/exponential.hpp"

namespace lastuse::layers {

namespace {

using kernels::exponential;

inline float sigmoid(float x) { return 1.0f / (1.0f + exponential(-x)); }

inline float tangent(float x) {
    const float e = exponential(2.0f * x);
    return (e - 1.0f) / (e + 1.0f);
}

// The gates of one row, which do not overlap.
struct Gates {
    float *first, *second, *third, *fourth;

    Gates(float *row, int64_t hidden)
        : first(row), second(row + hidden), third(row + 2 * hidden), fourth(row + 3 * hidden) {}
};

LASTUSE_WIDE void lstm_row(int64_t hidden, float *__restrict i, float *__restrict o, float *__restrict f,
                           float *__restrict g, const float *__restrict before, float *__restrict cells,
                           float *__restrict y) {
    for (int64_t k = 0; k < hidden; ++k) {
        i[k] = sigmoid(i[k]);
        o[k] = sigmoid(o[k]);
        f[k] = sigmoid(f[k]);
        g[k] = tangent(g[k]);
        const float cell = f[k] * before[k] + i[k] * g[k];
        cells[k] = cell;
        y[k] = o[k] * tangent(cell);
    }
}

LASTUSE_WIDE void lstm_row_back(int64_t hidden, float *__restrict i, float *__restrict o, float *__restrict f,
                                float *__restrict g, const float *__restrict before, const float *__restrict cells,
                                const float *__restrict state, float *__restrict cell_gradient) {
    for (int64_t k = 0; k < hidden; ++k) {
        const float d = state[k], bent = tangent(cells[k]), in = i[k], out = o[k], forget = f[k], new_cell = g[k];
        const float dc = cell_gradient[k] + d * out * (1.0f - bent * bent);
        i[k] = dc * new_cell * (in * (1.0f - in));
        o[k] = d * bent * (out * (1.0f - out));
        f[k] = dc * before[k] * (forget * (1.0f - forget));
        g[k] = dc * in * (1.0f - new_cell * new_cell);
        cell_gradient[k] = dc * forget;
    }
}

LASTUSE_WIDE void lbr_gru_row(int64_t hidden, float *__restrict z, float *__restrict r, float *__restrict c,
                              const float *__restrict kept, const float *__restrict before, float *__restrict y) {
    for (int64_t k = 0; k < hidden; ++k) {
        z[k] = sigmoid(z[k]);
        r[k] = sigmoid(r[k]);
        c[k] = tangent(c[k] + r[k] * kept[k]);
        y[k] = z[k] * before[k] + (1.0f - z[k]) * c[k];
    }
}

LASTUSE_WIDE void lbr_gru_row_back(int64_t hidden, float *__restrict z, float *__restrict r, float *__restrict c,
                                   float *__restrict kept, const float *__restrict before, float *__restrict state) {
    for (int64_t k = 0; k < hidden; ++k) {
        const float d = state[k], update = z[k], reset = r[k], candidate = c[k];
        const float dc = d * (1.0f - update) * (1.0f - candidate * candidate);
        z[k] = d * (before[k] - candidate) * (update * (1.0f - update));
        r[k] = dc * kept[k] * (reset * (1.0f - reset));
        c[k] = dc;
        kept[k] = dc * reset;
        state[k] = d * update;
    }
}

LASTUSE_WIDE void gru_gates_row(int64_t hidden, float *__restrict z, float *__restrict r,
                                const float *__restrict before, float *__restrict reset) {
    for (int64_t k = 0; k < hidden; ++k) {
        z[k] = sigmoid(z[k]);
        r[k] = sigmoid(r[k]);
        reset[k] = r[k] * before[k];
    }
}

LASTUSE_WIDE void gru_row(int64_t hidden, const float *__restrict z, float *__restrict c,
                          const float *__restrict before, float *__restrict y) {
    for (int64_t k = 0; k < hidden; ++k) {
        c[k] = tangent(c[k]);
        y[k] = z[k] * before[k] + (1.0f - z[k]) * c[k];
    }
}

LASTUSE_WIDE void gru_row_back(int64_t hidden, float *__restrict z, const float *__restrict r, float *__restrict c,
                               const float *__restrict before, float *__restrict reset, float *__restrict state) {
    for (int64_t k = 0; k < hidden; ++k) {
        const float d = state[k], update = z[k], candidate = c[k];
        reset[k] = r[k] * before[k];
        z[k] = d * (before[k] - candidate) * (update * (1.0f - update));
        c[k] = d * (1.0f - update) * (1.0f - candidate * candidate);
        state[k] = d * update;
    }
}

LASTUSE_WIDE void gru_reset_row_back(int64_t hidden, float *__restrict r, const float *__restrict before,
                                     const float *__restrict product, float *__restrict state) {
    for (int64_t k = 0; k < hidden; ++k) {
        const float reset = r[k], d = product[k];
        r[k] = d * before[k] * (reset * (1.0f - reset));
        state[k] += d * reset;
    }
}

LASTUSE_WIDE void add_row(const float *__restrict row, int64_t columns, float *__restrict sums) {
    for (int64_t k = 0; k < columns; ++k)
        sums[k] += row[k];
}

void add_own(Rows dy, int64_t number, int64_t hidden, float *state) {
    if (dy.data != nullptr)
        add_row(dy.row(number), hidden, state);
}

} // namespace

void lstm_forward(const CellStep &step, Rows y, int64_t first, int64_t end) {
    for (int64_t n = first; n < end; ++n) {
        const Gates at(step.gates.row(n), step.hidden);
        lstm_row(step.hidden, at.first, at.second, at.third, at.fourth, step.cells_before.row(n), step.kept.row(n),
                 y.row(n));
    }
}

void lstm_backward(const CellStep &step, Rows dy, Rows state, Rows cells, int64_t first, int64_t end) {
    for (int64_t n = first; n < end; ++n) {
        const Gates at(step.gates.row(n), step.hidden);
        add_own(dy, n, step.hidden, state.row(n));
        lstm_row_back(step.hidden, at.first, at.second, at.third, at.fourth, step.cells_before.row(n), step.kept.row(n),
                      state.row(n), cells.row(n));
    }
}

void lbr_gru_forward(const CellStep &step, Rows y, int64_t first, int64_t end) {
    for (int64_t n = first; n < end; ++n) {
        const Gates at(step.gates.row(n), step.hidden);
        lbr_gru_row(step.hidden, at.first, at.second, at.third, step.kept.row(n), step.before.row(n), y.row(n));
    }
}

void lbr_gru_backward(const CellStep &step, Rows dy, Rows state, int64_t first, int64_t end) {
    for (int64_t n = first; n < end; ++n) {
        const Gates at(step.gates.row(n), step.hidden);
        add_own(dy, n, step.hidden, state.row(n));
        lbr_gru_row_back(step.hidden, at.first, at.second, at.third, step.kept.row(n), step.before.row(n),
                         state.row(n));
    }
}

void gru_gates(const CellStep &step, Rows reset, int64_t first, int64_t end) {
    for (int64_t n = first; n < end; ++n) {
        const Gates at(step.gates.row(n), step.hidden);
        gru_gates_row(step.hidden, at.first, at.second, step.before.row(n), reset.row(n));
    }
}

void gru_forward(const CellStep &step, Rows y, int64_t first, int64_t end) {
    for (int64_t n = first; n < end; ++n) {
        const Gates at(step.gates.row(n), step.hidden);
        gru_row(step.hidden, at.first, at.third, step.before.row(n), y.row(n));
    }
}

void gru_backward(const CellStep &step, Rows dy, Rows state, Rows reset, int64_t first, int64_t end) {
    for (int64_t n = first; n < end; ++n) {
        const Gates at(step.gates.row(n), step.hidden);
        add_own(dy, n, step.hidden, state.row(n));
        gru_row_back(step.hidden, at.first, at.second, at.third, step.before.row(n), reset.row(n), state.row(n));
    }
}

void gru_reset_backward(const CellStep &step, Rows product, Rows state, int64_t first, int64_t end) {
    for (int64_t n = first; n < end; ++n)
        gru_reset_row_back(step.hidden, Gates(step.gates.row(n), step.hidden).second, step.before.row(n),
                           product.row(n), state.row(n));
}

void add_rows(const float *rows, int64_t stride, int64_t count, int64_t columns, float *sums) {
    for (int64_t n = 0; n < count; ++n)
        add_row(rows + n * stride, columns, sums);
}

} // namespace lastuse::layers
