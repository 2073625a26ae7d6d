// Values between the elements of a grid, of one axis or up to three: weighted sums of the elements around positions.
// The elements and weights of some positions are found once for all channels.
#pragma once

#include <cstdint>

namespace lastuse::kernels {

enum class SamplingMode { linear, nearest, cubic };
enum class SamplingPadding { zeros, border, reflection };

struct SamplingRule {
    SamplingMode mode;
    SamplingPadding padding;
    bool aligns_corners; // the borders are the first and the last element, else half an element outside of them
};

constexpr int64_t sampled_together = 256, most_sampled_axes = 3, most_axis_taps = 4, most_taps = 64; // 4^3

// The elements along an axis for some positions, and what they count.
struct AxisTaps {
    int64_t taps;
    bool all_there;
    int32_t at[most_axis_taps][sampled_together]; // numbers of elements; -1 for one outside, which counts as 0
    float weight[most_axis_taps][sampled_together];
};

// The same of several axes, for up to `sampled_together` positions.
struct Taps {
    int64_t positions, taps;
    bool all_there;
    int32_t at[most_taps][sampled_together]; // numbers of elements; the first one for one outside, of weight 0 or NaN
    float weight[most_taps][sampled_together];
    int32_t outside[most_taps][sampled_together]; // 1 for those, else 0

    // One element of weight 1 where there is no axis yet.
    void clear(int64_t count);
    // The axis of `size` elements behind the others, the positions along it in elements.
    void add_axis(const SamplingRule &rule, int64_t size, const float *along);
};

// Elements of channels, and the sums that are made of them: how far channels are apart, in floats.
struct SampledChannels {
    int64_t count;
    const float *elements;
    int64_t elements_apart;
    float *sums;
    int64_t sums_apart;
};

// The sums of the taps of each position, of each channel. A channel has an element at least.
void sample(const Taps &taps, const SampledChannels &channels);

} // namespace lastuse::kernels
