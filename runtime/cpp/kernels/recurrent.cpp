#include "recurrent.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "../support.hpp"
#include "processors.hpp"

namespace lastuse::kernels {

namespace {

const std::map<std::string, std::pair<RecurrentCell, int64_t>> cells = {
    {"lstm", {RecurrentCell::lstm, 4}},         {"lbr_gru", {RecurrentCell::lbr_gru, 3}},
    {"gru", {RecurrentCell::gru, 3}},           {"rnn_tanh", {RecurrentCell::rnn_tanh, 1}},
    {"rnn_relu", {RecurrentCell::rnn_relu, 1}}, {"rnn_logistic", {RecurrentCell::rnn_logistic, 1}},
    {"rnn", {RecurrentCell::rnn, 1}},
};

const std::map<std::string, GateKind> gate_kinds = {
    {"Sigmoid", GateKind::sigmoid},
    {"Tanh", GateKind::tanh},
    {"Relu", GateKind::relu},
    {"Identity", GateKind::identity},
    {"Affine", GateKind::affine},
    {"LeakyRelu", GateKind::leaky_relu},
    {"ThresholdedRelu", GateKind::thresholded_relu},
    {"ScaledTanh", GateKind::scaled_tanh},
    {"HardSigmoid", GateKind::hard_sigmoid},
    {"Elu", GateKind::elu},
    {"Softsign", GateKind::softsign},
    {"Softplus", GateKind::softplus},
};

// How many functions a cell has, and those that its name says.
std::vector<std::string> functions_of(RecurrentCell cell) {
    switch (cell) {
    case RecurrentCell::lstm:
        return {"Sigmoid", "Tanh", "Tanh"};
    case RecurrentCell::lbr_gru:
    case RecurrentCell::gru:
        return {"Sigmoid", "Tanh"};
    case RecurrentCell::rnn_tanh:
        return {"Tanh"};
    case RecurrentCell::rnn_relu:
        return {"Relu"};
    case RecurrentCell::rnn_logistic:
        return {"Sigmoid"};
    default:
        return {""};
    }
}

RecurrentCell cell_of(const std::string &cell) {
    const auto entry = cells.find(cell);
    if (entry == cells.end())
        throw Error("there is no recurrent cell '" + cell + "'");
    return entry->second.first;
}

constexpr int64_t line_floats = cache_line / static_cast<int64_t>(sizeof(float));

int64_t filled(int64_t floats) { return (floats + line_floats - 1) / line_floats * line_floats; }

// Columns of a panel.
int64_t panel_columns(const PanelSizes &panels) { return panels.lanes * panels.vectors; }

// Floats of the panels of a group of so many vectors.
int64_t panel_floats(int64_t rows, int64_t vectors, const PanelSizes &panels) {
    return rows * ((vectors + panels.vectors - 1) / panels.vectors) * panel_columns(panels);
}

// Where a gate's column is among the columns of its group.
int64_t column_of(const RecurrentShape &shape, const GateGroup &group, int64_t gate, int64_t column) {
    const int64_t lanes = shape.panels.lanes, vector = column / lanes * group.count + gate - group.first;
    return vector * lanes + column % lanes;
}

// Columns of a gate that are packed at a time: neighbours in panels of any sizes.
constexpr int64_t together = 8;

// `weights` [gates * hidden, rows] to the panels of each group.
void pack_panels(const RecurrentShape &shape, const float *weights, int64_t rows, const int64_t *places,
                 float *packed) {
    const int64_t width = panel_columns(shape.panels);
    for (int64_t k = 0; k < shape.groups; ++k) {
        const GateGroup &group = shape.group[k];
        for (int64_t gate = group.first; gate < group.first + group.count; ++gate)
            for (int64_t column = 0; column < shape.hidden; column += together) {
                const int64_t at = column_of(shape, group, gate, column);
                const int64_t count = std::min(together, shape.hidden - column);
                float *to = packed + places[k] + at / width * rows * width + at % width;
                const float *from = weights + (gate * shape.hidden + column) * rows;
                if (count == together)
                    for (int64_t row = 0; row < rows; ++row)
                        for (int64_t c = 0; c < together; ++c)
                            to[row * width + c] = from[c * rows + row];
                else
                    for (int64_t row = 0; row < rows; ++row)
                        for (int64_t c = 0; c < count; ++c)
                            to[row * width + c] = from[c * rows + row];
            }
    }
}

void pack_bias(const RecurrentShape &shape, const float *bias, float *packed) {
    for (int64_t k = 0; k < shape.groups; ++k) {
        const GateGroup &group = shape.group[k];
        float *columns = packed + group.first * shape.padded();
        for (int64_t gate = group.first; gate < group.first + group.count; ++gate)
            for (int64_t column = 0; column < shape.hidden; ++column)
                columns[column_of(shape, group, gate, column)] = bias[gate * shape.hidden + column];
    }
}

} // namespace

int64_t RecurrentShape::vectors() const { return (hidden + panels.lanes - 1) / panels.lanes; }

int64_t RecurrentShape::padded() const { return vectors() * panels.lanes; }

int64_t RecurrentShape::columns() const { return gates * padded(); }

std::string RecurrentShape::layout() const {
    std::string text = "recurrent";
    for (const int64_t number : {static_cast<int64_t>(cell), input, hidden, static_cast<int64_t>(peephole),
                                 panels.lanes, panels.vectors})
        text += ':' + std::to_string(number);
    return text;
}

RecurrentShape RecurrentShape::of(const std::string &cell, int64_t input, int64_t hidden, bool peephole) {
    const RecurrentCell kind = cell_of(cell);
    if (input < 1 || hidden < 1)
        throw Error("a recurrent layer has at least one input and one channel");
    RecurrentShape shape{};
    shape.cell = kind;
    // A state of half a wide vector would be computed with the other half.
    shape.panels = has_avx512() && hidden > narrow_panels.lanes ? wide_panels : narrow_panels;
    shape.gates = cells.at(cell).second;
    if (peephole && shape.cell != RecurrentCell::lstm)
        throw Error("a cell " + cell + " has no peephole");
    shape.input = input;
    shape.hidden = hidden;
    shape.peephole = peephole;
    const bool splits = shape.cell == RecurrentCell::gru;
    shape.groups = splits ? 2 : 1;
    shape.group[0] = {0, splits ? 2 : shape.gates};
    shape.group[1] = {2, 1};
    int64_t end = 0;
    const auto take = [&](int64_t floats) {
        const int64_t place = end;
        end += filled(floats);
        return place;
    };
    for (int64_t k = 0; k < shape.groups; ++k)
        shape.layer[k] = take(panel_floats(input, shape.vectors() * shape.group[k].count, shape.panels));
    for (int64_t k = 0; k < shape.groups; ++k)
        shape.iter[k] = take(panel_floats(hidden, shape.vectors() * shape.group[k].count, shape.panels));
    shape.layer_bias = take(shape.columns());
    shape.iter_bias = take(shape.columns());
    shape.peepholes = take(peephole ? 3 * shape.padded() : 0);
    shape.packed = end;
    return shape;
}

RecurrentFormula RecurrentFormula::of(const std::string &cell, const std::vector<std::string> &names,
                                      const std::vector<float> &numbers, float limit, bool ties_forget) {
    const RecurrentCell kind = cell_of(cell);
    const std::vector<std::string> own = functions_of(kind), &used = names.empty() ? own : names;
    if (used.size() != own.size() || numbers.size() != 2 * names.size())
        throw Error("a cell " + cell + " has " + std::to_string(own.size()) + " functions of two numbers each");
    RecurrentFormula formula{};
    for (size_t k = 0; k < used.size(); ++k) {
        const auto entry = gate_kinds.find(used[k]);
        if (entry == gate_kinds.end())
            throw Error("there is no function '" + used[k] + "' of gates");
        formula.functions[k] = {entry->second, 0.0f, 0.0f};
        if (!names.empty())
            formula.functions[k] = {entry->second, numbers[2 * k], numbers[2 * k + 1]};
    }
    formula.limit = limit;
    formula.ties_forget = ties_forget;
    formula.is_standard = own.size() > 1 && used == own && std::isinf(limit) && !ties_forget;
    return formula;
}

void pack_recurrent(const RecurrentShape &shape, const float *w, const float *r, const float *bias,
                    const float *peephole, float *packed) {
    std::fill(packed, packed + shape.packed, 0.0f);
    pack_panels(shape, w, shape.input, shape.layer, packed);
    pack_panels(shape, r, shape.hidden, shape.iter, packed);
    if (bias) {
        pack_bias(shape, bias, packed + shape.layer_bias);
        pack_bias(shape, bias + shape.gates * shape.hidden, packed + shape.iter_bias);
    }
    if (peephole)
        for (int64_t gate = 0; gate < 3; ++gate)
            std::copy(peephole + gate * shape.hidden, peephole + (gate + 1) * shape.hidden,
                      packed + shape.peepholes + gate * shape.padded());
}

int64_t steps_at_once(int64_t steps, int64_t width) {
    // A panel is read once for so many rows: enough for multiply-adds to take longer than reading it.
    constexpr int64_t rows = 16;
    return std::clamp<int64_t>(rows / width, 1, steps);
}

int64_t recurrent_scratch(const RecurrentShape &shape, int64_t steps, int64_t width) {
    const int64_t states = shape.padded(), reset = shape.groups > 1 ? width : 0;
    return filled((steps_at_once(steps, width) + 1) * width * shape.columns()) + filled((1 + reset) * states);
}

int64_t column_shares(const RecurrentShape &shape) {
    return (shape.vectors() + shape.panels.vectors - 1) / shape.panels.vectors;
}

void run_recurrent(const RecurrentShape &shape, const RecurrentFormula &formula, const float *packed,
                   const RecurrentRun &run, float *scratch, const Share &share) {
    const auto kernel = shape.panels.lanes == wide_panels.lanes ? LASTUSE_BEST_TO_AVX512(run_recurrent)
                                                                : LASTUSE_BEST_TO_AVX2(run_recurrent);
    return kernel(shape, formula, packed, run, scratch, share);
}

} // namespace lastuse::kernels
