// Which bytes each step of a program touches: its views as they run, for those who check programs.
#include <pybind11/stl.h>

#include "program.hpp"

namespace lastuse {

namespace {

py::tuple numbers(const Dims &dims, int64_t times) {
    py::tuple all(dims.size());
    for (size_t axis = 0; axis < dims.size(); ++axis)
        all[axis] = py::int_(dims[axis] * times);
    return all;
}

// Buffer, offset, bytes of an element, sizes, strides in bytes. A view in a layout of oneDNN is all its bytes.
py::tuple region_of(const View &view) {
    if (view.shape.empty() && view.desc && static_cast<int64_t>(view.desc->get_size()) != view.dtype.itemsize())
        return py::make_tuple(view.buffer, view.offset, 1, py::make_tuple(view.desc->get_size()), py::make_tuple(1));
    const int64_t item = view.dtype.itemsize();
    return py::make_tuple(view.buffer, view.offset, item, numbers(view.shape, 1), numbers(view.strides, item));
}

// Whether the primitive adds to what its result holds: asked of the primitive itself.
bool adds_to_result(const Primitive &primitive) {
    const_dnnl_primitive_desc_t description = nullptr;
    const_dnnl_primitive_attr_t attributes = nullptr;
    const_dnnl_post_ops_t post_ops = nullptr;
    if (dnnl_primitive_get_primitive_desc(primitive.handle.get(), &description) != dnnl_success ||
        dnnl_primitive_desc_get_attr(description, &attributes) != dnnl_success ||
        dnnl_primitive_attr_get_post_ops(attributes, &post_ops) != dnnl_success)
        throw Error(primitive.kind + ": oneDNN does not tell its post-ops");
    for (int number = 0; number < dnnl_post_ops_len(post_ops); ++number)
        if (dnnl_post_ops_get_kind(post_ops, number) == dnnl_sum)
            return true;
    return false;
}

} // namespace

py::object StepProgram::accesses() const {
    py::list result;
    for (const Step &step : steps_) {
        const auto *primitive = std::get_if<Primitive>(&step.what);
        const bool moves = std::holds_alternative<CopyPlan>(step.what);
        const bool calls = std::holds_alternative<NativeCall>(step.what);
        if (std::holds_alternative<Return>(step.what) && &step == &steps_.back())
            break;
        if (!primitive && !moves && !calls)
            return py::none();
        py::list ins, outs;
        for (const int in : step.ins)
            ins.append(region_of(view(in)));
        for (const int out : step.outs)
            outs.append(region_of(view(out)));
        if (primitive && adds_to_result(*primitive))
            for (const int out : step.outs)
                ins.append(region_of(view(out)));
        const py::object scratch = step.scratch < 0 ? py::object(py::none()) : region_of(view(step.scratch));
        result.append(py::make_tuple(ins, outs, scratch));
    }
    return result;
}

} // namespace lastuse
