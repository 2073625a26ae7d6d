// Primitives of training: gradients, and forward primitives that leave what gradients read.
#include <map>

#include "primitive_maker.hpp"

namespace lastuse {

using dnnl::algorithm;
using dnnl::memory;
using dnnl::normalization_flags;
using dnnl::prop_kind;

namespace {

// Algorithms whose gradient is computed from the result.
const std::map<algorithm, algorithm> from_result = {
    {algorithm::eltwise_relu, algorithm::eltwise_relu_use_dst_for_bwd},
    {algorithm::eltwise_tanh, algorithm::eltwise_tanh_use_dst_for_bwd},
    {algorithm::eltwise_elu, algorithm::eltwise_elu_use_dst_for_bwd},
    {algorithm::eltwise_sqrt, algorithm::eltwise_sqrt_use_dst_for_bwd},
    {algorithm::eltwise_logistic, algorithm::eltwise_logistic_use_dst_for_bwd},
    {algorithm::eltwise_exp, algorithm::eltwise_exp_use_dst_for_bwd},
};

const auto scale_and_shift = normalization_flags::use_scale | normalization_flags::use_shift;

} // namespace

Primitive eltwise_backward(const std::string &alg, bool from_dst, float alpha, float beta, const Desc &data,
                           const Desc &diff_dst, const Desc &diff_src, int threads) {
    auto kind = eltwise_algorithm(alg);
    if (from_dst) {
        const auto entry = from_result.find(kind);
        if (entry == from_result.end())
            throw Error("oneDNN has no gradient of eltwise " + alg + " from its result");
        kind = entry->second;
    }
    return prepare("eltwise gradient " + alg, {data, diff_dst, diff_src}, threads, [&] {
        const dnnl::eltwise_forward::primitive_desc forward(engine(), prop_kind::forward_training, kind, data, data,
                                                            alpha, beta);
        const dnnl::eltwise_backward::primitive_desc description(engine(), kind, diff_src, diff_dst, data, alpha, beta,
                                                                 forward, user_scratchpad());
        return prepared<dnnl::eltwise_backward>(description, {from_dst ? DNNL_ARG_DST : DNNL_ARG_SRC, DNNL_ARG_DIFF_DST},
                                                {DNNL_ARG_DIFF_SRC}, {data, diff_dst}, {diff_src});
    });
}

Primitive softmax_backward(int axis, bool log, const Desc &dst, const Desc &diff_dst, const Desc &diff_src,
                           int threads) {
    return prepare("softmax gradient", {dst, diff_dst, diff_src}, threads, [&] {
        const auto kind = log ? algorithm::softmax_log : algorithm::softmax_accurate;
        const dnnl::softmax_forward::primitive_desc forward(engine(), prop_kind::forward_training, kind, dst, dst, axis);
        const dnnl::softmax_backward::primitive_desc description(engine(), kind, diff_src, diff_dst, dst, axis, forward,
                                                                 user_scratchpad());
        return prepared<dnnl::softmax_backward>(description, {DNNL_ARG_DST, DNNL_ARG_DIFF_DST}, {DNNL_ARG_DIFF_SRC},
                                                {dst, diff_dst}, {diff_src});
    });
}

Primitive batch_norm_training(float epsilon, const Desc &src, const Desc &dst, int threads) {
    return prepare("batch normalization with statistics", {src, dst}, threads, [&] {
        const dnnl::batch_normalization_forward::primitive_desc description(
            engine(), prop_kind::forward_training, src, dst, epsilon, scale_and_shift, user_scratchpad());
        const Desc channel = channel_row(src.get_dims().at(1));
        return prepared<dnnl::batch_normalization_forward>(
            description, {DNNL_ARG_SRC, DNNL_ARG_SCALE, DNNL_ARG_SHIFT},
            {DNNL_ARG_DST, DNNL_ARG_MEAN, DNNL_ARG_VARIANCE}, {src, channel, channel}, {dst, channel, channel});
    });
}

Primitive batch_norm_backward(float epsilon, bool fixed, const Desc &src, const Desc &diff_dst, const Desc &diff_src,
                              int threads) {
    return prepare("batch normalization gradient", {src, diff_dst, diff_src}, threads, [&] {
        const auto flags = fixed ? scale_and_shift | normalization_flags::use_global_stats : scale_and_shift;
        const dnnl::batch_normalization_forward::primitive_desc forward(engine(), prop_kind::forward_training, src, src,
                                                                        epsilon, flags);
        const dnnl::batch_normalization_backward::primitive_desc description(
            engine(), prop_kind::backward, diff_src, diff_dst, src, epsilon, flags, forward, user_scratchpad());
        const Desc channel = channel_row(src.get_dims().at(1));
        return prepared<dnnl::batch_normalization_backward>(
            description, {DNNL_ARG_SRC, DNNL_ARG_MEAN, DNNL_ARG_VARIANCE, DNNL_ARG_SCALE, DNNL_ARG_DIFF_DST},
            {DNNL_ARG_DIFF_SRC, DNNL_ARG_DIFF_SCALE, DNNL_ARG_DIFF_SHIFT}, {src, channel, channel, channel, diff_dst},
            {diff_src, channel, channel});
    });
}

Primitive layer_norm_backward(float epsilon, const Desc &src, const Desc &stats, const Desc &diff_dst,
                              const Desc &diff_src, int threads) {
    return prepare("layer normalization gradient", {src, diff_dst, diff_src}, threads, [&] {
        const dnnl::layer_normalization_forward::primitive_desc forward(engine(), prop_kind::forward_training, src, src,
                                                                        stats, epsilon, scale_and_shift);
        const dnnl::layer_normalization_backward::primitive_desc description(
            engine(), prop_kind::backward, diff_src, diff_dst, src, stats, epsilon, scale_and_shift, forward,
            user_scratchpad());
        const Desc channel = channel_row(src.get_dims().back());
        return prepared<dnnl::layer_normalization_backward>(
            description,
            {DNNL_ARG_SRC, DNNL_ARG_MEAN, DNNL_ARG_VARIANCE, DNNL_ARG_SCALE, DNNL_ARG_DIFF_DST, DNNL_ARG_SHIFT},
            {DNNL_ARG_DIFF_SRC, DNNL_ARG_DIFF_SCALE, DNNL_ARG_DIFF_SHIFT},
            {src, stats, stats, channel, diff_dst, channel}, {diff_src, channel, channel});
    });
}

Primitive convolution_backward_weights(const Desc &src, const Desc &diff_dst, const Desc &diff_weights,
                                       const Window &window, int threads) {
    return prepare("convolution gradient of weights", {src, diff_dst, diff_weights}, threads, [&] {
        const auto kind = algorithm::convolution_auto;
        const auto dilates = skipped(window.dilations);
        const dnnl::convolution_forward::primitive_desc forward(engine(), prop_kind::forward_training, kind, src,
                                                                diff_weights, diff_dst, window.strides, dilates,
                                                                window.begins, window.ends);
        const dnnl::convolution_backward_weights::primitive_desc description(
            engine(), kind, src, diff_weights, diff_dst, window.strides, dilates, window.begins, window.ends, forward,
            user_scratchpad());
        return prepared<dnnl::convolution_backward_weights>(description, {DNNL_ARG_SRC, DNNL_ARG_DIFF_DST},
                                                            {DNNL_ARG_DIFF_WEIGHTS}, {src, diff_dst},
                                                            {description.diff_weights_desc()});
    });
}

namespace {

dnnl::pooling_forward::primitive_desc trained_pooling(algorithm kind, const Desc &src, const Desc &dst,
                                                      const Dims &kernel, const Window &window) {
    return dnnl::pooling_forward::primitive_desc(engine(), prop_kind::forward_training, kind, src, dst, window.strides,
                                                 kernel, skipped(window.dilations), window.begins, window.ends,
                                                 user_scratchpad());
}

} // namespace

Primitive max_pooling_training(const Desc &src, const Desc &dst, const Desc &chosen, const Dims &kernel,
                               const Window &window, int threads) {
    return prepare("max pooling with numbers", {src, dst, chosen}, threads, [&] {
        const auto description = trained_pooling(algorithm::pooling_max, src, dst, kernel, window);
        if (!same_elements(description.workspace_desc(), chosen))
            throw Error("oneDNN's pooling notes the largest elements in another layout than " + shown(chosen));
        return prepared<dnnl::pooling_forward>(description, {DNNL_ARG_SRC}, {DNNL_ARG_DST, DNNL_ARG_WORKSPACE}, {src},
                                               {dst, description.workspace_desc()});
    });
}

Primitive pooling_backward(const std::string &alg, const Desc &diff_dst, const std::optional<Desc> &chosen,
                           const Desc &diff_src, const Dims &kernel, const Window &window, int threads) {
    const auto kind = pooling_algorithm(alg);
    return prepare("pooling gradient " + alg, {diff_dst, diff_src}, threads, [&] {
        const auto forward = trained_pooling(kind, diff_src, diff_dst, kernel, window);
        const dnnl::pooling_backward::primitive_desc description(engine(), kind, diff_src, diff_dst, window.strides,
                                                                 kernel, skipped(window.dilations), window.begins,
                                                                 window.ends, forward, user_scratchpad());
        std::vector<int> args = {DNNL_ARG_DIFF_DST};
        std::vector<Desc> ins = {diff_dst};
        if (chosen) {
            if (!same_elements(description.workspace_desc(), *chosen))
                throw Error("oneDNN's pooling reads the largest elements in another layout than " + shown(*chosen));
            args.push_back(DNNL_ARG_WORKSPACE);
            ins.push_back(description.workspace_desc());
        }
        return prepared<dnnl::pooling_backward>(description, args, {DNNL_ARG_DIFF_SRC}, ins, {diff_src});
    });
}

Primitive resampling_backward(const std::string &alg, const Desc &diff_dst, const Desc &diff_src, int threads) {
    const auto kind = resampling_algorithm(alg);
    return prepare("resampling gradient", {diff_dst, diff_src}, threads, [&] {
        const dnnl::resampling_forward::primitive_desc forward(engine(), prop_kind::forward_training, kind, diff_src,
                                                               diff_dst);
        const dnnl::resampling_backward::primitive_desc description(engine(), kind, diff_src, diff_dst, forward,
                                                                    user_scratchpad());
        return prepared<dnnl::resampling_backward>(description, {DNNL_ARG_DIFF_DST}, {DNNL_ARG_DIFF_SRC}, {diff_dst},
                                                   {diff_src});
    });
}

} // namespace lastuse
