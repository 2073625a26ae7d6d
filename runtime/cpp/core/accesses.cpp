// Which bytes each step of a program touches: its views as they run, for those who check programs.
#include <utility>
#include <vector>

#include "program.hpp"

namespace lastuse {

namespace {

// Buffer, offset, bytes of an element, and (size, stride in bytes) of each axis: without axes of one element, and those
// that run on merged, so that regions that are equal are the same bytes in the same order. A view whose order oneDNN
// knows alone is all its bytes. No elements are one axis of none.
py::tuple region_of(const View &view) {
    const ViewLayout &layout = *view.layout;
    const int64_t bytes = layout.bytes(), item = layout.opaque ? 1 : layout.item();
    std::vector<std::pair<int64_t, int64_t>> axes;
    if (bytes == 0) {
        axes = {{0, 0}};
    } else if (layout.opaque) {
        axes = {{bytes, 1}};
    } else {
        for (size_t axis = 0; axis < view.shape().size(); ++axis) {
            const int64_t size = view.shape()[axis], stride = view.strides()[axis];
            if (size == 1)
                continue;
            if (!axes.empty() && axes.back().second == size * stride)
                axes.back() = {axes.back().first * size, stride};
            else
                axes.emplace_back(size, stride);
        }
    }
    py::tuple shown(axes.size());
    for (size_t axis = 0; axis < axes.size(); ++axis)
        shown[axis] = py::make_tuple(axes[axis].first, axes[axis].second);
    return py::make_tuple(view.buffer, bytes == 0 ? 0 : view.offset, item, shown);
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
    for (const Step &step : steps()) {
        const Action &what = action(static_cast<size_t>(&step - steps().data()));
        const auto *primitive = std::get_if<SharedPrimitive>(&what);
        const bool moves = std::holds_alternative<std::unique_ptr<const CopyPlan>>(what);
        const bool calls = std::holds_alternative<NativeCall>(what);
        if (std::holds_alternative<Return>(what) && &step == &steps().back())
            break;
        if (!primitive && !moves && !calls)
            return py::none();
        py::list ins, outs;
        for (const int in : this->ins(step))
            ins.append(region_of(view(in)));
        for (const int out : this->outs(step))
            outs.append(region_of(view(out)));
        if (primitive && adds_to_result(**primitive))
            for (const int out : this->outs(step))
                ins.append(region_of(view(out)));
        const py::object scratch = step.scratch == no_view ? py::object(py::none()) : region_of(view(step.scratch));
        result.append(py::make_tuple(ins, outs, scratch));
    }
    return result;
}

} // namespace lastuse
