#include "primitive.hpp"

#include <algorithm>
#include <map>
#include <sstream>

#include "../threads/team.hpp"

namespace lastuse {

using dnnl::algorithm;
using dnnl::memory;
using dnnl::normalization_flags;
using dnnl::prop_kind;

namespace {

const std::map<std::string, memory::data_type> data_types = {
    {"float32", memory::data_type::f32}, {"bfloat16", memory::data_type::bf16}, {"float16", memory::data_type::f16},
    {"int32", memory::data_type::s32},   {"int8", memory::data_type::s8},       {"uint8", memory::data_type::u8},
};

const std::map<std::string, algorithm> eltwise_table = {
    {"relu", algorithm::eltwise_relu},
    {"tanh", algorithm::eltwise_tanh},
    {"elu", algorithm::eltwise_elu},
    {"square", algorithm::eltwise_square},
    {"abs", algorithm::eltwise_abs},
    {"sqrt", algorithm::eltwise_sqrt},
    {"swish", algorithm::eltwise_swish},
    {"linear", algorithm::eltwise_linear},
    {"soft_relu", algorithm::eltwise_soft_relu},
    {"hardsigmoid", algorithm::eltwise_hardsigmoid},
    {"hardswish", algorithm::eltwise_hardswish},
    {"mish", algorithm::eltwise_mish},
    {"logistic", algorithm::eltwise_logistic},
    {"exp", algorithm::eltwise_exp},
    {"gelu_tanh", algorithm::eltwise_gelu_tanh},
    {"gelu_erf", algorithm::eltwise_gelu_erf},
    {"log", algorithm::eltwise_log},
    {"clip", algorithm::eltwise_clip},
    {"pow", algorithm::eltwise_pow},
    {"round", algorithm::eltwise_round},
};

const std::map<std::string, algorithm> binary_table = {
    {"add", algorithm::binary_add}, {"sub", algorithm::binary_sub}, {"mul", algorithm::binary_mul},
    {"div", algorithm::binary_div}, {"max", algorithm::binary_max}, {"min", algorithm::binary_min},
};

template <class Table>
std::vector<std::string> names(const Table &table) {
    std::vector<std::string> out;
    for (const auto &[name, value] : table)
        out.push_back(name);
    return out;
}

template <class Table>
auto look_up(const Table &table, const std::string &name, const char *what) {
    const auto found = table.find(name);
    if (found == table.end())
        throw Error(std::string("oneDNN has no ") + what + " '" + name + "'");
    return found->second;
}

std::string shown(const memory::desc &desc) {
    std::ostringstream out;
    for (const auto dim : desc.get_dims())
        out << dim << "x";
    out << dnnl_dt2str(memory::convert_to_c(desc.get_data_type()));
    if (desc.get_format_kind() == memory::format_kind::blocked) {
        out << " strides";
        for (const auto stride : desc.get_strides())
            out << " " << stride;
    }
    return out.str();
}

dnnl::primitive_attr user_scratchpad() {
    dnnl::primitive_attr attr;
    attr.set_scratchpad_mode(dnnl::scratchpad_mode::user);
    return attr;
}

// Runs `make` on the team; an error of oneDNN becomes an Error with the kind and the layouts.
template <class Make>
Primitive prepare(const std::string &kind, const std::vector<memory::desc> &asked, int threads, Make make) {
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

template <class Handle, class Description>
Primitive prepared(const Description &description, std::vector<int> in_args, std::vector<int> out_args,
                   std::vector<memory::desc> ins, std::vector<memory::desc> outs) {
    Primitive primitive;
    primitive.handle = Handle(description);
    primitive.in_args = std::move(in_args);
    primitive.out_args = std::move(out_args);
    primitive.ins = std::move(ins);
    primitive.outs = std::move(outs);
    primitive.scratch = description.scratchpad_desc();
    primitive.implementation = description.impl_info_str();
    return primitive;
}

} // namespace

dnnl::engine &engine() {
    static auto *const cpu = new dnnl::engine(dnnl::engine::kind::cpu, 0);
    return *cpu;
}

bool has_data_type(const std::string &dtype) { return data_types.count(dtype) != 0; }

memory::desc strided(const std::string &dtype, const Dims &shape, const Dims &strides) {
    const auto type = look_up(data_types, dtype, "element type");
    if (shape.size() != strides.size() || shape.size() > DNNL_MAX_NDIMS)
        throw Error("oneDNN has no layout of " + std::to_string(shape.size()) + " sizes and " +
                    std::to_string(strides.size()) + " strides");
    for (size_t axis = 0; axis < shape.size(); ++axis)
        if (shape[axis] < 0 || strides[axis] < 0 || (strides[axis] == 0 && shape[axis] > 1))
            throw Error("oneDNN has no layout of stride " + std::to_string(strides[axis]) + " over " +
                        std::to_string(shape[axis]) + " elements");
    if (shape.empty())
        return memory::desc({1}, type, Dims{1});
    // The stride of an axis of one element has no meaning, but oneDNN compares it: use the one of a dense layout.
    Dims settled = strides;
    for (size_t axis = shape.size(); axis-- > 0;)
        if (shape[axis] <= 1)
            settled[axis] = axis + 1 < shape.size() ? settled[axis + 1] * std::max<int64_t>(shape[axis + 1], 1) : 1;
    return memory::desc(shape, type, settled);
}

memory::desc free_layout(const std::string &dtype, const Dims &shape) {
    return memory::desc(shape, look_up(data_types, dtype, "element type"), memory::format_tag::any);
}

std::vector<std::string> eltwise_algorithms() { return names(eltwise_table); }
std::vector<std::string> binary_algorithms() { return names(binary_table); }

Primitive eltwise(const std::string &alg, float alpha, float beta, const Desc &src, const Desc &dst, int threads) {
    const auto kind = look_up(eltwise_table, alg, "eltwise algorithm");
    // alpha * x + 0.0 loses the sign of a zero, alpha * x + -0.0 does not. Both have one key in oneDNN's primitive
    // cache, so only one of them may be requested.
    if (kind == algorithm::eltwise_linear && beta == 0.0F)
        beta = -0.0F;
    return prepare("eltwise " + alg, {src, dst}, threads, [&] {
        const dnnl::eltwise_forward::primitive_desc description(engine(), prop_kind::forward_inference, kind, src, dst,
                                                                alpha, beta, user_scratchpad());
        return prepared<dnnl::eltwise_forward>(description, {DNNL_ARG_SRC}, {DNNL_ARG_DST}, {src}, {dst});
    });
}

Primitive binary(const std::string &alg, const Desc &src0, const Desc &src1, const Desc &dst, int threads) {
    const auto kind = look_up(binary_table, alg, "binary algorithm");
    return prepare("binary " + alg, {src0, src1, dst}, threads, [&] {
        const dnnl::binary::primitive_desc description(engine(), kind, src0, src1, dst, user_scratchpad());
        return prepared<dnnl::binary>(description, {DNNL_ARG_SRC_0, DNNL_ARG_SRC_1}, {DNNL_ARG_DST}, {src0, src1},
                                      {dst});
    });
}

Primitive sum(const std::vector<float> &scales, const std::vector<Desc> &srcs, const Desc &dst, int threads) {
    if (srcs.empty() || scales.size() != srcs.size())
        throw Error("a sum has one scale for each of its sources, of which there is at least one");
    return prepare("sum", srcs, threads, [&] {
        const dnnl::sum::primitive_desc description(engine(), dst, scales, srcs, user_scratchpad());
        std::vector<int> args;
        for (size_t k = 0; k < srcs.size(); ++k)
            args.push_back(DNNL_ARG_MULTIPLE_SRC + static_cast<int>(k));
        return prepared<dnnl::sum>(description, args, {DNNL_ARG_DST}, srcs, {dst});
    });
}

Primitive softmax(int axis, bool log, const Desc &src, const Desc &dst, int threads) {
    return prepare(log ? "log softmax" : "softmax", {src, dst}, threads, [&] {
        const dnnl::softmax_forward::primitive_desc description(
            engine(), prop_kind::forward_inference, log ? algorithm::softmax_log : algorithm::softmax_accurate, src,
            dst, axis, user_scratchpad());
        return prepared<dnnl::softmax_forward>(description, {DNNL_ARG_SRC}, {DNNL_ARG_DST}, {src}, {dst});
    });
}

Primitive layer_norm(float epsilon, const Desc &src, const Desc &dst, const std::optional<Desc> &stats, int threads) {
    return prepare("layer normalization", {src, dst}, threads, [&] {
        const auto flags = normalization_flags::use_scale | normalization_flags::use_shift;
        const auto kind = stats ? prop_kind::forward_training : prop_kind::forward_inference;
        using Description = dnnl::layer_normalization_forward::primitive_desc;
        const auto description = stats
                                     ? Description(engine(), kind, src, dst, *stats, epsilon, flags, user_scratchpad())
                                     : Description(engine(), kind, src, dst, epsilon, flags, user_scratchpad());
        const Desc channel = memory::desc({src.get_dims().back()}, memory::data_type::f32, Dims{1});
        std::vector<int> out_args = {DNNL_ARG_DST};
        std::vector<Desc> outs = {dst};
        if (stats) {
            out_args.insert(out_args.end(), {DNNL_ARG_MEAN, DNNL_ARG_VARIANCE});
            outs.insert(outs.end(), {*stats, *stats});
        }
        return prepared<dnnl::layer_normalization_forward>(
            description, {DNNL_ARG_SRC, DNNL_ARG_SCALE, DNNL_ARG_SHIFT}, out_args, {src, channel, channel}, outs);
    });
}

Primitive batch_norm(float epsilon, const Desc &src, const Desc &dst, int threads) {
    return prepare("batch normalization", {src, dst}, threads, [&] {
        const auto flags = normalization_flags::use_global_stats | normalization_flags::use_scale |
                           normalization_flags::use_shift;
        const dnnl::batch_normalization_forward::primitive_desc description(
            engine(), prop_kind::forward_inference, src, dst, epsilon, flags, user_scratchpad());
        const Desc channel = memory::desc({src.get_dims().at(1)}, memory::data_type::f32, Dims{1});
        return prepared<dnnl::batch_normalization_forward>(
            description, {DNNL_ARG_SRC, DNNL_ARG_SCALE, DNNL_ARG_SHIFT, DNNL_ARG_MEAN, DNNL_ARG_VARIANCE},
            {DNNL_ARG_DST}, {src, channel, channel, channel, channel}, {dst});
    });
}

Primitive matmul(const Desc &src, const Desc &weights, const std::optional<Desc> &bias, const Desc &dst, float alpha,
                 float beta, int threads) {
    return prepare("matmul", {src, weights, dst}, threads, [&] {
        dnnl::primitive_attr attr = user_scratchpad();
        dnnl::post_ops post_ops;
        if (alpha != 1.0F)
            post_ops.append_eltwise(algorithm::eltwise_linear, alpha, -0.0F);
        if (beta != 0.0F)
            post_ops.append_sum(beta);
        attr.set_post_ops(post_ops);
        using Description = dnnl::matmul::primitive_desc;
        const auto description = bias ? Description(engine(), src, weights, *bias, dst, attr)
                                      : Description(engine(), src, weights, dst, attr);
        std::vector<int> args = {DNNL_ARG_SRC, DNNL_ARG_WEIGHTS};
        std::vector<Desc> ins = {src, description.weights_desc()};
        if (bias) {
            args.push_back(DNNL_ARG_BIAS);
            ins.push_back(*bias);
        }
        return prepared<dnnl::matmul>(description, args, {DNNL_ARG_DST}, ins, {dst});
    });
}

Primitive reorder(const Desc &src, const Desc &dst, int threads) {
    return prepare("reorder", {src, dst}, threads, [&] {
        const dnnl::reorder::primitive_desc description(engine(), src, engine(), dst, user_scratchpad());
        return prepared<dnnl::reorder>(description, {DNNL_ARG_FROM}, {DNNL_ARG_TO}, {src}, {dst});
    });
}

std::string layout_text(const Desc &desc) {
    if (desc.get_format_kind() != memory::format_kind::blocked)
        return "";
    const auto padded = desc.get_padded_dims();
    size_t bytes = memory::data_type_size(desc.get_data_type());
    for (const auto size : padded)
        bytes *= static_cast<size_t>(size);
    if (desc.get_size() != bytes || desc.get_submemory_offset() != 0)
        return "";
    std::ostringstream out;
    out << dnnl_dt2str(memory::convert_to_c(desc.get_data_type()));
    const auto list = [&](const char *name, const std::vector<memory::dim> &numbers) {
        out << " " << name;
        for (const auto number : numbers)
            out << "," << number;
    };
    list("sizes", desc.get_dims());
    list("padded", padded);
    list("offsets", desc.get_padded_offsets());
    list("strides", desc.get_strides());
    list("blocks", desc.get_inner_blks());
    list("axes", desc.get_inner_idxs());
    return out.str();
}

void convert(const Desc &from, const void *source, const Desc &to, void *target) {
    on_team(team_size(0), [&] {
        memory plain(from, engine(), const_cast<void *>(source)), packed(to, engine(), target);
        dnnl::stream stream(engine());
        dnnl::reorder(plain, packed).execute(stream, plain, packed);
        stream.wait();
    });
}

} // namespace lastuse
