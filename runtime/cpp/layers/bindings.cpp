// Recurrent layers in Python.
#include <pybind11/stl.h>

#include "recurrent_layer.hpp"

namespace lastuse {

namespace {

using Floats = py::array_t<float, py::array::c_style>;
using kernels::RecurrentFormula;
using kernels::RecurrentShape;

py::array pack(const RecurrentShape &shape, const Floats &w, const Floats &r, const std::optional<Floats> &bias,
               const std::optional<Floats> &peephole) {
    const int64_t rows = shape.gates * shape.hidden;
    if (w.size() != rows * shape.input || r.size() != rows * shape.hidden || (bias && bias->size() != 2 * rows) ||
        peephole.has_value() != shape.peephole || (peephole && peephole->size() != 3 * shape.hidden))
        throw Error("the weights of a recurrent layer have other sizes");
    const int64_t bytes = shape.packed * static_cast<int64_t>(sizeof(float));
    const py::capsule memory = owned(static_cast<size_t>(bytes));
    auto *const packed = reinterpret_cast<float *>(memory.get_pointer<Aligned>()->data());
    const float *const biases = bias ? bias->data() : nullptr, *const peepholes = peephole ? peephole->data() : nullptr;
    kernels::pack_recurrent(shape, w.data(), r.data(), biases, peepholes, packed);
    py::array result(py::dtype("uint8"), {bytes}, {1}, packed, memory);
    result.attr("setflags")(py::arg("write") = false);
    return result;
}

} // namespace

void bind_layers(py::module_ &m, py::class_<StepProgram, std::shared_ptr<StepProgram>> &program) {
    py::class_<RecurrentShape>(m, "RecurrentShape")
        .def(py::init(&RecurrentShape::of), py::arg("cell"), py::arg("input"), py::arg("hidden"),
             py::arg("peephole") = false)
        .def_property_readonly("layout", &RecurrentShape::layout)
        .def_property_readonly(
            "packed_bytes", [](const RecurrentShape &shape) { return shape.packed * static_cast<int64_t>(sizeof(float)); })
        .def(
            "scratch_bytes",
            [](const RecurrentShape &shape, int64_t steps, int64_t width, int threads, bool packs) {
                return layers::Room::of(shape, steps, width, threads, packs).bytes;
            },
            py::arg("steps"), py::arg("width"), py::arg("threads"), py::arg("packs") = false)
        .def("pack", &pack, py::arg("w").noconvert(), py::arg("r").noconvert(), py::arg("bias").noconvert() = py::none(),
             py::arg("peephole").noconvert() = py::none());
    py::class_<RecurrentFormula>(m, "RecurrentFormula")
        .def(py::init(&RecurrentFormula::of), py::arg("cell"), py::arg("functions"), py::arg("numbers"), py::arg("limit"),
             py::arg("ties_forget"));
    py::class_<layers::Given>(m, "RecurrentGiven")
        .def(py::init([](bool state, bool cells, bool lengths, bool bias) {
                 return layers::Given{state, cells, lengths, bias};
             }),
             py::arg("state"), py::arg("cells"), py::arg("lengths"), py::arg("bias"));
    program.def("add_recurrent", &layers::add_recurrent, py::arg("name"), py::arg("shape"), py::arg("formula"),
                py::arg("reverse"), py::arg("given"), py::arg("packed").noconvert(), py::arg("ins"), py::arg("outs"),
                py::arg("scratch") = -1);
}

} // namespace lastuse
