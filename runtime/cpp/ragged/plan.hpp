// How a ragged batch is processed without padding: sequences are sorted by length, assigned to parts, and cut into runs
// of one width.
//
// A group of sequences, longest first, is processed step by step; the sequences that are active at a step are always the
// first ones. A maximal range of steps with the same active sequences, or a piece of it, is a run: one primitive with
// that number of steps and sequences (its width). The states after its last step are the initial states of the next run.
// The plan depends only on the lengths.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace lastuse::ragged {

// A sequence that is not empty.
struct Sequence {
    int64_t start, length; // in rows
    int32_t index, part;   // position in the batch; the part that it is assigned to

    // The row of step `step`; in reverse, from the last row of the sequence to the first.
    int64_t row(int64_t step, bool reverse) const { return reverse ? start + length - 1 - step : start + step; }
};

// The limits of a run. A longer run saves calls, but its scratch grows with its rows and no longer fits the cache.
struct Cut {
    int64_t rows;  // most rows (steps x width) of a run, unless one step alone has more
    int64_t steps; // most steps of a run
    int64_t width; // most sequences of a group

    // The fastest limits measured for `channels` channels; of equally fast ones, those with the least scratch.
    static Cut of(int64_t channels);

    // The most steps of a run of this width; a power of two, so that runs have few lengths and need few primitives.
    int64_t steps_at(int64_t run_width) const;
};

// Model of the time of a step on one core, in any unit: `input` and `state` for the products of a row with the input
// and with the state; `weights` for reading the weights of the state, which dominates for few rows.
struct CostModel {
    double input, state, weights;

    double step(int64_t width) const {
        const auto rows = static_cast<double>(width);
        return width == 0 ? 0.0 : rows * input + std::max(rows * state, 0.4 * rows * state + weights);
    }
};

// The sequences of a batch that are not empty, sorted by length and assigned to parts of nearly equal time.
class Batch {
public:
    // `offsets`, `count` and `rows` as of check_offsets; `most`: sequences of a group; `memory`: space for 2 x `count`
    // sequences. Throws OffsetsError.
    Batch(const int64_t *offsets, int64_t count, int64_t rows, int parts, int64_t most, const CostModel &cost,
          Sequence *memory);

    // All sequences, and those of a part; the longest first.
    const Sequence *begin() const { return all_; }
    const Sequence *end() const { return end_; }
    const Sequence *begin(int part) const { return by_part_ + first_[static_cast<size_t>(part)]; }
    const Sequence *end(int part) const { return by_part_ + first_[static_cast<size_t>(part) + 1]; }

private:
    const Sequence *all_, *end_, *by_part_;
    std::vector<ptrdiff_t> first_; // the start of each part in `by_part_`, and the end of the last one
};

// The first `width` sequences of `group`, at steps `step` to `step` + `steps` - 1. The first step of a group is 0.
struct Run {
    const Sequence *group;
    int64_t width, step, steps;
};

// Calls `visit` with each run of the sequences from `begin` to `end`, which are sorted by length, group after group.
template <class Visit>
void visit_runs(const Sequence *begin, const Sequence *end, const Cut &cut, Visit visit) {
    const int64_t count = end - begin;
    const int64_t groups = (count + cut.width - 1) / cut.width;
    for (int64_t g = 0; g < groups; ++g) {
        // Groups have nearly equal sizes, since a last group of few sequences would be slow.
        const Sequence *group = begin + count * g / groups;
        int64_t width = count * (g + 1) / groups - count * g / groups;
        for (int64_t step = 0; width > 0;) {
            const int64_t until = group[width - 1].length;
            while (step < until) {
                int64_t steps = cut.steps_at(width);
                while (steps > until - step)
                    steps /= 2;
                visit(Run{group, width, step, steps});
                step += steps;
            }
            while (width > 0 && group[width - 1].length <= step)
                --width;
        }
    }
}

} // namespace lastuse::ragged
