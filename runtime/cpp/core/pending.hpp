// Primitives that are yet to be made, so that several are made at the same time.
#pragma once

#include <functional>
#include <vector>

#include "primitive.hpp"

namespace lastuse {

// A call of a maker with its arguments, of which `threads` is one.
struct PendingPrimitive {
    std::function<Primitive()> make;
    int threads;
};

// Makes all, on up to `threads` threads at the same time. Throws what the first one that cannot be made throws.
std::vector<Primitive> make_all(const std::vector<PendingPrimitive> &pending, int threads);

} // namespace lastuse
