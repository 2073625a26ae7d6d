#include "integer_taps.hpp"

#include <cstring>

#include "../moves/tiles.hpp"

namespace lastuse::kernels {

namespace {

constexpr int64_t width = 64;                  // channels of a vector
constexpr int64_t most_line_bytes = 512 << 10; // of the lines of a lane

int64_t whole(int64_t count, int64_t unit) { return (count + unit - 1) / unit * unit; }

int64_t extent(const Windows &of) { return (of.kernel[2] - 1) * of.dilations[2] + 1; }

// Whether all weights less their zero points are signed bytes.
template <class Element>
bool are_bytes(const Element *from, const int32_t *zeros, int64_t channels, int64_t taps) {
    int32_t least = 0, largest = 0;
    for (int64_t c = 0; c < channels; ++c)
        for (int64_t t = 0; t < taps; ++t) {
            const int32_t weight = static_cast<int32_t>(from[c * taps + t]) - zeros[c];
            least = std::min(least, weight);
            largest = std::max(largest, weight);
        }
    return least >= -128 && largest <= 127;
}

LASTUSE_WIDE void subtract(const int32_t *zeros, int64_t channels, unsigned char *row) {
    for (int64_t c = 0; c < channels; ++c)
        row[c] = static_cast<unsigned char>(row[c] - zeros[c]);
}

LASTUSE_WIDE void subtract(int32_t number, int64_t count, int32_t *from) {
    for (int64_t k = 0; k < count; ++k)
        from[k] -= number;
}

// The zero point of x times the weights less theirs, where these are not yet taken away.
LASTUSE_WIDE void take_products(const unsigned char *row, const int32_t *zeros, int32_t x_zero, int64_t channels,
                                int32_t *offsets) {
    for (int64_t c = 0; c < channels; ++c)
        offsets[c] -= x_zero * (static_cast<signed char>(row[c]) - (zeros == nullptr ? 0 : zeros[c]));
}

} // namespace

ChannelTaps::ChannelTaps(const Windows &of)
    : of_(of),
      are_joined_(of.strides[2] == 1 && of.groups < width && of.groups % strip_width == 0 && width % of.groups == 0),
      padded_taps_(of.taps() % quad == 1 ? of.taps() : whole(of.taps(), quad)), columns_(whole(of.groups, width)),
      slots_(of.kernel[0] * of.kernel[1]),
      line_bytes_(aligned((std::max<int64_t>(of.begins[2], 0) + of.in[2] + extent(of)) * of.groups + width)) {}

bool ChannelTaps::fits() const {
    return integer_product_kernels().multiply_taps != nullptr && of_.begins[2] >= 0 && of_.taps() > 0 &&
           padded_taps_ <= most_taps && lane_bytes() <= most_line_bytes;
}

bool ChannelTaps::take(const Array &weights, int32_t *zeros, const IntegerParameters &parameters, char *memory,
                       int32_t *offsets) {
    const int64_t taps = of_.taps(), channels = of_.groups;
    if ((of_.out[2] - 1) * of_.strides[2] - of_.begins[2] > of_.in[2])
        return false;
    const bool is_unsigned = weights.is(Type::u8);
    const bool are_signed = is_unsigned ? are_bytes(weights.elements_of<const uint8_t>(), zeros, channels, taps)
                                        : are_bytes(weights.elements_of<const int8_t>(), zeros, channels, taps);
    flip_ = parameters.x_is_signed() ? 128 : 0;
    const int32_t zero = parameters.x_zero() + flip_;
    zero_ = static_cast<unsigned char>(zero);
    weights_ = reinterpret_cast<const unsigned char *>(memory);
    zeros_ = are_signed ? nullptr : zeros;
    std::memset(memory, 0, static_cast<size_t>(padded_taps_ * columns_));
    transpose({channels, taps, taps, columns_}, 1, weights.data, memory);
    if (!are_signed && is_unsigned)
        subtract(128, channels, zeros);
    for (int64_t tap = 0; tap < taps; ++tap) {
        auto *const row = reinterpret_cast<unsigned char *>(memory + tap * columns_);
        if (are_signed)
            subtract(zeros, channels, row);
        else if (is_unsigned)
            copy_bytes(row, row, channels, 128);
        take_products(row, zeros_, zero, channels, offsets);
        for (int64_t c = channels; are_joined_ && c < width; c += channels)
            std::memcpy(row + c, row, static_cast<size_t>(channels));
    }
    return true;
}

// The line with this number, -1 for one in the padding.
const unsigned char *ChannelTaps::line(int64_t number, int64_t slot, const unsigned char *x, Lane &lane) const {
    const auto at = static_cast<size_t>(slot);
    auto *const to = reinterpret_cast<unsigned char *>(lane.memory + slot * line_bytes_);
    if (lane.numbers[at] == number)
        return to;
    lane.numbers[at] = number;
    const int64_t bytes = of_.in[2] * of_.groups, before = of_.begins[2] * of_.groups;
    if (number < 0)
        std::memset(to, zero_, static_cast<size_t>(line_bytes_));
    else {
        std::memset(to, zero_, static_cast<size_t>(before));
        copy_bytes(x + number * bytes, to + before, bytes, flip_);
        std::memset(to + before + bytes, zero_, static_cast<size_t>(line_bytes_ - before - bytes));
    }
    return to;
}

void ChannelTaps::find(int64_t run, const unsigned char *x, Lane &lane) const {
    if (lane.numbers.empty())
        lane.numbers.assign(static_cast<size_t>(slots_ + 1), -2);
    const int64_t sample = run / (of_.out[0] * of_.out[1]);
    const int64_t start0 = run / of_.out[1] % of_.out[0] * of_.strides[0] - of_.begins[0];
    const int64_t start1 = run % of_.out[1] * of_.strides[1] - of_.begins[1];
    lane.taps.clear();
    for (int64_t k0 = 0; k0 < of_.kernel[0]; ++k0)
        for (int64_t k1 = 0; k1 < of_.kernel[1]; ++k1) {
            const int64_t at0 = start0 + k0 * of_.dilations[0], at1 = start1 + k1 * of_.dilations[1];
            const bool is_inside = at0 >= 0 && at0 < of_.in[0] && at1 >= 0 && at1 < of_.in[1];
            // Lines of one window have slots of their own, and those that the next window reads, too, keep them.
            const int64_t plane = at0 / of_.dilations[0] % of_.kernel[0];
            const int64_t slot = plane * of_.kernel[1] + at1 / of_.dilations[1] % of_.kernel[1];
            const int64_t number = (sample * of_.in[0] + at0) * of_.in[1] + at1;
            const unsigned char *const from = is_inside ? line(number, slot, x, lane) : line(-1, slots_, x, lane);
            for (int64_t k2 = 0; k2 < of_.kernel[2]; ++k2)
                lane.taps.push_back(from + k2 * of_.dilations[2] * of_.groups);
        }
    lane.taps.resize(static_cast<size_t>(padded_taps_), lane.taps.front()); // their weights are 0
}

void ChannelTaps::multiply(const Lane &lane, int64_t first, int64_t places, const ColumnRules &rules, char *to) const {
    const int64_t step = of_.strides[2] * of_.groups;
    const unsigned char *taps[most_taps];
    for (size_t tap = 0; tap < lane.taps.size(); ++tap)
        taps[tap] = lane.taps[tap] + first * step;
    const TapLine line{taps,       weights_, zeros_, padded_taps_, of_.taps(),
                       of_.groups, columns_, places, step,         are_joined_};
    integer_product_kernels().multiply_taps(line, rules, to);
}

} // namespace lastuse::kernels
