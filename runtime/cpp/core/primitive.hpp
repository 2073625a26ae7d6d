// Prepared oneDNN primitives. Each maker returns the primitive and the layouts of its operands and results.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <oneapi/dnnl/dnnl.hpp>
#include <oneapi/dnnl/dnnl_debug.h>

#include "../support.hpp"

namespace lastuse {

// The CPU engine: the only global, made at first use and never destroyed (primitives may outlive main).
dnnl::engine &engine();

using Dims = std::vector<int64_t>;
using Desc = dnnl::memory::desc;

// Whether oneDNN supports elements of this numpy dtype name ("float32", "bfloat16", …).
bool has_data_type(const std::string &dtype);

// A memory descriptor; strides in elements, none negative. A rank of 0 becomes one dimension of size 1.
// `exact`: the strides of axes of one element are kept too; else they become those of a row-major layout.
// Throws Error where oneDNN has no such layout.
dnnl::memory::desc strided(const std::string &dtype, const Dims &shape, const Dims &strides, bool exact = false);

// Whether both have the same bytes for each element: strides of axes of one element do not count.
bool same_elements(const dnnl::memory::desc &a, const dnnl::memory::desc &b);

// The primitive chooses the layout.
dnnl::memory::desc free_layout(const std::string &dtype, const Dims &shape);

// An operand or result of a step in another layout than the step's primitive takes. A reorder converts it before the
// primitive runs, or after it; the primitive's form of it is in the step's scratch.
struct Conversion {
    int arg;        // oneDNN's argument number
    bool is_result; // converted after the primitive
    Desc outside, inside;
    dnnl::reorder reorder;
    Desc reorder_scratch;
    size_t offset; // of `inside` in the scratch, bytes
};

struct Primitive {
    std::string kind;
    dnnl::primitive handle;
    std::vector<int> in_args, out_args; // oneDNN's argument numbers, in the order of the dialect's operands
    std::vector<Desc> ins, outs;         // of the step
    Desc scratch;                        // of the primitive itself; empty if it needs none
    std::vector<Conversion> conversions; // of operands and results that the step has in other layouts
    std::string implementation; // oneDNN's name of the kernel, "jit:avx2"
    bool moves_stack = false;   // whether no signal may come while it runs; see threads/held_signals.hpp
    bool streams_result = false; // whether a result that is larger than the caches must begin at a cache line
    int threads;                // size of the team that it was prepared for; its scratch depends on it

