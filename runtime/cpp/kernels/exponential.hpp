// exp in plain arithmetic, which loops compute in vectors.
#pragma once

#include <cstdint>
#include <cstring>

namespace lastuse::kernels {

// e^x within 2 units in the last place, for x up to 88; 0 where it is below 2^-125. NaN stays.
//
// x = n * log(2) + r, where log(2) is two numbers of which the first has few bits, so that n times it is exact; then a
// polynomial of r, of Cephes' expf (Moshier).
inline float exponential(float x) {
    constexpr float least = -86.6f, most = 88.0f;
    constexpr float magic = 12582912.0f + 127.0f; // adding 1.5 * 2^23 rounds to an integer; 127 is an exponent's bias
    float inside = x < least ? least : x;
    inside = inside > most ? most : inside;
    const float shifted = inside * 1.44269504f + magic, n = shifted - magic;
    const float r = (inside - n * 0.693359375f) - n * -2.12194440e-4f;
    float p = 1.9875691500e-4f;
    p = p * r + 1.3981999507e-3f;
    p = p * r + 8.3334519073e-3f;
    p = p * r + 4.1665795894e-2f;
    p = p * r + 1.6666665459e-1f;
    p = p * r + 5.0000001201e-1f;
    p = p * (r * r) + r + 1.0f;
    uint32_t bits;
    std::memcpy(&bits, &shifted, sizeof bits);
    bits <<= 23;
    float power;
    std::memcpy(&power, &bits, sizeof power);
    return x < least ? 0.0f : p * power;
}

} // namespace lastuse::kernels
