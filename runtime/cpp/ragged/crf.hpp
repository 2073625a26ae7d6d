// The best path of tags through each ragged sequence (Viterbi).
#pragma once

#include "plan.hpp"

namespace lastuse::ragged {

// Elements at strides in bytes; the second one of a vector is not used.
struct Elements {
    char *data;
    int64_t stride, step;
};

// What dialect/dnn/recurrent/crf.py says of dnn.crf_decoding, the same choices and the same sums in the same order.
template <class Float>
struct Crf {
    int64_t words, sequences, tags;
    Elements emission;       // [words, tags]
    const Float *transition; // dense [2 + tags, tags]: start, stop, then from tag to tag
    const int64_t *offsets;  // [sequences + 1]
    Elements path;           // i64 [words, 1]

    // Bytes of memory for `run`: the best tag before, of each word and tag, in as few bytes as tell the tags apart.
    int64_t scratch_bytes() const;
    // Throws OffsetsError.
    void run(int threads, char *scratch) const;

private:
    template <class Tag>
    void follow_all(int threads, Tag *back) const;
    template <class Tag>
    void follow(int64_t start, int64_t length, Tag *back) const;
};

} // namespace lastuse::ragged
