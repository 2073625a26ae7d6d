#include "integer_depthwise.hpp"

#include <algorithm>

namespace lastuse::kernels {

namespace {

// sums += (x - zero) * weights, channel by channel; differences of bytes and their products with others fit.
template <class Element>
LASTUSE_WIDE void add_tap(const Element *x, int32_t zero, const int32_t *weights, int64_t count, int32_t *sums) {
    for (int64_t c = 0; c < count; ++c)
        sums[c] += (static_cast<int32_t>(x[c]) - zero) * weights[c];
}

// [channels, taps] less the zero points becomes [taps, channels].
template <class Element>
void turn(const Element *from, const int32_t *zeros, int64_t taps, int64_t channels, int32_t *to) {
    for (int64_t c = 0; c < channels; ++c)
        for (int64_t t = 0; t < taps; ++t)
            to[t * channels + c] = static_cast<int32_t>(from[c * taps + t]) - zeros[c];
}

// The scratch: weights, tables of biases, factors, zeros and f32 biases, and sums for each lane.
struct Room {
    explicit Room(const Windows &of)
        : weights(aligned(of.taps() * of.groups * 4)), table(aligned((of.groups + strip_width) * 4)) {}
    int64_t bytes(int threads) const { return weights + 4 * table + table * std::clamp(threads, 1, most_lanes); }
    int64_t weights, table;
};

class Depthwise {
public:
    Depthwise(const Call &call, const Windows &of) : call_(call), of_(of), parameters_(call), room_(of) {
        call.expect(call.scratch_bytes >= room_.bytes(1), "the kernel takes more scratch");
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
            turn(w.elements_of<const uint8_t>(), zeros, of.taps(), of.groups, weights_);
        else
            turn(w.elements_of<const int8_t>(), zeros, of.taps(), of.groups, weights_);
    }

    void run() const {
        const int64_t places = of_.batch * of_.places(), room = (call_.scratch_bytes - room_.weights - 4 * room_.table) / room_.table;
        const int64_t lanes = std::min<int64_t>(lanes_for(call_, places * of_.groups * of_.taps() / 4), room);
        in_lanes(static_cast<int>(lanes), places, [&](int64_t begin, int64_t end, int lane) {
            auto *const sums = reinterpret_cast<int32_t *>(call_.scratch + room_.weights + (4 + lane) * room_.table);
            for (int64_t number = begin; number < end; ++number) {
                if (parameters_.x_is_signed())
                    add(number, call_.ins[0].elements_of<const int8_t>(), sums);
                else
                    add(number, call_.ins[0].elements_of<const uint8_t>(), sums);
                char *const to = call_.outs[0].data + number * of_.groups * parameters_.item();
                integer_product_kernels().finish(sums, rules_, of_.groups, to);
            }
        });
    }

private:
    template <class Element>
    void add(int64_t number, const Element *x, int32_t *sums) const {
        const int64_t sample = number / of_.places();
        int64_t place = number % of_.places();
        std::array<int64_t, most_axes> start{};
        for (size_t axis = most_axes; axis-- > 0; place /= of_.out[axis])
            start[axis] = place % of_.out[axis] * of_.strides[axis] - of_.begins[axis];
        std::fill_n(sums, of_.groups, 0);
        const int32_t *weights = weights_;
        std::array<int64_t, most_axes> k{}, at{};
        for (k[0] = 0; k[0] < of_.kernel[0]; ++k[0])
            for (k[1] = 0; k[1] < of_.kernel[1]; ++k[1])
                for (k[2] = 0; k[2] < of_.kernel[2]; ++k[2], weights += of_.groups) {
                    bool is_inside = true;
                    for (size_t axis = 0; axis < most_axes; ++axis) {
                        at[axis] = start[axis] + k[axis] * of_.dilations[axis];
                        is_inside = is_inside && at[axis] >= 0 && at[axis] < of_.in[axis];
                    }
                    if (!is_inside)
                        continue; // the padding is the zero point
                    const int64_t element = ((sample * of_.in[0] + at[0]) * of_.in[1] + at[1]) * of_.in[2] + at[2];
                    add_tap(x + element * of_.groups, parameters_.x_zero(), weights, of_.groups, sums);
                }
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

int64_t integer_depthwise_scratch(const Call &call, const Windows &of) { return Room(of).bytes(call.threads); }

} // namespace lastuse::kernels
