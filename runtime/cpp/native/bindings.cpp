// Kernels that are called by name, in Python.
#include <pybind11/stl.h>

#include "../kernels/functions.hpp"
#include "table.hpp"

namespace lastuse {

namespace {

// Calls a kernel on arrays; it runs without the GIL.
void call_native(const std::string &kernel, const std::string &op, const std::vector<double> &numbers,
                 const std::vector<py::array> &ins, std::vector<py::array> &outs, py::array &scratch, int threads) {
    std::vector<Form> forms;
    forms.reserve(ins.size() + outs.size()); // arrays refer to them
    const auto array_of = [&](const py::array &array, void *data) {
        const Dims shape(array.shape(), array.shape() + array.ndim());
        forms.push_back(form_of(array.dtype(), shape, Dims(array.strides(), array.strides() + array.ndim())));
        return Array{&forms.back(), static_cast<char *>(data)};
    };
    std::vector<Array> operands, results;
    for (const py::array &in : ins)
        operands.push_back(array_of(in, const_cast<void *>(in.data())));
    for (py::array &out : outs)
        results.push_back(array_of(out, out.mutable_data()));
    auto *const memory = static_cast<char *>(scratch.mutable_data());
    const int64_t bytes = scratch.nbytes();
    const kernels::Call call{op, operands, results, numbers, memory, bytes, threads};
    const kernels::Prepared prepared = native::prepare(kernel, call); // with the GIL, as programs are made
    const py::gil_scoped_release released;
    prepared(call);
}

// Of operands of these sizes.
int64_t native_scratch(const std::string &kernel, const std::string &op, const std::vector<double> &numbers,
                       const std::vector<Dims> &shapes, int threads) {
    std::vector<Form> forms;
    for (const Dims &shape : shapes)
        forms.push_back({Type::other, shape, Dims(shape.size())});
    std::vector<Array> operands;
    for (const Form &form : forms)
        operands.push_back({&form, nullptr});
    return native::scratch_bytes(kernel, {op, operands, {}, numbers, nullptr, 0, threads});
}

} // namespace

void bind_native(py::module_ &m, py::class_<StepProgram, std::shared_ptr<StepProgram>> &program) {
    m.def("call_native", &call_native, py::arg("kernel"), py::arg("op"), py::arg("numbers"), py::arg("ins"),
          py::arg("outs"), py::arg("scratch"), py::arg("threads"));
    m.def("map_instructions", &kernels::map_instructions);
    m.def("native_scratch", &native_scratch, py::arg("kernel"), py::arg("op"), py::arg("numbers"), py::arg("shapes"),
          py::arg("threads"));
    program.def("add_native", &native::add_native, py::arg("name"), py::arg("kernel"), py::arg("op"),
                py::arg("numbers"), py::arg("ins"), py::arg("outs"), py::arg("scratch") = -1,
                py::arg("scratch_bytes") = 0);
}

} // namespace lastuse
