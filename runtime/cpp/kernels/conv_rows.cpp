#include "conv_rows.hpp"

#include <algorithm>

#include "../moves/tiles.hpp"
#include "processors.hpp"
#include "spatial_work.hpp"

namespace lastuse::kernels {

namespace {

const ConvRowsKernels &conv_rows_kernels() { return LASTUSE_BEST_TO_AVX512(conv_rows); }

// A window of one column, as wide as x moves: all rows are one, of which a window of one row reads.
void join_rows(ConvRows &work) {
    const bool joins = work.kernel[1] == 1 && work.strides[0] == 1 && work.begins[1] == 0 && work.in[1] == work.out[1];
    if (!joins || work.in[0] == 1)
        return;
    const int64_t width = work.in[1];
    for (int64_t *const sizes : {work.in, work.out}) {
        sizes[1] *= sizes[0];
        sizes[0] = 1;
    }
    work.kernel[1] = work.kernel[0];
    work.dilations[1] = work.dilations[0] * width;
    work.begins[1] = work.begins[0] * width;
    work.kernel[0] = work.dilations[0] = 1;
    work.begins[0] = 0;
}

// A convolution, and where its channels are last, blocks of how many rows of y a lane computes, and the floats of scratch
// for one.
struct RowsCall {
    ConvRows work;
    int64_t rows, lane_floats;
};

RowsCall rows_of(const Call &call) {
    const size_t window = 1 + 3 * (call.outs.empty() ? 0 : call.outs[0].rank() - 2), post_ops = window + 2;
    call.expect(call.numbers.size() >= post_ops, "the kernel takes other numbers");
    const bool sums = call.numbers.size() > post_ops && call.numbers[post_ops] == static_cast<double>(RowFunction::sum);
    const size_t own = call.ins.size() - sums;
    const int64_t rows = call.integer(window), lane_floats = call.integer(window + 1);
    ConvRows work = spatial_work<ConvRows>(call, rows > 0 ? 1 : 2, own);
    const Array &x = call.ins[0], &weights = call.ins[1], &y = call.outs[0];
    const size_t channels = rows > 0 ? x.rank() - 1 : 1;
    work.channels = weights.size(1);
    work.outputs = weights.size(0) / work.groups;
    call.expect(work.strides[0] > 0 && work.strides[1] == 1 && work.dilations[0] > 0 && work.dilations[1] > 0,
                "the kernel takes a stride of 1 along the last axis");
    call.expect(work.groups * work.channels == x.size(channels) && work.groups * work.outputs == weights.size(0) &&
                    y.size(0) == x.size(0) && y.size(channels) == weights.size(0) && (rows == 0 || work.groups == 1),
                "the kernel takes other sizes");
    read_bias(call, work, own);
    work.post_ops = row_post_ops(call, post_ops, last_plain_function);
    work.added = added_by(call, work.post_ops);
    return {work, rows, lane_floats};
}

// Bytes of the packed weights, of which lines of a cache belong to one lane.
int64_t packed_bytes(const Array &weights) {
    constexpr int64_t line = 64;
    return (weights.elements() * static_cast<int64_t>(sizeof(float)) + line - 1) / line * line;
}

// [rows, columns] to [columns, rows].
void turn(int64_t rows, int64_t columns, const float *from, float *to) {
    constexpr int64_t item = sizeof(float);
    if (rows > 0 && columns > 0)
        transpose({rows, columns, columns * item, rows * item}, item,
                  reinterpret_cast<const char *>(from), reinterpret_cast<char *>(to));
}

// Rows `begin` to `end` of an image with its channels last, by way of `scratch`: what they read, then they themselves.
void compute_last(const ConvRowsKernels &kernels, const ConvRows &whole, int64_t image, int64_t begin, int64_t end,
                  float *scratch) {
    ConvRows work = whole;
    const int64_t reach = (whole.kernel[0] - 1) * whole.dilations[0] + 1;
    const auto row_of_x = [&](int64_t row) { return std::clamp<int64_t>(row, 0, whole.in[0]); };
    const int64_t top = begin * whole.strides[0] - whole.begins[0];
    const int64_t first = row_of_x(top), last = std::max(first, row_of_x((end - 1 - begin) * whole.strides[0] + top + reach));
    work.batch = 1;
    work.in[0] = last - first;
    work.out[0] = end - begin;
    work.begins[0] = first - top;
    float *const read = scratch, *const made = scratch + work.in[0] * work.in[1] * work.channels;
    const int64_t place = (image * whole.out[0] + begin) * whole.out[1] * whole.outputs, pixels = work.out[0] * work.out[1];
    turn(work.in[0] * work.in[1], work.channels, whole.x + (image * whole.in[0] + first) * whole.in[1] * work.channels, read);
    if (whole.added)
        turn(pixels, work.outputs, whole.added + place, made);
    work.x = read;
    work.y = made;
    work.added = whole.added ? made : nullptr;
    join_rows(work);
    kernels.compute(work, 0, kernels.columns(work) * work.out[0]);
    turn(work.outputs, pixels, made, whole.y + place);
}

} // namespace

int64_t conv_scratch(const Call &call) {
    const size_t window = 1 + 3 * (call.ins.at(0).rank() - 2);
    const int64_t floats = call.numbers.size() > window + 1 ? call.integer(window + 1) : 0;
    return packed_bytes(call.ins.at(1)) + floats * static_cast<int64_t>(sizeof(float)) * std::clamp(call.threads, 1, most_lanes);
}

void conv(const Call &call) {
    RowsCall of = rows_of(call);
    const int64_t elements = call.outs[0].elements(), packed = packed_bytes(call.ins[1]);
    if (elements == 0)
        return;
    ConvRows &work = of.work;
    int lanes = lanes_for(call, elements * work.channels * work.taps() / 8);
    if (of.rows > 0)
        lanes = static_cast<int>(std::min<int64_t>(lanes, work.batch * ((work.out[0] + of.rows - 1) / of.rows)));
    const int64_t lane_bytes = of.lane_floats * static_cast<int64_t>(sizeof(float));
    call.expect(call.scratch_bytes >= packed + lanes * lane_bytes, "the kernel takes more scratch");
    work.packed = reinterpret_cast<float *>(call.scratch);
    const ConvRowsKernels &kernels = conv_rows_kernels();
    if (of.rows > 0) {
        kernels.pack(work);
        in_lanes(lanes, work.batch * work.out[0], [&](int64_t begin, int64_t end, int lane) {
            auto *const scratch = reinterpret_cast<float *>(call.scratch + packed + lane * lane_bytes);
            while (begin < end) {
                const int64_t image = begin / work.out[0], row = begin % work.out[0];
                const int64_t until = std::min({row + of.rows, work.out[0], row + end - begin});
                compute_last(kernels, work, image, row, until, scratch);
                begin += until - row;
            }
        });
        return;
    }
    join_rows(work);
    kernels.pack(work);
    in_lanes(lanes, kernels.columns(work) * work.out[0],
             [&](int64_t begin, int64_t end, int) { kernels.compute(work, begin, end); });
}

} // namespace lastuse::kernels
