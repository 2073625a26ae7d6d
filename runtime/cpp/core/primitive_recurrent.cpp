// Recurrent cells over dense batches: LSTM, both GRUs, and the plain RNN.
#include <algorithm>
#include <map>

#include "primitive_maker.hpp"

namespace lastuse {

namespace {

using dnnl::algorithm;
using dnnl::prop_kind;

enum class Cell { lstm, lbr_gru, gru, rnn };

// Cells by name; the activation is that of the plain RNN.
const std::map<std::string, std::pair<Cell, algorithm>> cells = {
    {"lstm", {Cell::lstm, algorithm::undef}},
    {"lbr_gru", {Cell::lbr_gru, algorithm::undef}},
    {"gru", {Cell::gru, algorithm::undef}},
    {"rnn_tanh", {Cell::rnn, algorithm::eltwise_tanh}},
    {"rnn_relu", {Cell::rnn, algorithm::eltwise_relu}},
    {"rnn_logistic", {Cell::rnn, algorithm::eltwise_logistic}},
};

// Arguments of the primitive, in the order of the dialect's operands.
struct Arguments {
    std::vector<int> numbers;
    std::vector<Desc> descs;

    void add(int number, const Desc &desc) {
        numbers.push_back(number);
        descs.push_back(desc);
    }
    void add(int number, const std::optional<Desc> &desc) {
        if (desc)
            add(number, *desc);
    }
};

template <class Handle, class Description>
Primitive prepared_cell(const Description &description, const RecurrentLayouts &of) {
    Arguments ins, outs;
    ins.add(DNNL_ARG_SRC_LAYER, of.src_layer);
    ins.add(DNNL_ARG_SRC_ITER, of.src_iter);
    ins.add(DNNL_ARG_SRC_ITER_C, of.src_iter_c);
    ins.add(DNNL_ARG_WEIGHTS_LAYER, description.weights_layer_desc());
    ins.add(DNNL_ARG_WEIGHTS_ITER, description.weights_iter_desc());
    ins.add(DNNL_ARG_WEIGHTS_PEEPHOLE, of.weights_peephole);
    ins.add(DNNL_ARG_BIAS, of.bias);
    outs.add(DNNL_ARG_DST_LAYER, of.dst_layer);
    outs.add(DNNL_ARG_DST_ITER, of.dst_iter);
    outs.add(DNNL_ARG_DST_ITER_C, of.dst_iter_c);
    return prepared<Handle>(description, ins.numbers, outs.numbers, ins.descs, outs.descs);
}

// A layout of weights that oneDNN discloses. With one step, or 16 sequences and more, it chooses one that only its gemm
// knows: without AVX2 packing into it writes beyond its size (3.2), and it depends on steps and batch.
bool is_disclosed(const Desc &desc) { return desc.get_format_kind() == dnnl::memory::format_kind::blocked; }

Desc plain(const Desc &weights) {
    return {weights.get_dims(), weights.get_data_type(), dnnl::memory::format_tag::ldigo};
}

Primitive made(Cell kind, algorithm activation, dnnl::rnn_direction direction, const RecurrentLayouts &of) {
    constexpr auto inference = prop_kind::forward_inference;
    const dnnl::primitive_attr attr = user_scratchpad();
    const Desc h0 = of.src_iter.value_or(Desc()), c0 = of.src_iter_c.value_or(Desc());
    const Desc h1 = of.dst_iter.value_or(Desc()), c1 = of.dst_iter_c.value_or(Desc());
    switch (kind) {
    case Cell::lstm:
        return prepared_cell<dnnl::lstm_forward>(
            dnnl::lstm_forward::primitive_desc(engine(), inference, direction, of.src_layer, h0, c0, of.weights_layer,
                                               of.weights_iter, of.weights_peephole.value_or(Desc()), of.bias,
                                               of.dst_layer, h1, c1, attr),
            of);
    case Cell::lbr_gru:
        return prepared_cell<dnnl::lbr_gru_forward>(
            dnnl::lbr_gru_forward::primitive_desc(engine(), inference, direction, of.src_layer, h0, of.weights_layer,
                                                  of.weights_iter, of.bias, of.dst_layer, h1, attr),
            of);
    case Cell::gru:
        return prepared_cell<dnnl::gru_forward>(
            dnnl::gru_forward::primitive_desc(engine(), inference, direction, of.src_layer, h0, of.weights_layer,
                                              of.weights_iter, of.bias, of.dst_layer, h1, attr),
            of);
    default:
        return prepared_cell<dnnl::vanilla_rnn_forward>(
            dnnl::vanilla_rnn_forward::primitive_desc(engine(), inference, activation, direction, of.src_layer, h0,
                                                      of.weights_layer, of.weights_iter, of.bias, of.dst_layer, h1,
                                                      attr),
            of);
    }
}

} // namespace

Primitive recurrent(const std::string &cell, bool reverse, const RecurrentLayouts &of, int threads) {
    const auto entry = look_up(cells, cell, "recurrent cell");
    const auto direction = reverse ? dnnl::rnn_direction::unidirectional_right2left
                                   : dnnl::rnn_direction::unidirectional_left2right;
    return prepare("recurrent " + cell, {of.src_layer, of.weights_layer, of.dst_layer}, threads, [&] {
        Primitive primitive = made(entry.first, entry.second, direction, of);
        if (std::all_of(primitive.ins.begin(), primitive.ins.end(), is_disclosed))
            return primitive;
        RecurrentLayouts disclosed = of;
        disclosed.weights_layer = plain(of.weights_layer);
        disclosed.weights_iter = plain(of.weights_iter);
        return made(entry.first, entry.second, direction, disclosed);
    });
}

} // namespace lastuse
