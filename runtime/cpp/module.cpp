// The Python module lastuse.runtime._core. Its signatures and their meaning are in runtime/_core.pyi.
#include <memory>

#include <omp.h>
#include <pybind11/pybind11.h>

#include "core/program.hpp"
#include "threads/lanes.hpp"
#include "threads/pool.hpp"
#include "threads/team.hpp"

namespace py = pybind11;

namespace lastuse {

using ProgramClass = py::class_<StepProgram, std::shared_ptr<StepProgram>>;

ProgramClass bind_core(py::module_ &m);                  // core/bindings.cpp
void bind_ragged(py::module_ &m, ProgramClass &program); // ragged/bindings.cpp
void bind_native(py::module_ &m, ProgramClass &program); // native/bindings.cpp
void bind_layers(py::module_ &m, ProgramClass &program); // layers/bindings.cpp

namespace {

void bind_threads(py::module_ &m) {
    m.def("set_threads", [](int count) {
        if (count < 1)
            throw Error("a thread count is at least 1");
        omp_set_num_threads(count);
    });
    m.def("get_threads", [] { return team_size(0); });
    m.def("pool_threads", [] { return Pool::shared().threads(); });
    m.def("joint_jobs", &joint_jobs);
    // No thread of the pool outlives the interpreter.
    py::module_::import("atexit").attr("register")(py::cpp_function([] {
        const py::gil_scoped_release released;
        Pool::shared().stop();
    }));
    watch_forks();
}

} // namespace

} // namespace lastuse

PYBIND11_MODULE(_core, m) {
    m.doc() = "Programs of prepared oneDNN primitives over explicit memory.";
    pybind11::register_exception<lastuse::Error>(m, "Error", PyExc_RuntimeError);
    pybind11::register_exception<lastuse::OffsetsError>(m, "OffsetsError", m.attr("Error"));
    pybind11::register_exception<lastuse::IndicesError>(m, "IndicesError", m.attr("Error"));
    lastuse::bind_threads(m);
    auto program = lastuse::bind_core(m);
    lastuse::bind_ragged(m, program);
    lastuse::bind_native(m, program);
    lastuse::bind_layers(m, program);
}
