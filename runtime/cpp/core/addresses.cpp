// Addresses: where each view of a program lies in the memory of a context, the base of its buffer plus an offset; and
// the memories of oneDNN that hold such addresses.
#include <algorithm>
#include <cstring>

#include "context.hpp"

namespace lastuse {

Context::Context(std::shared_ptr<const StepProgram> program, const py::object &arena)
    : program_(std::move(program)), outline_(program_->outline()), constants_(outline_->constants.data()), arena_(nullptr),
      scratch_owner_(owned(static_cast<size_t>(program_->unplanned_scratch_bytes()))),
      scratch_(scratch_owner_.get_pointer<Aligned>()->data()), stream_(engine()) {
    if (arena.is_none()) {
        py::capsule own = owned(static_cast<size_t>(program_->arena_bytes()));
        arena_ = own.get_pointer<Aligned>()->data();
        arena_owner_ = std::move(own);
    } else {
        if (!py::isinstance<py::array>(arena))
            throw Error("an arena is a numpy array");
        auto array = py::reinterpret_borrow<py::array>(arena);
        if (!(array.flags() & py::array::c_style) || !array.writeable() || array.nbytes() < program_->arena_bytes() ||
            reinterpret_cast<uintptr_t>(array.data()) % 64 != 0)
            throw Error("an arena is a contiguous, writable array on a 64-byte boundary of at least " +
                        std::to_string(program_->arena_bytes()) + " bytes");
        arena_ = static_cast<char *>(array.mutable_data());
        arena_owner_ = std::move(array);
    }
    for (const Buffer &buffer : program_->buffers()) {
        const bool in_arena = std::holds_alternative<Arena>(buffer.what);
        bases_.push_back(in_arena ? arena_ : nullptr);
        owners_.push_back(in_arena ? arena_owner_ : py::object(py::none()));
        origins_.push_back(static_cast<int>(origins_.size()));
    }
    registers_.resize(static_cast<size_t>(program_->registers()));
    program_->labels(); // throws if a label is not bound
    const auto &steps = program_->steps();
    for (size_t step = 0; step < steps.size(); ++step)
        if (const auto *primitive = std::get_if<SharedPrimitive>(&program_->action(step))) {
            first_executions_.resize(step + 1);
            first_executions_[step] = static_cast<uint32_t>(executions_.size());
            add_executions(steps[step], **primitive);
        }
    executions_.shrink_to_fit();
    first_executions_.shrink_to_fit();
}

void Context::add_executions(const Step &step, const Primitive &primitive) {
    Execution own{&primitive.handle, {}, {}};
    const auto add = [&](Execution &execution, int arg, const Desc &desc, int view, size_t offset) {
        execution.operands.push_back({arg, memory_of(desc, execution)});
        execution.places.push_back({view, static_cast<int64_t>(offset)});
    };
    std::vector<Execution> before, after;
    // An operand of the primitive itself: the step's, or what a reorder makes of it or makes into it.
    const auto add_operand = [&](int arg, const Desc &desc, int view) {
        const auto conversion = std::find_if(primitive.conversions.begin(), primitive.conversions.end(),
                                             [&](const Conversion &each) { return each.arg == arg; });
        if (conversion == primitive.conversions.end())
            return add(own, arg, desc, view, 0);
        add(own, arg, conversion->inside, StepProgram::no_view, conversion->offset);
        Execution &reorder = (conversion->is_result ? after : before).emplace_back(Execution{&conversion->reorder, {}, {}});
        add(reorder, conversion->is_result ? DNNL_ARG_TO : DNNL_ARG_FROM, desc, view, 0);
        add(reorder, conversion->is_result ? DNNL_ARG_FROM : DNNL_ARG_TO, conversion->inside, StepProgram::no_view,
            conversion->offset);
        add(reorder, DNNL_ARG_SCRATCHPAD, conversion->reorder_scratch, StepProgram::no_view, 0);
    };
    const ViewNumbers ins = program_->ins(step), outs = program_->outs(step);
    for (size_t k = 0; k < ins.size(); ++k)
        add_operand(primitive.in_args[k], primitive.ins[k], ins[k]);
    for (size_t k = 0; k < outs.size(); ++k)
        add_operand(primitive.out_args[k], primitive.outs[k], outs[k]);
    if (primitive.scratch_bytes() > 0)
        add(own, DNNL_ARG_SCRATCHPAD, primitive.scratch, StepProgram::no_view, 0);
    before.push_back(std::move(own));
    for (auto *const executions : {&before, &after})
        std::move(executions->begin(), executions->end(), std::back_inserter(executions_));
}

dnnl_memory_t Context::memory_of(const Desc &desc, const Execution &execution) {
    const auto has = [&](dnnl_memory_t memory) {
        return std::any_of(execution.operands.begin(), execution.operands.end(),
                           [&](const dnnl_exec_arg_t &operand) { return operand.memory == memory; });
    };
    for (const auto &[known, memory] : memories_)
        if ((known.get() == desc.get() || known == desc) && !has(memory.get()))
            return memory.get();
    return memories_.emplace_back(desc, dnnl::memory(desc, engine(), DNNL_MEMORY_NONE)).second.get();
}

void Context::profile(bool enabled) {
    profiling_ = enabled;
    if (enabled)
        timings_.resize(program_->steps().size());
}

char *Context::address(const View &view) const {
    if (StepProgram::is_constant(view.buffer)) // it is never written: adding a step that writes one throws
        return const_cast<char *>(constants_[StepProgram::number_of(view.buffer)].data) + view.offset;
    return bases_[static_cast<size_t>(view.buffer)] + view.offset;
}

char *Context::address(const Place &place, const Step &step) const {
    return (place.view == StepProgram::no_view ? scratch(step) : address(program_->view(place.view))) + place.offset;
}

char *Context::scratch(const Step &step) const {
    return step.scratch != StepProgram::no_view ? address(program_->view(step.scratch)) : scratch_;
}

void Context::poison() {
    std::memset(arena_, 0xFF, static_cast<size_t>(program_->arena_bytes()));
    std::memset(scratch_, 0xFF, static_cast<size_t>(program_->unplanned_scratch_bytes()));
}

void Context::bind(const std::vector<py::array> &arguments) {
    for (size_t k = 0; k < arguments.size(); ++k) {
        const auto buffer = static_cast<size_t>(program_->arguments()[k]);
        // Only arguments that `check` found writable are written.
        bases_[buffer] = static_cast<char *>(const_cast<void *>(arguments[k].data()));
        owners_[buffer] = arguments[k];
    }
}

void Context::release() {
    for (const int buffer : program_->arguments()) {
        bases_[static_cast<size_t>(buffer)] = nullptr;
        owners_[static_cast<size_t>(buffer)] = py::none();
    }
}

py::array Context::array(int index, bool writable) const {
    const View &view = program_->view(index);
    const Dims &shape = view.shape(), &strides = view.strides();
    const int origin = origin_of(view);
    py::array array(view.dtype(), std::vector<py::ssize_t>(shape.begin(), shape.end()),
                    std::vector<py::ssize_t>(strides.begin(), strides.end()), address(view),
                    StepProgram::is_constant(origin) ? program_->constant(origin).owner
                                                     : owners_[static_cast<size_t>(origin)]);
    if (!writable)
        array.attr("setflags")(py::arg("write") = false);
    return array;
}

int Context::origin_of(const View &view) const {
    return StepProgram::is_constant(view.buffer) ? view.buffer : origins_[static_cast<size_t>(view.buffer)];
}

py::array Context::scratch_array(const Step &step, int64_t bytes) const {
    const bool planned = step.scratch != StepProgram::no_view;
    const py::handle owner = planned ? py::handle(arena_owner_) : py::handle(scratch_owner_);
    return py::array(py::dtype("uint8"), {static_cast<py::ssize_t>(bytes)}, {1}, scratch(step), owner);
}

} // namespace lastuse
