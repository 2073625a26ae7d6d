// A context: the memory in which a program runs, one run at a time.
#pragma once

#include <atomic>
#include <memory>
#include <utility>
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

    // Throws Error unless `arguments` meet what `run` requires, with `shapes`, if any, instead of the declared ones.
    void check(const std::vector<py::array> &arguments, const std::vector<Dims> *shapes = nullptr) const;

    // Fills the arena and the scratch with 0xFF bytes, which are NaNs, so that reads of unwritten bytes show.
    void poison();

    // Whether later runs measure the time of each step, which reads a clock twice a step.
    void profile(bool enabled);
    struct Timing {
        int64_t calls = 0, nanoseconds = 0;
    };
    // Of a step of the program, by its number: sums over all profiled runs.
    Timing timing(size_t step) const { return step < timings_.size() ? timings_[step] : Timing(); }

    const StepProgram &program() const { return *program_; }
    uintptr_t arena_address() const { return reinterpret_cast<uintptr_t>(arena_); }

private:
    // Where an operand of a primitive is: a view, or, without one, so many bytes into the scratch of the step.
    struct Place {
        int view;
        int64_t offset;
    };
    // A call of oneDNN: a step's primitive, or a reorder before or after it.
    struct Execution {
        const dnnl::primitive *primitive;
        std::vector<dnnl_exec_arg_t> operands;
        std::vector<Place> places; // of the operands
    };

    void bind(const std::vector<py::array> &arguments);
    void release();
    void execute();
    void add_executions(const Step &step, const Primitive &primitive);
    // A memory of oneDNN of this layout that no operand of the execution has.
    dnnl_memory_t memory_of(const Desc &desc, const Execution &execution);
    void call(const Primitive &primitive, const Step &step, size_t first_execution);
    void call(const Primitive &primitive, const Execution &execution);
    void call(const Execution &execution);
    void set_addresses(const Execution &execution, const Step &step) const;
    void call(const PythonCall &call, const Step &step) const;
    void call(const NativeCall &call, const Step &step);
    Word load(const Load &load, const Step &step) const;
    void pass_arguments(const CallFunction &call);
    char *address(const View &view) const;
    char *address(const Place &place, const Step &step) const;
    char *scratch(const Step &step) const;
    int origin_of(const View &view) const; // the buffer or constant that its bytes are in
    py::array array(int view, bool writable) const;
    py::array scratch_array(const Step &step, int64_t bytes) const;

    std::shared_ptr<const StepProgram> program_;
    std::shared_ptr<const Outline> outline_; // the program's, whatever it shares later
    const Constant *constants_;              // of the outline
    py::object arena_owner_; // keeps the arena alive: a capsule of `Aligned` memory, or the caller's array
    char *arena_;
    py::capsule scratch_owner_;
    char *scratch_;
    std::vector<char *> bases_;      // of each buffer but constants; of an argument, only during a run
    std::vector<py::object> owners_; // of each buffer but constants, likewise
    std::vector<int> origins_;       // of each buffer: itself; of a parameter: the buffer or constant of the caller
    std::vector<Word> registers_;
    // Of each layout as many as one execution has operands of it: oneDNN has done what it executes when it returns, so
    // executions share them, and each sets the addresses.
    std::vector<std::pair<Desc, dnnl::memory>> memories_;
    std::vector<Execution> executions_;    // in the order of the steps
    std::vector<uint32_t> first_executions_; // of each step up to the last one of a primitive
    std::vector<Array> ins_, outs_;        // of the kernel that runs
    dnnl::stream stream_;
    bool profiling_ = false;
    std::vector<Timing> timings_; // of each step, where some run was profiled
    std::atomic_flag busy_ = ATOMIC_FLAG_INIT;
};

} // namespace lastuse
