#include "context.hpp"

#include <chrono>
#include <cstring>
#include <optional>

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

void Context::check(const std::vector<py::array> &arguments, const std::vector<Dims> &shapes) const {
    const auto &buffers = program_->arguments();
    if (arguments.size() != buffers.size() || shapes.size() != buffers.size())
        throw Error("the program has " + std::to_string(buffers.size()) + " arguments, " +
                    std::to_string(arguments.size()) + " are given");
    std::vector<Range> ranges;
    for (size_t k = 0; k < arguments.size(); ++k) {
        const auto &declared = std::get<External>(program_->buffer(buffers[k]).what);
        const py::array &argument = arguments[k];
        const Dims shape(argument.shape(), argument.shape() + argument.ndim());
        if (shape != shapes[k])
            throw Error("'" + declared.name + "' has shape " + shown(shape) + ", the program wants " +
                        shown(shapes[k]));
        if (!argument.dtype().equal(declared.dtype))
            throw Error("'" + declared.name + "' has dtype " + std::string(py::str(argument.dtype())) +
                        ", the program wants " + std::string(py::str(declared.dtype)));
        if (!(argument.flags() & py::array::c_style))
            throw Error("'" + declared.name + "' is not C-contiguous");
        if (reinterpret_cast<uintptr_t>(argument.data()) % static_cast<size_t>(declared.dtype.itemsize()) != 0)
            throw Error("'" + declared.name + "' does not start at a multiple of its element's size");
        if (declared.written && !argument.writeable())
            throw Error("'" + declared.name + "' is written to, but its array is read-only");
        const auto *begin = static_cast<const char *>(argument.data());
        ranges.push_back({begin, begin + argument.nbytes(), declared.name, declared.written});
    }
    ranges.push_back({arena_, arena_ + program_->arena_bytes(), "the arena", true});
    // Arguments are few, so every pair is compared.
    for (size_t a = 0; a < ranges.size(); ++a)
        for (size_t b = a + 1; b < ranges.size(); ++b)
            if ((ranges[a].written || ranges[b].written) && overlap(ranges[a], ranges[b]))
                throw Error("'" + ranges[a].name + "' and '" + ranges[b].name +
                            "' overlap, and one of them is written");
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

// The streaming stores of a primitive fault within a cache line, where a result of the caller or a part of another value
// may begin: such a result is made aside.
void Context::call(const Primitive &primitive, size_t step) {
    constexpr size_t large = 1 << 16, cache_line = 64; // a smaller result is not streamed
    Memories &operands = operands_[step];
    const auto result = primitive.streams_result ? operands.find(DNNL_ARG_DST) : operands.end();
    if (result == operands.end() || result->second.get_desc().get_size() < large ||
        reinterpret_cast<uintptr_t>(result->second.get_data_handle()) % cache_line == 0) {
        primitive.handle.execute(stream_, operands);
        return;
    }
    const Desc layout = result->second.get_desc();
    const Aligned aside(layout.get_size());
    Memories with_aside = operands;
    with_aside[DNNL_ARG_DST] = dnnl::memory(layout, engine(), aside.data());
    primitive.handle.execute(stream_, with_aside);
    stream_.wait();
    std::memcpy(result->second.get_data_handle(), aside.data(), aside.bytes());
}

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
                    const auto convert = [&](bool results) {
                        for (size_t k = 0; k < primitive.conversions.size(); ++k)
                            if (primitive.conversions[k].is_result == results)
                                primitive.conversions[k].reorder.execute(stream_, converted_[now][k]);
                    };
                    try {
                        std::optional<ThreadCount> fewer;
                        if (primitive.threads != program_->threads())
                            fewer.emplace(primitive.threads);
                        convert(false);
                        {
                            const SafeStack safe(primitive.moves_stack, primitive.threads);
                            call(primitive, now);
                        }
                        convert(true);
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

} // namespace lastuse
