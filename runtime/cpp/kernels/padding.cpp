// Elements of one value around others, as dialect/dnn/padding.py defines them.
#include "../moves/copy.hpp"
#include "functions.hpp"
#include "one_value.hpp"

namespace lastuse::kernels {

namespace {

// A part of the result that has the value everywhere.
struct Margin {
    int64_t offset;
    RowLoop<1> loop;
};

// The part with these sizes that begins at these elements.
Margin margin_of(const Array &y, const std::vector<int64_t> &first, const std::vector<int64_t> &sizes) {
    int64_t offset = 0;
    for (size_t axis = 0; axis < first.size(); ++axis)
        offset += first[axis] * y.form->strides[axis];
    return {offset, RowLoop<1>(sizes, {y.form->strides})};
}

} // namespace

Prepared pad(const Call &call) {
    call.expect(call.ins.size() == 1 && call.outs.size() == 1, "the kernel takes other operands");
    const Array &x = call.ins[0], &y = call.outs[0];
    const size_t rank = y.rank();
    call.expect(x.rank() == rank && x.form->type == y.form->type && call.numbers.size() == 2 + 2 * rank,
                "the result has other axes or elements than the operand");
    const OneValue value(call.numbers[0], call.numbers[1], y.form->item());
    // The elements that are kept: where they are in each, and how many.
    std::vector<int64_t> first(rank), kept(rank);
    int64_t from = 0, to = 0;
    for (size_t axis = 0; axis < rank; ++axis) {
        const auto before = call.integer(2 + axis);
        const auto after = call.integer(2 + rank + axis);
        call.expect(y.size(axis) == x.size(axis) + before + after, "the result has other sizes than pads say");
        first[axis] = std::max<int64_t>(before, 0);
        kept[axis] = std::max<int64_t>(y.size(axis) - first[axis] - std::max<int64_t>(after, 0), 0);
        from += std::max<int64_t>(-before, 0) * x.form->strides[axis];
        to += first[axis] * y.form->strides[axis];
    }
    // Of each axis both ends, inside along the axes before it and whole along those behind it.
    std::vector<Margin> margins;
    std::vector<int64_t> begin(rank), sizes = y.form->shape;
    for (size_t axis = 0; axis < rank; ++axis) {
        const int64_t behind = first[axis] + kept[axis];
        for (const auto &[start, count] : {std::pair{int64_t{0}, first[axis]}, {behind, y.size(axis) - behind}}) {
            begin[axis] = start;
            sizes[axis] = count;
            if (count > 0)
                margins.push_back(margin_of(y, begin, sizes));
        }
        begin[axis] = first[axis];
        sizes[axis] = kept[axis];
    }
    const CopyPlan inside = plan_copy(kept, x.form->strides, y.form->strides, y.form->item());
    return [=](const Call &now) {
        char *const target = now.outs[0].data, *const source = now.ins[0].data + from;
        for (const Margin &margin : margins)
            value.fill(margin.loop, target + margin.offset);
        if (source != target + to) // else the operand is in its part already
            copy(inside, source, target + to);
    };
}

} // namespace lastuse::kernels
