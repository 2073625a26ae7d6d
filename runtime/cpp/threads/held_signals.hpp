// Signals that wait.
//
// The products of oneDNN 3.2 that it calls "gemm" point the stack's register at memory of the heap while they run
// (`jit_avx512_common_gemm_f32.cpp`). The frame of a signal's handler goes where that register points, over what is
// there. So signals of the threads that compute such a product wait until it is done.
#pragma once

#include <signal.h>

namespace lastuse {

// Blocks all signals of the calling thread; returns those that were blocked.
inline sigset_t hold_signals() {
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    return before;
}

// Blocks them for a scope: those for the process go to its other threads, or wait.
class HeldSignals {
public:
    HeldSignals() = default;
    ~HeldSignals() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
    HeldSignals(const HeldSignals &) = delete;
    HeldSignals &operator=(const HeldSignals &) = delete;

private:
    const sigset_t before_ = hold_signals();
};

} // namespace lastuse
