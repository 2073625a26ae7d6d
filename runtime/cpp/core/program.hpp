// A program: buffers, views of them, and the steps to run, in order except for jumps and calls. It owns no memory but
// constants.
#pragma once

#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include "../moves/copy.hpp"
#include "primitive.hpp"
#include "scalar.hpp"
#include "step_name.hpp"
#include "view_layout.hpp"

namespace lastuse {

// Memory owned by the runtime, aligned to a cache line. Not initialised: an arena's pages appear when first written.
class Aligned {
public:
    explicit Aligned(size_t bytes);
    char *data() const { return data_.get(); }
    size_t bytes() const { return bytes_; }

private:
    struct Free {
        void operator()(char *data) const { std::free(data); }
    };
    std::unique_ptr<char, Free> data_;
    size_t bytes_;
};

// `Aligned` memory in a capsule, which every numpy array over that memory keeps alive.
py::capsule owned(size_t bytes);

// An argument of the function: memory of the caller, another one in each run.
struct External {
    std::string name;
    py::dtype dtype;
    Dims shape;
    bool writable;
    bool written = false; // a step writes it
};

// Bytes that do not move while the program lives.
struct Constant {
    const char *data;
    py::object owner; // the array that the bytes belong to, or a capsule of `Aligned` memory
    int64_t bytes;

    bool operator==(const Constant &other) const { return data == other.data && owner.is(other.owner); }
};

struct Arena {};

// A parameter of a function that the program calls: the bytes of the view that the call passes.
struct Parameter {
    bool written = false; // a step of the function writes it
};

// Memory that is another one from run to run, or from context to context.
struct Buffer {
    std::variant<Arena, std::unique_ptr<External>, Parameter> what;
    int64_t bytes;
};

// A strided piece of a buffer or of a constant.
struct View {
    int buffer; // a constant's number is below 0
    int64_t offset; // bytes
    SharedLayout layout;

    const py::dtype &dtype() const { return layout->dtype; }
    const Dims &shape() const { return layout->form.shape; }
    const Dims &strides() const { return layout->form.strides; } // in bytes, of either sign
    bool operator==(const View &other) const;
};

// A step that other rooms implement, such as the ragged GRU.
class Kernel {
public:
    virtual ~Kernel() = default;

    // The step's ins, outs and scratch. Runs without the GIL.
    virtual void run(const std::vector<Array> &ins, const std::vector<Array> &outs, char *scratch) const = 0;

    // Bytes that a run reads besides its operands, such as packed weights.
    virtual int64_t constant_bytes() const = 0;

    // Whether it computes the same as the other one, in the same way.
    virtual bool is_same(const Kernel &) const { return false; }
};

struct NativeCall {
    std::shared_ptr<const Kernel> kernel;
};
struct PythonCall {
    py::object kernel; // (ins, outs, scratch) -> None; lists of arrays, uint8 array
    int64_t scratch_bytes;
};

// Scalars are in registers. Control moves between labels, which are positions in the list of steps.
struct Set {
    int out;
    Word value;
};
struct Move {
    int in, out;
};
struct Compute {
    Scalar scalar;
    int a, b, c, out; // registers; unused ones are 0
};
struct Load {
    ElementAccess element;
    std::vector<int> indices; // registers, one for each axis of the view that is the step's in
    int out;
};
struct Store {
    ElementAccess element;
    int value; // to the one element of the view that is the step's out
};
struct Jump {
    int to;
};
struct Branch {
    int condition, then, otherwise;
};
// Before a counted loop: throws where the loop's step is not above 0.
struct CheckLoop {
    int step;
};
// At the end of a counted loop's body: adds the step, and jumps to `body` while the index is below the bound.
struct NextIteration {
    int index, bound, step, body;
};
// Calls a function of the program. Its parameters are views of the caller until it returns.
struct CallFunction {
    int function;
    std::vector<std::pair<int, int>> arguments; // (buffer of the parameter, view of the caller)
};
struct Return {};

// A primitive that steps of several programs may run.
using SharedPrimitive = std::shared_ptr<const Primitive>;

// What a step does. Steps of one program have few of the kinds that are larger than a pointer or two.
using Action = std::variant<SharedPrimitive, std::unique_ptr<const CopyPlan>, NativeCall, PythonCall, Set, Move,
                            std::unique_ptr<const Compute>, std::unique_ptr<const Load>, std::unique_ptr<const Store>, Jump,
                            Branch, CheckLoop, NextIteration, std::unique_ptr<const CallFunction>, Return>;

struct Step {
    StepName name;
    int first_operand, ins, outs; // where its views begin in those of all steps, and how many they are
    int scratch;                  // a view; `no_view`: the context's own scratch

    bool operator==(const Step &other) const;
};

// Numbers of views.
struct ViewNumbers {
    const int *first, *last;

    const int *begin() const { return first; }
    const int *end() const { return last; }
    size_t size() const { return static_cast<size_t>(last - first); }
    int operator[](size_t k) const { return first[k]; }
};

// What programs of one model for several sizes have in common: all but actions, sizes and places.
struct Outline {
    std::vector<Constant> constants;
    std::vector<View> views; // of constants
    std::vector<Step> steps;
    std::vector<int> operands; // views, of all steps
    std::vector<int> arguments; // buffers, in the order added
    std::vector<size_t> labels;

