// A program: buffers, views of them, and the steps to run: in order, but for jumps and calls. It holds no memory but
// constants.
#pragma once

#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include "copy.hpp"
#include "primitive.hpp"
#include "ragged/gru.hpp"
#include "scalar.hpp"

namespace lastuse {

namespace py = pybind11;

// Memory of our own, on a cache line's boundary. Not initialised: an arena's pages appear when they are first written.
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

// Such memory owned by a capsule: every numpy array made over it keeps it alive.
py::capsule owned(size_t bytes);

// An argument of the function: memory of the caller, given anew for each run.
struct External {
    std::string name;
    py::dtype dtype;
    Dims shape;
    bool writable;
    bool written = false; // some step writes it
};

// Bytes that do not move while the program lives.
struct Constant {
    const char *data;
    py::object owner; // the array the bytes belong to, or a capsule around memory of our own
};

struct Arena {};

// A parameter of a function that the program calls: the bytes of whatever view the call gives.
struct Parameter {
    bool written = false; // some step of the function writes it
};

struct Buffer {
    std::variant<Arena, External, Constant, Parameter> what;
    int64_t bytes;
};

// A strided piece of a buffer.
struct View {
    int buffer;
    int64_t offset; // bytes
    py::dtype dtype;
    Dims shape, strides;      // strides in elements, of either sign
    std::optional<Desc> desc; // absent where oneDNN has no such layout
};

struct Run {
    Primitive primitive;
};
struct Copy {
    CopyPlan plan;
};
struct Call {
    py::object kernel; // (ins, outs, scratch) -> None; lists of arrays, uint8 array
};
// ins: x, offsets and, if there are any, the states that each direction of each layer starts with; out: the last layer's.
struct Ragged {
    // Weights that are no constants, which each run packs anew: for each direction of each layer the views of layer,
    // iter and bias and, of int8, of both scales; of int8, scale and shift of each layer's input and states.
    struct Free {
        std::vector<bool> reverse; // the directions of a layer
        bool sum;
        std::shared_ptr<ragged::GruCache> cache;
        std::vector<std::vector<int>> weights;
        std::vector<std::pair<float, float>> data;
    };

    std::vector<std::shared_ptr<const ragged::Gru>> layers; // none where there are `free` ones
    std::shared_ptr<const ragged::StackRoom> room;
    std::shared_ptr<const Free> free;
};

// Scalars stand in registers, control goes from label to label: places in the row of steps.
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
    Cell cell;
    std::vector<int> indices; // registers, one an axis of the view that is the step's in
    int out;
};
struct Store {
    Cell cell;
    int value; // to the view of one element that is the step's out
};
struct Jump {
    int to;
};
struct Branch {
    int condition, then, otherwise;
};
// The head of a counted loop: throws where the step is not above 0.
struct Begin {
    int step;
};
// The end of a counted loop's body: on to the next iteration, if that is one.
struct Again {
    int index, bound, step, body;
};
// A call: parameters are what views of the caller are, until the function leaves.
struct Enter {
    int function;
    std::vector<std::pair<int, int>> given; // parameter's buffer, view
};
struct Leave {};

struct Step {
    std::string name; // how errors call it; empty: a jump of the program's own making
    std::variant<Run, Copy, Call, Ragged, Set, Move, Compute, Load, Store, Jump, Branch, Begin, Again, Enter, Leave>
        what;
    std::vector<int> ins, outs; // views
    int scratch;                // a view; -1: of the context's own
    int64_t scratch_bytes;      // what it needs
};

class Program {
public:
    Program(int64_t arena_bytes, int threads);

    int add_argument(std::string name, py::dtype dtype, Dims shape, bool writable);
    int add_constant(py::array array);
    // The elements of `source`, which may be strided, in the layout `to`: converted now, once.
    static py::capsule pack(const py::array &source, const Desc &to);
    int add_packed(py::capsule packed, const Desc &desc);
    int add_view(int buffer, int64_t offset, py::dtype dtype, Dims shape, Dims strides);

    void add_primitive(std::string name, Primitive primitive, std::vector<int> ins, std::vector<int> outs, int scratch);
    void add_copy(std::string name, int from, int to);
    void add_call(std::string name, py::object kernel, std::vector<int> ins, std::vector<int> outs, int scratch,
                  int64_t scratch_bytes);
    void add_gru(std::string name, std::vector<std::shared_ptr<const ragged::Gru>> layers,
                 std::shared_ptr<const ragged::StackRoom> room, std::vector<int> ins, std::vector<int> outs, int scratch);
    // As add_gru, with weights that are views. Throws Error where they are not dense, or not as the room has them.
    void add_free_gru(std::string name, Ragged::Free free, std::shared_ptr<const ragged::StackRoom> room,
                      std::vector<int> ins, std::vector<int> outs, int scratch);

    // Functions that the program calls stand before what it starts with: see `begin`.
    int add_parameter(int64_t bytes);
    int add_register() { return registers_++; }
    int add_label(); // has to be placed before the program runs
    void place(int label);
    void begin() { entry_ = steps_.size(); } // the program starts with the next step

    void add_set(int out, Word value);
    void add_move(int in, int out);
    void add_compute(std::string name, const Scalar &scalar, const std::vector<int> &ins, int out);
    // The element of `view` at the indices in these registers, which are checked.
    void add_load(std::string name, int view, std::vector<int> indices, int out);
    void add_store(int value, int view);
    void add_jump(int label);
    void add_branch(std::string name, int condition, int then, int otherwise);
    void add_begin(std::string name, int step);
    void add_again(int index, int bound, int step, int body);
    void add_enter(std::string name, int function, std::vector<std::pair<int, int>> given);
    void add_leave();

    const View &view(int index) const;
    const Buffer &buffer(int index) const;
    const std::vector<Step> &steps() const { return steps_; }
    const std::vector<View> &views() const { return views_; }
    const std::vector<Buffer> &buffers() const { return buffers_; }
    const std::vector<int> &arguments() const { return arguments_; } // buffers, in the order added
    int64_t arena_bytes() const { return buffers_.front().bytes; }
    // What a step reads and writes, scratch apart.
    int64_t bytes_moved(const Step &step) const;
    // The largest need of a step whose scratch is not in the arena.
    int64_t unplanned_scratch_bytes() const { return unplanned_scratch_; }
    int threads() const { return threads_; }
    int registers() const { return registers_; }
    size_t entry() const { return entry_; }
    // Where labels stand among the steps; throws Error if one is nowhere.
    const std::vector<size_t> &labels() const;

    static constexpr int arena = 0; // the arena's buffer

private:
    int add_buffer(Buffer buffer);
    void check_gru(const std::string &name, const ragged::StackRoom &room, int64_t columns, const std::vector<int> &ins,
                   const std::vector<int> &outs) const;
    void add_step(Step step);
    void note_write(const std::string &name, int buffer);
    void check_registers(const std::string &name, const std::vector<int> &registers) const;
    void check_label(int label) const;
    void check_operand(const std::string &name, int view, const Desc &wanted) const;

    std::vector<Buffer> buffers_;
    std::vector<View> views_;
    std::vector<Step> steps_;
    std::vector<int> arguments_;
    std::vector<size_t> labels_;
    size_t entry_ = 0;
    int registers_ = 0;
    int64_t unplanned_scratch_ = 0;
    int threads_;
};

} // namespace lastuse
