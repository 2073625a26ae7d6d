// What the makers of primitives share: look-ups by name, errors with layouts, and the fields of a Primitive.
#pragma once

#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "../threads/team.hpp"
#include "primitive.hpp"

namespace lastuse {

// The names in a table, in alphabetical order.
template <class Table>
std::vector<std::string> names(const Table &table) {
    std::vector<std::string> out;
    for (const auto &[name, value] : table)
        out.push_back(name);
    return out;
}

// The entry of a name. Throws an Error that names `what` where there is none.
template <class Table>
auto look_up(const Table &table, const std::string &name, const char *what) {
    const auto found = table.find(name);
    if (found == table.end())
        throw Error(std::string("oneDNN has no ") + what + " '" + name + "'");
    return found->second;
}

// oneDNN counts the elements that a dilated window skips.
inline Dims skipped(Dims dilations) {
    for (auto &dilation : dilations)
        --dilation;
    return dilations;
}

// The algorithm of a name. They throw an Error where there is none.
dnnl::algorithm eltwise_algorithm(const std::string &name);
dnnl::algorithm binary_algorithm(const std::string &name);
dnnl::algorithm pooling_algorithm(const std::string &name);
dnnl::algorithm resampling_algorithm(const std::string &name);

// A row of f32, one for each channel.
inline Desc channel_row(int64_t channels) {
    return Desc({channels}, dnnl::memory::data_type::f32, Dims{1});
}

inline std::string shown(const Desc &desc) {
    std::ostringstream out;
    for (const auto dim : desc.get_dims())
        out << dim << "x";
    out << dnnl_dt2str(dnnl::memory::convert_to_c(desc.get_data_type()));
    if (desc.get_format_kind() == dnnl::memory::format_kind::blocked) {
        out << " strides";
        for (const auto stride : desc.get_strides())
            out << " " << stride;
    }
    return out.str();
}

// What primitives without a scratchpad have in common, as a layout has 700 bytes.
const Desc &no_scratch();

inline dnnl::primitive_attr user_scratchpad() {
    dnnl::primitive_attr attr;
    attr.set_scratchpad_mode(dnnl::scratchpad_mode::user);
    return attr;
}

// Adds the post-ops behind those that are there, and the arguments and layouts of their operands. Throws an Error where
// there is no such kind or algorithm.
void append_post_ops(dnnl::post_ops &made, const PostOps &added, std::vector<int> &args, std::vector<Desc> &ins);

// beta of an eltwise: alpha * x + 0.0 loses the sign of a zero, alpha * x + -0.0 does not.
inline float settled_beta(dnnl::algorithm alg, float beta) {
    return alg == dnnl::algorithm::eltwise_linear && beta == 0.0F ? -0.0F : beta;
}

// Runs `make` on the team; an error of oneDNN becomes an Error with the kind and the layouts.
template <class Make>
Primitive prepare(const std::string &kind, const std::vector<Desc> &asked, int threads, Make make) {
    const int size = team_size(threads);
    try {
        Primitive primitive;
        on_team(size, [&] { primitive = make(); });
        primitive.kind = kind;
        primitive.threads = size;
        return primitive;
    } catch (const dnnl::error &error) {
        std::ostringstream out;
        out << "oneDNN has no " << kind << " of";
        for (const auto &desc : asked)
            out << " (" << shown(desc) << ")";
        out << ": " << dnnl_status2str(error.status);
        throw Error(out.str());
    }
}

// Whether code of this name may point the stack's register at other memory: "gemm:jit", "conv:any+gemm:jit", and not
// "brgemm", which is a kernel of another kind.
inline bool moves_stack(const std::string &implementation) {
    const size_t found = implementation.find("gemm");
    return found != std::string::npos && (found < 2 || implementation.compare(found - 2, 2, "br") != 0);
}

// The primitive of a description, with its layouts in the order of the arguments.
template <class Handle, class Description>
Primitive prepared(const Description &description, std::vector<int> in_args, std::vector<int> out_args,
                   std::vector<Desc> ins, std::vector<Desc> outs) {
    Primitive primitive;
    primitive.handle = Handle(description);
    primitive.in_args = std::move(in_args);
    primitive.out_args = std::move(out_args);
    primitive.ins = std::move(ins);
    primitive.outs = std::move(outs);
    primitive.scratch = description.scratchpad_desc();
    if (primitive.scratch.get_size() == 0)
        primitive.scratch = no_scratch();
    primitive.implementation = description.impl_info_str();
    primitive.moves_stack = moves_stack(primitive.implementation);
    return primitive;
}

} // namespace lastuse
