// The Python face of the planner: lastuse.passes.planning._planner. Its signatures are in passes/planning/_planner.pyi.
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <array>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "clause_program.hpp"
#include "place_graph.hpp"
#include "planner.hpp"
#include "schedule.hpp"

namespace py = pybind11;
using namespace lastuse::planning;

namespace {

using PieceTuple = std::tuple<int64_t, int64_t, int64_t>;
using BufferTuple = std::tuple<int64_t, int64_t, std::vector<PieceTuple>>;
using PermissionTuple = std::pair<int, int>;
using EdgeTuple = std::pair<int, int>;
using OpTuple = std::tuple<std::vector<int>, std::vector<int>, std::vector<PermissionTuple>>;

std::vector<Buffer> buffers_of(const std::vector<BufferTuple> &tuples) {
    std::vector<Buffer> buffers;
    for (const auto &[alignment, fixed, live] : tuples) {
        buffers.push_back({alignment, fixed, {}});
        for (const auto &[lower, upper, size] : live)
            buffers.back().live.push_back({lower, upper, size});
    }
    return buffers;
}

const char *text(Proof proof) {
    switch (proof) {
    case Proof::reached: return "reached";
    case Proof::infeasible_below: return "infeasible-below";
    case Proof::exhausted: return "exhausted";
    case Proof::none: break;
    }
    return "none";
}

auto tuple_of(const Plan &plan) {
    return std::make_tuple(plan.offsets, plan.peak, plan.lower_bound, std::string(text(plan.proof)));
}

auto plan(const std::string &algorithm, const std::vector<BufferTuple> &tuples, double seconds, int64_t nodes) {
    const auto buffers = buffers_of(tuples);
    const Limits limits{seconds, nodes};
    Plan result;
    if (algorithm == "greedy")
        result = greedy(buffers);
    else if (algorithm == "best")
        result = best(buffers, limits);
    else if (algorithm == "exact")
        result = exact(buffers, limits);
    else
        throw Error("there is no algorithm '" + algorithm + "'");
    return tuple_of(result);
}

Graph graph_of(const std::vector<int64_t> &bytes, const std::vector<int> &kept, const std::vector<int> &not_overwritable,
               const std::vector<OpTuple> &ops, const std::vector<EdgeTuple> &edges) {
    Graph graph{bytes, std::vector<char>(bytes.size(), 0), std::vector<char>(bytes.size(), 0), {}, {}};
    for (const auto &[first, then] : edges)
        graph.edges.push_back({first, then});
    for (const auto &[numbers, flags] : {std::pair{&kept, &graph.kept}, std::pair{&not_overwritable, &graph.not_overwritable}})
        for (const int number : *numbers) {
            if (number < 0 || static_cast<size_t>(number) >= bytes.size())
                throw Error("there is no buffer " + std::to_string(number));
            (*flags)[number] = 1;
        }
    for (const auto &[reads, writes, pairs] : ops) {
        graph.ops.push_back({reads, writes, {}});
        for (const auto &[read, write] : pairs)
            graph.ops.back().may_inplace.push_back({read, write});
    }
    return graph;
}

auto tuple_of(const Schedule &schedule) {
    std::vector<PermissionTuple> inplace;
    for (const auto &[read, write] : schedule.inplace)
        inplace.emplace_back(read, write);
    return std::make_tuple(schedule.order, inplace, schedule.peak, schedule.lower_bound,
                           std::string(text(schedule.proof)));
}

std::vector<int> numbers_in(const py::iterable &numbers) {
    std::vector<int> result;
    for (const py::handle number : numbers)
        result.push_back(number.cast<int>());
    return result;
}

using PlaceEdgeTuple = std::tuple<int, int, int, std::optional<int64_t>, std::string>;
using PlacedValueTuple = std::tuple<int64_t, int64_t, int64_t, int, int64_t>;
using PlacesTuple = std::tuple<int, int, std::vector<int64_t>>;

PlaceGraph place_graph_of(const std::vector<PlacedValueTuple> &values, const std::vector<PlaceEdgeTuple> &edges) {
    std::vector<PlacedValue> placed;
    for (const auto &[written, born, last, block, bytes] : values)
        placed.push_back({written, born, last, block, bytes});
    std::vector<PlaceEdge> links;
    for (const auto &[child, parent, choice, distance, link] : edges) {
        const Link kind = link == "same" ? Link::same : link == "view" ? Link::view : link == "part" ? Link::part : Link::any;
        links.push_back({child, parent, choice, distance, kind});
    }
    return {std::move(placed), links};
}

auto tuple_of(const LeastCost &solution) {
    return std::make_tuple(solution.dropped, std::tuple_cat(solution.cost), solution.exact);
}

} // namespace

