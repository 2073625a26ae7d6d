// Slices at offsets that operands hold, as dialect/dnn/dynamic_slices.py defines them.
#include <algorithm>

#include "../moves/copy.hpp"
#include "functions.hpp"
#include "indices.hpp"

namespace lastuse::kernels {

namespace {

template <class Number>
int64_t number_at(const char *place) {
    Number number;
    std::memcpy(&number, place, sizeof number);
    if constexpr (sizeof number == 8 && std::is_unsigned_v<Number>)
        return static_cast<int64_t>(std::min<uint64_t>(number, INT64_MAX));
    return static_cast<int64_t>(number);
}

int64_t start_at(const Array &start) {
    switch (start.form->type) {
    case Type::i64: return number_at<int64_t>(start.data);
    case Type::i32: return number_at<int32_t>(start.data);
    case Type::i16: return number_at<int16_t>(start.data);
    case Type::i8: return number_at<int8_t>(start.data);
    case Type::u64: return number_at<uint64_t>(start.data);
    case Type::u32: return number_at<uint32_t>(start.data);
    case Type::u16: return number_at<uint16_t>(start.data);
    case Type::u8: return number_at<uint8_t>(start.data);
    default: return 0;
    }
}

bool holds_integers(Type type) {
    switch (type) {
    case Type::f64:
    case Type::f32:
    case Type::f16:
    case Type::bf16:
    case Type::boolean:
    case Type::other: return false;
    default: return true;
    }
}

// Where a box begins in an array, in bytes: at starts that are clamped so that it lies inside.
class Box {
public:
    // The starts are the operands of the call from `first` on.
    Box(const Call &call, const Array &whole, const std::vector<int64_t> &sizes, size_t first)
        : strides_(whole.form->strides), first_(first) {
        call.expect(sizes.size() == whole.rank() && call.ins.size() == first + whole.rank(),
                    "the kernel takes a start for each axis");
        for (size_t axis = 0; axis < whole.rank(); ++axis) {
            const Array &start = call.ins[first + axis];
            call.expect(start.rank() == 0 && holds_integers(start.form->type), "a start is one integer");
            call.expect(sizes[axis] <= whole.size(axis), "the box is larger than the operand");
            last_.push_back(whole.size(axis) - sizes[axis]);
        }
    }

    int64_t offset(const Call &now) const {
        int64_t offset = 0;
        for (size_t axis = 0; axis < last_.size(); ++axis)
            offset += std::clamp<int64_t>(start_at(now.ins[first_ + axis]), 0, last_[axis]) * strides_[axis];
        return offset;
    }

private:
    std::vector<int64_t> strides_, last_;
    size_t first_;
};

} // namespace

Prepared dynamic_slice(const Call &call) {
    call.expect(!call.ins.empty() && call.outs.size() == 1, "the kernel takes other operands");
    const Array &x = call.ins[0], &y = call.outs[0];
    call.expect(x.form->type == y.form->type, "the result has other elements than the operand");
    const Box box(call, x, y.form->shape, 1);
    const CopyPlan plan = plan_copy(y.form->shape, x.form->strides, y.form->strides, y.form->item());
    return [=](const Call &now) { copy(plan, now.ins[0].data + box.offset(now), now.outs[0].data); };
}

Prepared dynamic_update_slice(const Call &call) {
    call.expect(call.ins.size() >= 2 && call.outs.size() == 1, "the kernel takes other operands");
    const Array &x = call.ins[0], &update = call.ins[1], &y = call.outs[0];
    call.expect(x.form->shape == y.form->shape && x.form->type == y.form->type && update.form->type == y.form->type,
                "the result has other sizes or elements than the operands");
    const Box box(call, y, update.form->shape, 2);
    const CopyPlan whole = plan_copy(y.form->shape, x.form->strides, y.form->strides, y.form->item());
    const CopyPlan part = plan_copy(update.form->shape, update.form->strides, y.form->strides, y.form->item());
    return [=](const Call &now) {
        if (now.ins[0].data != now.outs[0].data)
            copy(whole, now.ins[0].data, now.outs[0].data);
        copy(part, now.ins[1].data, now.outs[0].data + box.offset(now));
    };
}

} // namespace lastuse::kernels
