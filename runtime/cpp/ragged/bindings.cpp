// Ragged GRUs in Python.
#include <algorithm>

#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include "../threads/team.hpp"
#include "step.hpp"

namespace lastuse {

namespace {

using namespace ragged;
using Floats = py::array_t<float, py::array::c_style>; // no forcecast: arrays are kept, not converted

template <class Item>
using Dense = py::array_t<Item, py::array::c_style>;

// The data of an array; the pointer keeps the array alive, and may be released without the GIL.
std::shared_ptr<const void> shared(const py::array &array) {
    const void *data = array.data();
    return {data, [object = py::object(array)](const void *) mutable {
                const py::gil_scoped_acquire python;
                object = py::object();
            }};
}

Kind kind_of(const std::string &name) {
    for (const auto &[known, kind] : {std::pair("f32", Kind::f32), {"bf16", Kind::bf16}, {"i8", Kind::int8}})
        if (name == known)
            return kind;
    throw Error("weights of a GRU are f32, bf16 or i8, not " + name);
}

// `own` as in Python: -1 for the default of this processor.
GruShape shape_of(int64_t input, int64_t channels, Kind kind, int64_t own) {
    return {input, channels, kind, own < 0 ? kernels::own_width(kind) : own};
}

template <class Item>
std::shared_ptr<GruWeights> gru_weights(Kind kind, const Dense<Item> &layer, const Dense<Item> &iter,
                                        const Floats &bias, int64_t own, const Scales *scales) {
    const int64_t channels = iter.ndim() == 3 ? iter.shape(0) : 0;
    if (layer.ndim() != 2 || iter.ndim() != 3 || iter.shape(1) != 3 || iter.shape(2) != channels ||
        layer.shape(1) != 3 * channels || bias.size() != 3 * channels)
        throw Error("weights of a GRU are [input, 3 * channels], [channels, 3, channels], a bias of 3 * channels");
    const GruShape shape = shape_of(layer.shape(0), channels, kind, own);
    return std::make_shared<GruWeights>(shape, GruLayouts::of(shape), shared(layer), shared(iter), shared(bias), scales);
}

// The runs of a batch, by part: (sequences, step, steps) each. `weights`: the time to read the weights, in units of the
// time of a row.
py::list plan(const py::array_t<int64_t, py::array::c_style> &offsets, int64_t rows, int parts, int64_t run_rows,
              int64_t steps, int64_t width, double weights) {
    if (offsets.ndim() != 1 || parts < 1 || run_rows < 1 || steps < 1 || width < 1)
        throw Error("offsets have one axis, and numbers are at least 1");
    const int64_t count = offsets.size() - 1;
    std::vector<Sequence> memory(static_cast<size_t>(2 * std::max<int64_t>(count, 0)));
    const Batch batch(offsets.data(), count, rows, parts, width, {0.0, 1.0, weights}, memory.data());
    py::list out;
    for (int part = 0; part < parts; ++part) {
        py::list runs;
        visit_runs(batch.begin(part), batch.end(part), {run_rows, steps, width}, [&](const Run &run) {
            py::list indices;
            for (int64_t k = 0; k < run.width; ++k)
                indices.append(run.group[k].index);
            runs.append(py::make_tuple(py::tuple(indices), run.step, run.steps));
        });
        out.append(runs);
    }
    return out;
}

} // namespace

void bind_ragged(py::module_ &m, py::class_<StepProgram, std::shared_ptr<StepProgram>> &program) {
    py::class_<GruCache, std::shared_ptr<GruCache>>(m, "GruCache")
        .def(py::init([](size_t capacity) {
                 if (capacity < 1)
                     throw Error("a cache has a capacity of at least 1 primitive");
                 return std::make_shared<GruCache>(capacity);
             }),
             py::arg("capacity"))
        .def_property_readonly("statistics", [](const GruCache &cache) {
            const GruCache::Statistics statistics = cache.statistics();
            return py::make_tuple(statistics.hits, statistics.misses, statistics.entries, statistics.capacity);
        });
    py::class_<GruWeights, std::shared_ptr<GruWeights>>(m, "GruWeights")
        .def(py::init([](const Floats &layer, const Floats &iter, const Floats &bias, int64_t own) {
                 return gru_weights(Kind::f32, layer, iter, bias, own, nullptr);
             }),
             py::arg("layer").noconvert(), py::arg("iter").noconvert(), py::arg("bias").noconvert(),
             py::arg("own") = -1)
        .def(py::init([](const Dense<uint16_t> &layer, const Dense<uint16_t> &iter, const Floats &bias) {
                 return gru_weights(Kind::bf16, layer, iter, bias, -1, nullptr);
             }),
             py::arg("layer").noconvert(), py::arg("iter").noconvert(), py::arg("bias").noconvert())
        .def(py::init([](const Dense<int8_t> &layer, const Dense<int8_t> &iter, const Floats &bias,
                         const Floats &layer_scale, const Floats &iter_scale, std::pair<float, float> layer_data,
                         std::pair<float, float> iter_data) {
                 if (layer_scale.size() != bias.size() || iter_scale.size() != bias.size())
                     throw Error("weights of i8 have a scale for each of 3 * channels columns");
                 const Scales scales{{layer_data.first, iter_data.first},
                                     {layer_data.second, iter_data.second},
                                     {layer_scale.data(), iter_scale.data()}};
                 return gru_weights(Kind::int8, layer, iter, bias, -1, &scales);
             }),
             py::arg("layer").noconvert(), py::arg("iter").noconvert(), py::arg("bias").noconvert(),
             py::arg("layer_scale").noconvert(), py::arg("iter_scale").noconvert(), py::arg("layer_data"),
             py::arg("iter_data"))
        .def_property_readonly("packed_bytes", &GruWeights::packed_bytes);
    py::class_<Gru, std::shared_ptr<Gru>>(m, "Gru").def(
        py::init([](const std::vector<std::pair<std::shared_ptr<GruWeights>, bool>> &pairs, bool sum,
                    std::shared_ptr<GruCache> cache) {
            std::vector<Direction> directions;
            for (const auto &[weights, reverse] : pairs)
                directions.push_back({weights, reverse});
            return std::make_shared<Gru>(std::move(directions), sum, std::move(cache));
        }),
        py::arg("directions"), py::arg("sum"), py::arg("cache"));
    py::class_<StackRoom, std::shared_ptr<StackRoom>>(m, "GruRoom")
        .def(py::init([](const std::vector<std::pair<int64_t, int64_t>> &layers, int64_t directions, int64_t rows,
                         int64_t sequences, int threads, const std::string &kind, int64_t own, bool packs) {
                 std::vector<GruShape> shapes;
                 for (const auto &[input, channels] : layers)
                     shapes.push_back(shape_of(input, channels, kind_of(kind), own));
                 return std::make_shared<StackRoom>(
                     StackRoom::of(std::move(shapes), directions, rows, sequences, team_size(threads), packs));
             }),
             py::arg("layers"), py::arg("directions"), py::arg("rows"), py::arg("sequences"), py::arg("threads") = 0,
             py::arg("kind") = "f32", py::arg("own") = -1, py::arg("packs") = false)
        .def_readonly("nbytes", &StackRoom::bytes);
    m.def("gru_plan", &plan, py::arg("offsets").noconvert(), py::arg("rows"), py::arg("parts"), py::arg("run_rows"),
          py::arg("steps"), py::arg("width"), py::arg("weights") = 0.0);
    m.def("gru_cut", [](int64_t channels) {
        const Cut cut = Cut::of(channels);
        return py::make_tuple(cut.rows, cut.steps, cut.width);
    });
    m.def("gru_own_width", [](const std::string &kind) { return kernels::own_width(kind_of(kind)); });
    program
        .def(
            "add_gru",
            [](StepProgram &to, std::string name, std::vector<std::shared_ptr<const Gru>> layers,
               std::shared_ptr<StackRoom> room, std::vector<int> ins, std::vector<int> outs, int scratch) {
                add_gru(to, std::move(name), std::move(layers), std::move(room), std::move(ins), std::move(outs), scratch);
            },
            py::arg("name"), py::arg("layers"), py::arg("room"), py::arg("ins"), py::arg("outs"),
            py::arg("scratch") = -1)
        .def(
            "add_unpacked_gru",
            [](StepProgram &to, std::string name, std::vector<bool> reverse, bool sum, std::shared_ptr<GruCache> cache,
               std::vector<std::vector<int>> views, std::vector<std::pair<float, float>> data,
               std::shared_ptr<StackRoom> room, std::vector<int> ins, std::vector<int> outs, int scratch) {
                add_gru(to, std::move(name),
                        UnpackedWeights{std::move(reverse), sum, std::move(cache), std::move(views), std::move(data)},
                        std::move(room), std::move(ins), std::move(outs), scratch);
            },
            py::arg("name"), py::arg("reverse"), py::arg("sum"), py::arg("cache"), py::arg("weights"), py::arg("data"),
            py::arg("room"), py::arg("ins"), py::arg("outs"), py::arg("scratch") = -1);
}

} // namespace lastuse
