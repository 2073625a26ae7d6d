// How a ragged batch is walked without padding: sequences by length, dealt to parts, cut into runs of one width.
//
// A group of sequences, longest first, is walked step by step; those that still run at a step are always the first
// ones. A maximal stretch of steps at which the same ones run, or a piece of it, is a run: one primitive of so many
// steps and that width. The last slice of a run is where the next one starts. Nothing here depends on anything but the
// lengths.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "../primitive.hpp"

namespace lastuse::ragged {

// The offsets do not cut the rows into sequences: they must ascend from 0 to the number of rows.
struct OffsetsError : Error {
    using Error::Error;
};

// `count` sequences in `count` + 1 offsets, over `words` rows. Throws OffsetsError, in the words of
// dialect/dnn/recurrent/ragged.py, where they are none.
void check_offsets(const int64_t *offsets, int64_t count, int64_t words);

// One sequence that has words.
struct Sequence {
    int64_t start, length; // in rows
    int32_t index, part;   // which one of the batch; whose it is

    // The row of its step `step`; backwards it is walked from its own last word to its first.
    int64_t row(int64_t step, bool reverse) const { return reverse ? start + length - 1 - step : start + step; }
};

// Where runs end. A longer run saves calls, but its scratch grows with its rows and leaves the cache.
struct Cut {
    int64_t rows;  // steps x width of a run stay at or below this, unless one step alone has more
    int64_t steps; // most steps of a run
    int64_t width; // most sequences that are walked together

    // What was fastest, or as fast as any at less scratch, for a state of so many channels.
    static Cut of(int64_t channels);

    // The largest power of two of steps that a run of this width may have: few lengths, so few primitives.
    int64_t steps_at(int64_t at_width) const;
};

// How long a core takes for a step, in any unit: `input` and `state` for what each row is multiplied with, but few rows
// wait for `weights`, those for the state.
struct Pace {
    double input, state, weights;

    double step(int64_t width) const {
        const auto rows = static_cast<double>(width);
        return width == 0 ? 0.0 : rows * input + std::max(rows * state, 0.4 * rows * state + weights);
    }
};

// A batch: its sequences that have words, by length, dealt to parts so that each takes nearly the same time.
class Batch {
public:
    // As check_offsets; `most` sequences are walked together; `memory`: room for 2 x `count` sequences. Throws
    // OffsetsError.
    Batch(const int64_t *offsets, int64_t count, int64_t words, int parts, int64_t most, const Pace &pace,
          Sequence *memory);

    // All, and those of a part; the longest first.
    const Sequence *begin() const { return all_; }
    const Sequence *end() const { return end_; }
    const Sequence *begin(int part) const { return dealt_ + first_[static_cast<size_t>(part)]; }
    const Sequence *end(int part) const { return dealt_ + first_[static_cast<size_t>(part) + 1]; }

private:
    const Sequence *all_, *end_, *dealt_;
    std::vector<ptrdiff_t> first_; // where each part starts, and where the last one ends
};

// The first `width` of the sequences at `group`, at steps `step` to `step` + `steps` - 1. A group's first step is 0.
struct Run {
    const Sequence *group;
    int64_t width, step, steps;
};

// Calls `visit` with the runs of the sequences from `begin` to `end`, which are sorted by length, group after group.
template <class Visit>
void walk(const Sequence *begin, const Sequence *end, const Cut &cut, Visit visit) {
    const int64_t count = end - begin;
    const int64_t groups = (count + cut.width - 1) / cut.width;
    for (int64_t g = 0; g < groups; ++g) {
        // Groups of nearly one size: a last one of few sequences would be slow.
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
