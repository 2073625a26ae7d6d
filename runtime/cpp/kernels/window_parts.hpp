// Shares of the work of windows that make each channel of y of that channel of x.
#pragma once

#include <algorithm>

#include "call.hpp"
#include "float_windows.hpp"

namespace lastuse::kernels {

// Calls compute(part) for parts that are together all of y, on so many lanes: rows, or where these are few channels, whose
// first one is a multiple of `together`.
template <class Compute>
void over_window_parts(const FloatWindows &windows, int lanes, int64_t together, Compute compute) {
    const int64_t rows = windows.batch * windows.out[0], groups = (windows.channels + together - 1) / together;
    if (rows >= 2 * lanes)
        return in_lanes(lanes, rows, [&](int64_t begin, int64_t end, int) {
            while (begin < end) {
                const int64_t image = begin / windows.out[0], row = begin % windows.out[0];
                const int64_t until = std::min(windows.out[0], row + end - begin);
                compute(WindowsPart{image, row, until, 0, windows.channels});
                begin += until - row;
            }
        });
    in_lanes(static_cast<int>(std::min<int64_t>(lanes, groups)), groups, [&](int64_t begin, int64_t end, int) {
        for (int64_t image = 0; image < windows.batch; ++image)
            compute(WindowsPart{image, 0, windows.out[0], begin * together,
                                std::min(end * together, windows.channels)});
    });
}

} // namespace lastuse::kernels
