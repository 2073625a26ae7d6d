#include "integer_depthwise.hpp"

#include <algorithm>
#include <vector>

#include "../moves/tiles.hpp"
#include "integer_taps.hpp"

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

constexpr int64_t moved_places = 64; // of a row, at most, whose channels are moved together

// The scratch: weights, tables of biases, factors, zeros and f32 biases, where channels are second x with its channels
// last, and for each lane then results of some places, and lines of x.
struct Room {
    Room(const Windows &of, const ChannelTaps &taps, int threads)
        : columns((of.groups + strip_width - 1) / strip_width * strip_width),
          weights(std::max(aligned(of.taps() * columns * 4), taps.fits() ? taps.weights_bytes() : 0)),
          table(aligned((of.groups + strip_width) * 4)), x(of.is_last ? 0 : aligned(of.batch * of.groups * of.elements())),
          row(of.is_last ? 0 : aligned(moved_places * of.groups * 4)), lane(row + (taps.fits() ? taps.lane_bytes() : 0)),
          lanes(std::clamp(threads, 1, most_lanes)) {}
    int64_t bytes() const { return weights + 4 * table + x + lanes * lane; }
    int64_t columns, weights, table, x, row, lane, lanes;
};

class Depthwise {
public:
    Depthwise(const Call &call, const Windows &of)
        : call_(call), of_(of), y_(call.outs[0].data), parameters_(call), taps_(of),
          room_(of, taps_, call.threads) {
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
        has_taps_ = taps_.fits() && taps_.take(w, zeros, parameters_, call.scratch, offsets);
        if (has_taps_)
            return;
        if (w.is(Type::u8))
            turn(w.elements_of<const uint8_t>(), zeros, of.taps(), of.groups, room_.columns, weights_);
        else
            turn(w.elements_of<const int8_t>(), zeros, of.taps(), of.groups, room_.columns, weights_);
    }

    void run() const {
        char *const room = call_.scratch + room_.weights + 4 * room_.table;
        if (!of_.is_last) {
            const int64_t elements = of_.elements(), sample = of_.groups * elements;
            for (int64_t number = 0; number < of_.batch; ++number)
                transpose({of_.groups, elements, elements, of_.groups}, 1, call_.ins[0].data + number * sample,
                          room + number * sample);
        }
        const auto *const x = reinterpret_cast<const unsigned char *>(of_.is_last ? call_.ins[0].data : room);
        const int64_t runs = of_.batch * of_.out[0] * of_.out[1];
        const int lanes = lanes_for(call_, runs * of_.out[2] * of_.groups * of_.taps() / 4);
        in_lanes(lanes, runs, [&](int64_t begin, int64_t end, int lane) {
            char *const row = room + room_.x + lane * room_.lane;
            std::vector<const unsigned char *> lines;
            std::vector<const int32_t *> weights;
            ChannelTaps::Lane copied(row + room_.row);
            for (int64_t run = begin; run < end; ++run)
                if (has_taps_) {
                    taps_.find(run, x, copied);
                    write(run, row, [&](int64_t first, int64_t places, char *to) {
                        taps_.multiply(copied, first, places, rules_, to);
                    });
                } else
                    multiply(run, x, row, lines, weights);
        });
    }

private:
    // Calls compute(first, places, to) for the places of a row, and moves channels where they are second.
    template <class Compute>
    void write(int64_t run, char *row, Compute compute) const {
        const int64_t item = parameters_.item(), places = of_.places(), sample = run / (of_.out[0] * of_.out[1]);
        if (of_.is_last)
            return compute(0, of_.out[2], y_ + run * of_.out[2] * of_.groups * item);
        char *const to = y_ + (sample * of_.groups * places + run * of_.out[2] % places) * item;
        for (int64_t first = 0; first < of_.out[2]; first += moved_places) {
            const int64_t count = std::min(moved_places, of_.out[2] - first);
            compute(first, count, row);
            transpose({count, of_.groups, of_.groups * item, places * item}, item, row, to + first * item);
        }
    }

    // The results of a row of places.
    void multiply(int64_t run, const unsigned char *x, char *row, std::vector<const unsigned char *> &lines,
                  std::vector<const int32_t *> &weights) const {
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
        ChannelLine line{lines.data(),
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
        write(run, row, [&](int64_t first, int64_t places, char *to) {
            line.begin = of_.begins[2] - first * of_.strides[2];
            line.out = places;
            integer_product_kernels().multiply_channels(line, rules_, to);
        });
    }

    const Call &call_;
    const Windows &of_;
    char *y_;
    IntegerParameters parameters_;
    ChannelTaps taps_;
    Room room_;
    bool has_taps_ = false;
    ColumnRules rules_;
    int32_t *weights_;
};

} // namespace

void integer_depthwise(const Call &call, const Windows &of) { Depthwise(call, of).run(); }

int64_t integer_depthwise_scratch(const Windows &of, int threads) { return Room(of, ChannelTaps(of), threads).bytes(); }

} // namespace lastuse::kernels
