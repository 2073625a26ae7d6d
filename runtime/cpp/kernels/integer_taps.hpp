// Convolutions of bytes of which each channel is a group with one output, by quads of elements of the window.
#pragma once

#include <vector>

#include "integer_windows.hpp"

namespace lastuse::kernels {

// Lines of x with the zero point around them are copied to the memory of a lane once for all rows of places that read them.
class ChannelTaps {
public:
    // Whose channels are last.
    explicit ChannelTaps(const Windows &of);

    // Whether the processor has the kernel, and lines are not too long for it. The same whether places are known or not.
    bool fits() const;
    int64_t weights_bytes() const { return aligned(padded_taps_ * columns_); }
    int64_t lane_bytes() const { return (slots_ + 1) * line_bytes_; }

    // Takes weights [channels, taps], whose zero points may be changed, and from the offsets what the zero point of x adds
    // to sums. False, and nothing is changed, where a window lies behind x.
    bool take(const Array &weights, int32_t *zeros, const IntegerParameters &parameters, char *memory, int32_t *offsets);

    // What a lane has copied to its memory: the numbers of lines.
    struct Lane {
        explicit Lane(char *memory) : memory(memory) {}
        char *memory;
        std::vector<int64_t> numbers;
        std::vector<const unsigned char *> taps;
    };
    // The window of the row of places number `run`.
    void find(int64_t run, const unsigned char *x, Lane &lane) const;
    // Writes results of places of the row that was found last.
    void multiply(const Lane &lane, int64_t first, int64_t places, const ColumnRules &rules, char *to) const;

private:
    const unsigned char *line(int64_t number, int64_t slot, const unsigned char *x, Lane &lane) const;

    const Windows &of_;
    bool are_joined_; // places side by side whose channels fill a vector together
    int64_t padded_taps_, columns_, slots_, line_bytes_;
    const unsigned char *weights_ = nullptr;
    const int32_t *zeros_ = nullptr; // of weights that are not signed bytes less them
    unsigned char zero_ = 0, flip_ = 0;
};

} // namespace lastuse::kernels
