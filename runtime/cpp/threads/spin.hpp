// Busy waiting, for conditions that mostly become true within microseconds.
#pragma once

#include <chrono>

namespace lastuse {

inline void pause() {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#endif
}

// About the time to wake a sleeping thread; how far apart threads that start together may finish.
constexpr std::chrono::microseconds waking_time{100}, lagging_time{1000};

// Whether `ready` becomes true before `timeout`.
template <class Ready>
bool spin(Ready ready, std::chrono::microseconds timeout = waking_time) {
    std::chrono::steady_clock::time_point until{};
    for (;;) {
        for (int k = 0; k < 256; ++k) {
            if (ready())
                return true;
            pause();
        }
        const auto now = std::chrono::steady_clock::now();
        if (until == std::chrono::steady_clock::time_point{})
            until = now + timeout;
        else if (now > until)
            return false;
    }
}

} // namespace lastuse
