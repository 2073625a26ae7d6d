// Loops over arrays of one shape at any strides.
#pragma once

#include <algorithm>
#include <array>
#include <cstring>
#include <vector>

#include "call.hpp"

namespace lastuse::kernels {

// The places of the elements of `Count` arrays: axes that can be are merged, and what is visited is rows along the last.
template <size_t Count>
class RowLoop {
public:
    using Pointers = std::array<char *, Count>;
    using Strides = std::array<int64_t, Count>;

    // `strides`, in bytes, of each array along each axis.
    RowLoop(const std::vector<int64_t> &shape, const std::array<std::vector<int64_t>, Count> &strides) {
        for (size_t axis = 0; axis < shape.size(); ++axis) {
            empty_ = empty_ || shape[axis] == 0;
            if (shape[axis] == 1)
                continue;
            Axis next{shape[axis], {}};
            bool merges = !axes_.empty();
            for (size_t k = 0; k < Count; ++k) {
                next.strides[k] = strides[k][axis];
                merges = merges && axes_.back().strides[k] == next.strides[k] * next.size;
            }
            if (merges)
                next.size *= axes_.back().size;
            if (merges)
                axes_.back() = next;
            else
                axes_.push_back(next);
        }
        if (axes_.empty())
            axes_.push_back({1, {}});
    }

    // The number of rows, and of the elements of one.
    int64_t rows() const {
        int64_t count = empty_ ? 0 : 1;
        for (size_t axis = 0; axis + 1 < axes_.size(); ++axis)
            count *= axes_[axis].size;
        return count;
    }
    int64_t columns() const { return axes_.back().size; }
    const Strides &strides() const { return axes_.back().strides; }

    // The number of all elements.
    int64_t elements() const { return rows() * columns(); }

    // Calls visit(pointers, count) for pieces of rows, at most `most` elements each, that are together the elements from
    // `begin` to `end` (exclusive), counted in row-major order.
    template <class Visit>
    void pieces(Pointers data, int64_t begin, int64_t end, int64_t most, Visit visit) const {
        const int64_t width = columns();
        std::vector<int64_t> at(axes_.size());
        int64_t column = end > begin ? begin % width : 0, left = end > begin ? begin / width : 0;
        for (size_t axis = axes_.size() - 1; left > 0 && axis-- > 0;) {
            const Axis &outer = axes_[axis];
            at[axis] = left % outer.size;
            for (size_t k = 0; k < Count; ++k)
                data[k] += at[axis] * outer.strides[k];
            left /= outer.size;
        }
        while (begin < end) {
            const int64_t count = std::min({most, width - column, end - begin});
            Pointers first = data;
            for (size_t k = 0; k < Count; ++k)
                first[k] += column * strides()[k];
            visit(first, count);
            begin += count;
            column += count;
            if (column < width)
                continue;
            column = 0;
            for (size_t axis = axes_.size() - 1; axis-- > 0;) {
                const Axis &outer = axes_[axis];
                const bool wraps = ++at[axis] == outer.size;
                for (size_t k = 0; k < Count; ++k)
                    data[k] += wraps ? (1 - outer.size) * outer.strides[k] : outer.strides[k];
                if (!wraps)
                    break;
                at[axis] = 0;
            }
        }
    }

    // Calls visit(pointers) with the first elements of each row.
    template <class Visit>
    void visit(Pointers data, Visit visit) const {
        if (!empty_)
            descend(0, data, visit);
    }

private:
    struct Axis {
        int64_t size;
        Strides strides;
    };

    template <class Visit>
    void descend(size_t axis, Pointers data, Visit &visit) const {
        if (axis + 1 == axes_.size())
            return visit(data);
        for (int64_t at = 0; at < axes_[axis].size; ++at) {
            descend(axis + 1, data, visit);
            for (size_t k = 0; k < Count; ++k)
                data[k] += axes_[axis].strides[k];
        }
    }

    std::vector<Axis> axes_;
    bool empty_ = false;
};

// Calls compute(pointers, count) for dense pieces of f32 arrays of one shape, the first `Ins` of which it reads, the
// others it writes: the rows themselves where they are dense, else copies of blocks of them. A result may be exactly one
// of the operands. `lanes`: threads that share a row.
template <size_t Ins, size_t Count, class Compute>
void for_dense(const std::array<const Array *, Count> &arrays, int lanes, Compute compute) {
    constexpr int64_t item = sizeof(float), block = 256;
    std::array<std::vector<int64_t>, Count> strides;
    typename RowLoop<Count>::Pointers data;
    for (size_t k = 0; k < Count; ++k) {
        strides[k] = arrays[k]->form->strides;
        data[k] = arrays[k]->data;
    }
    const RowLoop<Count> loop(arrays[0]->form->shape, strides);
    const int64_t columns = loop.columns();
    bool dense = true;
    for (const int64_t stride : loop.strides())
        dense = dense && (stride == item || columns == 1);
    if (dense) {
        loop.visit(data, [&](const typename RowLoop<Count>::Pointers &row) {
            in_lanes(lanes, columns, [&](int64_t begin, int64_t end, int) {
                std::array<float *, Count> piece;
                for (size_t k = 0; k < Count; ++k)
                    piece[k] = reinterpret_cast<float *>(row[k]) + begin;
                compute(piece, end - begin);
            });
        });
        return;
    }
    float memory[Count][block];
    std::array<float *, Count> piece;
    for (size_t k = 0; k < Count; ++k)
        piece[k] = memory[k];
    loop.visit(data, [&](const typename RowLoop<Count>::Pointers &row) {
        for (int64_t start = 0; start < columns; start += block) {
            const int64_t count = std::min(block, columns - start);
            const auto at = [&](size_t k, int64_t index) { return row[k] + (start + index) * loop.strides()[k]; };
            for (size_t k = 0; k < Ins; ++k)
                for (int64_t index = 0; index < count; ++index)
                    std::memcpy(&memory[k][index], at(k, index), item);
            compute(piece, count);
            for (size_t k = Ins; k < Count; ++k)
                for (int64_t index = 0; index < count; ++index)
                    std::memcpy(at(k, index), &memory[k][index], item);
        }
    });
}

} // namespace lastuse::kernels
