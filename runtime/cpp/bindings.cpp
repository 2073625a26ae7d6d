// The Python face of the runtime: lastuse.runtime._core. Its signatures and their meaning are in runtime/_core.pyi.
#include <omp.h>

#include <pybind11/stl.h>

#include "context.hpp"
#include "ragged/bindings.hpp"
#include "team.hpp"

namespace py = pybind11;
using namespace lastuse;

namespace {

const char *engine_name(const Step &step) {
    if (std::holds_alternative<Run>(step.what) || std::holds_alternative<Ragged>(step.what))
        return "onednn";
    return std::holds_alternative<Call>(step.what) ? "cpu" : "runtime";
}

// (name, engine, calls, seconds, bytes read and written in one) of each step that has a name.
py::list timings(const Context &context) {
    py::list out;
    const auto &steps = context.program().steps();
    for (size_t k = 0; k < steps.size(); ++k)
        if (!steps[k].name.empty()) {
            const Context::Timing &spent = context.timings()[k];
            out.append(py::make_tuple(steps[k].name, engine_name(steps[k]), spent.calls,
                                      1e-9 * static_cast<double>(spent.nanoseconds),
                                      context.program().bytes_moved(steps[k])));
        }
    return out;
}

} // namespace

PYBIND11_MODULE(_core, m) {
    m.doc() = "Programs of prepared oneDNN primitives over explicit memory.";

    py::register_exception<Error>(m, "Error", PyExc_RuntimeError);

    watch_forks();

    m.def("eltwise_algorithms", &eltwise_algorithms);
    m.def("binary_algorithms", &binary_algorithms);
    m.def("has_data_type", [](const py::dtype &dtype) { return has_data_type(py::str(dtype.attr("name"))); });
    m.def("set_threads", [](int count) {
        if (count < 1)
            throw Error("a thread count is at least 1");
        omp_set_num_threads(count);
    });
    m.def("get_threads", [] { return team_size(0); });
    m.def("onednn_version", [] {
        const dnnl_version_t *version = dnnl_version();
        return py::make_tuple(version->major, version->minor, version->patch);
    });
    m.def("isa", [] { return static_cast<int>(dnnl_get_effective_cpu_isa()); });

    py::class_<Desc>(m, "Desc")
        .def(py::init([](const py::dtype &dtype, const Dims &shape, const Dims &strides) {
                 return strided(py::str(dtype.attr("name")), shape, strides);
             }),
             py::arg("dtype"), py::arg("shape"), py::arg("strides"))
        .def_static(
            "free", [](const py::dtype &dtype,
                       const Dims &shape) { return free_layout(py::str(dtype.attr("name")), shape); },
            py::arg("dtype"), py::arg("shape"))
        .def_property_readonly("shape", [](const Desc &desc) { return py::tuple(py::cast(desc.get_dims())); })
        .def_property_readonly("nbytes", [](const Desc &desc) { return desc.get_size(); })
        .def("__eq__", [](const Desc &a, const Desc &b) { return a == b; });

    py::class_<Scalar>(m, "Scalar")
        .def_readonly("arity", &Scalar::arity)
        .def("__call__", &Scalar::operator(), py::arg("a"), py::arg("b") = 0, py::arg("c") = 0);
    m.def("scalar", &scalar, py::arg("op"), py::arg("source"), py::arg("target"));

    py::class_<Primitive>(m, "Primitive")
        .def_readonly("kind", &Primitive::kind)
        .def_readonly("ins", &Primitive::ins)
        .def_readonly("outs", &Primitive::outs)
        .def_readonly("implementation", &Primitive::implementation)
        .def_readonly("threads", &Primitive::threads)
        .def_property_readonly("scratch_bytes", &Primitive::scratch_bytes);

    m.def("eltwise", &eltwise, py::arg("alg"), py::arg("alpha"), py::arg("beta"), py::arg("src"), py::arg("dst"),
          py::arg("threads") = 0);
    m.def("binary", &binary, py::arg("alg"), py::arg("src0"), py::arg("src1"), py::arg("dst"), py::arg("threads") = 0);
    m.def("sum", &sum, py::arg("scales"), py::arg("srcs"), py::arg("dst"), py::arg("threads") = 0);
    m.def("softmax", &softmax, py::arg("axis"), py::arg("log"), py::arg("src"), py::arg("dst"), py::arg("threads") = 0);
    m.def("layer_norm", &layer_norm, py::arg("epsilon"), py::arg("src"), py::arg("dst"), py::arg("stats") = py::none(),
          py::arg("threads") = 0);
    m.def("batch_norm", &batch_norm, py::arg("epsilon"), py::arg("src"), py::arg("dst"), py::arg("threads") = 0);
    m.def("matmul", &matmul, py::arg("src"), py::arg("weights"), py::arg("bias"), py::arg("dst"),
          py::arg("alpha") = 1.0F, py::arg("beta") = 0.0F, py::arg("threads") = 0);
    m.def("reorder", &reorder, py::arg("src"), py::arg("dst"), py::arg("threads") = 0);
    m.def("pack", &Program::pack, py::arg("source"), py::arg("packed"));

    bind_ragged(m);

    py::class_<Program, std::shared_ptr<Program>>(m, "Program")
        .def(py::init<int64_t, int>(), py::arg("arena_bytes"), py::arg("threads") = 0)
        .def_property_readonly_static("ARENA", [](const py::object &) { return Program::arena; })
        .def("add_argument", &Program::add_argument, py::arg("name"), py::arg("dtype"), py::arg("shape"),
             py::arg("writable"))
        .def("add_constant", &Program::add_constant, py::arg("array"))
        .def("add_packed", &Program::add_packed, py::arg("packed"), py::arg("desc"))
        .def("add_view", &Program::add_view, py::arg("buffer"), py::arg("offset"), py::arg("dtype"), py::arg("shape"),
             py::arg("strides"))
        .def("add_primitive", &Program::add_primitive, py::arg("name"), py::arg("primitive"), py::arg("ins"),
             py::arg("outs"), py::arg("scratch") = -1)
        .def("add_copy", &Program::add_copy, py::arg("name"), py::arg("source"), py::arg("target"))
        .def("add_call", &Program::add_call, py::arg("name"), py::arg("kernel"), py::arg("ins"), py::arg("outs"),
             py::arg("scratch") = -1, py::arg("scratch_bytes") = 0)
        .def("add_gru", &Program::add_gru, py::arg("name"), py::arg("layers"), py::arg("room"), py::arg("ins"),
             py::arg("outs"), py::arg("scratch") = -1)
        .def(
            "add_free_gru",
            [](Program &program, std::string name, std::vector<bool> reverse, bool sum,
               std::shared_ptr<ragged::GruCache> cache, std::vector<std::vector<int>> weights,
               std::vector<std::pair<float, float>> data, std::shared_ptr<ragged::StackRoom> room, std::vector<int> ins,
               std::vector<int> outs, int scratch) {
                Ragged::Free free{std::move(reverse), sum, std::move(cache), std::move(weights), std::move(data)};
                program.add_free_gru(std::move(name), std::move(free), std::move(room), std::move(ins), std::move(outs),
                                     scratch);
            },
            py::arg("name"), py::arg("reverse"), py::arg("sum"), py::arg("cache"), py::arg("weights"), py::arg("data"),
            py::arg("room"), py::arg("ins"), py::arg("outs"), py::arg("scratch") = -1)
        .def("add_parameter", &Program::add_parameter, py::arg("nbytes"))
        .def("add_register", &Program::add_register)
        .def("add_label", &Program::add_label)
        .def("place", &Program::place, py::arg("label"))
        .def("begin", &Program::begin)
        .def("add_set", &Program::add_set, py::arg("out"), py::arg("value"))
        .def("add_move", &Program::add_move, py::arg("source"), py::arg("out"))
        .def("add_compute", &Program::add_compute, py::arg("name"), py::arg("scalar"), py::arg("ins"), py::arg("out"))
        .def("add_load", &Program::add_load, py::arg("name"), py::arg("view"), py::arg("indices"), py::arg("out"))
        .def("add_store", &Program::add_store, py::arg("value"), py::arg("view"))
        .def("add_jump", &Program::add_jump, py::arg("label"))
        .def("add_branch", &Program::add_branch, py::arg("name"), py::arg("condition"), py::arg("then"),
             py::arg("otherwise"))
        .def("add_begin", &Program::add_begin, py::arg("name"), py::arg("step"))
        .def("add_again", &Program::add_again, py::arg("index"), py::arg("bound"), py::arg("step"), py::arg("body"))
        .def("add_enter", &Program::add_enter, py::arg("name"), py::arg("function"), py::arg("given"))
        .def("add_leave", &Program::add_leave)
        .def_property_readonly("arena_bytes", &Program::arena_bytes)
        .def_property_readonly("unplanned_scratch_bytes", &Program::unplanned_scratch_bytes)
        .def_property_readonly("threads", &Program::threads)
        .def_property_readonly("steps", [](const Program &program) {
            py::list names;
            for (const Step &step : program.steps())
                if (!step.name.empty())
                    names.append(step.name);
            return names;
        });

    py::class_<Context>(m, "Context")
        .def(py::init([](std::shared_ptr<Program> program, const py::object &arena) {
                 return std::make_unique<Context>(std::move(program), arena);
             }),
             py::arg("program"), py::arg("arena") = py::none())
        .def("check", &Context::check, py::arg("arguments"), py::arg("shapes"))
        .def("run", &Context::run, py::arg("arguments"))
        .def("poison", &Context::poison)
        .def("profile", &Context::profile, py::arg("wanted"))
        .def_property_readonly("timings", &timings)
        .def_property_readonly("arena_address", &Context::arena_address);
}
