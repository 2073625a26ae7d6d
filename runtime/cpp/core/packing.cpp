// Weights in the layout that a primitive reads.
#include "program.hpp"

namespace lastuse {

py::array StepProgram::pack(const py::array &source, const Desc &to) {
    const int64_t item = source.dtype().itemsize();
    const Dims shape(source.shape(), source.shape() + source.ndim());
    Dims strides(source.strides(), source.strides() + source.ndim());
    for (auto &stride : strides)
        stride /= item;
    const Desc from = strided(dtype_name(source.dtype()), shape, strides);
    const py::capsule memory = owned(to.get_size());
    char *const data = memory.get_pointer<Aligned>()->data();
    try {
        convert(from, source.data(), to, data);
    } catch (const dnnl::error &error) {
        throw Error(std::string("packing weights: ") + error.what());
    }
    py::array packed(py::dtype("uint8"), {static_cast<py::ssize_t>(to.get_size())}, {1}, data, memory);
    packed.attr("setflags")(py::arg("write") = false);
    return packed;
}

} // namespace lastuse