PYBIND11_MODULE(_planner, m) {
    m.doc() = "Offsets of buffers in one arena, the order of ops that needs least of it, clauses over choices, and places.";

    py::register_exception<Error>(m, "Error", PyExc_ValueError);

    using Release = py::call_guard<py::gil_scoped_release>;
    m.def("plan", &plan, Release(), py::arg("algorithm"), py::arg("buffers"), py::arg("seconds"), py::arg("nodes"));
    m.def(
        "first_fit",
        [](const std::vector<BufferTuple> &buffers, const std::vector<int> &order) {
            return tuple_of(first_fit(buffers_of(buffers), order));
        },
        Release(), py::arg("buffers"), py::arg("order"));
    m.def(
        "lower_bound", [](const std::vector<BufferTuple> &buffers) { return lower_bound(buffers_of(buffers)); },
        Release(), py::arg("buffers"));
    m.def(
        "schedule",
        [](const std::vector<int64_t> &bytes, const std::vector<int> &kept, const std::vector<int> &not_overwritable,
           const std::vector<OpTuple> &ops, const std::vector<EdgeTuple> &edges, const std::vector<int> &given,
           double seconds, int64_t nodes, bool settle) {
            return tuple_of(schedule(graph_of(bytes, kept, not_overwritable, ops, edges), given, {seconds, nodes}, settle));
        },
        Release(), py::arg("sizes"), py::arg("kept"), py::arg("not_overwritable"), py::arg("ops"), py::arg("edges"),
        py::arg("given"), py::arg("seconds"), py::arg("nodes"), py::arg("settle"));
    m.def(
        "measured",
        [](const std::vector<int64_t> &bytes, const std::vector<int> &kept, const std::vector<int> &not_overwritable,
           const std::vector<OpTuple> &ops, const std::vector<EdgeTuple> &edges, const std::vector<int> &order) {
            return tuple_of(measured(graph_of(bytes, kept, not_overwritable, ops, edges), order));
        },
        Release(), py::arg("sizes"), py::arg("kept"), py::arg("not_overwritable"), py::arg("ops"), py::arg("edges"),
        py::arg("order"));

    py::class_<ClauseProgram>(m, "Clauses")
        .def(py::init<std::vector<DropCost>, size_t, size_t>(), py::arg("costs"), py::arg("many"), py::arg("most"))
        .def(
            "add",
            [](ClauseProgram &program, const py::iterable &dropped, const py::iterable &kept) {
                program.add({numbers_in(dropped), numbers_in(kept)});
            },
            py::arg("dropped"), py::arg("kept"))
        .def("solve", [](ClauseProgram &program) { return tuple_of(program.solve()); })
        .def_property_readonly("work", &ClauseProgram::work);

    py::class_<PlaceGraph>(m, "Places")
        .def(py::init(&place_graph_of), py::arg("values"), py::arg("edges"))
        .def(
            "needed",
            [](PlaceGraph &graph, const std::vector<PlacesTuple> &pairs, const py::iterable &taken) {
                graph.take(numbers_in(taken));
                std::vector<std::optional<std::vector<int>>> found;
                for (const auto &[value, other, distances] : pairs)
                    found.push_back(graph.needed(value, other, distances));
                return found;
            },
            py::arg("pairs"), py::arg("taken"));
}
