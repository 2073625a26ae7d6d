#include "constant_blocks.hpp"

#include <map>
#include <tuple>

#include "../moves/elements.hpp"

namespace lastuse::kernels {

ConstantBlock constant_block(uint64_t bits, int64_t item, int64_t count) {
    using Key = std::tuple<uint64_t, int64_t, int64_t>;
    static auto *const known = new std::map<Key, std::weak_ptr<const std::vector<char>>>;
    int64_t elements = 1; // a power of two, as few blocks have just the same number of elements
    while (elements < count)
        elements *= 2;
    auto &place = (*known)[{bits, item, elements}];
    ConstantBlock block = place.lock();
    if (!block) {
        auto made = std::make_shared<std::vector<char>>(static_cast<size_t>(elements * item));
        copy_elements(item, elements, reinterpret_cast<const char *>(&bits), 0, made->data(), item);
        place = block = std::move(made);
    }
    return block;
}

} // namespace lastuse::kernels