    bool operator==(const Outline &other) const;
};

class StepProgram {
public:
    StepProgram(int64_t arena_bytes, int threads);

    int add_argument(std::string name, py::dtype dtype, Dims shape, bool writable);
    int add_constant(py::array array);
    // Converts the elements of `source`, which may be strided, to the layout `to`.
    static py::array pack(const py::array &source, const Desc &to);
    int add_packed(py::array packed, const Desc &desc);
    // Strides in elements.
    int add_view(int buffer, int64_t offset, const py::dtype &dtype, Dims shape, Dims strides);
    // All bytes of a layout of oneDNN, also one whose order it knows alone.
    int add_layout(int buffer, int64_t offset, const Desc &desc);

    void add_primitive(StepName name, SharedPrimitive primitive, const std::vector<int> &ins,
                       const std::vector<int> &outs, int scratch);
    void add_copy(StepName name, int from, int to);
    void add_call(StepName name, py::object kernel, const std::vector<int> &ins, const std::vector<int> &outs,
                  int scratch, int64_t scratch_bytes);
    void add_kernel(StepName name, std::shared_ptr<const Kernel> kernel, const std::vector<int> &ins,
                    const std::vector<int> &outs, int scratch, int64_t scratch_bytes);

    // The steps of functions that the program calls come before its entry.
    int add_parameter(int64_t bytes);
    int add_register() { return registers_++; }
    int add_label();           // has to be bound before the program runs
    void bind_label(int label); // to the next step
    void set_entry() { entry_ = outline_->steps.size(); } // the program starts with the next step

    void add_set(int out, Word value);
    void add_move(int in, int out);
    void add_compute(StepName name, const Scalar &scalar, const std::vector<int> &ins, int out);
    // The element of `view` at the indices in these registers; a run checks them.
    void add_load(StepName name, int view, std::vector<int> indices, int out);
    void add_store(int value, int view);
    void add_jump(int label);
    void add_branch(StepName name, int condition, int then, int otherwise);
    void add_loop_check(StepName name, int step);
    void add_next_iteration(int index, int bound, int step, int body);
    void add_function_call(StepName name, int function, std::vector<std::pair<int, int>> arguments);
    void add_return();

    const View &view(int index) const;
    const Buffer &buffer(int index) const;
    const Constant &constant(int index) const { return outline_->constants[number_of(index)]; }
    static size_t number_of(int constant) { return static_cast<size_t>(first_constant - constant); }
    static bool is_constant(int buffer) { return buffer <= first_constant; }
    // As long as it is held, its constants stay where they are.
    std::shared_ptr<const Outline> outline() const { return outline_; }
    const std::vector<Step> &steps() const { return outline_->steps; }
    const Action &action(size_t step) const { return actions_[step]; }
    ViewNumbers ins(const Step &step) const { return operands(step.first_operand, step.ins); }
    ViewNumbers outs(const Step &step) const { return operands(step.first_operand + step.ins, step.outs); }
    const std::vector<Buffer> &buffers() const { return buffers_; }
    const std::vector<int> &arguments() const { return outline_->arguments; }
    const External &argument(int buffer) const { return *std::get<std::unique_ptr<External>>(this->buffer(buffer).what); }
    int64_t arena_bytes() const { return buffers_.front().bytes; }
    // The regions that each step reads and writes, and that of its scratch; none where steps branch or call, or run
    // Python.
    py::object accesses() const;
    // Bytes that a step reads and writes, without scratch.
    int64_t bytes_moved(size_t step) const;
    // The largest need of a step whose scratch is not in the arena.
    int64_t unplanned_scratch_bytes() const { return unplanned_scratch_; }
    int threads() const { return threads_; }
    int registers() const { return registers_; }
    size_t entry() const { return entry_; }
    // The step of each label; throws Error if a label is not bound.
    const std::vector<size_t> &labels() const;

    // Has what it has in common with the other program, which is for other sizes, in one place with it. Neither of them
    // gets another step.
    void share(const StepProgram &other);

    static constexpr int arena = 0; // the arena's buffer
    static constexpr int no_view = -1;

private:
    int add_buffer(Buffer buffer);
    int add_view_of(int buffer, int64_t offset, SharedLayout layout);
    int add_constant_of(Constant constant);
    const Constant &known_constant(int index) const; // throws Error where there is none
    void add_step(StepName name, Action what, const std::vector<int> &ins = {}, const std::vector<int> &outs = {},
                  int scratch = no_view, int64_t scratch_bytes = 0);
    ViewNumbers operands(int first, int count) const {
        return {outline_->operands.data() + first, outline_->operands.data() + first + count};
    }
    void note_write(const StepName &name, int buffer);
    void check_registers(std::string_view name, const std::vector<int> &registers) const;
    void check_label(int label) const;
    // Throws unless the view has this layout.
    void check_operand(const StepName &name, int view, const Desc &wanted) const;

    // Numbers of constants and of their views, which count down.
    static constexpr int first_constant = -1, first_constant_view = -2;

    std::shared_ptr<Outline> outline_ = std::make_shared<Outline>(); // not changed once it is shared
    std::vector<Buffer> buffers_;
    std::vector<View> views_;
    std::vector<Action> actions_; // of each step
    size_t entry_ = 0;
    int registers_ = 0;
    int64_t unplanned_scratch_ = 0;
    int threads_;
};

} // namespace lastuse
