// A context: the memory of one run of a program at a time.
#pragma once

#include <atomic>
#include <memory>
#include <unordered_map>
#include <vector>

#include "program.hpp"

namespace lastuse {

// Two threads run one program with two contexts; a context that is running refuses to run again.
class Context {
public:
    // `arena`: memory of the caller to use as the arena, contiguous, 64-aligned, at least as large; None: our own.
    Context(std::shared_ptr<const Program> program, const py::object &arena);

    // Arrays in the order of the program's arguments, C-contiguous, of the declared dtype and shape. A written one may
    // overlap no other and not the arena. Throws Error otherwise. The GIL is released while primitives run.
    void run(const std::vector<py::array> &arguments);

    // Whether arrays are as `run` wants them, but for their shapes, which are these. Throws Error otherwise.
    void check(const std::vector<py::array> &arguments, const std::vector<Dims> &shapes) const;

    // Fills the arena and the scratch with 0xFF bytes, which are NaNs: what reads bytes nobody wrote shows.
    void poison();

    // Whether runs take the time of each step from now on. That costs two looks at a clock a step.
    void profile(bool wanted) { profiling_ = wanted; }
    struct Timing {
        int64_t calls = 0, nanoseconds = 0;
    };
    // Of each step of the program, in order: what runs took since the context was made.
    const std::vector<Timing> &timings() const { return timings_; }

    const Program &program() const { return *program_; }
    uintptr_t arena_address() const { return reinterpret_cast<uintptr_t>(arena_); }

private:
    void bind(const std::vector<py::array> &arguments);
    void release();
    void execute();
    void call(const Call &call, const Step &step) const;
    void gru(const Ragged &ragged, const Step &step) const;
    Word load(const Load &load, const Step &step) const;
    void enter(const Enter &enter);
    // Points oneDNN's memories of a buffer's views to where the buffer is now.
    void repoint(int buffer);
    char *address(const View &view) const;
    char *scratch(const Step &step) const;
    py::array array(int view, bool writable) const;
    py::array scratch_array(const Step &step) const;

    std::shared_ptr<const Program> program_;
    py::object arena_owner_; // what keeps the arena alive: a capsule of ours, or the caller's array
    char *arena_;
    py::capsule scratch_owner_;
    char *scratch_;
    std::vector<Dims> shapes_;        // of the arguments
    std::vector<char *> bases_;       // of each buffer; an argument's during a run only
    std::vector<py::object> owners_;  // of each buffer, likewise
    std::vector<int> origins_;        // of each buffer: itself; of a parameter, the buffer that its bytes are of
    std::vector<Word> registers_;
    std::vector<dnnl::memory> memories_; // of each view that oneDNN can name
    std::vector<std::vector<int>> moving_; // of each buffer whose address changes: those of them that are its views
    std::vector<std::unordered_map<int, dnnl::memory>> operands_; // of each step
    dnnl::stream stream_;
    bool profiling_ = false;
    std::vector<Timing> timings_; // of each step
    std::atomic_flag busy_ = ATOMIC_FLAG_INIT;
};

} // namespace lastuse
