// Offsets of ragged rows: sequence k is the rows from offsets[k] to offsets[k + 1].
#pragma once

#include <cstdint>
#include <limits>
#include <string>

#include "../support.hpp"

namespace lastuse::kernels {

// Throws OffsetsError unless `count` + 1 offsets ascend from 0 to `rows`; with the same messages as
// dialect/dnn/recurrent/ragged.py.
inline void check_offsets(const int64_t *offsets, int64_t count, int64_t rows) {
    if (count < 0)
        throw OffsetsError("there are no offsets; even no sequence at all has the one offset 0");
    if (count > std::numeric_limits<int32_t>::max())
        throw OffsetsError("there are " + std::to_string(count) + " sequences, more than can be told apart");
    if (offsets[0] != 0)
        throw OffsetsError("the first offset is " + std::to_string(offsets[0]) + ", not 0");
    if (offsets[count] != rows)
        throw OffsetsError("the last offset is " + std::to_string(offsets[count]) + ", but there are " +
                           std::to_string(rows) + " rows");
    for (int64_t k = 0; k < count; ++k)
        if (offsets[k + 1] < offsets[k])
            throw OffsetsError("offset " + std::to_string(k + 1) + " is " + std::to_string(offsets[k + 1]) +
                               ", less than the " + std::to_string(offsets[k]) + " before it");
}

} // namespace lastuse::kernels
