#include "context.hpp"

#include <algorithm>
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

void expect_success(dnnl_status_t status) { dnnl::error::wrap_c_api(status, dnnl_status2str(status)); }

} // namespace

void Context::check(const std::vector<py::array> &arguments, const std::vector<Dims> *shapes) const {
    const auto &buffers = program_->arguments();
    if (arguments.size() != buffers.size() || (shapes && shapes->size() != buffers.size()))
        throw Error("the program has " + std::to_string(buffers.size()) + " arguments, " +
                    std::to_string(arguments.size()) + " are given");
    std::vector<Range> ranges;
    for (size_t k = 0; k < arguments.size(); ++k) {
        const auto &declared = program_->argument(buffers[k]);
        const py::array &argument = arguments[k];
        const Dims shape(argument.shape(), argument.shape() + argument.ndim());
        const Dims &wanted = shapes ? (*shapes)[k] : declared.shape;
        if (shape != wanted)
            throw Error("'" + declared.name + "' has shape " + shown(shape) + ", the program wants " + shown(wanted));
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
    check(arguments);
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

// A step's primitive, with the reorders before and behind it.
void Context::call(const Primitive &primitive, const Step &step, size_t first_execution) {
    try {
        std::optional<ThreadCount> fewer;
        if (primitive.threads != program_->threads())
            fewer.emplace(primitive.threads);
        for (size_t k = 0; k <= primitive.conversions.size(); ++k) {
            const Execution &execution = executions_[first_execution + k];
            set_addresses(execution, step);
            if (execution.primitive == &primitive.handle)
                call(primitive, execution);
            else
                call(execution);
        }
    } catch (const dnnl::error &error) {
        throw Error(step.name + ": " + error.what());
    }
}

// The streaming stores of a primitive fault within a cache line, where a result of the caller or a part of another value
// may begin: such a result is made aside.
void Context::call(const Primitive &primitive, const Execution &execution) {
    constexpr size_t large = 1 << 16, cache_line = 64; // a smaller result is not streamed
    const SafeStack safe(primitive.moves_stack, primitive.threads);
    const auto &operands = execution.operands;
    const auto result = std::find_if(operands.begin(), operands.end(),
                                     [&](const auto &o) { return primitive.streams_result && o.arg == DNNL_ARG_DST; });
    if (result != operands.end()) {
        void *to = nullptr;
        const_dnnl_memory_desc_t layout = nullptr;
        expect_success(dnnl_memory_get_data_handle(result->memory, &to));
        expect_success(dnnl_memory_get_memory_desc(result->memory, &layout));
        const size_t bytes = dnnl_memory_desc_get_size(layout);
        if (bytes >= large && reinterpret_cast<uintptr_t>(to) % cache_line != 0) {
            const Aligned aside(bytes);
            expect_success(dnnl_memory_set_data_handle(result->memory, aside.data()));
            call(execution);
            stream_.wait();
            std::memcpy(to, aside.data(), bytes);
            return;
        }
    }
    call(execution);
}

void Context::call(const Execution &execution) {
    const auto &operands = execution.operands;
    expect_success(dnnl_primitive_execute(execution.primitive->get(), stream_.get(), static_cast<int>(operands.size()),
                                 operands.data()));
}

void Context::set_addresses(const Execution &execution, const Step &step) const {
    for (size_t k = 0; k < execution.operands.size(); ++k)
        expect_success(dnnl_memory_set_data_handle(execution.operands[k].memory, address(execution.places[k], step)));
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
                [&](const SharedPrimitive &primitive) {
                    call(*primitive, step, first_executions_[now]);
                },
                [&](const std::unique_ptr<const CopyPlan> &plan) {
                    copy(*plan, address(program_->view(program_->ins(step)[0])),
                         address(program_->view(program_->outs(step)[0])));
                },
                [&](const NativeCall &native) { call(native, step); },
                [&](const PythonCall &python) {
                    const py::gil_scoped_acquire acquired;
                    call(python, step);
                },
                [&](const Set &set) { reg(set.out) = set.value; },
                [&](const Move &move) { reg(move.out) = reg(move.in); },
                [&](const std::unique_ptr<const Compute> &compute) {
                    try {
                        reg(compute->out) = compute->scalar(reg(compute->a), reg(compute->b), reg(compute->c));
                    } catch (const Error &error) {
                        throw Error(step.name + ": " + error.what());
                    }
                },
                [&](const std::unique_ptr<const Load> &from) { reg(from->out) = load(*from, step); },
                [&](const std::unique_ptr<const Store> &store) {
                    store->element.write(address(program_->view(program_->outs(step)[0])), reg(store->value));
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
                [&](const std::unique_ptr<const CallFunction> &callee) {
                    pass_arguments(*callee);
                    returns.push_back(at);
                    at = labels[static_cast<size_t>(callee->function)];
                },
                [&](const Return &) {
                    at = returns.empty() ? steps.size() : returns.back();
                    if (!returns.empty())
                        returns.pop_back();
                },
            },
            program_->action(now));
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
    const View &view = program_->view(program_->ins(step)[0]);
    int64_t offset = 0;
    for (size_t axis = 0; axis < view.shape().size(); ++axis) {
        const Word index = registers_[static_cast<size_t>(load.indices[axis])];
        if (index < 0 || index >= view.shape()[axis])
            throw Error(step.name + ": index " + std::to_string(index) + " of an axis of " +
                        std::to_string(view.shape()[axis]) + " elements");
        offset += index * view.strides()[axis];
    }
    return load.element.read(address(view) + offset);
}

void Context::pass_arguments(const CallFunction &call) {
    for (const auto &[parameter, argument] : call.arguments) {
        const View &view = program_->view(argument);
        const auto to = static_cast<size_t>(parameter);
        bases_[to] = address(view);
        origins_[to] = origin_of(view);
    }
}

void Context::call(const NativeCall &call, const Step &step) {
    const auto gather = [this](const ViewNumbers &views, std::vector<Array> &arrays) {
        arrays.clear();
        for (const int index : views) {
            const View &view = program_->view(index);
            arrays.push_back({&view.layout->form, address(view)});
        }
    };
    gather(program_->ins(step), ins_);
    gather(program_->outs(step), outs_);
    try {
        call.kernel->run(ins_, outs_, scratch(step));
    } catch (const OffsetsError &error) {
        throw OffsetsError(step.name + ": " + error.what());
    } catch (const IndicesError &error) {
        throw IndicesError(step.name + ": " + error.what());
    } catch (const Error &error) {
        throw Error(step.name + ": " + error.what());
    }
}

void Context::call(const PythonCall &call, const Step &step) const {
    py::list ins, outs;
    for (const int in : program_->ins(step))
        ins.append(array(in, false));
    for (const int out : program_->outs(step))
        outs.append(array(out, true));
    call.kernel(ins, outs, scratch_array(step, call.scratch_bytes));
}

} // namespace lastuse
