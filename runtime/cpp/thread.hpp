// Threads of our own.
#pragma once

#include <system_error>
#include <thread>
#include <utility>

#include <signal.h>

namespace lastuse {

// A thread that gets no signals: those are for the threads of the user, and Python handles them in its main one.
// Throws std::system_error where the system has no further thread.
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
