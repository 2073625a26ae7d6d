#include "plan.hpp"

#include <algorithm>
#include <limits>
#include <vector>

#include "../kernels/offsets.hpp"

namespace lastuse::ragged {

Cut Cut::of(int64_t channels) {
    // Measured at 128 and 256 channels: runs of 32 rows are within 3 % of the speed of 512 rows, with a tenth of the
    // scratch; 16 steps of one sequence are 4 % faster than 8, and more are not faster. With fewer channels a row is
    // less work, so a run has more rows.
    constexpr int64_t elements = 4096;
    return {std::clamp<int64_t>(elements / std::max<int64_t>(channels, 1), 32, 256), 16, 32};
}

int64_t Cut::steps_at(int64_t run_width) const {
    int64_t result = 1;
    while (2 * result <= steps && 2 * result * run_width <= rows)
        result *= 2;
    return result;
}

Batch::Batch(const int64_t *offsets, int64_t count, int64_t rows, int parts, int64_t most, const CostModel &cost,
             Sequence *memory)
    : all_(memory), by_part_(memory + std::max<int64_t>(count, 0)), first_(static_cast<size_t>(parts) + 1) {
    kernels::check_offsets(offsets, count, rows);
    Sequence *end = memory;
    for (int64_t k = 0; k < count; ++k)
        if (offsets[k + 1] > offsets[k])
            *end++ = {offsets[k], offsets[k + 1] - offsets[k], static_cast<int32_t>(k), 0};
    end_ = end;
    // Ties are broken by position, so the order does not depend on the sort.
    std::sort(memory, end, [](const Sequence &a, const Sequence &b) {
        return a.length != b.length ? a.length > b.length : a.index < b.index;
    });
    // Assigns each sequence, longest first, to the part that ends first with it, ties to the first part. A sequence makes
    // the steps of a part one wider; if the groups of the part are full, it adds a group, whose steps are estimated by
    // the sequence in the middle of a group.
    std::vector<double> load(static_cast<size_t>(parts)), half(static_cast<size_t>(parts));
    for (Sequence *sequence = memory; sequence != end; ++sequence) {
        const auto length = static_cast<double>(sequence->length);
        size_t least = 0;
        double best = std::numeric_limits<double>::infinity();
        for (size_t part = 0; part < load.size(); ++part) {
            const int64_t size = first_[part + 1];
            double time = load[part] + length * (cost.step(size + 1) - cost.step(size));
            if (size > 0 && size % most == 0)
                time += half[part] * cost.weights;
            if (time < best) {
                best = time;
                least = part;
            }
        }
        load[least] = best;
        sequence->part = static_cast<int32_t>(least);
        if (++first_[least + 1] % most == most / 2)
            half[least] = length;
    }
    for (size_t part = 1; part < first_.size(); ++part)
        first_[part] += first_[part - 1];
    std::vector<ptrdiff_t> next(first_.begin(), first_.end() - 1);
    Sequence *by_part = memory + count;
    for (const Sequence *sequence = memory; sequence != end; ++sequence)
        by_part[next[static_cast<size_t>(sequence->part)]++] = *sequence;
}

} // namespace lastuse::ragged
