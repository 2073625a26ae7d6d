// Waiting without sleep, for what mostly comes within microseconds.
#pragma once

#include <chrono>

namespace lastuse {

inline void pause() {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#endif
}

// Whether `ready` came true in time: waking a thread that sleeps takes about as long.
template <class Ready>
bool spin(Ready ready) {
    constexpr std::chrono::microseconds patience{100};
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
