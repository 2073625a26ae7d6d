#include "constant_blocks.hpp"

#include <tuple>

#include "../moves/elements.hpp"
#include "shared_values.hpp"

namespace lastuse::kernels {

ConstantBlock constant_block(uint64_t bits, int64_t item, int64_t count) {
    using Key = std::tuple<uint64_t, int64_t, int64_t>;
    static auto *const known = new SharedValues<Key, std::vector<char>>;
    int64_t elements = 1; // a power of two, as few blocks have just the same number of elements
    while (elements < count)
        elements *= 2;
    return known->of({bits, item, elements}, [&] {
        std::vector<char> made(static_cast<size_t>(elements * item));
        copy_elements(item, elements, reinterpret_cast<const char *>(&bits), 0, made.data(), item);
        return made;
    });
}

} // namespace lastuse::kernels
