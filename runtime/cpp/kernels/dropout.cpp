// Dropout by Philox 4x32-10 (Salmon, Moraes, Dror, Shaw 2011), as dialect/dnn/dropout.py defines it, bit for bit.
#include <algorithm>
#include <cmath>

#include "functions.hpp"

namespace lastuse::kernels {

namespace {

constexpr int64_t counters = 128; // of a block: so many random numbers for each of four words

using Words = uint32_t[4][counters];

// Words for the counters from `first` on; `rest`: the other words of each.
LASTUSE_WIDE void fill_random(Words &words, uint64_t first, const uint32_t *rest, uint64_t seed) {
    for (int64_t k = 0; k < counters; ++k) {
        words[0][k] = static_cast<uint32_t>(first) + static_cast<uint32_t>(k);
        words[1][k] = rest[0];
        words[2][k] = rest[1];
        words[3][k] = rest[2];
    }
    auto low = static_cast<uint32_t>(seed), high = static_cast<uint32_t>(seed >> 32);
    for (int round = 0; round < 10; ++round, low += 0x9E3779B9U, high += 0xBB67AE85U)
        for (int64_t k = 0; k < counters; ++k) {
            const uint64_t a = uint64_t{0xD2511F53U} * words[0][k], b = uint64_t{0xCD9E8D57U} * words[2][k];
            words[0][k] = static_cast<uint32_t>(b >> 32) ^ words[1][k] ^ low;
            words[1][k] = static_cast<uint32_t>(b);
            words[2][k] = static_cast<uint32_t>(a >> 32) ^ words[3][k] ^ high;
            words[3][k] = static_cast<uint32_t>(a);
        }
}

LASTUSE_WIDE void drop(const Words &words, const float *x, float *y, int64_t count, uint32_t least, float factor) {
    for (int64_t k = 0; k < count; ++k)
        y[k] = words[k % 4][k / 4] >= least ? x[k] * factor : 0.0f;
}

} // namespace

void dropout(const Call &call) {
    call.expect_counts(3, 1, 2);
    call.expect_floats({&call.ins[0], &call.outs[0]});
    const int64_t count = call.ins[0].elements();
    call.expect(call.ins[1].is(Type::i64) && call.ins[2].is(Type::i64) && call.outs[0].elements() == count,
                "seed and counter are i64, and the result has the shape of x");
    const auto *x = call.ins[0].elements_of<float>();
    auto *y = call.outs[0].elements_of<float>();
    const auto seed = static_cast<uint64_t>(*call.ins[1].elements_of<int64_t>());
    const auto counter = static_cast<uint64_t>(*call.ins[2].elements_of<int64_t>());
    const double rate = call.numbers[0];
    const auto least = static_cast<uint64_t>(std::ceil(rate * 4294967296.0)); // a word below it is dropped
    const float factor = rate < 1 ? static_cast<float>(1 / (1 - rate)) : 0.0f;
    const uint32_t rest[3] = {static_cast<uint32_t>(call.numbers[1]), static_cast<uint32_t>(counter),
                              static_cast<uint32_t>(counter >> 32)};
    constexpr int64_t block = 4 * counters;
    in_lanes(lanes_for(call, count), (count + block - 1) / block, [&](int64_t begin, int64_t end, int) {
        Words words;
        for (int64_t number = begin; number < end; ++number) {
            const int64_t start = number * block, size = std::min(block, count - start);
            if (least >> 32 != 0) { // every word is
                std::fill(y + start, y + start + size, 0.0f);
                continue;
            }
            fill_random(words, static_cast<uint64_t>(number * counters), rest, seed);
            drop(words, x + start, y + start, size, static_cast<uint32_t>(least), factor);
        }
    });
}

} // namespace lastuse::kernels
