// Primitives and what makes them, in Python: at once, or later and several at the same time.
#include <tuple>
#include <type_traits>
#include <utility>

#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include "pending.hpp"

namespace lastuse {

namespace py = pybind11;

namespace {

using PendingClass = py::class_<PendingPrimitive>;

// A maker, whose last argument is a number of threads: as a function of the module, and as one of PendingPrimitive.
template <class... Args, class... Extra>
void bind_maker(py::module_ &m, PendingClass &pending, const char *name, Primitive (*make)(Args...),
                const Extra &...extra) {
    m.def(name, make, extra...);
    pending.def_static(
        name,
        [make](Args... args) {
            std::tuple<std::decay_t<Args>...> kept(args...);
            const int threads = std::get<sizeof...(Args) - 1>(kept);
            return PendingPrimitive{[make, kept = std::move(kept)] { return std::apply(make, kept); }, threads};
        },
        extra...);
}

} // namespace

void bind_makers(py::module_ &m) {
    py::class_<Primitive, std::shared_ptr<Primitive>>(m, "Primitive")
        .def_readonly("kind", &Primitive::kind)
        .def_readonly("ins", &Primitive::ins)
        .def_readonly("outs", &Primitive::outs)
        .def_readonly("implementation", &Primitive::implementation)
        .def_readonly("threads", &Primitive::threads)
        .def_property_readonly("scratch_bytes", &Primitive::scratch_bytes)
        .def("with_operand", &with_operand, py::arg("number"), py::arg("layout"))
        .def("with_result", &with_result, py::arg("number"), py::arg("layout"));

    PendingClass pending(m, "PendingPrimitive");
    pending
        .def("with_operand",
             [](const PendingPrimitive &self, size_t number, const Desc &layout) {
                 const auto make = self.make;
                 return PendingPrimitive{[=] { return with_operand(make(), number, layout); }, self.threads};
             },
             py::arg("number"), py::arg("layout"))
        .def("with_result",
             [](const PendingPrimitive &self, size_t number, const Desc &layout) {
                 const auto make = self.make;
                 return PendingPrimitive{[=] { return with_result(make(), number, layout); }, self.threads};
             },
             py::arg("number"), py::arg("layout"));
    m.def("make_all", &make_all, py::arg("pending"), py::arg("threads"), py::call_guard<py::gil_scoped_release>());

    bind_maker(m, pending, "eltwise", &eltwise, py::arg("alg"), py::arg("alpha"), py::arg("beta"), py::arg("src"),
               py::arg("dst"), py::arg("threads") = 0);
    bind_maker(m, pending, "binary", &binary, py::arg("alg"), py::arg("src0"), py::arg("src1"), py::arg("dst"),
               py::arg("threads") = 0);
    bind_maker(m, pending, "sum", &sum, py::arg("scales"), py::arg("srcs"), py::arg("dst"), py::arg("threads") = 0);
    bind_maker(m, pending, "softmax", &softmax, py::arg("axis"), py::arg("log"), py::arg("src"), py::arg("dst"),
               py::arg("threads") = 0);
    bind_maker(m, pending, "layer_norm", &layer_norm, py::arg("epsilon"), py::arg("src"), py::arg("dst"),
               py::arg("stats") = py::none(), py::arg("threads") = 0);
    bind_maker(m, pending, "batch_norm", &batch_norm, py::arg("epsilon"), py::arg("src"), py::arg("dst"),
               py::arg("threads") = 0);
    py::class_<PostOp>(m, "PostOp")
        .def(py::init([](std::string kind, std::string alg, float alpha, float beta, std::optional<Desc> operand) {
                 return PostOp{std::move(kind), std::move(alg), alpha, beta, std::move(operand)};
             }),
             py::arg("kind"), py::arg("alg") = "", py::arg("alpha") = 0.0F, py::arg("beta") = 0.0F,
             py::arg("operand") = py::none());
    bind_maker(m, pending, "matmul", &matmul, py::arg("src"), py::arg("weights"), py::arg("bias"), py::arg("dst"),
               py::arg("alpha") = 1.0F, py::arg("beta") = 0.0F, py::arg("post_ops") = PostOps(), py::arg("threads") =
               0);
    bind_maker(m, pending, "reduction", &reduction, py::arg("alg"), py::arg("src"), py::arg("dst"), py::arg("threads") =
               0);
    bind_maker(m, pending, "lrn", &lrn, py::arg("size"), py::arg("alpha"), py::arg("beta"), py::arg("bias"),
               py::arg("src"), py::arg("dst"), py::arg("threads") = 0);
    bind_maker(m, pending, "reorder", &reorder, py::arg("src"), py::arg("dst"), py::arg("threads") = 0);
    py::class_<Window>(m, "Window")
        .def(py::init([](Dims strides, Dims dilations, Dims begins, Dims ends) {
                 return Window{std::move(strides), std::move(dilations), std::move(begins), std::move(ends)};
             }),
             py::arg("strides"), py::arg("dilations"), py::arg("begins"), py::arg("ends"));
    bind_maker(m, pending, "convolution", &convolution, py::arg("src"), py::arg("weights"), py::arg("bias"),
               py::arg("dst"), py::arg("window"), py::arg("post_ops") = PostOps(), py::arg("any_size") = false,
               py::arg("threads") = 0);
    bind_maker(m, pending, "deconvolution", &deconvolution, py::arg("src"), py::arg("weights"), py::arg("bias"),
               py::arg("dst"), py::arg("window"), py::arg("post_ops") = PostOps(), py::arg("threads") = 0);
    bind_maker(m, pending, "pooling", &pooling, py::arg("alg"), py::arg("src"), py::arg("dst"), py::arg("kernel"),
               py::arg("window"), py::arg("threads") = 0);
    bind_maker(m, pending, "resampling", &resampling, py::arg("alg"), py::arg("src"), py::arg("dst"), py::arg("threads")
               = 0);
    bind_maker(m, pending, "eltwise_backward", &eltwise_backward, py::arg("alg"), py::arg("from_dst"), py::arg("alpha"),
               py::arg("beta"), py::arg("data"), py::arg("diff_dst"), py::arg("diff_src"), py::arg("threads") = 0);
    bind_maker(m, pending, "softmax_backward", &softmax_backward, py::arg("axis"), py::arg("log"), py::arg("dst"),
               py::arg("diff_dst"), py::arg("diff_src"), py::arg("threads") = 0);
    bind_maker(m, pending, "batch_norm_training", &batch_norm_training, py::arg("epsilon"), py::arg("src"),
               py::arg("dst"), py::arg("threads") = 0);
    bind_maker(m, pending, "batch_norm_backward", &batch_norm_backward, py::arg("epsilon"), py::arg("fixed"),
               py::arg("src"), py::arg("diff_dst"), py::arg("diff_src"), py::arg("threads") = 0);
    bind_maker(m, pending, "layer_norm_backward", &layer_norm_backward, py::arg("epsilon"), py::arg("src"),
               py::arg("stats"), py::arg("diff_dst"), py::arg("diff_src"), py::arg("threads") = 0);
    bind_maker(m, pending, "convolution_backward_weights", &convolution_backward_weights, py::arg("src"),
               py::arg("diff_dst"), py::arg("diff_weights"), py::arg("window"), py::arg("threads") = 0);
    bind_maker(m, pending, "max_pooling_training", &max_pooling_training, py::arg("src"), py::arg("dst"),
               py::arg("chosen"), py::arg("kernel"), py::arg("window"), py::arg("threads") = 0);
    bind_maker(m, pending, "pooling_backward", &pooling_backward, py::arg("alg"), py::arg("diff_dst"),
               py::arg("chosen"), py::arg("diff_src"), py::arg("kernel"), py::arg("window"), py::arg("threads") = 0);
    bind_maker(m, pending, "resampling_backward", &resampling_backward, py::arg("alg"), py::arg("diff_dst"),
               py::arg("diff_src"), py::arg("threads") = 0);
}

} // namespace lastuse
