#include "context.hpp"

#include <chrono>
#include <cstring>

#include "../threads/team.hpp"

namespace lastuse {

namespace {

struct Range {
    const char *begin, *end;
    std::string name;
    bool written;
};

bool overlap(const Range &a, const Range &b) {
    return a.begin < b.end && b.begin < a.end && a.begin != a.end && b.begin != b.end;
}

std::string shown(const Dims &shape) {
    std::string out = "[";
    for (const auto size : shape)
        out += (out.size() > 1 ? ", " : "") + std::to_string(size);
    return out + "]";
}

} // namespace

Context::Context(std::shared_ptr<const Program> program, const py::object &arena)
    : program_(std::move(program)), arena_(nullptr),
      scratch_owner_(owned(static_cast<size_t>(program_->unplanned_scratch_bytes()))),
      scratch_(scratch_owner_.get_pointer<Aligned>()->data()), stream_(engine()) {
    if (arena.is_none()) {
        py::capsule own = owned(static_cast<size_t>(program_->arena_bytes()));
        arena_ = own.get_pointer<Aligned>()->data();
        arena_owner_ = std::move(own);
    } else {
        if (!py::isinstance<py::array>(arena))
            throw Error("an arena is a numpy array");
        auto given = py::reinterpret_borrow<py::array>(arena);
        if (!(given.flags() & py::array::c_style) || !given.writeable() || given.nbytes() < program_->arena_bytes() ||
            reinterpret_cast<uintptr_t>(given.data()) % 64 != 0)
            throw Error("an arena is a contiguous, writable array on a 64-byte boundary of at least " +
                        std::to_string(program_->arena_bytes()) + " bytes");
        arena_ = static_cast<char *>(given.mutable_data());
        arena_owner_ = std::move(given);
    }
    for (const Buffer &buffer : program_->buffers()) {
        const auto *constant = std::get_if<Constant>(&buffer.what);
        const bool in_arena = std::holds_alternative<Arena>(buffer.what);
        // Constants are never written: adding a step that writes one throws.
        bases_.push_back(in_arena ? arena_ : constant ? const_cast<char *>(constant->data) : nullptr);
        owners_.push_back(in_arena ? arena_owner_ : constant ? constant->owner : py::object(py::none()));
        origins_.push_back(static_cast<int>(origins_.size()));
    }
    for (const int argument : program_->arguments())
        shapes_.push_back(std::get<External>(program_->buffer(argument).what).shape);
    registers_.resize(static_cast<size_t>(program_->registers()));
    moving_.resize(bases_.size());
    program_->labels(); // throws if a label is not bound
    timings_.resize(program_->steps().size());
    memories_.resize(program_->views().size());
    std::vector<bool> initialised(memories_.size());
    const auto memory_of = [&](int index) -> dnnl::memory & {
        const auto at = static_cast<size_t>(index);
        const View &view = program_->view(index);
        if (!initialised[at]) {
            initialised[at] = true;
            const auto &what = program_->buffer(view.buffer).what;
            const bool moves = std::holds_alternative<External>(what) || std::holds_alternative<Parameter>(what);
            memories_[at] = dnnl::memory(*view.desc, engine(), moves ? DNNL_MEMORY_NONE : address(view));
            if (moves)
                moving_[static_cast<size_t>(view.buffer)].push_back(index);
        }
        return memories_[at];
    };
    for (const Step &step : program_->steps()) {
        auto &operands = operands_.emplace_back();
        const auto *primitive = std::get_if<Primitive>(&step.what);
        if (!primitive)
            continue;
        for (size_t k = 0; k < step.ins.size(); ++k)
            operands[primitive->in_args[k]] = memory_of(step.ins[k]);
        for (size_t k = 0; k < step.outs.size(); ++k)
            operands[primitive->out_args[k]] = memory_of(step.outs[k]);
        if (step.scratch_bytes > 0)
            operands[DNNL_ARG_SCRATCHPAD] = dnnl::memory(primitive->scratch, engine(), scratch(step));
    }
}

char *Context::address(const View &view) const { return bases_[static_cast<size_t>(view.buffer)] + view.offset; }

char *Context::scratch(const Step &step) const {
    return step.scratch >= 0 ? address(program_->view(step.scratch)) : scratch_;
}

void Context::poison() {
    std::memset(arena_, 0xFF, static_cast<size_t>(program_->arena_bytes()));
    std::memset(scratch_, 0xFF, static_cast<size_t>(program_->unplanned_scratch_bytes()));
}

void Context::check(const std::vector<py::array> &arguments, const std::vector<Dims> &shapes) const {
    const auto &buffers = program_->arguments();
    if (arguments.size() != buffers.size() || shapes.size() != buffers.size())
        throw Error("the program has " + std::to_string(buffers.size()) + " arguments, " +
                    std::to_string(arguments.size()) + " are given");
    std::vector<Range> ranges;
    for (size_t k = 0; k < arguments.size(); ++k) {
        const auto &wanted = std::get<External>(program_->buffer(buffers[k]).what);
        const py::array &given = arguments[k];
        const Dims shape(given.shape(), given.shape() + given.ndim());
        if (shape != shapes[k])
            throw Error("'" + wanted.name + "' has shape " + shown(shape) + ", the program wants " + shown(shapes[k]));
        if (!given.dtype().equal(wanted.dtype))
            throw Error("'" + wanted.name + "' has dtype " + std::string(py::str(given.dtype())) +
                        ", the program wants " + std::string(py::str(wanted.dtype)));
        if (!(given.flags() & py::array::c_style))
            throw Error("'" + wanted.name + "' is not C-contiguous");
        if (reinterpret_cast<uintptr_t>(given.data()) % static_cast<size_t>(wanted.dtype.itemsize()) != 0)
            throw Error("'" + wanted.name + "' does not start at a multiple of its element's size");
        if (wanted.written && !given.writeable())
            throw Error("'" + wanted.name + "' is written to, but its array is read-only");
        const auto *begin = static_cast<const char *>(given.data());
        ranges.push_back({begin, begin + given.nbytes(), wanted.name, wanted.written});
    }
    ranges.push_back({arena_, arena_ + program_->arena_bytes(), "the arena", true});
    // Arguments are few, so every pair is compared.
    for (size_t a = 0; a < ranges.size(); ++a)
        for (size_t b = a + 1; b < ranges.size(); ++b)
            if ((ranges[a].written || ranges[b].written) && overlap(ranges[a], ranges[b]))
                throw Error("'" + ranges[a].name + "' and '" + ranges[b].name +
                            "' overlap, and one of them is written");
}

void Context::bind(const std::vector<py::array> &arguments) {
    for (size_t k = 0; k < arguments.size(); ++k) {
        const auto buffer = static_cast<size_t>(program_->arguments()[k]);
        // Only arguments that `check` found writable are written.
        bases_[buffer] = static_cast<char *>(const_cast<void *>(arguments[k].data()));
        owners_[buffer] = arguments[k];
        repoint(program_->arguments()[k]);
    }
}

void Context::repoint(int buffer) {
    for (const int index : moving_[static_cast<size_t>(buffer)])
        memories_[static_cast<size_t>(index)].set_data_handle(address(program_->view(index)));
}

void Context::release() {
    for (const int buffer : program_->arguments()) {
        bases_[static_cast<size_t>(buffer)] = nullptr;
        owners_[static_cast<size_t>(buffer)] = py::none();
    }
}

void Context::run(const std::vector<py::array> &arguments) {
    if (busy_.test_and_set())
        throw Error("this context is running; another thread needs a context of its own");
    struct Done {
        Context &context;
        ~Done() {
            context.release();
            context.busy_.clear();
        }
    } const done{*this};
    check(arguments, shapes_);
    bind(arguments);
    const py::gil_scoped_release released;
    on_team(program_->threads(), [this] { execute(); });
}

namespace {

// Checks for signals such as Ctrl-C, at most every 100 ms: loops run without the GIL, and need not terminate.
class SignalCheck {
public:
    void poll() {
        const auto now = std::chrono::steady_clock::now();
        if (now < next_)
            return;
        const py::gil_scoped_acquire python;
        if (PyErr_CheckSignals() != 0)
            throw py::error_already_set();
        next_ = now + every;
    }

private:
    static constexpr std::chrono::milliseconds every{100};
    std::chrono::steady_clock::time_point next_ = std::chrono::steady_clock::now() + every;
};

template <class... Functions>
struct Overloaded : Functions... {
    using Functions::operator()...;
};
template <class... Functions>
Overloaded(Functions...) -> Overloaded<Functions...>;

} // namespace

void Context::execute() {
    const auto &steps = program_->steps();
    const auto &labels = program_->labels();
    SignalCheck signals;
    std::vector<size_t> returns; // the step after each call that has not returned
    size_t at = program_->entry();
    const auto reg = [&](int number) -> Word & { return registers_[static_cast<size_t>(number)]; };
    const auto jump = [&](int label) {
        const size_t to = labels[static_cast<size_t>(label)];
        if (to <= at)
            signals.poll();
        at = to;
    };
    using Clock = std::chrono::steady_clock;
    while (at < steps.size()) {
        const size_t now = at++;
        const Step &step = steps[now];
        const auto started = profiling_ ? Clock::now() : Clock::time_point();
        std::visit(
            Overloaded{
                [&](const Primitive &primitive) {
                    try {
                        primitive.handle.execute(stream_, operands_[now]);
                    } catch (const dnnl::error &error) {
                        throw Error(step.name + ": " + error.what());
                    }
                },
                [&](const CopyPlan &plan) {
                    copy(plan, address(program_->view(step.ins[0])), address(program_->view(step.outs[0])));
                },
                [&](const NativeCall &native) { call(native, step); },
                [&](const PythonCall &python) {
                    const py::gil_scoped_acquire acquired;
                    call(python, step);
                },
                [&](const Set &set) { reg(set.out) = set.value; },
                [&](const Move &move) { reg(move.out) = reg(move.in); },
                [&](const Compute &compute) {
                    try {
                        reg(compute.out) = compute.scalar(reg(compute.a), reg(compute.b), reg(compute.c));
                    } catch (const Error &error) {
                        throw Error(step.name + ": " + error.what());
                    }
                },
                [&](const Load &from) { reg(from.out) = load(from, step); },
                [&](const Store &store) {
                    store.element.write(address(program_->view(step.outs[0])), reg(store.value));
                },
                [&](const Jump &to) { jump(to.to); },
                [&](const Branch &branch) { jump(reg(branch.condition) != 0 ? branch.then : branch.otherwise); },
                [&](const CheckLoop &loop) {
                    if (reg(loop.step) <= 0)
                        throw Error(step.name + ": the step is " + std::to_string(reg(loop.step)) +
                                    ", it has to be above 0");
                },
                [&](const NextIteration &loop) {
                    Word next = 0;
                    if (!__builtin_add_overflow(reg(loop.index), reg(loop.step), &next) && next < reg(loop.bound)) {
                        reg(loop.index) = next;
                        jump(loop.body);
                    }
                },
                [&](const CallFunction &callee) {
                    pass_arguments(callee);
                    returns.push_back(at);
                    at = labels[static_cast<size_t>(callee.function)];
                },
                [&](const Return &) {
                    at = returns.empty() ? steps.size() : returns.back();
                    if (!returns.empty())
                        returns.pop_back();
                },
            },
            step.what);
        if (profiling_) {
            stream_.wait();
            ++timings_[now].calls;
            timings_[now].nanoseconds +=
                std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now() - started).count();
        }
    }
    stream_.wait();
}

