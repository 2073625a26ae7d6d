// Loops over the elements that become one, in an order that depends on sizes alone: neither on threads nor on places.
//
// What is done with elements is a `Policy`: its `Element`; `Part`, which elements are joined in, in blocks; `Whole`, which
// blocks are joined in; `none()`, the part of no elements; `term(element, shift)`; `join(part, part)`; `start()` and
// `add(whole, part)`; `result(whole, count, shift)`. Where `shifts` is true, the shift is what stands in the result.
#pragma once

#include <algorithm>
#include <vector>

#include "element_types.hpp"

namespace lastuse::kernels {

// Neighbouring axes of one kind as one axis; strides in bytes, of x and of y.
struct LoopAxis {
    int64_t size, from, to;
};

inline int64_t count_of(const std::vector<LoopAxis> &axes) {
    int64_t count = 1;
    for (const LoopAxis &axis : axes)
        count *= axis.size;
    return count;
}

struct Offsets {
    int64_t from = 0, to = 0;
};

// Where the element of this number is, counted along the axes, the last one fastest.
inline Offsets offsets_of(int64_t number, const std::vector<LoopAxis> &axes) {
    Offsets offsets;
    for (size_t axis = axes.size(); axis-- > 0;) {
        const int64_t at = axis ? number % axes[axis].size : number;
        if (axis)
            number /= axes[axis].size;
        offsets.from += at * axes[axis].from;
        offsets.to += at * axes[axis].to;
    }
    return offsets;
}

// The axes of x that stay in y, and those that do not.
struct ReducedAxes {
    std::vector<LoopAxis> kept, reduced;
    bool last_reduced = true; // of the axes of more than one element

