// Convolutions of bytes of which each channel is a group with one output.
#pragma once

#include "integer_windows.hpp"

namespace lastuse::kernels {

void integer_depthwise(const Call &call, const Windows &of);
int64_t integer_depthwise_scratch(const Windows &of, int threads);

} // namespace lastuse::kernels
