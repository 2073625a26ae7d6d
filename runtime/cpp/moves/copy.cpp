#include "copy.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <cstring>

#include "elements.hpp"
#include "tiles.hpp"

namespace lastuse {

namespace {

// The last two axes, where each is contiguous on one side.
void copy_transposed(const CopyPlan &plan, const char *src, char *dst) {
    const auto &column = plan.axes[plan.axes.size() - 2], &row = plan.axes.back();
    transpose({row.size, column.size, row.src, column.dst}, plan.run, src, dst);
}

void copy_axes(const CopyPlan &plan, size_t depth, const char *src, char *dst) {
    if (plan.is_transposed && depth + 2 == plan.axes.size())
        return copy_transposed(plan, src, dst);
    const auto &axis = plan.axes[depth];
    if (depth + 1 == plan.axes.size())
        return copy_elements(plan.run, axis.size, src, axis.src, dst, axis.dst);
    for (int64_t i = 0; i < axis.size; ++i)
        copy_axes(plan, depth + 1, src + i * axis.src, dst + i * axis.dst);
}

} // namespace

CopyPlan plan_copy(const std::vector<int64_t> &shape, const std::vector<int64_t> &src,
                   const std::vector<int64_t> &dst, int64_t item) {
    std::vector<CopyPlan::Axis> axes;
    for (size_t axis = 0; axis < shape.size(); ++axis) {
        if (shape[axis] == 0)
            return {};
        if (shape[axis] > 1)
            axes.push_back({shape[axis], src[axis], dst[axis]});
    }
    // The order of axes is free; ascending addresses of writes suit caches best.
    std::stable_sort(axes.begin(), axes.end(),
                     [](const auto &a, const auto &b) { return std::abs(a.dst) > std::abs(b.dst); });
    CopyPlan plan{item, {}, false};
    for (const auto &axis : axes) {
        if (!plan.axes.empty()) {
            auto &outer = plan.axes.back();
            if (outer.src == axis.src * axis.size && outer.dst == axis.dst * axis.size) {
                outer = {outer.size * axis.size, axis.src, axis.dst};
                continue;
            }
        }
        plan.axes.push_back(axis);
    }
    if (!plan.axes.empty() && plan.axes.back().src == item && plan.axes.back().dst == item) {
        plan.run = item * plan.axes.back().size;
        plan.axes.pop_back();
    } else if (!plan.axes.empty() && plan.axes.back().dst == item && is_transposable(item)) {
        const auto column = std::find_if(plan.axes.begin(), plan.axes.end() - 1,
                                         [&](const auto &axis) { return axis.src == item; });
        plan.is_transposed = column != plan.axes.end() - 1;
        if (plan.is_transposed)
            std::rotate(column, column + 1, plan.axes.end() - 1);
    }
    return plan;
}

void copy(const CopyPlan &plan, const char *src, char *dst) {
    if (plan.run == 0)
        return;
    if (plan.axes.empty())
        std::memcpy(dst, src, static_cast<size_t>(plan.run));
    else
        copy_axes(plan, 0, src, dst);
}

} // namespace lastuse
