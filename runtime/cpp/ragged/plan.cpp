#include "plan.hpp"

#include <algorithm>
#include <limits>
#include <string>

namespace lastuse::ragged {

Cut Cut::of(int64_t channels) {
    // Measured at 128 and 256 channels: runs of 32 rows are as fast as those of 512 within 3 %, with a tenth of the
    // scratch; 16 steps of one sequence are 4 % faster than 8, and more are no faster. With fewer channels a row is
    // less work, so a run has more of them.
    constexpr int64_t elements = 4096;
    return {std::clamp<int64_t>(elements / std::max<int64_t>(channels, 1), 32, 256), 16, 32};
}

int64_t Cut::steps_at(int64_t at_width) const {
    int64_t taken = 1;
    while (2 * taken <= steps && 2 * taken * at_width <= rows)
        taken *= 2;
    return taken;
}

void check_offsets(const int64_t *offsets, int64_t count, int64_t words) {
    if (count < 0)
        throw OffsetsError("there are no offsets; even no sequence at all has the one offset 0");
    if (count > std::numeric_limits<int32_t>::max())
        throw OffsetsError("there are " + std::to_string(count) + " sequences, more than can be told apart");
    if (offsets[0] != 0)
        throw OffsetsError("the first offset is " + std::to_string(offsets[0]) + ", not 0");
    if (offsets[count] != words)
        throw OffsetsError("the last offset is " + std::to_string(offsets[count]) + ", but there are " +
                           std::to_string(words) + " rows");
    for (int64_t k = 0; k < count; ++k)
        if (offsets[k + 1] < offsets[k])
            throw OffsetsError("offset " + std::to_string(k + 1) + " is " + std::to_string(offsets[k + 1]) +
                               ", less than the " + std::to_string(offsets[k]) + " before it");
}

Batch::Batch(const int64_t *offsets, int64_t count, int64_t words, int parts, int64_t most, const Pace &pace,
             Sequence *memory)
    : all_(memory), dealt_(memory + std::max<int64_t>(count, 0)), first_(static_cast<size_t>(parts) + 1) {
    check_offsets(offsets, count, words);
    Sequence *end = memory;
    for (int64_t k = 0; k < count; ++k)
        if (offsets[k + 1] > offsets[k])
            *end++ = {offsets[k], offsets[k + 1] - offsets[k], static_cast<int32_t>(k), 0};
    end_ = end;
    // Ties by position: the order is one, whatever the sort does.
    std::sort(memory, end, [](const Sequence &a, const Sequence &b) {
        return a.length != b.length ? a.length > b.length : a.index < b.index;
    });
    // Longest first, each to the part that is done first with it, the first of those: it makes steps one wider, or, where
    // as many walk together as may, one group more, with steps of its own for half of them.
    std::vector<double> load(static_cast<size_t>(parts)), half(static_cast<size_t>(parts));
    for (Sequence *sequence = memory; sequence != end; ++sequence) {
        const auto length = static_cast<double>(sequence->length);
        size_t least = 0;
        double best = std::numeric_limits<double>::infinity();
        for (size_t part = 0; part < load.size(); ++part) {
            const int64_t have = first_[part + 1];
            double then = load[part] + length * (pace.step(have + 1) - pace.step(have));
            if (have > 0 && have % most == 0)
                then += half[part] * pace.weights;
            if (then < best) {
                best = then;
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
    Sequence *dealt = memory + count;
    for (const Sequence *sequence = memory; sequence != end; ++sequence)
        dealt[next[static_cast<size_t>(sequence->part)]++] = *sequence;
}

} // namespace lastuse::ragged
