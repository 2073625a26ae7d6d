// The states of a search that are known to have no solution (a transposition table).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace lastuse::planning {

inline uint64_t scramble(uint64_t x) { // splitmix64's finalizer
    x += 0x9e3779b97f4a7c15;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
    x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
    return x ^ (x >> 31);
}

// A 128-bit hash of a state; collisions are too unlikely to matter.
struct Key {
    uint64_t first = 0, second = 0;

    void add(uint64_t hash) {
        first += hash;
        second += scramble(hash);
    }
    bool operator==(const Key &other) const { return first == other.first && second == other.second; }
    bool empty() const { return first == 0 && second == 0; }
};

// A full table overwrites old states, which costs time but not correctness.
class FailedStates {
public:
    void clear() {
        slots_.assign(size_t{1} << 12, {});
        count_ = 0;
    }

    bool contains(const Key &key) const {
        for (size_t i = 0; i < probes; ++i)
            if (slots_[(key.first + i) & (slots_.size() - 1)] == key)
                return true;
        return false;
    }

    void insert(const Key &key) {
        if (count_ * 2 > slots_.size() && slots_.size() < most) {
            std::vector<Key> before(slots_.size() * 2);
            before.swap(slots_);
            for (const auto &old : before)
                if (!old.empty())
                    put(old);
        }
        count_ += put(key);
    }

private:
    static constexpr size_t probes = 8;
    static constexpr size_t most = size_t{1} << 22; // 64 MB

    bool put(const Key &key) {
        for (size_t i = 0; i < probes; ++i) {
            Key &slot = slots_[(key.first + i) & (slots_.size() - 1)];
            if (slot.empty()) {
                slot = key;
                return true;
            }
        }
        slots_[(key.first + key.second % probes) & (slots_.size() - 1)] = key;
        return false;
    }

    std::vector<Key> slots_ = std::vector<Key>(size_t{1} << 12);
    size_t count_ = 0;
};

} // namespace lastuse::planning
