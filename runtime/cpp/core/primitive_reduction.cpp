// Primitives that add up: reductions along axes, local response normalization.
#include <map>

#include "primitive_maker.hpp"

namespace lastuse {

using dnnl::algorithm;
using dnnl::prop_kind;

namespace {

// Without max and min: these start from the largest finite numbers, not from infinities, and drop NaN.
const std::map<std::string, algorithm> reduction_table = {
    {"sum", algorithm::reduction_sum},
    {"mean", algorithm::reduction_mean},
    {"mul", algorithm::reduction_mul},
};

} // namespace

std::vector<std::string> reduction_algorithms() { return names(reduction_table); }

Primitive reduction(const std::string &alg, const Desc &src, const Desc &dst, int threads) {
    const auto kind = look_up(reduction_table, alg, "reduction algorithm");
    return prepare("reduction " + alg, {src, dst}, threads, [&] {
        const dnnl::reduction::primitive_desc description(engine(), kind, src, dst, 0.0F, 0.0F, user_scratchpad());
        return prepared<dnnl::reduction>(description, {DNNL_ARG_SRC}, {DNNL_ARG_DST}, {src}, {dst});
    });
}

Primitive lrn(int64_t size, float alpha, float beta, float bias, const Desc &src, const Desc &dst, int threads) {
    return prepare("local response normalization", {src, dst}, threads, [&] {
        const dnnl::lrn_forward::primitive_desc description(engine(), prop_kind::forward_inference,
                                                            algorithm::lrn_across_channels, src, dst, size, alpha, beta,
                                                            bias, user_scratchpad());
        return prepared<dnnl::lrn_forward>(description, {DNNL_ARG_SRC}, {DNNL_ARG_DST}, {src}, {dst});
    });
}

} // namespace lastuse
