// Values that are made once for each key, for as long as one of them is held.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace lastuse {

// The bytes of numbers as a key: of two zeros, and of NaNs, they tell which one it is.
inline std::string exact_key(const std::vector<double> &numbers) {
    return {reinterpret_cast<const char *>(numbers.data()), numbers.size() * sizeof(double)};
}

// One thread asks at a time, and none while the last holder of a value lets go of it: both have the GIL.
template <class Key, class Value>
class SharedValues {
public:
    // The value of the key, by make() where none is held. Throws what `make` throws.
    template <class Make>
    std::shared_ptr<const Value> of(const Key &key, Make make) {
        if (const auto found = known_.find(key); found != known_.end())
            return found->second.lock();
        auto made = std::make_unique<const Value>(make());
        const auto entry = known_.emplace(key, std::weak_ptr<const Value>()).first;
        std::shared_ptr<const Value> shared(made.release(), [this, entry](const Value *value) {
            known_.erase(entry);
            delete value;
        });
        entry->second = shared;
        return shared;
    }

private:
    std::map<Key, std::weak_ptr<const Value>> known_;
};

} // namespace lastuse