    // numbers: of each axis whether it is reduced. y has the axes that are with size 1, or does not have them.
    ReducedAxes(const Call &call, const Array &x, const Array &y) {
        const bool same = x.rank() == y.rank();
        size_t target = 0;
        for (size_t axis = 0; axis < x.rank(); ++axis) {
            const bool reduces = call.numbers[axis] != 0;
            const int64_t size = x.size(axis);
            int64_t to = 0;
            if (!reduces || same) {
                call.expect(target < y.rank() && y.size(target) == (reduces ? 1 : size),
                            "the result has other sizes than the axes that are kept");
                to = reduces ? 0 : y.form->strides[target];
                ++target;
            }
            if (size == 1)
                continue;
            auto &axes = reduces ? reduced : kept;
            const LoopAxis next{size, x.form->strides[axis], to};
            const bool follows = axes.size() > 0 && last_reduced == reduces;
            if (follows && axes.back().from == next.from * size && axes.back().to == next.to * size)
                axes.back() = {axes.back().size * size, next.from, next.to};
            else
                axes.push_back(next);
            last_reduced = reduces;
        }
        call.expect(target == y.rank(), "the result has other sizes than the axes that are kept");
    }
};

namespace reduce_loops {

constexpr int64_t lanes = 16, block = 512;
// Columns that are joined together, and how many of their rows as parts.
constexpr int64_t columns = 256, rows = 32;

template <class Policy>
LASTUSE_WIDE typename Policy::Part block_of(const typename Policy::Element *x, int64_t count,
                                            typename Policy::Element shift) {
    typename Policy::Part parts[lanes];
    for (int64_t lane = 0; lane < lanes; ++lane)
        parts[lane] = Policy::none();
    int64_t at = 0;
    for (; at + lanes <= count; at += lanes)
        for (int64_t lane = 0; lane < lanes; ++lane)
            parts[lane] = Policy::join(parts[lane], Policy::term(x[at + lane], shift));
    for (int64_t lane = 0; at + lane < count; ++lane)
        parts[lane] = Policy::join(parts[lane], Policy::term(x[at + lane], shift));
    for (int64_t half = lanes / 2; half > 0; half /= 2)
        for (int64_t lane = 0; lane < half; ++lane)
            parts[lane] = Policy::join(parts[lane], parts[lane + half]);
    return parts[0];
}

template <class Policy>
LASTUSE_WIDE void join_row(typename Policy::Part *to, const typename Policy::Element *from, int64_t count,
                           const typename Policy::Element *shifts) {
    for (int64_t k = 0; k < count; ++k)
        to[k] = Policy::join(to[k], Policy::term(from[k], shifts[k]));
}

// Elements at a stride: where they are if they are dense, else copies in `memory`.
template <class Element>
const Element *dense(const char *at, int64_t stride, int64_t count, Element *memory) {
    if (stride == static_cast<int64_t>(sizeof(Element)))
        return reinterpret_cast<const Element *>(at);
    for (int64_t k = 0; k < count; ++k)
        memory[k] = load<Element>(at + k * stride);
    return memory;
}

// The elements from x on, along these axes.
template <class Policy>
typename Policy::Whole whole_of(const char *x, const std::vector<LoopAxis> &starts, const LoopAxis &row,
                                typename Policy::Element shift) {
    typename Policy::Element memory[block];
    auto whole = Policy::start();
    const int64_t count = count_of(starts);
    for (int64_t start = 0; start < count; ++start) {
        const char *const first = x + offsets_of(start, starts).from;
        for (int64_t at = 0; at < row.size; at += block) {
            const int64_t length = std::min(block, row.size - at);
            const auto *const piece = dense(first + at * row.from, row.from, length, memory);
            whole = Policy::add(whole, block_of<Policy>(piece, length, shift));
        }
    }
    return whole;
}

// `width` results from y on, of neighbouring columns.
template <class Policy>
void reduce_columns(const char *x, char *y, const LoopAxis &row, int64_t width, const std::vector<LoopAxis> &starts) {
    using Element = typename Policy::Element;
    typename Policy::Whole wholes[columns];
    typename Policy::Part parts[columns];
    Element memory[columns], shifts[columns];
    std::fill(wholes, wholes + width, Policy::start());
    for (int64_t k = 0; k < width; ++k)
        shifts[k] = Policy::shifts ? load<Element>(y + k * row.to) : Element{};
    const int64_t count = count_of(starts);
    for (int64_t begin = 0; begin < count; begin += rows) {
        std::fill(parts, parts + width, Policy::none());
        for (int64_t start = begin; start < std::min(begin + rows, count); ++start)
            join_row<Policy>(parts, dense(x + offsets_of(start, starts).from, row.from, width, memory), width, shifts);
        for (int64_t k = 0; k < width; ++k)
            wholes[k] = Policy::add(wholes[k], parts[k]);
    }
    for (int64_t k = 0; k < width; ++k)
        store(y + k * row.to, Policy::result(wholes[k], count, shifts[k]));
}

} // namespace reduce_loops

// y = x, reduced by the policy.
template <class Policy>
void reduce(const Call &call, const Array &x, const Array &y) {
    using Element = typename Policy::Element;
    ReducedAxes axes(call, x, y);
    const int threads = lanes_for(call, x.elements());
    if (y.elements() == 0)
        return;
    // Fewer elements than lanes become one: lanes of results take less time than lanes of a result's elements.
    const bool few = axes.reduced.size() == 1 && axes.reduced.back().size < reduce_loops::lanes && !axes.kept.empty() &&
                     axes.kept.back().size >= reduce_loops::lanes;
    if (axes.last_reduced && !few) {
        const int64_t count = count_of(axes.reduced);
        LoopAxis row{1, static_cast<int64_t>(sizeof(Element)), 0};
        if (!axes.reduced.empty()) {
            row = axes.reduced.back();
            axes.reduced.pop_back();
        }
        in_lanes(threads, count_of(axes.kept), [&](int64_t begin, int64_t end, int) {
            for (int64_t at = begin; at < end; ++at) {
                const Offsets place = offsets_of(at, axes.kept);
                char *const target = y.data + place.to;
                const Element shift = Policy::shifts ? load<Element>(target) : Element{};
                const auto whole = reduce_loops::whole_of<Policy>(x.data + place.from, axes.reduced, row, shift);
                store(target, Policy::result(whole, count, shift));
            }
        });
        return;
    }
    constexpr int64_t columns = reduce_loops::columns;
    const LoopAxis row = axes.kept.back();
    const int64_t pieces = (row.size + columns - 1) / columns;
    axes.kept.pop_back();
    in_lanes(threads, count_of(axes.kept) * pieces, [&](int64_t begin, int64_t end, int) {
        for (int64_t at = begin; at < end; ++at) {
            const int64_t start = at % pieces * columns;
            const Offsets place = offsets_of(at / pieces, axes.kept);
            reduce_loops::reduce_columns<Policy>(x.data + place.from + start * row.from,
                                                 y.data + place.to + start * row.to, row,
                                                 std::min(columns, row.size - start), axes.reduced);
        }
    });
}

} // namespace lastuse::kernels
