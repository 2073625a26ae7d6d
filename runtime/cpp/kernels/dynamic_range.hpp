// Numbers in f32 as unsigned bytes of a scale and zero point of their own, as dialect/dnn/quantization.py defines
// `dnn.dynamic_quantize_linear`.
#pragma once

#include <cstdint>

namespace lastuse::kernels {

// What the bytes stand for: (byte - zero) * scale.
struct ByteScale {
    float scale, zero;
};

// The smallest and the largest of numbers, and 0.
struct DynamicRange {
    float least = 0, largest = 0;
    bool has_nan = false;

    void add(const float *x, int64_t count);
    void add(const DynamicRange &other);
    ByteScale scale() const;
};

void quantize(const float *x, const ByteScale &by, uint8_t *y, int64_t count);

} // namespace lastuse::kernels
