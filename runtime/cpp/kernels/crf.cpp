// CRF decoding: the best path of tags through each ragged sequence (Viterbi).

#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

#include "../threads/lanes.hpp"
#include "functions.hpp"
#include "offsets.hpp"

namespace lastuse::kernels {

namespace {

// Elements at strides in bytes; a vector does not use `step`.
struct Elements {
    char *data;
    int64_t stride, step;
};

// dnn.crf_decoding as dialect/dnn/recurrent/crf.py defines it: the same sums in the same order, and the same choice among equals.
template <class Float>
struct Crf {
    int64_t rows, sequences, tags;
    Elements emission;       // [rows, tags]
    const Float *transition; // dense [2 + tags, tags]: start, stop, then from tag to tag
    const int64_t *offsets;  // [sequences + 1]
    Elements path;           // i64 [rows, 1]

    // Bytes of scratch for `run`: the best previous tag for each row and tag, in the smallest integer type that holds a
    // tag.
    int64_t scratch_bytes() const;
    // Throws OffsetsError.
    void run(int threads, char *scratch) const;

private:
    template <class Tag>
    void decode_all(int threads, Tag *back) const;
    template <class Tag>
    void decode(int64_t start, int64_t length, Tag *back) const;
};

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
    run_lanes(lanes, [&](int lane) {
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

// [2 + tags, tags] as dense rows, in `memory` where they are not.
template <class Float>
const Float *dense(const Array &array, std::vector<Float> &memory) {
    if (array.form->is_dense())
        return array.elements_of<Float>();
    for (int64_t row = 0; row < array.size(0); ++row)
        for (int64_t column = 0; column < array.size(1); ++column) {
            memory.emplace_back();
            std::memcpy(&memory.back(), array.data + row * array.form->strides[0] + column * array.form->strides[1],
                        sizeof(Float));
        }
    return memory.data();
}

template <class Float>
void decode(const Call &call) {
    const Array &emission = call.ins[0], &path = call.outs[0];
    const auto &strides = emission.form->strides;
    std::vector<Float> memory;
    std::vector<int64_t> ends;
    const Crf<Float> crf{emission.size(0),
                         call.ins[2].elements() - 1,
                         emission.size(1),
                         {emission.data, strides[0], strides[1]},
                         dense(call.ins[1], memory),
                         dense_numbers(call.ins[2], ends),
                         {path.data, path.form->strides[0], 0}};
    if (call.scratch_bytes < crf.scratch_bytes())
        throw Error("decoding needs " + std::to_string(crf.scratch_bytes()) + " bytes of scratch");
    crf.run(call.threads, call.scratch);
}

} // namespace

void crf_decoding(const Call &call) {
    call.expect_counts(3, 1, 0);
    const Array &emission = call.ins[0], &transition = call.ins[1], &offsets = call.ins[2], &path = call.outs[0];
    call.expect(emission.rank() == 2 && emission.size(1) > 0 && transition.rank() == 2 &&
                    transition.size(0) == emission.size(1) + 2 && transition.size(1) == emission.size(1) &&
                    offsets.rank() == 1 && path.rank() == 2 && path.size(0) == emission.size(0) && path.size(1) == 1,
                "decoding takes scores [rows, tags] and [2 + tags, tags], offsets, a path [rows, 1]");
    call.expect((emission.is(Type::f32) || emission.is(Type::f64)) && transition.is(emission.form->type),
                "scores are f32 or f64");
    call.expect(offsets.is(Type::i64) && path.is(Type::i64), "offsets and path are i64");
    (emission.is(Type::f64) ? decode<double> : decode<float>)(call);
}

} // namespace lastuse::kernels