Word Context::load(const Load &load, const Step &step) const {
    const View &view = program_->view(step.ins[0]);
    int64_t element = 0;
    for (size_t axis = 0; axis < view.shape.size(); ++axis) {
        const Word index = registers_[static_cast<size_t>(load.indices[axis])];
        if (index < 0 || index >= view.shape[axis])
            throw Error(step.name + ": index " + std::to_string(index) + " of an axis of " +
                        std::to_string(view.shape[axis]) + " elements");
        element += index * view.strides[axis];
    }
    return load.element.read(address(view) + element * view.dtype.itemsize());
}

void Context::pass_arguments(const CallFunction &call) {
    for (const auto &[parameter, argument] : call.arguments) {
        const View &view = program_->view(argument);
        const auto to = static_cast<size_t>(parameter);
        bases_[to] = address(view);
        origins_[to] = origins_[static_cast<size_t>(view.buffer)];
        repoint(parameter);
    }
}

void Context::call(const NativeCall &call, const Step &step) const {
    const auto addresses = [this](const std::vector<int> &views) {
        std::vector<char *> result;
        result.reserve(views.size());
        for (const int index : views)
            result.push_back(address(program_->view(index)));
        return result;
    };
    call.kernel->run(addresses(step.ins), addresses(step.outs), scratch(step));
}

void Context::call(const PythonCall &call, const Step &step) const {
    py::list ins, outs;
    for (const int in : step.ins)
        ins.append(array(in, false));
    for (const int out : step.outs)
        outs.append(array(out, true));
    call.kernel(ins, outs, scratch_array(step));
}

py::array Context::array(int index, bool writable) const {
    const View &view = program_->view(index);
    std::vector<py::ssize_t> strides(view.strides.begin(), view.strides.end());
    for (auto &stride : strides)
        stride *= view.dtype.itemsize();
    py::array array(view.dtype, std::vector<py::ssize_t>(view.shape.begin(), view.shape.end()), strides, address(view),
                    owners_[static_cast<size_t>(origins_[static_cast<size_t>(view.buffer)])]);
    if (!writable)
        array.attr("setflags")(py::arg("write") = false);
    return array;
}

py::array Context::scratch_array(const Step &step) const {
    const bool planned = step.scratch >= 0;
    const py::handle owner = planned ? py::handle(arena_owner_) : py::handle(scratch_owner_);
    return py::array(py::dtype("uint8"), {static_cast<py::ssize_t>(step.scratch_bytes)}, {1}, scratch(step), owner);
}

} // namespace lastuse
