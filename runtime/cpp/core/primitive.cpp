#include "primitive.hpp"

#include <algorithm>
#include <map>

#include "../threads/team.hpp"
#include "primitive_maker.hpp"

namespace lastuse {

using dnnl::algorithm;
using dnnl::memory;
using dnnl::normalization_flags;
using dnnl::prop_kind;

namespace {

const std::map<std::string, memory::data_type> data_types = {
    {"float32", memory::data_type::f32}, {"bfloat16", memory::data_type::bf16}, {"float16", memory::data_type::f16},
    {"int32", memory::data_type::s32},   {"int8", memory::data_type::s8},       {"uint8", memory::data_type::u8},
    {"bool", memory::data_type::u8}, // 0 and 1
};

} // namespace

dnnl::engine &engine() {
    static auto *const cpu = [] {
        // oneDNN's primitive cache takes layouts that differ in strides of axes of one element for equal, but chooses
        // implementations by these strides: a description of one may get a primitive of another, with other packed
        // weights and another scratchpad.
        dnnl::set_primitive_cache_capacity(0);
        return new dnnl::engine(dnnl::engine::kind::cpu, 0);
    }();
    return *cpu;
}

bool has_data_type(const std::string &dtype) { return data_types.count(dtype) != 0; }

namespace {

// With the strides of a row-major layout for axes of one element: they have no meaning, but oneDNN compares them.
Dims settled(const Dims &shape, Dims strides) {
    for (size_t axis = shape.size(); axis-- > 0;)
        if (shape[axis] <= 1)
            strides[axis] = axis + 1 < shape.size() ? strides[axis + 1] * std::max<int64_t>(shape[axis + 1], 1) : 1;
    return strides;
}

} // namespace

memory::desc strided(const std::string &dtype, const Dims &shape, const Dims &strides, bool exact) {
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
    return memory::desc(shape, type, exact ? strides : settled(shape, strides));
}

bool same_elements(const memory::desc &a, const memory::desc &b) {
    if (a == b)
        return true;
    for (const auto &desc : {a, b})
        if (desc.get_format_kind() != memory::format_kind::blocked || desc.get_inner_nblks() != 0)
            return false;
    return a.get_dims() == b.get_dims() && a.get_data_type() == b.get_data_type() &&
           settled(a.get_dims(), a.get_strides()) == settled(b.get_dims(), b.get_strides());
}

memory::desc free_layout(const std::string &dtype, const Dims &shape) {
    return memory::desc(shape, look_up(data_types, dtype, "element type"), memory::format_tag::any);
}

const Desc &no_scratch() {
    static const auto *const none = new Desc();
    return *none;
}

size_t Primitive::scratch_bytes() const {
    return conversions.empty() ? scratch.get_size() : conversions.back().offset + conversions.back().inside.get_size();
}

namespace {

Primitive converted(Primitive primitive, bool is_result, size_t number, const Desc &outside) {
    auto &descs = is_result ? primitive.outs : primitive.ins;
    const auto &args = is_result ? primitive.out_args : primitive.in_args;
    if (number >= descs.size())
        throw Error("a primitive of " + std::to_string(descs.size()) + (is_result ? " results" : " operands") +
                    " has no number " + std::to_string(number));
    const Desc inside = descs[number];
    if (same_elements(inside, outside))
        return primitive;
    const auto made = is_result ? reorder(inside, outside, primitive.threads) : reorder(outside, inside, primitive.threads);
    descs[number] = outside;
    primitive.conversions.push_back({args[number], is_result, outside, inside,
                                     static_cast<const dnnl::reorder &>(made.handle), made.scratch, 0});
    size_t end = primitive.scratch.get_size();
    for (const auto &conversion : primitive.conversions)
        end = std::max(end, conversion.reorder_scratch.get_size());
    for (auto &conversion : primitive.conversions) {
        conversion.offset = static_cast<size_t>(aligned(static_cast<int64_t>(end)));
        end = conversion.offset + conversion.inside.get_size();
    }
    return primitive;
}

} // namespace

Primitive with_operand(Primitive primitive, size_t number, const Desc &outside) {
    return converted(std::move(primitive), false, number, outside);
}

Primitive with_result(Primitive primitive, size_t number, const Desc &outside) {
    return converted(std::move(primitive), true, number, outside);
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
        const Desc channel = channel_row(src.get_dims().back());
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
        const Desc channel = channel_row(src.get_dims().at(1));
        return prepared<dnnl::batch_normalization_forward>(
            description, {DNNL_ARG_SRC, DNNL_ARG_SCALE, DNNL_ARG_SHIFT, DNNL_ARG_MEAN, DNNL_ARG_VARIANCE},
            {DNNL_ARG_DST}, {src, channel, channel, channel, channel}, {dst});
    });
}

Primitive matmul(const Desc &src, const Desc &weights, const std::optional<Desc> &bias, const Desc &dst, float alpha,
                 float beta, const PostOps &post_ops, int threads) {
    return prepare("matmul", {src, weights, dst}, threads, [&] {
        dnnl::primitive_attr attr = user_scratchpad();
        dnnl::post_ops all;
        if (alpha != 1.0F)
            all.append_eltwise(algorithm::eltwise_linear, alpha, -0.0F);
        if (beta != 0.0F)
            all.append_sum(beta);
        std::vector<int> further_args;
        std::vector<Desc> further;
        append_post_ops(all, post_ops, further_args, further);
        attr.set_post_ops(all);
        using Description = dnnl::matmul::primitive_desc;
        const auto description = bias ? Description(engine(), src, weights, *bias, dst, attr)
                                      : Description(engine(), src, weights, dst, attr);
        std::vector<int> args = {DNNL_ARG_SRC, DNNL_ARG_WEIGHTS};
        std::vector<Desc> ins = {src, description.weights_desc()};
        if (bias) {
            args.push_back(DNNL_ARG_BIAS);
            ins.push_back(*bias);
        }
        args.insert(args.end(), further_args.begin(), further_args.end());
        ins.insert(ins.end(), further.begin(), further.end());
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
