// Threads that the runtime starts itself.
#pragma once

#include <system_error>
#include <thread>
#include <utility>

#include <signal.h>

namespace lastuse {

// A thread with all signals blocked: signals go to the threads of the user, and Python handles them in its main thread.
// Throws std::system_error if the system has no more threads.
template <class Function>
std::thread start_thread(Function function) {
    struct Masked {
        sigset_t before;
        Masked() {
            sigset_t all;
            sigfillset(&all);
            pthread_sigmask(SIG_SETMASK, &all, &before);
        }
        ~Masked() { pthread_sigmask(SIG_SETMASK, &before, nullptr); }
    } const masked;
    return std::thread(std::move(function));
}

} // namespace lastuse