    // Bytes of scratch of the step: the primitive's and the reorders', which do not run at once, then converted forms.
    size_t scratch_bytes() const;
};

// The step of `primitive` with operand or result `number` in the layout `outside`: where the primitive takes another
// one, the step converts it each time it runs. So weights that change from run to run are packed in planned memory.
Primitive with_operand(Primitive primitive, size_t number, const Desc &outside);
Primitive with_result(Primitive primitive, size_t number, const Desc &outside);

// What a primitive makes of each element of its result before it writes it: "eltwise" with alpha and beta; "binary" with
// the element of `operand` at the same place, where a size of 1 is repeated; "sum" with what dst held.
struct PostOp {
    std::string kind, alg;
    float alpha = 0, beta = 0;
    std::optional<Desc> operand = std::nullopt;
};
using PostOps = std::vector<PostOp>;

// The makers, for a team of team_size(threads). All throw an Error that names the kind and the layouts.
Primitive eltwise(const std::string &alg, float alpha, float beta, const Desc &src, const Desc &dst, int threads);
Primitive binary(const std::string &alg, const Desc &src0, const Desc &src1, const Desc &dst, int threads);
Primitive sum(const std::vector<float> &scales, const std::vector<Desc> &srcs, const Desc &dst, int threads);
Primitive softmax(int axis, bool log, const Desc &src, const Desc &dst, int threads);
// Outs are dst and, with `stats`, mean and variance over the last axis.
Primitive layer_norm(float epsilon, const Desc &src, const Desc &dst, const std::optional<Desc> &stats, int threads);
Primitive batch_norm(float epsilon, const Desc &src, const Desc &dst, int threads);
// dst = alpha * (src @ weights + bias) + beta * dst, then the post-ops in their order; dst is read only where beta is
// not 0, or by a sum. Operands of post-ops are the last ins.
Primitive matmul(const Desc &src, const Desc &weights, const std::optional<Desc> &bias, const Desc &dst, float alpha,
                 float beta, const PostOps &post_ops, int threads);
// Axes that dst has with size 1, and src with another one, are reduced.
Primitive reduction(const std::string &alg, const Desc &src, const Desc &dst, int threads);
// dst = src * (bias + alpha / size * sum of squares)^-beta, the sum over `size` channels (axis 1) around each, an odd
// number of them.
Primitive lrn(int64_t size, float alpha, float beta, float bias, const Desc &src, const Desc &dst, int threads);
Primitive reorder(const Desc &src, const Desc &dst, int threads);

// How a window moves over the spatial axes, one entry for each: steps, the distance of its elements, and how far it
// reaches beyond the first and the last element.
struct Window {
    Dims strides, dilations, begins, ends;
};
// src and dst [N, C, spatial…] in any layout; weights [O, I, spatial…] or, by groups, [G, O/G, I/G, spatial…]. Operands
// of post-ops are the last ins.
Primitive convolution(const Desc &src, const Desc &weights, const std::optional<Desc> &bias, const Desc &dst,
                      const Window &window, const PostOps &post_ops, bool any_size, int threads);
Primitive deconvolution(const Desc &src, const Desc &weights, const std::optional<Desc> &bias, const Desc &dst,
                        const Window &window, const PostOps &post_ops, int threads);
Primitive pooling(const std::string &alg, const Desc &src, const Desc &dst, const Dims &kernel, const Window &window,
                  int threads);
// Between the sizes of src and dst, centres of elements half a step from their edges.
Primitive resampling(const std::string &alg, const Desc &src, const Desc &dst, int threads);

// Backward: `diff` is the gradient of what the name says. data is dst with `from_dst`, which some algorithms have, else
// src. diff_src may be diff_dst.
Primitive eltwise_backward(const std::string &alg, bool from_dst, float alpha, float beta, const Desc &data,
                           const Desc &diff_dst, const Desc &diff_src, int threads);
// Ins: dst, diff_dst; diff_src may be diff_dst.
Primitive softmax_backward(int axis, bool log, const Desc &dst, const Desc &diff_dst, const Desc &diff_src,
                           int threads);
// Ins: src, scale, shift; outs: dst, and mean and variance of each channel of src.
Primitive batch_norm_training(float epsilon, const Desc &src, const Desc &dst, int threads);
// Ins: src, mean, variance, scale, diff_dst; outs: diff_src, which may be diff_dst, diff_scale, diff_shift. With
// `fixed` the statistics are numbers that do not depend on src.
Primitive batch_norm_backward(float epsilon, bool fixed, const Desc &src, const Desc &diff_dst, const Desc &diff_src,
                              int threads);
// Ins and outs as of batch_norm_backward, with mean and variance over the last axis as `stats` lie, and a row more in
// the ins: oneDNN demands a shift, which it does not read.
Primitive layer_norm_backward(float epsilon, const Desc &src, const Desc &stats, const Desc &diff_dst,
                              const Desc &diff_src, int threads);
// Ins: src, diff_dst; outs: diff_weights.
Primitive convolution_backward_weights(const Desc &src, const Desc &diff_dst, const Desc &diff_weights,
                                       const Window &window, int threads);
// Outs: dst, and for each element of it the number of the element of the window that is the largest, laid out as dst.
Primitive max_pooling_training(const Desc &src, const Desc &dst, const Desc &chosen, const Dims &kernel,
                               const Window &window, int threads);
// Ins: diff_dst and, of the largest element, what max_pooling_training says.
Primitive pooling_backward(const std::string &alg, const Desc &diff_dst, const std::optional<Desc> &chosen,
                           const Desc &diff_src, const Dims &kernel, const Window &window, int threads);
Primitive resampling_backward(const std::string &alg, const Desc &diff_dst, const Desc &diff_src, int threads);

// All that tells a blocked layout from others, as text; empty for a layout that oneDNN does not disclose, or that holds
// bytes besides its elements.
std::string layout_text(const Desc &desc);

// Copies elements to another layout. Throws dnnl::error.
void convert(const Desc &from, const void *source, const Desc &to, void *target);

std::vector<std::string> eltwise_algorithms();
std::vector<std::string> binary_algorithms();
std::vector<std::string> reduction_algorithms();

} // namespace lastuse
