// Numbers of elements along an axis, as operands of i32 or i64 say them.
#pragma once

#include <algorithm>
#include <string>

#include "rows.hpp"
#include "subshapes.hpp"

namespace lastuse::kernels {

inline int64_t index_at(Type type, const char *place) {
    if (type == Type::i64) {
        int64_t index;
        std::memcpy(&index, place, sizeof index);
        return index;
    }
    int32_t index;
    std::memcpy(&index, place, sizeof index);
    return index;
}

inline void expect_indices(const Call &call, const Array &indices) {
    call.expect(indices.is(Type::i32) || indices.is(Type::i64), "indices are i32 or i64");
}

// An axis that indices count along; negative ones count from its end, or are outside of it.
struct IndexedAxis {
    int64_t size;
    bool from_end = true;

    bool has(int64_t index) const { return index < size && index >= (from_end ? -size : 0); }
    // From the begin, of one that it has.
    int64_t place(int64_t index) const { return index < 0 ? index + size : index; }
};

// Throws IndicesError unless the axis has all of the indices, with the message of dialect/dnn/gathers.py.
inline void check_indices(const Call &call, const IndexedAxis &axis, Type type, const RowLoop<1> &loop, char *data) {
    int64_t low = 0, high = -1;
    loop.pieces({data}, 0, loop.elements(), loop.columns(), [&](const RowLoop<1>::Pointers &at, int64_t count) {
        for (int64_t k = 0; k < count; ++k) {
            const int64_t index = index_at(type, at[0] + k * loop.strides()[0]);
            low = std::min(low, index);
            high = std::max(high, index);
        }
    });
    if (loop.elements() > 0 && (low < (axis.from_end ? -axis.size : 0) || high >= axis.size))
        throw IndicesError(call.op + ": index " + std::to_string(low < (axis.from_end ? -axis.size : 0) ? low : high) +
                           " is outside the axis of size " + std::to_string(axis.size));
}

// Rows of indices, along the last axis of an operand: each names an element of some axes of another one.
class IndexedRows {
public:
    // Of the axes of `data` from axis `first` on.
    IndexedRows(const Array &indices, const Array &data, size_t first)
        : type_(indices.form->type), step_(indices.form->strides.back()),
          loop_(to_axis(indices.form->shape, indices.rank() - 1),
                {to_axis(indices.form->strides, indices.rank() - 1)}) {
        for (size_t k = first; k < first + static_cast<size_t>(indices.form->shape.back()); ++k)
            axes_.push_back({{data.size(k)}, data.form->strides[k]});
    }

    // Throws IndicesError unless the axes have all of the indices.
    void check(const Call &call, char *indices) const {
        for (size_t k = 0; k < axes_.size(); ++k)
            check_indices(call, axes_[k].axis, type_, loop_, indices + static_cast<int64_t>(k) * step_);
    }

    // Where the element of a row is, in bytes.
    int64_t offset(const char *row) const {
        int64_t offset = 0;
        for (size_t k = 0; k < axes_.size(); ++k) {
            const int64_t index = index_at(type_, row + static_cast<int64_t>(k) * step_);
            offset += axes_[k].axis.has(index) ? axes_[k].axis.place(index) * axes_[k].stride : 0;
        }
        return offset;
    }

private:
    struct Axis {
        IndexedAxis axis;
        int64_t stride;
    };

    Type type_;
    int64_t step_;
    RowLoop<1> loop_;
    std::vector<Axis> axes_;
};

} // namespace lastuse::kernels
