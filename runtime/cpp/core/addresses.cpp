// Addresses: where each view of a program lies in the memory of a context, the base of its buffer plus an offset.
#include <cstring>

#include "context.hpp"

namespace lastuse {

Context::Context(std::shared_ptr<const StepProgram> program, const py::object &arena)
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
        auto array = py::reinterpret_borrow<py::array>(arena);
        if (!(array.flags() & py::array::c_style) || !array.writeable() || array.nbytes() < program_->arena_bytes() ||
            reinterpret_cast<uintptr_t>(array.data()) % 64 != 0)
            throw Error("an arena is a contiguous, writable array on a 64-byte boundary of at least " +
                        std::to_string(program_->arena_bytes()) + " bytes");
        arena_ = static_cast<char *>(array.mutable_data());
        arena_owner_ = std::move(array);
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
        auto &converted = converted_.emplace_back();
        const auto *primitive = std::get_if<Primitive>(&step.what);
        if (!primitive)
            continue;
        for (size_t k = 0; k < step.ins.size(); ++k)
            operands[primitive->in_args[k]] = memory_of(step.ins[k]);
        for (size_t k = 0; k < step.outs.size(); ++k)
            operands[primitive->out_args[k]] = memory_of(step.outs[k]);
        if (step.scratch_bytes > 0)
            operands[DNNL_ARG_SCRATCHPAD] = dnnl::memory(primitive->scratch, engine(), scratch(step));
        for (const Conversion &conversion : primitive->conversions) {
            dnnl::memory outside = operands[conversion.arg];
            dnnl::memory inside(conversion.inside, engine(), scratch(step) + conversion.offset);
            operands[conversion.arg] = inside;
            if (conversion.is_result)
                std::swap(inside, outside);
            converted.push_back({{DNNL_ARG_FROM, outside},
                                 {DNNL_ARG_TO, inside},
                                 {DNNL_ARG_SCRATCHPAD, {conversion.reorder_scratch, engine(), scratch(step)}}});
        }
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
