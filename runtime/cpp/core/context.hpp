// A context: the memory in which a program runs, one run at a time.
#pragma once

#include <atomic>
#include <memory>
#include <unordered_map>
#include <vector>

#include "program.hpp"

namespace lastuse {

// Threads that run one program at the same time need a context each: `run` throws while the context is running.
class Context {
public:
    // `arena`: memory of the caller to use as the arena, contiguous, 64-aligned, at least as large; None: allocated.
    Context(std::shared_ptr<const StepProgram> program, const py::object &arena);

    // `arguments`: arrays in the order of the program's arguments, C-contiguous, of the declared dtype and shape. An
    // array that is written must not overlap another one or the arena. Throws Error otherwise. Releases the GIL.
    void run(const std::vector<py::array> &arguments);

    // Throws Error unless `arguments` meet what `run` requires, with `shapes` instead of the declared ones.
    void check(const std::vector<py::array> &arguments, const std::vector<Dims> &shapes) const;

    // Fills the arena and the scratch with 0xFF bytes, which are NaNs, so that reads of unwritten bytes show.
    void poison();

    // Whether later runs measure the time of each step, which reads a clock twice a step.
    void profile(bool enabled) { profiling_ = enabled; }
    struct Timing {
        int64_t calls = 0, nanoseconds = 0;
    };
    // One for each step of the program, in order: sums over all profiled runs.
    const std::vector<Timing> &timings() const { return timings_; }

    const StepProgram &program() const { return *program_; }
    uintptr_t arena_address() const { return reinterpret_cast<uintptr_t>(arena_); }

private:
    void bind(const std::vector<py::array> &arguments);
    void release();
    void execute();
    void call(const Primitive &primitive, size_t step);
    void call(const PythonCall &call, const Step &step) const;
    void call(const NativeCall &call, const Step &step) const;
    Word load(const Load &load, const Step &step) const;
    void pass_arguments(const CallFunction &call);
    // Sets the address of the oneDNN memories of a buffer's views.
    void repoint(int buffer);
    char *address(const View &view) const;
    char *scratch(const Step &step) const;
    py::array array(int view, bool writable) const;
    py::array scratch_array(const Step &step) const;

    std::shared_ptr<const StepProgram> program_;
    py::object arena_owner_; // keeps the arena alive: a capsule of `Aligned` memory, or the caller's array
    char *arena_;
    py::capsule scratch_owner_;
    char *scratch_;
    std::vector<Dims> shapes_;       // of the arguments
    std::vector<char *> bases_;      // of each buffer; of an argument, only during a run
    std::vector<py::object> owners_; // of each buffer, likewise
    std::vector<int> origins_;       // of each buffer: itself; of a parameter: the buffer of the caller
    std::vector<Word> registers_;
    std::vector<dnnl::memory> memories_;   // of each view that is an operand of a primitive
    std::vector<std::vector<int>> moving_; // of each buffer whose address changes: its views in `memories_`
    using Memories = std::unordered_map<int, dnnl::memory>; // by oneDNN's argument number
    std::vector<Memories> operands_;                        // of each step
    std::vector<std::vector<Memories>> converted_;          // of each step: the operands of its conversions
    dnnl::stream stream_;
    bool profiling_ = false;
    std::vector<Timing> timings_; // of each step
    std::atomic_flag busy_ = ATOMIC_FLAG_INIT;
};

} // namespace lastuse
