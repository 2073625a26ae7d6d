// Primitives, programs and contexts in Python.
#include <pybind11/stl.h>

#include "context.hpp"

namespace lastuse {

namespace {

const char *engine_name(const Action &action) {
    if (std::holds_alternative<SharedPrimitive>(action) || std::holds_alternative<NativeCall>(action))
        return "onednn";
    return std::holds_alternative<PythonCall>(action) ? "cpu" : "runtime";
}

// (name, engine, calls, seconds of all calls, bytes that one call reads and writes) of each step that has a name.
py::list timings(const Context &context) {
    py::list out;
    const auto &steps = context.program().steps();
    for (size_t k = 0; k < steps.size(); ++k)
        if (!steps[k].name.is_empty()) {
            const Context::Timing spent = context.timing(k);
            out.append(py::make_tuple(steps[k].name.object(), engine_name(context.program().action(k)), spent.calls,
                                      1e-9 * static_cast<double>(spent.nanoseconds),
                                      context.program().bytes_moved(k)));
        }
    return out;
}

} // namespace

void bind_makers(py::module_ &m); // core/maker_bindings.cpp

py::class_<StepProgram, std::shared_ptr<StepProgram>> bind_core(py::module_ &m) {
    m.def("eltwise_algorithms", &eltwise_algorithms);
    m.def("binary_algorithms", &binary_algorithms);
    m.def("reduction_algorithms", &reduction_algorithms);
    m.def("has_data_type", [](const py::dtype &dtype) { return has_data_type(dtype_name(dtype)); });
    m.def("onednn_version", [] {
        const dnnl_version_t *version = dnnl_version();
        return py::make_tuple(version->major, version->minor, version->patch);
    });
    m.def("isa", [] { return static_cast<int>(dnnl_get_effective_cpu_isa()); });

    py::class_<Desc>(m, "Desc")
        .def(py::init([](const py::dtype &dtype, const Dims &shape, const Dims &strides, bool exact) {
                 return strided(dtype_name(dtype), shape, strides, exact);
             }),
             py::arg("dtype"), py::arg("shape"), py::arg("strides"), py::arg("exact") = false)
        .def_static(
            "any_layout", [](const py::dtype &dtype,
                       const Dims &shape) { return free_layout(dtype_name(dtype), shape); },
            py::arg("dtype"), py::arg("shape"))
        .def_property_readonly("shape", [](const Desc &desc) { return py::tuple(py::cast(desc.get_dims())); })
        .def_property_readonly("nbytes", [](const Desc &desc) { return desc.get_size(); })
        .def_property_readonly("text", &layout_text)
        .def("__eq__", [](const Desc &a, const Desc &b) { return a == b; });

    py::class_<Scalar>(m, "Scalar")
        .def_readonly("arity", &Scalar::arity)
        .def("__call__", &Scalar::operator(), py::arg("a"), py::arg("b") = 0, py::arg("c") = 0);
    m.def("scalar", &scalar, py::arg("op"), py::arg("source"), py::arg("target"));

    bind_makers(m);
    m.def("pack", &StepProgram::pack, py::arg("source"), py::arg("packed"));

    py::class_<StepProgram, std::shared_ptr<StepProgram>> program(m, "StepProgram");
    program
        .def(py::init<int64_t, int>(), py::arg("arena_bytes"), py::arg("threads") = 0)
        .def_property_readonly_static("ARENA", [](const py::object &) { return StepProgram::arena; })
        .def("add_argument", &StepProgram::add_argument, py::arg("name"), py::arg("dtype"), py::arg("shape"),
             py::arg("writable"))
        .def("add_constant", &StepProgram::add_constant, py::arg("array"))
        .def("add_packed", &StepProgram::add_packed, py::arg("packed"), py::arg("desc"))
        .def("add_view", &StepProgram::add_view, py::arg("buffer"), py::arg("offset"), py::arg("dtype"),
             py::arg("shape"), py::arg("strides"))
        .def("add_layout", &StepProgram::add_layout, py::arg("buffer"), py::arg("offset"), py::arg("desc"))
        .def("add_primitive", &StepProgram::add_primitive, py::arg("name"), py::arg("primitive"), py::arg("ins"),
             py::arg("outs"), py::arg("scratch") = -1)
        .def("add_copy", &StepProgram::add_copy, py::arg("name"), py::arg("source"), py::arg("target"))
        .def("add_call", &StepProgram::add_call, py::arg("name"), py::arg("kernel"), py::arg("ins"), py::arg("outs"),
             py::arg("scratch") = -1, py::arg("scratch_bytes") = 0)
        .def("add_parameter", &StepProgram::add_parameter, py::arg("nbytes"))
        .def("add_register", &StepProgram::add_register)
        .def("add_label", &StepProgram::add_label)
        .def("bind_label", &StepProgram::bind_label, py::arg("label"))
        .def("set_entry", &StepProgram::set_entry)
        .def("add_set", &StepProgram::add_set, py::arg("out"), py::arg("value"))
        .def("add_move", &StepProgram::add_move, py::arg("source"), py::arg("out"))
        .def("add_compute", &StepProgram::add_compute, py::arg("name"), py::arg("scalar"), py::arg("ins"),
             py::arg("out"))
        .def("add_load", &StepProgram::add_load, py::arg("name"), py::arg("view"), py::arg("indices"), py::arg("out"))
        .def("add_store", &StepProgram::add_store, py::arg("value"), py::arg("view"))
        .def("add_jump", &StepProgram::add_jump, py::arg("label"))
        .def("add_branch", &StepProgram::add_branch, py::arg("name"), py::arg("condition"), py::arg("then"),
             py::arg("otherwise"))
        .def("add_loop_check", &StepProgram::add_loop_check, py::arg("name"), py::arg("step"))
        .def("add_next_iteration", &StepProgram::add_next_iteration, py::arg("index"), py::arg("bound"), py::arg("step"),
             py::arg("body"))
        .def("add_function_call", &StepProgram::add_function_call, py::arg("name"), py::arg("function"),
             py::arg("arguments"))
        .def("add_return", &StepProgram::add_return)
        .def("share", &StepProgram::share, py::arg("other"))
        .def_property_readonly("arena_bytes", &StepProgram::arena_bytes)
        .def_property_readonly("unplanned_scratch_bytes", &StepProgram::unplanned_scratch_bytes)
        .def_property_readonly("threads", &StepProgram::threads)
        .def_property_readonly("accesses", &StepProgram::accesses)
        .def_property_readonly("arguments", [](const StepProgram &self) {
            py::list all;
            for (const int number : self.arguments())
                all.append(py::make_tuple(number, self.buffer(number).bytes));
            return all;
        })
        .def_property_readonly("steps", [](const StepProgram &self) {
            py::list names;
            for (const Step &step : self.steps())
                if (!step.name.is_empty())
                    names.append(step.name.object());
            return names;
        });

    py::class_<Context>(m, "Context")
        .def(py::init([](std::shared_ptr<StepProgram> of, const py::object &arena) {
                 return std::make_unique<Context>(std::move(of), arena);
             }),
             py::arg("program"), py::arg("arena") = py::none())
        .def(
            "check",
            [](const Context &context, const std::vector<py::array> &arguments, const std::vector<Dims> &shapes) {
                context.check(arguments, &shapes);
            },
            py::arg("arguments"), py::arg("shapes"))
        .def("run", &Context::run, py::arg("arguments"))
        .def("poison", &Context::poison)
        .def("profile", &Context::profile, py::arg("enabled"))
        .def_property_readonly("timings", &timings)
        .def_property_readonly("arena_address", &Context::arena_address);
    return program;
}

} // namespace lastuse
