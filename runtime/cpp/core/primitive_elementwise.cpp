// Primitives that compute each element from the elements at the same place.
#include <map>

#include "primitive_maker.hpp"

namespace lastuse {

using dnnl::algorithm;
using dnnl::prop_kind;

namespace {

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
    {"ge", algorithm::binary_ge},   {"gt", algorithm::binary_gt},   {"le", algorithm::binary_le},
    {"lt", algorithm::binary_lt},   {"eq", algorithm::binary_eq},   {"ne", algorithm::binary_ne},
};

} // namespace

algorithm eltwise_algorithm(const std::string &name) { return look_up(eltwise_table, name, "eltwise algorithm"); }

algorithm binary_algorithm(const std::string &name) { return look_up(binary_table, name, "binary algorithm"); }

void append_post_ops(dnnl::post_ops &made, const PostOps &added, std::vector<int> &args, std::vector<Desc> &ins) {
    for (const auto &[kind, alg, alpha, beta, operand] : added) {
        const int number = made.len();
        if (kind == "sum") {
            made.append_sum(1.0F);
        } else if (kind == "eltwise") {
            const auto function = eltwise_algorithm(alg);
            made.append_eltwise(function, alpha, settled_beta(function, beta));
        } else if (kind == "binary" && operand) {
            made.append_binary(binary_algorithm(alg), *operand);
            args.push_back(DNNL_ARG_ATTR_MULTIPLE_POST_OP(number) | DNNL_ARG_SRC_1);
            ins.push_back(*operand);
        } else {
            throw Error("oneDNN has no post-op '" + kind + "' with such an operand");
        }
    }
}

std::vector<std::string> eltwise_algorithms() { return names(eltwise_table); }
std::vector<std::string> binary_algorithms() { return names(binary_table); }

Primitive eltwise(const std::string &alg, float alpha, float beta, const Desc &src, const Desc &dst, int threads) {
    const auto kind = eltwise_algorithm(alg);
    beta = settled_beta(kind, beta);
    return prepare("eltwise " + alg, {src, dst}, threads, [&] {
        const dnnl::eltwise_forward::primitive_desc description(engine(), prop_kind::forward_inference, kind, src, dst,
                                                                alpha, beta, user_scratchpad());
        return prepared<dnnl::eltwise_forward>(description, {DNNL_ARG_SRC}, {DNNL_ARG_DST}, {src}, {dst});
    });
}

Primitive binary(const std::string &alg, const Desc &src0, const Desc &src1, const Desc &dst, int threads) {
    const auto kind = binary_algorithm(alg);
    return prepare("binary " + alg, {src0, src1, dst}, threads, [&] {
        const dnnl::binary::primitive_desc description(engine(), kind, src0, src1, dst, user_scratchpad());
        return prepared<dnnl::binary>(description, {DNNL_ARG_SRC_0, DNNL_ARG_SRC_1}, {DNNL_ARG_DST}, {src0, src1},
                                      {dst});
    });
}

} // namespace lastuse
