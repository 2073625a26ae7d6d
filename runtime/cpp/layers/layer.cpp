#include "layer.hpp"

#include "../threads/team.hpp"

namespace lastuse::layers {

using dnnl::memory;
using dnnl::prop_kind;
using kernels::Array;
using kernels::Call;

Layer layer_of(const Call &call) {
    call.expect(call.numbers.size() >= 6 && call.ins.size() >= 3 && call.ins[0].rank() == 3 && call.ins[1].rank() == 3,
                "the kernel takes other operands");
    const auto flag = [&](size_t k) { return call.numbers[k] != 0; };
    const Array &x = call.ins[0], &w = call.ins[1], &r = call.ins[2];
    Layer layer{static_cast<Cell>(static_cast<int>(call.numbers[0])),
                static_cast<int64_t>(call.numbers[1]),
                x.size(flag(3) ? 1 : 0),
                x.size(flag(3) ? 0 : 1),
                x.size(2),
                r.size(2),
                flag(2),
                flag(3),
                flag(4),
                flag(5),
                team_size(call.threads)};
    call.expect(w.size(0) == layer.directions && r.size(0) == layer.directions &&
                    w.size(1) == layer.gates() * layer.hidden && w.size(2) == layer.inputs &&
                    r.size(1) == layer.gates() * layer.hidden && layer.inputs > 0 && layer.hidden > 0,
                "weights have other sizes");
    return layer;
}

namespace {

// Weights whose elements lie at strides, so that single gates of them can be converted.
bool is_plain(const Desc &desc) {
    return desc.get_format_kind() == memory::format_kind::blocked && desc.get_inner_nblks() == 0;
}

// The description of the forward primitive of each kind of cell, with weights at strides.
template <class Description, class Make>
Description plain_weights(const Layer &layer, Make make) {
    const Dims wide = layer.weights(layer.inputs), square = layer.weights(layer.hidden);
    const auto any = [](const Dims &dims) { return Desc(dims, memory::data_type::f32, memory::format_tag::any); };
    Description chosen = make(any(wide), any(square));
    if (is_plain(chosen.weights_layer_desc()) && is_plain(chosen.weights_iter_desc()))
        return chosen;
    const auto plain = [](const Dims &dims) { return Desc(dims, memory::data_type::f32, memory::format_tag::ldigo); };
    return make(plain(wide), plain(square));
}

dnnl::lstm_forward::primitive_desc lstm(const Layer &of, int64_t number) {
    return plain_weights<dnnl::lstm_forward::primitive_desc>(of, [&](const Desc &layer, const Desc &iter) {
        return dnnl::lstm_forward::primitive_desc(engine(), prop_kind::forward_training, of.direction(number), of.x(),
                                                  of.state(), of.state(), layer, iter, of.bias_row(), of.y(),
                                                  of.state(), of.state(), attributes());
    });
}

// Of both kinds of GRU.
template <class Forward>
typename Forward::primitive_desc gru(const Layer &of, int64_t number) {
    using Description = typename Forward::primitive_desc;
    return plain_weights<Description>(of, [&](const Desc &layer, const Desc &iter) {
        return Description(engine(), prop_kind::forward_training, of.direction(number), of.x(), of.state(), layer, iter,
                           of.bias_row(), of.y(), of.state(), attributes());
    });
}

template <class Handle, class Description>
Chosen forward_of(const Description &description) {
    return {description.weights_layer_desc(), description.weights_iter_desc(), description.workspace_desc(),
            description.scratchpad_desc(),    Handle(description),             {},
            {}};
}

} // namespace

Chosen forward(const Layer &of, int64_t number) {
    switch (of.cell) {
    case Cell::lstm:
        return forward_of<dnnl::lstm_forward>(lstm(of, number));
    case Cell::lbr_gru:
        return forward_of<dnnl::lbr_gru_forward>(gru<dnnl::lbr_gru_forward>(of, number));
    default:
        return forward_of<dnnl::gru_forward>(gru<dnnl::gru_forward>(of, number));
    }
}

namespace {

template <class Handle, class Make>
Chosen backward_of(const Layer &of, Make make) {
    // The weights are transposed to the gradient; their own gradients are not.
    const Dims wide = of.weights(of.inputs), square = of.weights(of.hidden);
    const auto tagged = [](const Dims &dims, memory::format_tag tag) { return Desc(dims, memory::data_type::f32, tag); };
    const auto description = make(tagged(wide, memory::format_tag::ldgoi), tagged(square, memory::format_tag::ldgoi),
                                  tagged(wide, memory::format_tag::ldigo), tagged(square, memory::format_tag::ldigo));
    return {description.weights_layer_desc(),      description.weights_iter_desc(), description.workspace_desc(),
            description.scratchpad_desc(),         Handle(description),             description.diff_weights_layer_desc(),
            description.diff_weights_iter_desc()};
}

} // namespace

Chosen backward(const Layer &of, int64_t number) {
    const auto kind = prop_kind::backward;
    const auto direction = of.direction(number);
    const Desc x = of.x(), y = of.y(), state = of.state(), in_y = of.state_in_y(), bias = of.bias_row();
    if (of.is_lstm())
        return backward_of<dnnl::lstm_backward>(of, [&](const Desc &w, const Desc &r, const Desc &dw, const Desc &dr) {
            return dnnl::lstm_backward::primitive_desc(engine(), kind, direction, x, state, state, w, r, bias, y, in_y,
                                                       state, x, state, state, dw, dr, bias, y, state, state,
                                                       lstm(of, number), attributes());
        });
    const auto of_gru = [&](auto handle, auto hint) {
        using Handle = decltype(handle);
        return backward_of<Handle>(of, [&](const Desc &w, const Desc &r, const Desc &dw, const Desc &dr) {
            return typename Handle::primitive_desc(engine(), kind, direction, x, state, w, r, bias, y, in_y, x, state,
                                                   dw, dr, bias, y, state, hint, attributes());
        });
    };
    if (of.cell == Cell::lbr_gru)
        return of_gru(dnnl::lbr_gru_backward(), gru<dnnl::lbr_gru_forward>(of, number));
    return of_gru(dnnl::gru_backward(), gru<dnnl::gru_forward>(of, number));
}

} // namespace lastuse::layers
