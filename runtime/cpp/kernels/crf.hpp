// CRF decoding: the best path of tags through each ragged sequence (Viterbi).
#pragma once

#include <cstdint>

namespace lastuse::kernels {

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

} // namespace lastuse::kernels
