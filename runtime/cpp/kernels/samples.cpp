// The kernels of samples.hpp. dialect/dnn/spatial/sampling.py states the same formulas in the same order.
#include "samples.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "call.hpp"

namespace lastuse::kernels {

namespace {

// Beyond it every position is outside, and far from numbers of elements that 32 bits do not hold.
constexpr float farthest = 1073741824.0f; // 2^30

// x, outside of these borders, as mirrors at both show it.
float reflected(float x, float low, float high) {
    const float range = high - low;
    if (range == 0.0f)
        return low;
    const float rest = std::fmod(x < low ? low - x : x - high, 2.0f * range);
    const bool is_turned = rest >= range;
    const float inside = is_turned ? rest - range : rest;
    return (x < low) != is_turned ? low + inside : high - inside;
}

// The number of an element, within an axis of `size` elements as the padding says; -1 where there is none.
int32_t padded_index(const SamplingRule &rule, int64_t size, int64_t index) {
    if (index >= 0 && index < size)
        return static_cast<int32_t>(index);
    if (rule.padding == SamplingPadding::zeros)
        return -1;
    if (rule.padding == SamplingPadding::border || size == 1)
        return static_cast<int32_t>(index < 0 ? 0 : size - 1);
    const int64_t turn = 2 * (rule.aligns_corners ? size - 1 : size), rest = (index % turn + turn) % turn;
    return static_cast<int32_t>(rest < size ? rest : (rule.aligns_corners ? turn : turn - 1) - rest);
}

// Positions within the borders as the padding says.
LASTUSE_WIDE void pad_positions(const SamplingRule &rule, int64_t size, int64_t count, float *x) {
    const auto last = static_cast<float>(size - 1);
    const float low = rule.aligns_corners ? 0.0f : -0.5f, high = rule.aligns_corners ? last : last + 0.5f;
    if (rule.padding == SamplingPadding::border)
        for (int64_t p = 0; p < count; ++p) {
            const float clamped = x[p] < 0.0f ? 0.0f : last;
            x[p] = x[p] < low || x[p] > high ? clamped : x[p];
        }
    if (rule.padding == SamplingPadding::reflection)
        for (int64_t p = 0; p < count; ++p)
            if (x[p] < low || x[p] > high)
                x[p] = reflected(x[p], low, high);
}

// The number of the element at or before each position, and how far that is behind it.
LASTUSE_WIDE void split_positions(int64_t count, const float *x, int32_t *first, float *behind) {
    for (int64_t p = 0; p < count; ++p) {
        const float size = std::fabs(x[p]), floor = std::floor(x[p]);
        const float whole = size < farthest ? floor : -farthest, part = size < farthest ? x[p] - floor : 0.0f;
        first[p] = static_cast<int32_t>(whole);
        behind[p] = size <= std::numeric_limits<float>::max() ? part : std::numeric_limits<float>::quiet_NaN();
    }
}

LASTUSE_WIDE void round_positions(int64_t count, float *x) {
    for (int64_t p = 0; p < count; ++p)
        x[p] = std::nearbyint(x[p]);
}

// The numbers of the elements from `first`, and whether all are there.
LASTUSE_WIDE bool number_elements(int64_t count, const int32_t *first, int32_t from, int32_t size, int32_t *at) {
    int32_t outside = 0;
    for (int64_t p = 0; p < count; ++p) {
        at[p] = first[p] + from;
        outside |= at[p] < 0 || at[p] >= size ? 1 : 0;
    }
    return outside == 0;
}

// Keys' kernel with -0.75: the weights of the elements from the second before x to the second behind it.
LASTUSE_WIDE void cubic_weights(int64_t count, const float *x, float (*weight)[sampled_together]) {
    constexpr float a = -0.75f;
    const auto near = [](float d) { return ((a + 2.0f) * d - (a + 3.0f)) * d * d + 1.0f; };
    const auto far = [](float d) { return ((a * d - 5.0f * a) * d + 8.0f * a) * d - 4.0f * a; };
    for (int64_t p = 0; p < count; ++p) {
        weight[0][p] = far(x[p] + 1.0f);
        weight[1][p] = near(x[p]);
        weight[2][p] = near(1.0f - x[p]);
        weight[3][p] = far(2.0f - x[p]);
    }
}

LASTUSE_WIDE void linear_weights(int64_t count, const float *x, float (*weight)[sampled_together]) {
    for (int64_t p = 0; p < count; ++p) {
        weight[0][p] = 1.0f - x[p];
        weight[1][p] = x[p];
    }
}

// The taps of an axis. `x`: the positions, which are padded here.
void find_taps(const SamplingRule &rule, int64_t size, int64_t count, float *x, AxisTaps &made) {
    int32_t first[sampled_together];
    float behind[sampled_together];
    if (rule.mode == SamplingMode::nearest)
        round_positions(count, x);
    pad_positions(rule, size, count, x);
    split_positions(count, x, first, behind);
    made.taps = rule.mode == SamplingMode::nearest ? 1 : rule.mode == SamplingMode::linear ? 2 : 4;
    made.all_there = true;
    const int32_t before = rule.mode == SamplingMode::cubic ? 1 : 0;
    for (int32_t k = 0; k < made.taps; ++k) {
        int32_t *const at = made.at[k];
        if (number_elements(count, first, k - before, static_cast<int32_t>(size), at))
            continue;
        for (int64_t p = 0; p < count; ++p)
            at[p] = padded_index(rule, size, at[p]);
        made.all_there = made.all_there && rule.padding != SamplingPadding::zeros;
    }
    if (rule.mode == SamplingMode::nearest)
        std::fill_n(made.weight[0], count, 1.0f);
    else if (rule.mode == SamplingMode::linear)
        linear_weights(count, behind, made.weight);
    else
        cubic_weights(count, behind, made.weight);
}

// Elements of some axes: where they are, what they count, and 1 for those that are outside. All have 32 bits, so that
// loops over them are vectors.
struct TapRow {
    int32_t *at;
    float *weight;
    int32_t *outside;
};

LASTUSE_WIDE void join_taps(int64_t count, int32_t size, const TapRow &before, const int32_t *last, const float *own,
                            const TapRow &made) {
    const int32_t *__restrict const at = before.at, *__restrict const outside = before.outside;
    const float *__restrict const weight = before.weight;
    int32_t *__restrict const made_at = made.at, *__restrict const made_outside = made.outside;
    float *__restrict const made_weight = made.weight;
    for (int64_t p = 0; p < count; ++p) {
        const int32_t is_outside = outside[p] | (last[p] < 0 ? 1 : 0);
        const float product = weight[p] * own[p];
        made_at[p] = is_outside ? 0 : at[p] * size + last[p];
        made_weight[p] = is_outside ? product * 0.0f : product;
        made_outside[p] = is_outside;
    }
}

// Sums of `Channels` channels that are neighbours. `Count`: the taps, 0 for any number. `SkipsOutside`: an element
// outside is 0; else it is the first one, times 0.
template <int64_t Count, int64_t Channels, bool SkipsOutside>
void sum_taps(const Taps &of, const SampledChannels &channels, int64_t channel) {
    const int64_t taps = Count > 0 ? Count : of.taps;
    const float *const elements = channels.elements + channel * channels.elements_apart;
    float *const sums = channels.sums + channel * channels.sums_apart;
    for (int64_t p = 0; p < of.positions; ++p) {
        float total[Channels] = {};
        for (int64_t tap = 0; tap < taps; ++tap) {
            const int32_t at = of.at[tap][p];
            const float weight = of.weight[tap][p];
            const bool is_zero = SkipsOutside && of.outside[tap][p] != 0;
            for (int64_t c = 0; c < Channels; ++c)
                total[c] += weight * (is_zero ? 0.0f : elements[c * channels.elements_apart + at]);
        }
        for (int64_t c = 0; c < Channels; ++c)
            sums[c * channels.sums_apart + p] = total[c];
    }
}

template <int64_t Count, int64_t Channels>
void sum_group(const Taps &taps, const SampledChannels &channels, int64_t channel) {
    bool is_finite = true;
    for (int64_t c = 0; c < Channels; ++c)
        is_finite = is_finite && std::isfinite(channels.elements[(channel + c) * channels.elements_apart]);
    if (is_finite || taps.all_there)
        sum_taps<Count, Channels, false>(taps, channels, channel);
    else
        sum_taps<Count, Channels, true>(taps, channels, channel);
}

template <int64_t Count>
void sum_channels(const Taps &taps, const SampledChannels &channels) {
    constexpr int64_t together = 2;
    int64_t channel = 0;
    for (; channel + together <= channels.count; channel += together)
        sum_group<Count, together>(taps, channels, channel);
    for (; channel < channels.count; ++channel)
        sum_group<Count, 1>(taps, channels, channel);
}

} // namespace

void Taps::clear(int64_t count) {
    positions = count;
    taps = 1;
    all_there = true;
    std::fill_n(at[0], count, 0);
    std::fill_n(weight[0], count, 1.0f);
    std::fill_n(outside[0], count, 0);
}

void Taps::add_axis(const SamplingRule &rule, int64_t size, const float *along) {
    float x[sampled_together], weights[sampled_together];
    int32_t places[sampled_together];
    int32_t is_outside[sampled_together];
    std::copy_n(along, positions, x);
    AxisTaps axis;
    find_taps(rule, size, positions, x, axis);
    for (int64_t tap = taps; tap-- > 0;) { // from the last one: what is read is not written yet
        std::copy_n(at[tap], positions, places);
        std::copy_n(weight[tap], positions, weights);
        std::copy_n(outside[tap], positions, is_outside);
        for (int64_t k = axis.taps; k-- > 0;) {
            const int64_t made = tap * axis.taps + k;
            join_taps(positions, static_cast<int32_t>(size), {places, weights, is_outside}, axis.at[k], axis.weight[k],
                      {at[made], weight[made], outside[made]});
        }
    }
    taps *= axis.taps;
    all_there = all_there && axis.all_there;
}

void sample(const Taps &taps, const SampledChannels &channels) {
    switch (taps.taps) {
    case 1:
        return sum_channels<1>(taps, channels);
    case 2:
        return sum_channels<2>(taps, channels);
    case 4:
        return sum_channels<4>(taps, channels);
    default:
        return sum_channels<0>(taps, channels);
    }
}

} // namespace lastuse::kernels
