// Pairs of elements turned by angles, as dialect/dnn/rotary_embedding.py defines it.
#include "functions.hpp"
#include "rows.hpp"
#include "subshapes.hpp"

namespace lastuse::kernels {

namespace {

constexpr int64_t item = sizeof(float);

// The elements of a row that are turned, and those behind them, which stay. Distances are in elements.
struct RotaryRow {
    int64_t pairs, kept;
    int64_t step, second; // from pair to pair, and from the first element of a pair to the second
    int64_t behind;       // from the number of a first element in a table to that of the second; 0 where it is one
    int64_t x_stride, y_stride, cosine_stride, sine_stride; // between the elements of a row
    bool is_dense;
};

// Both elements of a pair are read before one is written, so y may be x.
LASTUSE_WIDE void turn_halves(const RotaryRow &row, const float *x, const float *cosines, const float *sines, float *y) {
    const int64_t pairs = row.pairs, behind = row.behind;
#pragma GCC ivdep
    for (int64_t k = 0; k < pairs; ++k) {
        const float first = x[k], second = x[pairs + k];
        y[k] = first * cosines[k] - second * sines[k];
        y[pairs + k] = second * cosines[behind + k] + first * sines[behind + k];
    }
}

LASTUSE_WIDE void turn_neighbours(const RotaryRow &row, const float *x, const float *cosines, const float *sines, float *y) {
    const int64_t pairs = row.pairs;
#pragma GCC ivdep
    for (int64_t k = 0; k < pairs; ++k) {
        const float first = x[2 * k], second = x[2 * k + 1];
        y[2 * k] = first * cosines[k] - second * sines[k];
        y[2 * k + 1] = second * cosines[k] + first * sines[k];
    }
}

void turn_at_strides(const RotaryRow &row, const float *x, const float *cosines, const float *sines, float *y) {
    for (int64_t k = 0; k < row.pairs; ++k) {
        const int64_t at = k * row.step, behind = k + row.behind;
        const float first = x[at * row.x_stride], second = x[(at + row.second) * row.x_stride];
        y[at * row.y_stride] = first * cosines[k * row.cosine_stride] - second * sines[k * row.sine_stride];
        y[(at + row.second) * row.y_stride] =
            second * cosines[behind * row.cosine_stride] + first * sines[behind * row.sine_stride];
    }
}

void turn(const RotaryRow &row, const char *x, const char *cosines, const char *sines, char *y) {
    const auto *const from = reinterpret_cast<const float *>(x), *const cosine = reinterpret_cast<const float *>(cosines),
                     *const sine = reinterpret_cast<const float *>(sines);
    auto *const to = reinterpret_cast<float *>(y);
    if (!row.is_dense)
        turn_at_strides(row, from, cosine, sine, to);
    else if (row.step == 1)
        turn_halves(row, from, cosine, sine, to);
    else
        turn_neighbours(row, from, cosine, sine, to);
    for (int64_t k = 2 * row.pairs; x != y && k < 2 * row.pairs + row.kept; ++k)
        to[k * row.y_stride] = from[k * row.x_stride];
}

// Strides of the first axes of an array that is broadcast to `shape`, but for the last axis.
std::vector<int64_t> broadcast_strides(const Array &array, const std::vector<int64_t> &shape) {
    std::vector<int64_t> strides(shape.size() - 1);
    for (size_t axis = 0; axis + 1 < array.rank(); ++axis)
        if (array.size(axis) != 1)
            strides[shape.size() - array.rank() + axis] = array.form->strides[axis];
    return strides;
}

} // namespace

Prepared rotary_embedding(const Call &call) {
    call.expect_counts(3, 1, 2);
    const Array &x = call.ins[0], &cosines = call.ins[1], &sines = call.ins[2], &y = call.outs[0];
    const std::vector<int64_t> &shape = y.form->shape;
    for (const Array *const array : {&x, &cosines, &sines, &y})
        call.expect(array->is(Type::f32) && array->rank() >= 1 && array->rank() <= shape.size(), "the kernel takes f32");
    call.expect(cosines.form->shape.back() == sines.form->shape.back(), "the tables have different sizes");
    for (const Array *const array : {&x, &cosines, &sines})
        for (size_t axis = 0; axis + 1 < array->rank(); ++axis) {
            const int64_t size = array->size(axis);
            call.expect(size == 1 || size == shape[shape.size() - array->rank() + axis], "an operand has other sizes");
        }
    const bool interleaved = call.numbers[0] != 0, each = call.numbers[1] != 0;
    const int64_t numbers = cosines.form->shape.back(), size = shape.back();
    RotaryRow row{};
    row.pairs = each ? numbers / 2 : numbers;
    row.kept = size - 2 * row.pairs;
    call.expect(x.form->shape.back() == size && row.kept >= 0 && !(interleaved && each) && (!each || numbers % 2 == 0),
                "an operand has other sizes");
    row.step = interleaved ? 2 : 1;
    row.second = interleaved ? 1 : row.pairs;
    row.behind = each ? row.pairs : 0;
    const auto last_stride = [](const Array &array) {
        return array.form->shape.back() == 1 ? 1 : array.form->strides.back() / item;
    };
    row.x_stride = last_stride(x);
    row.y_stride = last_stride(y);
    row.cosine_stride = last_stride(cosines);
    row.sine_stride = last_stride(sines);
    row.is_dense = row.x_stride == 1 && row.y_stride == 1 && row.cosine_stride == 1 && row.sine_stride == 1;
    const RowLoop<4> loop(to_axis(shape, shape.size() - 1),
                          {broadcast_strides(x, shape), broadcast_strides(cosines, shape), broadcast_strides(sines, shape),
                           broadcast_strides(y, shape)});
    return [=](const Call &now) {
        const RowLoop<4>::Pointers data = {now.ins[0].data, now.ins[1].data, now.ins[2].data, now.outs[0].data};
        in_lanes(lanes_for(now, loop.elements() * size), loop.elements(), [&](int64_t begin, int64_t end, int) {
            loop.pieces(data, begin, end, loop.columns(), [&](const RowLoop<4>::Pointers &at, int64_t count) {
                const RowLoop<4>::Strides &strides = loop.strides();
                for (int64_t n = 0; n < count; ++n)
                    turn(row, at[0] + n * strides[0], at[1] + n * strides[1], at[2] + n * strides[2],
                         at[3] + n * strides[3]);
            });
        });
    };
}

} // namespace lastuse::kernels
