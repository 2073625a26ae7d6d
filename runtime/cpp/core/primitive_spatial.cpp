// Primitives that slide a window over the spatial axes: convolution, its transpose, pooling; and resampling.
#include <algorithm>
#include <map>

#include "primitive_maker.hpp"

namespace lastuse {

using dnnl::algorithm;
using dnnl::prop_kind;

namespace {

const std::map<std::string, algorithm> pooling_table = {
    {"max", algorithm::pooling_max},
    {"avg_include_padding", algorithm::pooling_avg_include_padding},
    {"avg_exclude_padding", algorithm::pooling_avg_exclude_padding},
};

const std::map<std::string, algorithm> resampling_table = {
    {"nearest", algorithm::resampling_nearest},
    {"linear", algorithm::resampling_linear},
};

// The layout that a primitive chose where it was free, else the one that was asked for.
Desc resolved(const Desc &asked, const Desc &chosen) {
    return asked.get_format_kind() == dnnl::memory::format_kind::any ? chosen : asked;
}

// The description whose implementation has a name that begins with `name`, or the first one, where there is none.
template <class Describe>
auto preferred(const std::string &name, const Describe &describe) {
    auto description = describe();
    if (name.empty())
        return description;
    do {
        if (std::string(description.impl_info_str()).rfind(name, 0) == 0)
            return description;
    } while (description.next_impl());
    return describe(); // which begins anew: one description goes from implementation to implementation
}

constexpr int64_t most_places = 1 << 14; // of a window, for which `any_size` chooses an implementation

// The name of the implementation that is preferred to oneDNN's first choice. Of channels by themselves `jit_dw` takes
// 0.65 to 1.0 of the time of `brdgmm_dw` (3.2, AVX2 and AVX-512). The code of `brgconv` differs from size to size and
// stays in a set of the process; that of the others goes with the primitive. They take 0.9 to 1.1 of the time, with
// fewer than 64 channels up to 1.4; windows of several rows would take longer.
std::string preferred_name(const Desc &src, const Desc &weights, const Desc &dst, bool any_size) {
    const Dims sizes = weights.get_dims(), result = dst.get_dims();
    const bool grouped = sizes.size() > src.get_dims().size();
    if (grouped && sizes[0] > 1 && sizes[1] == 1 && sizes[2] == 1)
        return "jit_dw";
    int64_t places = result[0];
    for (size_t axis = 2; axis < result.size(); ++axis)
        places *= result[axis];
    const auto window = sizes.begin() + (grouped ? 3 : 2);
    if (!any_size || places > most_places || std::any_of(window, sizes.end() - 1, [](int64_t n) { return n != 1; }))
        return "";
    return sizes.back() == 1 ? "jit_1x1" : "jit:";
}

// A convolution or its transpose: their descriptions have the same arguments.
template <class Handle>
Primitive weighted(const std::string &kind, algorithm alg, const Desc &src, const Desc &weights,
                   const std::optional<Desc> &bias, const Desc &dst, const Window &window,
                   const PostOps &post_ops, const std::string &name, int threads) {
    return prepare(kind, {src, weights, dst}, threads, [&] {
        dnnl::primitive_attr attr = user_scratchpad();
        dnnl::post_ops all;
        std::vector<int> further_args;
        std::vector<Desc> further;
        append_post_ops(all, post_ops, further_args, further);
        attr.set_post_ops(all);
        using Description = typename Handle::primitive_desc;
        const auto dilates = skipped(window.dilations);
        const Dims &strides = window.strides, &begins = window.begins, &ends = window.ends;
        const auto inference = prop_kind::forward_inference;
        const auto description = preferred(name, [&] {
            return bias ? Description(engine(), inference, alg, src, weights, *bias, dst, strides, dilates, begins, ends,
                                      attr)
                        : Description(engine(), inference, alg, src, weights, dst, strides, dilates, begins, ends, attr);
        });
        std::vector<int> args = {DNNL_ARG_SRC, DNNL_ARG_WEIGHTS};
        std::vector<Desc> ins = {resolved(src, description.src_desc()), description.weights_desc()};
        if (bias) {
            args.push_back(DNNL_ARG_BIAS);
            ins.push_back(*bias);
        }
        args.insert(args.end(), further_args.begin(), further_args.end());
        ins.insert(ins.end(), further.begin(), further.end());
        return prepared<Handle>(description, args, {DNNL_ARG_DST}, ins,
                                {resolved(dst, description.dst_desc())});
    });
}

} // namespace

algorithm pooling_algorithm(const std::string &name) { return look_up(pooling_table, name, "pooling algorithm"); }

algorithm resampling_algorithm(const std::string &name) {
    return look_up(resampling_table, name, "resampling algorithm");
}

Primitive convolution(const Desc &src, const Desc &weights, const std::optional<Desc> &bias, const Desc &dst,
                      const Window &window, const PostOps &post_ops, bool any_size, int threads) {
    return weighted<dnnl::convolution_forward>("convolution", algorithm::convolution_auto, src, weights, bias, dst,
                                               window, post_ops, preferred_name(src, weights, dst, any_size), threads);
}

Primitive deconvolution(const Desc &src, const Desc &weights, const std::optional<Desc> &bias, const Desc &dst,
                        const Window &window, const PostOps &post_ops, int threads) {
    return weighted<dnnl::deconvolution_forward>("deconvolution", algorithm::deconvolution_direct, src, weights, bias,
                                                 dst, window, post_ops, "", threads);
}

namespace {

constexpr int64_t most_in_row = 8; // of a window over the whole of a plane

// A window over the whole of a plane of src, whose channels are last and whose rows follow each other in memory: as one
// over the same elements in the same order, in rows of few. oneDNN's code has instructions for each element of a row
// (3.2); to make them takes 1 ms where a plane of 6 x 283 is averaged.
void narrow_rows(Desc &src, Dims &kernel, Window &window, const Desc &dst) {
    if (src.get_format_kind() != dnnl::memory::format_kind::blocked || src.get_inner_nblks() != 0 || kernel.size() != 2)
        return;
    const Dims sizes = src.get_dims(), strides = src.get_strides(), places = dst.get_dims();
    const bool is_whole = kernel[0] == sizes[2] && kernel[1] == sizes[3] && places[2] == 1 && places[3] == 1;
    const auto none = [](const Dims &all, int64_t number) {
        return std::all_of(all.begin(), all.end(), [=](int64_t each) { return each == number; });
    };
    const bool is_plain = none(window.begins, 0) && none(window.ends, 0) && none(window.dilations, 1);
    const bool is_dense = strides[1] == 1 && (sizes[2] == 1 || strides[2] == strides[3] * sizes[3]);
    if (!is_whole || !is_plain || !is_dense || sizes[1] == 1 || sizes[3] <= most_in_row)
        return;
    const int64_t elements = sizes[2] * sizes[3];
    int64_t row = most_in_row;
    while (elements % row != 0)
        --row;
    src = Desc({sizes[0], sizes[1], elements / row, row}, src.get_data_type(),
               Dims{strides[0], strides[1], strides[3] * row, strides[3]});
    kernel = {elements / row, row};
    window.strides = {1, 1};
}

} // namespace

Primitive pooling(const std::string &alg, const Desc &src, const Desc &dst, const Dims &kernel, const Window &window,
                  int threads) {
    const auto kind = pooling_algorithm(alg);
    return prepare("pooling " + alg, {src, dst}, threads, [&] {
        Desc source = src;
        Dims sizes = kernel;
        Window moved = window;
        narrow_rows(source, sizes, moved, dst);
        const dnnl::pooling_forward::primitive_desc description(
            engine(), prop_kind::forward_inference, kind, source, dst, moved.strides, sizes, skipped(moved.dilations),
            moved.begins, moved.ends, user_scratchpad());
        return prepared<dnnl::pooling_forward>(description, {DNNL_ARG_SRC}, {DNNL_ARG_DST}, {src}, {dst});
    });
}

Primitive resampling(const std::string &alg, const Desc &src, const Desc &dst, int threads) {
    const auto kind = resampling_algorithm(alg);
    return prepare("resampling " + alg, {src, dst}, threads, [&] {
        const dnnl::resampling_forward::primitive_desc description(engine(), prop_kind::forward_inference, kind, src,
                                                                   dst, user_scratchpad());
        Primitive made = prepared<dnnl::resampling_forward>(description, {DNNL_ARG_SRC}, {DNNL_ARG_DST}, {src}, {dst});
        made.streams_result = true;
        return made;
    });
}

} // namespace lastuse
