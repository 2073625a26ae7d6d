#include "integer_depthwise.hpp"

#include <algorithm>
#include <vector>

namespace lastuse::kernels {

namespace {

// [channels, taps] less the zero points becomes [taps, channels], whose 16 bits a kernel reads as a pair with zero.
template <class Element>
void turn(const Element *from, const int32_t *zeros, int64_t taps, int64_t channels, int64_t step, int32_t *to) {
    for (int64_t t = 0; t < taps; ++t, to += step) {
        for (int64_t c = 0; c < channels; ++c)
            to[c] = (static_cast<int32_t>(from[c * taps + t]) - zeros[c]) & 0xFFFF;
        std::fill(to + channels, to + step, 0);
    }
}

// The scratch: weights, and tables of biases, factors, zeros and f32 biases.
struct Room {
    explicit Room(const Windows &of)
        : columns((of.groups + strip_width - 1) / strip_width * strip_width), weights(aligned(of.taps() * columns * 4)),
          table(aligned((of.groups + strip_width) * 4)) {}
    int64_t bytes() const { return weights + 4 * table; }
    int64_t columns, weights, table;
};

class Depthwise {
public:
    Depthwise(const Call &call, const Windows &of) : call_(call), of_(of), parameters_(call), room_(of) {
        call.expect(call.scratch_bytes >= room_.bytes(), "the kernel takes more scratch");
        char *const tables = call.scratch + room_.weights;
        weights_ = reinterpret_cast<int32_t *>(call.scratch);
        auto *const offsets = reinterpret_cast<int32_t *>(tables), *const zeros = reinterpret_cast<int32_t *>(tables + room_.table);
        auto *const factors = reinterpret_cast<float *>(tables + 2 * room_.table);
        auto *const biases = reinterpret_cast<float *>(tables + 3 * room_.table);
        rules_ = parameters_.rules();
        const bool makes_floats = rules_.results == Results::floats;
        parameters_.fill_zeros(0, of.groups, zeros);
        if (makes_floats)
            parameters_.fill_biases(0, of.groups, biases);
        std::fill_n(offsets, of.groups, 0);
        if (!makes_floats)
            parameters_.fill_biases(0, of.groups, offsets);
        if (rules_.results != Results::sums)
            parameters_.fill_factors(0, of.groups, factors);
        rules_.offsets = offsets;
        rules_.factors = factors;
        rules_.biases = makes_floats ? biases : nullptr;
        const Array &w = *operand_of(call, Role::weights);
        if (w.is(Type::u8))
            turn(w.elements_of<const uint8_t>(), zeros, of.taps(), of.groups, room_.columns, weights_);
        else
            turn(w.elements_of<const int8_t>(), zeros, of.taps(), of.groups, room_.columns, weights_);
    }

    void run() const {
        const int64_t runs = of_.batch * of_.out[0] * of_.out[1];
        const int lanes = lanes_for(call_, runs * of_.out[2] * of_.groups * of_.taps() / 4);
        in_lanes(lanes, runs, [&](int64_t begin, int64_t end, int) {
            std::vector<const unsigned char *> lines;
            std::vector<const int32_t *> weights;
            for (int64_t run = begin; run < end; ++run)
                multiply(run, lines, weights);
        });
    }

private:
    // The results of a row of places.
    void multiply(int64_t run, std::vector<const unsigned char *> &lines, std::vector<const int32_t *> &weights) const {
        const auto *const x = call_.ins[0].elements_of<const unsigned char>();
        const int64_t sample = run / (of_.out[0] * of_.out[1]), line_bytes = of_.in[2] * of_.groups;
        const int64_t start0 = run / of_.out[1] % of_.out[0] * of_.strides[0] - of_.begins[0];
        const int64_t start1 = run % of_.out[1] * of_.strides[1] - of_.begins[1];
        lines.clear(), weights.clear();
        for (int64_t k0 = 0; k0 < of_.kernel[0]; ++k0)
            for (int64_t k1 = 0; k1 < of_.kernel[1]; ++k1) {
                const int64_t at0 = start0 + k0 * of_.dilations[0], at1 = start1 + k1 * of_.dilations[1];
                if (at0 < 0 || at0 >= of_.in[0] || at1 < 0 || at1 >= of_.in[1])
                    continue; // the padding is the zero point
                lines.push_back(x + ((sample * of_.in[0] + at0) * of_.in[1] + at1) * line_bytes);
                weights.push_back(weights_ + (k0 * of_.kernel[1] + k1) * of_.kernel[2] * room_.columns);
            }
        const ChannelLine line{lines.data(),
                               weights.data(),
                               static_cast<int64_t>(lines.size()),
                               of_.groups,
                               room_.columns,
                               of_.kernel[2],
                               of_.dilations[2],
                               of_.in[2],
                               of_.out[2],
                               of_.strides[2],
                               of_.begins[2],
                               parameters_.x_zero(),
                               parameters_.x_is_signed(),
                               x + call_.ins[0].elements()};
        char *const to = call_.outs[0].data + run * of_.out[2] * of_.groups * parameters_.item();
        integer_product_kernels().multiply_channels(line, rules_, to);
    }

    const Call &call_;
    const Windows &of_;
    IntegerParameters parameters_;
    Room room_;
    ColumnRules rules_;
    int32_t *weights_;
};

} // namespace

void integer_depthwise(const Call &call, const Windows &of) { Depthwise(call, of).run(); }

int64_t integer_depthwise_scratch(const Windows &of) { return Room(of).bytes(); }

} // namespace lastuse::kernels
