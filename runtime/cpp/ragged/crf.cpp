#include "crf.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

#include "pool.hpp"

// The inner loops are over tags, of which there are some fifty: wide registers pay, and which there are is known at run
// time alone.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#define LASTUSE_WIDE __attribute__((target_clones("avx2", "default"), optimize("O3")))
#else
#define LASTUSE_WIDE
#endif

namespace lastuse::ragged {

namespace {

// best[j] = max over i of score[i] + between[i, j], from[j] the first such i. A NaN is the largest, as to numpy.
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

// The first largest, a NaN before all.
template <class Float>
int64_t largest(const Float *score, int64_t tags) {
    int64_t at = 0;
    for (int64_t j = 1; j < tags && score[at] == score[at]; ++j)
        if (!(score[j] <= score[at]))
            at = j;
    return at;
}

// Sums stay small: the largest goes from all. No choice changes.
template <class Float>
void settle(Float *score, int64_t tags) {
    const Float most = score[largest(score, tags)];
    if (std::isfinite(most))
        for (int64_t j = 0; j < tags; ++j)
            score[j] -= most;
}

} // namespace

template <class Float>
int64_t Crf<Float>::scratch_bytes() const {
    return words * tags * (tags <= 256 ? 1 : tags <= 65536 ? 2 : 4);
}

template <class Float>
void Crf<Float>::run(int threads, char *scratch) const {
    check_offsets(offsets, sequences, words);
    if (tags <= 256)
        follow_all(threads, reinterpret_cast<uint8_t *>(scratch));
    else if (tags <= 65536)
        follow_all(threads, reinterpret_cast<uint16_t *>(scratch));
    else
        follow_all(threads, reinterpret_cast<uint32_t *>(scratch));
}

template <class Float>
template <class Tag>
void Crf<Float>::follow_all(int threads, Tag *back) const {
    const int lanes = static_cast<int>(std::clamp<int64_t>(sequences, 1, std::max(threads, 1)));
    Pool::shared().run(lanes, [&](int lane) {
        // Sequences are a lane's if they start in its share of the words.
        const int64_t low = words * lane / lanes, high = words * (lane + 1) / lanes;
        const int64_t *const end = offsets + sequences;
        for (const int64_t *at = std::lower_bound(offsets, end, low); at != end && *at < high; ++at)
            if (at[1] > at[0])
                follow(at[0], at[1] - at[0], back + at[0] * tags);
    });
}

template <class Float>
template <class Tag>
void Crf<Float>::follow(int64_t start, int64_t length, Tag *back) const {
    std::vector<Float> memory(static_cast<size_t>(2 * tags));
    std::vector<int32_t> from(static_cast<size_t>(tags));
    Float *score = memory.data(), *best = score + tags;
    for (int64_t word = 0; word < length; ++word) {
        if (word == 0) {
            std::copy(transition, transition + tags, best);
        } else {
            step_of(score, transition + 2 * tags, tags, best, from.data());
            std::copy(from.begin(), from.end(), back + word * tags);
        }
        const char *emitted = emission.data + (start + word) * emission.stride;
        for (int64_t j = 0; j < tags; ++j) {
            Float value;
            std::memcpy(&value, emitted + j * emission.step, sizeof value);
            best[j] += value;
        }
        settle(best, tags);
        std::swap(score, best);
    }
    for (int64_t j = 0; j < tags; ++j)
        score[j] += transition[tags + j];
    int64_t tag = largest(score, tags);
    for (int64_t word = length - 1;; --word) {
        std::memcpy(path.data + (start + word) * path.stride, &tag, sizeof tag);
        if (word == 0)
            return;
        tag = back[word * tags + tag];
    }
}

template struct Crf<float>;
template struct Crf<double>;

} // namespace lastuse::ragged
