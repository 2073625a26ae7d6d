// What all rooms of the runtime share: errors, and sizes in cache lines.
#pragma once

#include <cstdint>
#include <stdexcept>

namespace lastuse {

// An error in building or running a program; lastuse.runtime._core.Error in Python.
struct Error : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// Offsets that do not cut the rows into sequences; lastuse.runtime._core.OffsetsError in Python.
struct OffsetsError : Error {
    using Error::Error;
};

// Indices that are outside of an axis; lastuse.runtime._core.IndicesError in Python.
struct IndicesError : Error {
    using Error::Error;
};

// Bytes; memory of the runtime begins at a multiple of it.
constexpr int64_t cache_line = 64;

// `bytes` rounded up to whole cache lines.
constexpr int64_t aligned(int64_t bytes) { return (bytes + cache_line - 1) / cache_line * cache_line; }

} // namespace lastuse
