#include "program.hpp"

#include <algorithm>
#include <cstring>
#include <limits>

#include "../threads/team.hpp"

namespace lastuse {

Aligned::Aligned(size_t bytes) : bytes_(bytes) {
    const int64_t rounded = std::max(aligned(static_cast<int64_t>(bytes)), cache_line);
    data_.reset(static_cast<char *>(std::aligned_alloc(static_cast<size_t>(cache_line), static_cast<size_t>(rounded))));
    if (!data_)
        throw Error("no memory for " + std::to_string(bytes) + " bytes");
}

namespace {

constexpr const char *owned_name = "lastuse.memory";
constexpr size_t unbound = std::numeric_limits<size_t>::max();

int64_t bytes_of(const py::dtype &dtype, const Dims &shape) {
    int64_t bytes = dtype.itemsize();
    for (const auto size : shape)
        if (size < 0 || __builtin_mul_overflow(bytes, size, &bytes))
            throw Error("a size is negative or too large");
    return bytes;
}

// The half-open range of bytes of a view, relative to its first element; empty without elements.
std::pair<int64_t, int64_t> span(const View &view) {
    if (view.layout->opaque)
        return {0, view.layout->bytes()};
    int64_t low = 0, high = 0;
    for (size_t axis = 0; axis < view.shape().size(); ++axis) {
        if (view.shape()[axis] == 0)
            return {0, 0};
        int64_t reach = 0;
        if (__builtin_mul_overflow(view.shape()[axis] - 1, view.strides()[axis], &reach) ||
            __builtin_add_overflow(reach < 0 ? low : high, reach, reach < 0 ? &low : &high))
            throw Error("a stride is too large");
    }
    return {low, high + view.layout->item()};
}

template <class Kind>
std::unique_ptr<const Kind> boxed(Kind kind) {
    return std::make_unique<const Kind>(std::move(kind));
}

} // namespace

StepName::StepName(py::str text) : owner_(std::move(text)) {
    Py_ssize_t size = 0;
    const char *const data = PyUnicode_AsUTF8AndSize(owner_.ptr(), &size); // the string keeps it
    if (!data)
        throw py::error_already_set();
    text_ = {data, static_cast<size_t>(size)};
}

py::capsule owned(size_t bytes) {
    auto memory = std::make_unique<Aligned>(bytes);
    return py::capsule(memory.release(), owned_name, [](void *data) { delete static_cast<Aligned *>(data); });
}

StepProgram::StepProgram(int64_t arena_bytes, int threads) : threads_(team_size(threads)) {
    if (arena_bytes < 0)
        throw Error("an arena cannot have " + std::to_string(arena_bytes) + " bytes");
    add_buffer({Arena{}, arena_bytes});
}

int StepProgram::add_buffer(Buffer buffer) {
    buffers_.push_back(std::move(buffer));
    return static_cast<int>(buffers_.size()) - 1;
}

bool View::operator==(const View &other) const {
    return buffer == other.buffer && offset == other.offset &&
           (layout == other.layout || (layout->opaque && other.layout->opaque && *layout->opaque == *other.layout->opaque));
}

bool Step::operator==(const Step &other) const {
    return name.object().is(other.name.object()) && first_operand == other.first_operand && ins == other.ins &&
           outs == other.outs && scratch == other.scratch;
}

bool Outline::operator==(const Outline &other) const {
    return constants == other.constants && views == other.views && steps == other.steps && operands == other.operands &&
           arguments == other.arguments && labels == other.labels;
}

int StepProgram::add_argument(std::string name, py::dtype dtype, Dims shape, bool writable) {
    const int64_t bytes = bytes_of(dtype, shape);
    auto argument = std::make_unique<External>(External{std::move(name), std::move(dtype), std::move(shape), writable});
    outline_->arguments.push_back(add_buffer({std::move(argument), bytes}));
    return outline_->arguments.back();
}

int StepProgram::add_constant(py::array array) {
    if (!(array.flags() & py::array::c_style))
        throw Error("a constant's array must be C-contiguous");
    const auto *data = static_cast<const char *>(array.data());
    const int64_t bytes = array.nbytes();
    return add_constant_of({data, std::move(array), bytes});
}

int StepProgram::add_constant_of(Constant constant) {
    outline_->constants.push_back(std::move(constant));
    return first_constant + 1 - static_cast<int>(outline_->constants.size());
}

int StepProgram::add_packed(py::array packed, const Desc &desc) {
    if (!(packed.flags() & py::array::c_style) || reinterpret_cast<uintptr_t>(packed.data()) % cache_line != 0)
        throw Error("packed weights must be contiguous bytes on a 64-byte boundary");
    if (static_cast<size_t>(packed.nbytes()) < desc.get_size())
        throw Error("packed weights are smaller than their layout");
    const auto *data = static_cast<const char *>(packed.data());
    const int64_t bytes = packed.nbytes();
    return add_view_of(add_constant_of({data, std::move(packed), bytes}), 0, ViewLayout::of(desc));
}

int StepProgram::add_view(int buffer, int64_t offset, const py::dtype &dtype, Dims shape, Dims strides) {
    if (shape.size() != strides.size())
        throw Error("a view has one stride for each size");
    bytes_of(dtype, shape); // throws if they are too many
    for (auto &stride : strides)
        if (__builtin_mul_overflow(stride, static_cast<int64_t>(dtype.itemsize()), &stride))
            throw Error("a stride is too large");
    return add_view_of(buffer, offset, ViewLayout::of(dtype, std::move(shape), std::move(strides)));
}

int StepProgram::add_layout(int buffer, int64_t offset, const Desc &desc) {
    return add_view_of(buffer, offset, ViewLayout::of(desc));
}

int StepProgram::add_view_of(int buffer, int64_t offset, SharedLayout layout) {
    View view{buffer, offset, std::move(layout)};
    const auto [low, high] = span(view);
    const int64_t bytes = is_constant(buffer) ? known_constant(buffer).bytes : this->buffer(buffer).bytes;
    if (offset + low < 0 || offset + high > bytes)
        throw Error("a view of bytes " + std::to_string(offset + low) + " to " + std::to_string(offset + high) +
                    " leaves its buffer of " + std::to_string(bytes) + " bytes");
    if (is_constant(buffer)) {
        outline_->views.push_back(std::move(view));
        return first_constant_view + 1 - static_cast<int>(outline_->views.size());
    }
    views_.push_back(std::move(view));
    return static_cast<int>(views_.size()) - 1;
}

const View &StepProgram::view(int index) const {
    const auto number = static_cast<size_t>(index < 0 ? first_constant_view - index : index);
    const auto &views = index < 0 ? outline_->views : views_;
    if (number >= views.size()) // also of `no_view`
        throw Error("there is no view " + std::to_string(index));
    return views[number];
}

const Constant &StepProgram::known_constant(int index) const {
    if (static_cast<size_t>(first_constant - index) >= outline_->constants.size())
        throw Error("there is no buffer " + std::to_string(index));
    return constant(index);
}

const Buffer &StepProgram::buffer(int index) const {
    if (index < 0 || index >= static_cast<int>(buffers_.size()))
        throw Error("there is no buffer " + std::to_string(index));
    return buffers_[static_cast<size_t>(index)];
}

void StepProgram::add_step(StepName name, Action what, const std::vector<int> &ins, const std::vector<int> &outs,
                           int scratch, int64_t scratch_bytes) {
    for (const int in : ins)
        view(in);
    for (const int out : outs)
        note_write(name, view(out).buffer);
    if (scratch != no_view) {
        const View &given = view(scratch);
        const auto [low, high] = span(given);
        if (given.buffer != arena || high - low < scratch_bytes)
            throw Error(name + ": needs " + std::to_string(scratch_bytes) + " bytes of scratch, has " +
                        std::to_string(high - low));
    } else {
        unplanned_scratch_ = std::max(unplanned_scratch_, scratch_bytes);
    }
    auto &operands = outline_->operands;
    outline_->steps.push_back({std::move(name), static_cast<int>(operands.size()), static_cast<int>(ins.size()),
                               static_cast<int>(outs.size()), scratch});
    actions_.push_back(std::move(what));
    operands.insert(operands.end(), ins.begin(), ins.end());
    operands.insert(operands.end(), outs.begin(), outs.end());
}

int64_t StepProgram::bytes_moved(size_t number) const {
    const Step &step = steps()[number];
    int64_t bytes = 0;
    for (const int index : operands(step.first_operand, step.ins + step.outs))
        bytes += view(index).layout->bytes();
    if (const auto *call = std::get_if<NativeCall>(&action(number)))
        bytes += call->kernel->constant_bytes();
    return bytes;
}

void StepProgram::note_write(const StepName &name, int buffer) {
    if (is_constant(buffer))
        throw Error(name + ": writes to read-only memory");
    auto &what = buffers_[static_cast<size_t>(buffer)].what;
    auto *const argument = std::get_if<std::unique_ptr<External>>(&what);
    External *const external = argument ? argument->get() : nullptr;
    if (external && !external->writable)
        throw Error(name + ": writes to read-only memory of " + external->name);
    if (external)
        external->written = true;
    else if (auto *parameter = std::get_if<Parameter>(&what))
        parameter->written = true;
}

void StepProgram::check_operand(const StepName &name, int index, const Desc &wanted) const {
    if (!view(index).layout->is(wanted))
        throw Error(name + ": operand " + std::to_string(index) + " does not have the layout that the primitive was made for");
}

void StepProgram::add_primitive(StepName name, SharedPrimitive primitive, const std::vector<int> &ins,
                                const std::vector<int> &outs, int scratch) {
    if (ins.size() != primitive->ins.size() || outs.size() != primitive->outs.size())
        throw Error(name + ": wrong number of operands");
    if (primitive->threads != threads_ && primitive->threads != 1)
        throw Error(name + ": made for " + std::to_string(primitive->threads) + " threads in a program of " +
                    std::to_string(threads_));
    for (size_t k = 0; k < ins.size(); ++k)
        check_operand(name, ins[k], primitive->ins[k]);
    for (size_t k = 0; k < outs.size(); ++k)
        check_operand(name, outs[k], primitive->outs[k]);
    const auto bytes = static_cast<int64_t>(primitive->scratch_bytes());
    add_step(std::move(name), std::move(primitive), ins, outs, scratch, bytes);
}

void StepProgram::add_copy(StepName name, int from, int to) {
    const View &source = view(from);
    const View &target = view(to);
    if (source.shape() != target.shape() || !source.dtype().is(target.dtype()))
        throw Error(name + ": a copy changes neither sizes nor element type");
    CopyPlan plan = plan_copy(source.shape(), source.strides(), target.strides(), source.layout->item());
    add_step(std::move(name), boxed(std::move(plan)), {from}, {to});
}

void StepProgram::add_call(StepName name, py::object kernel, const std::vector<int> &ins, const std::vector<int> &outs,
                           int scratch, int64_t scratch_bytes) {
    add_step(std::move(name), PythonCall{std::move(kernel), scratch_bytes}, ins, outs, scratch, scratch_bytes);
}

void StepProgram::add_kernel(StepName name, std::shared_ptr<const Kernel> kernel, const std::vector<int> &ins,
                             const std::vector<int> &outs, int scratch, int64_t scratch_bytes) {
    add_step(std::move(name), NativeCall{std::move(kernel)}, ins, outs, scratch, scratch_bytes);
}

int StepProgram::add_parameter(int64_t bytes) { return add_buffer({Parameter{}, bytes}); }

int StepProgram::add_label() {
    outline_->labels.push_back(unbound);
    return static_cast<int>(outline_->labels.size()) - 1;
}

void StepProgram::check_label(int label) const {
    if (label < 0 || label >= static_cast<int>(outline_->labels.size()))
        throw Error("there is no label " + std::to_string(label));
}

void StepProgram::bind_label(int label) {
    check_label(label);
    if (outline_->labels[static_cast<size_t>(label)] != unbound)
        throw Error("label " + std::to_string(label) + " is bound already");
    outline_->labels[static_cast<size_t>(label)] = outline_->steps.size();
}

const std::vector<size_t> &StepProgram::labels() const {
    if (std::find(outline_->labels.begin(), outline_->labels.end(), unbound) != outline_->labels.end())
        throw Error("a label is not bound");
    return outline_->labels;
}

void StepProgram::check_registers(std::string_view name, const std::vector<int> &registers) const {
    for (const int number : registers)
        if (number < 0 || number >= registers_)
            throw Error(std::string(name) + ": there is no register " + std::to_string(number));
}

void StepProgram::add_set(int out, Word value) {
    check_registers("a constant", {out});
    add_step({}, Set{out, value});
}

void StepProgram::add_move(int in, int out) {
    check_registers("a move", {in, out});
    add_step({}, Move{in, out});
}

void StepProgram::add_compute(StepName name, const Scalar &scalar, const std::vector<int> &ins, int out) {
    if (ins.size() != static_cast<size_t>(scalar.arity))
        throw Error(name + ": has " + std::to_string(scalar.arity) + " operands, " + std::to_string(ins.size()) +
                    " are given");
    check_registers(name, ins);
    check_registers(name, {out});
    const auto in = [&](size_t k) { return k < ins.size() ? ins[k] : 0; };
    add_step(std::move(name), boxed(Compute{scalar, in(0), in(1), in(2), out}));
}

void StepProgram::add_load(StepName name, int from, std::vector<int> indices, int out) {
    const View &source = view(from);
    if (source.shape().size() != indices.size())
        throw Error(name + ": an element has an index for each axis");
    check_registers(name, indices);
    check_registers(name, {out});
    const ElementAccess element = element_access(dtype_name(source.dtype()));
    add_step(std::move(name), boxed(Load{element, std::move(indices), out}), {from});
}

void StepProgram::add_store(int value, int to) {
    const View &target = view(to);
    if (!target.shape().empty())
        throw Error("a scalar goes to a view without axes");
    check_registers("a store", {value});
    const ElementAccess element = element_access(dtype_name(target.dtype()));
    add_step({}, boxed(Store{element, value}), {}, {to});
}

void StepProgram::add_jump(int label) {
    check_label(label);
    add_step({}, Jump{label});
}

void StepProgram::add_branch(StepName name, int condition, int then, int otherwise) {
    check_registers(name, {condition});
    check_label(then);
    check_label(otherwise);
    add_step(std::move(name), Branch{condition, then, otherwise});
}

void StepProgram::add_loop_check(StepName name, int step) {
    check_registers(name, {step});
    add_step(std::move(name), CheckLoop{step});
}

void StepProgram::add_next_iteration(int index, int bound, int step, int body) {
    check_registers("a loop", {index, bound, step});
    check_label(body);
    add_step({}, NextIteration{index, bound, step, body});
}

void StepProgram::add_function_call(StepName name, int function, std::vector<std::pair<int, int>> arguments) {
    check_label(function);
    // The function comes before its calls, so its writes are known.
    if (outline_->labels[static_cast<size_t>(function)] == unbound)
        throw Error(name + ": the label of the function is not bound yet");
    for (const auto &[number, argument] : arguments) {
        const Buffer &target = buffer(number);
        const auto *parameter = std::get_if<Parameter>(&target.what);
        if (!parameter)
            throw Error(name + ": buffer " + std::to_string(number) + " is not a parameter");
        const View &source = view(argument);
        const auto [low, high] = span(source);
        if (low != 0 || high < target.bytes)
            throw Error(name + ": an argument of " + std::to_string(high) + " bytes, the parameter has " +
                        std::to_string(target.bytes));
        if (parameter->written)
            note_write(name, source.buffer);
    }
    add_step(std::move(name), boxed(CallFunction{function, std::move(arguments)}));
}

void StepProgram::add_return() {
    add_step({}, Return{});
    // Nothing comes after the return of the function that a program begins with.
    outline_->constants.shrink_to_fit();
    outline_->views.shrink_to_fit();
    outline_->steps.shrink_to_fit();
    outline_->operands.shrink_to_fit();
    actions_.shrink_to_fit();
    views_.shrink_to_fit();
    buffers_.shrink_to_fit();
}

void StepProgram::share(const StepProgram &other) {
    if (!(*outline_ == *other.outline_))
        return;
    outline_ = other.outline_;
    for (size_t step = 0; step < actions_.size(); ++step) {
        auto *const own = std::get_if<NativeCall>(&actions_[step]);
        const auto *const others = std::get_if<NativeCall>(&other.actions_[step]);
        if (own && others && own->kernel->is_same(*others->kernel))
            own->kernel = others->kernel;
    }
}

} // namespace lastuse
