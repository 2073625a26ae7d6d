// Waiting without sleep, for what mostly comes within microseconds.
#pragma once

#include <chrono>

namespace lastuse {

inline void pause() {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#endif
}

// About what it takes to wake a thread that sleeps; how far apart threads may end what they began together.
constexpr std::chrono::microseconds waking_time{100}, lagging_time{1000};

// Whether `ready` comes true within `patience`.
template <class Ready>
bool spin(Ready ready, std::chrono::microseconds patience = waking_time) {
    std::chrono::steady_clock::time_point until{};
    for (;;) {
        for (int k = 0; k < 256; ++k) {
            if (ready())
                return true;
            pause();
        }
        const auto now = std::chrono::steady_clock::now();
        if (until == std::chrono::steady_clock::time_point{})
            until = now + patience;
        else if (now > until)
            return false;
    }
}

} // namespace lastuse
