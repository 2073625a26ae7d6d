#include "crf.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

#include "../threads/pool.hpp"
#include "offsets.hpp"

// The inner loops are over tags, about fifty of them, so they gain from AVX2 if the processor has it.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#define LASTUSE_WIDE __attribute__((target_clones("avx2", "default"), optimize("O3")))
#else
#define LASTUSE_WIDE
#endif

namespace lastuse::kernels {

namespace {

// best[j] = max over i of score[i] + between[i, j], from[j] = the first such i. NaN is the largest, as in numpy.
template <class Float>
inline void step(const Float *score, const Float *between, int64_t tags, Float *best, int32_t *from) {
    for (int64_t j = 0; j < tags; ++j) {
        best[j] = score[0] + between[j];
        from[j] = 0;
    }
    for (int64_t i = 1; i < tags; ++i) {
        const Float *row = between + i * tags;
        const Float base = score[i];
        const auto number = static_cast<int32_t>(i);
        for (int64_t j = 0; j < tags; ++j) {
            const Float candidate = base + row[j], old = best[j];
            const bool take = !(candidate <= old) && old == old;
            best[j] = take ? candidate : old;
            from[j] = take ? number : from[j];
        }
    }
}

LASTUSE_WIDE void step_of(const float *score, const float *between, int64_t tags, float *best, int32_t *from) {
    step(score, between, tags, best, from);
}

LASTUSE_WIDE void step_of(const double *score, const double *between, int64_t tags, double *best, int32_t *from) {
    step(score, between, tags, best, from);
}

// The first of the largest; NaN is larger than any number.
template <class Float>
int64_t largest(const Float *score, int64_t tags) {
    int64_t at = 0;
    for (int64_t j = 1; j < tags && score[at] == score[at]; ++j)
        if (!(score[j] <= score[at]))
            at = j;
    return at;
}

// Subtracts the largest score from all, so that sums stay small. No choice changes.
template <class Float>
void normalise(Float *score, int64_t tags) {
    const Float most = score[largest(score, tags)];
    if (std::isfinite(most))
        for (int64_t j = 0; j < tags; ++j)
            score[j] -= most;
}

} // namespace

template <class Float>
int64_t Crf<Float>::scratch_bytes() const {
    return rows * tags * (tags <= 256 ? 1 : tags <= 65536 ? 2 : 4);
}

template <class Float>
void Crf<Float>::run(int threads, char *scratch) const {
    check_offsets(offsets, sequences, rows);
    if (tags <= 256)
        decode_all(threads, reinterpret_cast<uint8_t *>(scratch));
    else if (tags <= 65536)
        decode_all(threads, reinterpret_cast<uint16_t *>(scratch));
    else
        decode_all(threads, reinterpret_cast<uint32_t *>(scratch));
}

template <class Float>
template <class Tag>
void Crf<Float>::decode_all(int threads, Tag *back) const {
    const int lanes = static_cast<int>(std::clamp<int64_t>(sequences, 1, std::max(threads, 1)));
    Pool::shared().run(lanes, [&](int lane) {
        // A lane decodes the sequences that start in its share of the rows.
        const int64_t low = rows * lane / lanes, high = rows * (lane + 1) / lanes;
        const int64_t *const end = offsets + sequences;
        for (const int64_t *at = std::lower_bound(offsets, end, low); at != end && *at < high; ++at)
            if (at[1] > at[0])
                decode(at[0], at[1] - at[0], back + at[0] * tags);
    });
}

template <class Float>
template <class Tag>
void Crf<Float>::decode(int64_t start, int64_t length, Tag *back) const {
    std::vector<Float> memory(static_cast<size_t>(2 * tags));
    std::vector<int32_t> from(static_cast<size_t>(tags));
    Float *score = memory.data(), *best = score + tags;
    for (int64_t row = 0; row < length; ++row) {
        if (row == 0) {
            std::copy(transition, transition + tags, best);
        } else {
            step_of(score, transition + 2 * tags, tags, best, from.data());
            std::copy(from.begin(), from.end(), back + row * tags);
        }
        const char *emitted = emission.data + (start + row) * emission.stride;
        for (int64_t j = 0; j < tags; ++j) {
            Float value;
            std::memcpy(&value, emitted + j * emission.step, sizeof value);
            best[j] += value;
        }
        normalise(best, tags);
        std::swap(score, best);
    }
    for (int64_t j = 0; j < tags; ++j)
        score[j] += transition[tags + j];
    int64_t tag = largest(score, tags);
    for (int64_t row = length - 1;; --row) {
        std::memcpy(path.data + (start + row) * path.stride, &tag, sizeof tag);
        if (row == 0)
            return;
        tag = back[row * tags + tag];
    }
}

template struct Crf<float>;
template struct Crf<double>;

} // namespace lastuse::kernels
