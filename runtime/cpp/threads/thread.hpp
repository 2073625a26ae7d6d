// Threads that the runtime starts itself.
#pragma once

#include <system_error>
#include <thread>
#include <utility>

#include "held_signals.hpp"

namespace lastuse {

// A thread with all signals blocked: signals go to the threads of the user, and Python handles them in its main thread.
// Throws std::system_error if the system has no more threads.
template <class Function>
std::thread start_thread(Function function) {
    const HeldSignals inherited;
    return std::thread(std::move(function));
}

} // namespace lastuse
