// Blocks of one element many times, in one place for all programs that have it as a constant.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

namespace lastuse::kernels {

using ConstantBlock = std::shared_ptr<const std::vector<char>>;

// The element of `item` bytes that `bits` begins with, `count` times or more. One thread asks at a time: kernels are
// prepared with the GIL, which a process that forks holds.
ConstantBlock constant_block(uint64_t bits, int64_t item, int64_t count);

} // namespace lastuse::kernels
