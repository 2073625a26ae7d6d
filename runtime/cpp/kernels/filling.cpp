// Elements that follow from attributes and indices, as dialect/dnn/constants.py, generators.py and triangles.py define
// them.
#include <cmath>

#include "../moves/copy.hpp"
#include "element_types.hpp"
#include "functions.hpp"
#include "one_value.hpp"
#include "subshapes.hpp"

namespace lastuse::kernels {

namespace {

constexpr int64_t nowhere = -1;

template <class Number>
int64_t place_in(Number number, int64_t depth) {
    if constexpr (std::is_floating_point_v<Number>) {
        if (!(number >= -static_cast<Number>(depth) && number < static_cast<Number>(depth)) ||
            number != std::floor(number))
            return nowhere;
    } else if constexpr (std::is_unsigned_v<Number>) {
        if (number >= static_cast<uint64_t>(depth))
            return nowhere;
    }
    const auto place = static_cast<int64_t>(number);
    return place < -depth || place >= depth ? nowhere : place < 0 ? place + depth : place;
}

template <class Number>
int64_t place_at(const char *at, int64_t depth) {
    Number number;
    std::memcpy(&number, at, sizeof number);
    return place_in(number, depth);
}

// The element of an axis that an index of any type names; nowhere if there is none.
int64_t (*place_of(const Call &call, Type type))(const char *, int64_t) {
    switch (type) {
    case Type::f64: return place_at<double>;
    case Type::f32: return place_at<float>;
    case Type::i64: return place_at<int64_t>;
    case Type::i32: return place_at<int32_t>;
    case Type::i16: return place_at<int16_t>;
    case Type::i8: return place_at<int8_t>;
    case Type::u64: return place_at<uint64_t>;
    case Type::u32: return place_at<uint32_t>;
    case Type::u16: return place_at<uint16_t>;
    case Type::u8: return place_at<uint8_t>;
    default: throw Error(call.op + ": the kernel takes no indices of this type");
    }
}

} // namespace

Prepared fill(const Call &call) {
    call.expect(call.outs.size() == 1 && call.numbers.size() == 2, "the kernel takes other operands");
    const Array &y = call.outs[0];
    const OneValue value(call.numbers[0], call.numbers[1], y.form->item());
    const RowLoop<1> loop(y.form->shape, {y.form->strides});
    return [=](const Call &now) { value.fill(loop, now.outs[0].data); };
}

namespace {

uint64_t word(const Call &call, size_t number) {
    return static_cast<uint64_t>(call.numbers[number + 1]) << 32 | static_cast<uint64_t>(call.numbers[number]);
}

// Numbers are computed in Sum, integers as unsigned ones, which wrap.
template <class Sum, class Element>
Prepared numbers_of(const Call &call) {
    using Number = WrappingOf<Sum>;
    const uint64_t words[] = {word(call, 1), word(call, 3)};
    const auto start = load<Number>(reinterpret_cast<const char *>(&words[0]));
    const auto delta = load<Number>(reinterpret_cast<const char *>(&words[1]));
    const int64_t count = call.outs[0].size(0), stride = call.outs[0].form->strides[0];
    return [=](const Call &now) {
        for (int64_t k = 0; k < count; ++k) {
            const auto number = static_cast<Sum>(start + static_cast<Number>(k) * delta);
            store(now.outs[0].data + k * stride, static_cast<Element>(number));
        }
    };
}

} // namespace

// The numbers: whether they are whole, then the words of the first one and of the difference, as i64 or f64.
Prepared range(const Call &call) {
    call.expect_counts(0, 1, 5);
    const Array &y = call.outs[0];
    call.expect(y.rank() == 1, "the result has one axis");
    Prepared made;
    with_element_type(call, y, [&](auto element) {
        using Element = decltype(element);
        if (call.numbers[0] != 0)
            made = numbers_of<int64_t, Element>(call);
        else if constexpr (std::is_floating_point_v<Element>)
            made = numbers_of<double, Element>(call);
    });
    call.expect(static_cast<bool>(made), "integers are no numbers of a range of fractions");
    return made;
}

Prepared eye_like(const Call &call) {
    call.expect_counts(1, 1, 3);
    const Array &y = call.outs[0];
    call.expect(y.rank() == 2, "the result is a matrix");
    const OneValue zero(0, 0, y.form->item()), one(call.numbers[1], call.numbers[2], y.form->item());
    const RowLoop<1> loop(y.form->shape, {y.form->strides});
    const auto k = call.integer(0);
    const int64_t first = std::max<int64_t>(0, -k), last = std::min(y.size(0), y.size(1) - k);
    const int64_t down = y.form->strides[0], right = y.form->strides[1];
    return [=](const Call &now) {
        zero.fill(loop, now.outs[0].data);
        for (int64_t row = first; row < last; ++row)
            one.put(now.outs[0].data + row * down + (row + k) * right);
    };
}

Prepared one_hot(const Call &call) {
    call.expect_counts(2, 1, 1);
    const Array &indices = call.ins[0], &values = call.ins[1], &y = call.outs[0];
    const auto axis = call.index(0);
    call.expect(axis < y.rank() && values.form->shape == std::vector<int64_t>{2} && values.form->type == y.form->type &&
                    without(y.form->shape, axis, axis + 1) == indices.form->shape,
                "the result has other sizes or elements than the operands say");
    const auto place = place_of(call, indices.form->type);
    const RowLoop<1> all(y.form->shape, {y.form->strides});
    const RowLoop<2> loop(indices.form->shape, {indices.form->strides, without(y.form->strides, axis, axis + 1)});
    const int64_t depth = y.size(axis), stride = y.form->strides[axis], item = y.form->item();
    const int64_t on = values.form->strides[0];
    return [=](const Call &now) {
        const char *const given = now.ins[1].data;
        all.pieces({now.outs[0].data}, 0, all.elements(), all.columns(), [&](const auto &at, int64_t count) {
            copy_elements(item, count, given, 0, at[0], all.strides()[0]);
        });
        loop.pieces({now.ins[0].data, now.outs[0].data}, 0, loop.elements(), loop.columns(),
                    [&](const auto &at, int64_t count) {
                        for (int64_t k = 0; k < count; ++k)
                            if (const int64_t at_k = place(at[0] + k * loop.strides()[0], depth); at_k != nowhere)
                                copy_elements(item, 1, given + on, item, at[1] + k * loop.strides()[1] + at_k * stride,
                                              item);
                    });
    };
}

Prepared trilu(const Call &call) {
    call.expect_counts(1, 1, 2);
    const Array &x = call.ins[0], &y = call.outs[0];
    call.expect(x.rank() >= 2 && x.form->shape == y.form->shape && x.form->type == y.form->type,
                "the result has other sizes or elements than the operand");
    const size_t batch = x.rank() - 2;
    const RowLoop<2> matrices(to_axis(x.form->shape, batch),
                              {to_axis(x.form->strides, batch), to_axis(y.form->strides, batch)});
    const bool upper = call.numbers[0] != 0;
    const auto k = call.integer(1);
    const int64_t rows = x.size(batch), columns = x.size(batch + 1), item = x.form->item();
    const std::vector<int64_t> from = from_axis(x.form->strides, batch), to = from_axis(y.form->strides, batch);
    return [=](const Call &now) {
        const uint64_t zero = 0;
        const bool in_place = now.ins[0].data == now.outs[0].data;
        const auto cut = [&](const char *source, char *target) {
            for (int64_t row = 0; row < rows; ++row, source += from[0], target += to[0]) {
                // The first element of the upper triangle, or the first behind the lower one.
                const int64_t at = std::clamp<int64_t>(upper ? row + k : row + k + 1, 0, columns);
                const int64_t kept = upper ? at : 0, count = upper ? columns - at : at, rest = upper ? 0 : at;
                if (!in_place)
                    copy_elements(item, count, source + kept * from[1], from[1], target + kept * to[1], to[1]);
                copy_elements(item, columns - count, reinterpret_cast<const char *>(&zero), 0, target + rest * to[1],
                              to[1]);
            }
        };
        matrices.pieces({now.ins[0].data, now.outs[0].data}, 0, matrices.elements(), matrices.columns(),
                        [&](const auto &at, int64_t count) {
                            for (int64_t n = 0; n < count; ++n)
                                cut(at[0] + n * matrices.strides()[0], at[1] + n * matrices.strides()[1]);
                        });
    };
}

} // namespace lastuse::kernels
