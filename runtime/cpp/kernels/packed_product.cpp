#include "packed_product.hpp"

#include <algorithm>
#include <vector>

#include "functions.hpp"
#include "processors.hpp"

namespace lastuse::kernels {

const PackedKernel &packed_kernel() { return LASTUSE_BEST_TO_AVX512(packed_product); }

void share_product(const Call &call, const PackedProduct &product,
                   const std::function<void(int64_t, int64_t, int64_t, int64_t)> &compute) {
    const int64_t panels = (product.columns + product_panel - 1) / product_panel;
    const int lanes = lanes_for(call, product.rows * product.depth * product.columns / 8);
    if (product.rows >= lanes * packed_kernel().most_rows || panels < lanes)
        return in_lanes(static_cast<int>(std::min<int64_t>(lanes, product.rows)), product.rows,
                        [&](int64_t begin, int64_t until, int) { compute(begin, until, 0, product.columns); });
    in_lanes(lanes, panels, [&](int64_t begin, int64_t end, int) {
        compute(0, product.rows, begin * product_panel, std::min(end * product_panel, product.columns));
    });
}

namespace {

// The rows of x that are read: all, or of the axes between the first and the last one every `steps[axis]`th element.
struct Rows {
    std::vector<int64_t> shape, steps, read; // of the axes but the last one: of x, the steps, the sizes of y
    int64_t depth, line, lines;              // a line of rows has one distance between them

    Rows(const Call &call, size_t step_count) : depth(call.ins[0].form->shape.back()), line(1), lines(1) {
        const std::vector<int64_t> &x = call.ins[0].form->shape, &y = call.outs[0].form->shape;
        shape.assign(x.begin(), x.end() - 1);
        read.assign(y.begin(), y.end() - 1);
        steps.assign(shape.size(), 1);
        for (size_t axis = 0; axis < step_count; ++axis)
            steps[1 + axis] = call.integer(2 + axis);
        for (size_t axis = 0; axis < shape.size(); ++axis)
            call.expect(steps[axis] > 0 && read[axis] == (shape[axis] + steps[axis] - 1) / steps[axis],
                        "the operands have other sizes");
        const bool reads_all = shape == read;
        if (reads_all)
            steps.assign(shape.size(), 1); // of an axis of one element, whatever was said
        for (size_t axis = 0; axis < shape.size(); ++axis)
            (reads_all || axis + 1 == shape.size() ? line : lines) *= read[axis];
    }

    // Elements of x before the first row of a line.
    int64_t start(int64_t number) const {
        if (lines == 1)
            return 0;
        int64_t offset = 0, size = shape.back() * depth;
        for (size_t axis = shape.size() - 1; axis-- > 0; number /= read[axis], size *= shape[axis])
            offset += number % read[axis] * steps[axis] * size;
        return offset;
    }
};

// Columns that are computed for all lines of rows before the next ones, where there are several lines.
constexpr int64_t line_columns = 2 * product_panel;

// Rows `begin` to `end` of columns `first` to `last`.
void compute(const PackedProduct &whole, const Rows &rows, int64_t begin, int64_t end, int64_t first, int64_t last) {
    const int64_t together = rows.lines == 1 ? last - first : line_columns;
    for (int64_t column = first; column < last; column += together)
        for (int64_t row = begin; row < end;) {
            const int64_t line = row / rows.line, at = row % rows.line;
            PackedProduct part = whole;
            part.rows = std::min(rows.line - at, end - row);
            part.given += rows.start(line) + at * whole.given_stride;
            part.out += row * whole.columns;
            if (part.added)
                part.added += row * whole.columns;
            packed_kernel().compute(part, column, std::min(column + together, last));
            row += part.rows;
        }
}

} // namespace

void packed_matmul(const Call &call) {
    call.expect(call.ins.size() >= 2 && call.outs.size() == 1 && call.numbers.size() >= 2,
                "the kernel takes other operands");
    const Array &x = call.ins[0], &b = call.ins[1], &y = call.outs[0];
    const size_t step_count = call.index(1);
    call.expect_floats({&x, &b, &y});
    call.expect(x.rank() >= 2 && y.rank() == x.rank() && (step_count == 0 || step_count + 2 == x.rank()) &&
                    call.numbers.size() >= 2 + step_count,
                "the kernel takes other sizes");
    const Rows rows(call, step_count);
    PackedProduct whole{};
    whole.depth = rows.depth;
    whole.columns = y.form->shape.back();
    whole.rows = rows.line * rows.lines;
    call.expect(b.elements() == whole.depth * panelled_columns(whole.columns), "b has other sizes");
    static_cast<RowEpilogue &>(whole) = row_epilogue(call, 2 + step_count, whole.columns);
    if (y.elements() == 0)
        return;
    whole.given = x.elements_of<const float>();
    whole.given_stride = rows.depth * rows.steps.back();
    whole.weights = b.elements_of<const float>();
    whole.out = y.elements_of<float>();
    share_product(call, whole, [&](int64_t begin, int64_t until, int64_t first, int64_t end) {
        compute(whole, rows, begin, until, first, end);
    });
}

} // namespace lastuse::kernels
