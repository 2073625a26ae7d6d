#include "layer.hpp"

#include "../threads/team.hpp"

namespace lastuse::layers {

using kernels::Call;

Layer layer_of(const Call &call) {
    call.expect(call.numbers.size() >= 6 && call.ins.size() >= 3 && call.ins[0].rank() == 3 && call.ins[1].rank() == 3 &&
                    call.ins[2].rank() == 3,
                "the kernel takes other operands");
    const auto flag = [&](size_t k) { return call.numbers[k] != 0; };
    const Array &x = call.ins[0], &w = call.ins[1], &r = call.ins[2];
    Layer layer{static_cast<Cell>(static_cast<int>(call.numbers[0])),
                call.integer(1),
                x.size(flag(3) ? 1 : 0),
                x.size(flag(3) ? 0 : 1),
                x.size(2),
                r.size(2),
                flag(2),
                flag(3),
                flag(4),
                flag(5),
                team_size(call.threads)};
    call.expect(w.size(0) == layer.directions && r.size(0) == layer.directions && w.size(1) == layer.columns() &&
                    w.size(2) == layer.inputs && r.size(1) == layer.columns() && layer.inputs > 0 && layer.hidden > 0,
                "weights have other sizes");
    return layer;
}

} // namespace lastuse::layers
