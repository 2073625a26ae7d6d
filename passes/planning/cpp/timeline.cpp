#include "timeline.hpp"

#include <algorithm>
#include <numeric>
#include <set>

namespace lastuse::planning {
namespace {

constexpr int64_t most = int64_t{1} << 62;

struct Event {
    int64_t time;
    bool starts; // at equal times, ends come before starts
    size_t buffer;
    int64_t size;

    bool operator<(const Event &other) const {
        return time != other.time ? time < other.time : starts < other.starts;
    }
};

void check(const std::vector<Buffer> &buffers) {
    int64_t total = 0;
    for (const auto &buffer : buffers) {
        int64_t size = 0;
        for (const auto &piece : buffer.live) {
            if (piece.size < 0)
                throw Error("a size is below 0");
            size = std::max(size, piece.size);
        }
        if (buffer.alignment < 1)
            throw Error("an alignment is below 1");
        if (buffer.fixed < anywhere)
            throw Error("a fixed offset is below 0");
        for (const int64_t bytes : {size, buffer.alignment, std::max<int64_t>(buffer.fixed, 0)})
            if (__builtin_add_overflow(total, bytes, &total) || total > most)
                throw Error("the sizes add up to more than 2^62 bytes");
    }
}

// The pieces that are not empty, sorted; adjacent ones of one size are merged.
std::vector<Piece> tidy(std::vector<Piece> live) {
    std::stable_sort(live.begin(), live.end(), [](const Piece &a, const Piece &b) { return a.lower < b.lower; });
    std::vector<Piece> result;
    for (const auto &piece : live) {
        if (piece.lower >= piece.upper || piece.size == 0)
            continue;
        if (!result.empty() && result.back().size == piece.size && piece.lower <= result.back().upper)
            result.back().upper = std::max(result.back().upper, piece.upper);
        else if (!result.empty() && piece.lower < result.back().upper)
            throw Error("a buffer has two sizes at one time");
        else
            result.push_back(piece);
    }
    return result;
}

// Fixed buffers are few, so each pair that shares bytes is compared.
void check_fixed(const std::vector<Buffer> &buffers, const std::vector<std::vector<Piece>> &live,
                 const std::vector<int64_t> &size) {
    std::vector<size_t> fixed;
    for (size_t i = 0; i < buffers.size(); ++i)
        if (buffers[i].fixed != anywhere && size[i] > 0)
            fixed.push_back(i);
    std::sort(fixed.begin(), fixed.end(), [&](size_t a, size_t b) { return buffers[a].fixed < buffers[b].fixed; });
    for (size_t n = 0; n < fixed.size(); ++n) {
        const size_t i = fixed[n];
        for (size_t m = n + 1; m < fixed.size() && buffers[fixed[m]].fixed < buffers[i].fixed + size[i]; ++m)
            for (const auto &a : live[i])
                for (const auto &b : live[fixed[m]])
                    if (a.lower < b.upper && b.lower < a.upper && buffers[fixed[m]].fixed < buffers[i].fixed + a.size)
                        throw Error("the fixed buffers " + std::to_string(std::min(i, fixed[m])) + " and " +
                                    std::to_string(std::max(i, fixed[m])) + " overlap");
    }
}

} // namespace

Timeline timeline_of(const std::vector<Buffer> &buffers) {
    check(buffers);
    Timeline result;
    result.live.resize(buffers.size());
    result.size.assign(buffers.size(), 0);
    result.length.assign(buffers.size(), 0);
    std::vector<Event> events;
    int64_t steps = 0, alignments = 0, units = 0;
    std::vector<std::vector<Piece>> tidied;
    for (size_t i = 0; i < buffers.size(); ++i) {
        const auto &buffer = buffers[i];
        tidied.push_back(tidy(buffer.live));
        for (const auto &piece : tidied.back()) {
            result.size[i] = std::max(result.size[i], piece.size);
            result.length[i] += piece.upper - piece.lower;
            steps = std::gcd(steps, piece.size);
            events.push_back({piece.lower, true, i, piece.size});
            events.push_back({piece.upper, false, i, piece.size});
        }
        if (result.size[i] == 0)
            continue;
        units = std::gcd(units, buffer.fixed == anywhere ? buffer.alignment : buffer.fixed);
        if (buffer.fixed != anywhere)
            steps = std::gcd(steps, buffer.fixed);
        else if (buffer.alignment > 1)
            alignments = std::gcd(alignments, buffer.alignment);
    }
    check_fixed(buffers, tidied, result.size); // before the sums, which overlapping fixed buffers could overflow
    result.unit = std::max<int64_t>(units, 1);
    result.step = std::max<int64_t>(std::gcd(steps, alignments), 1);
    std::stable_sort(events.begin(), events.end());

    // A section ends at the first end of a buffer after a start. The topmost buffer of a section needs no padding after it,
    // so the lower bound does not count the section's largest padding.
    int section = 0;
    bool grown = false;
    int64_t inside = 0;
    std::multiset<int64_t> padding;
    for (const auto &event : events) {
        const int64_t bytes = round_up(event.size, result.unit), pad = bytes - event.size;
        auto &live = result.live[event.buffer];
        if (event.starts) {
            grown = true;
            inside += bytes;
            if (result.unit > 1)
                padding.insert(pad);
            live.push_back({section, section, event.size});
        } else {
            if (grown) {
                const int64_t spared = padding.empty() ? 0 : *padding.rbegin();
                result.lower_bound = std::max(result.lower_bound, inside - spared);
                ++section;
                grown = false;
            }
            inside -= bytes;
            if (result.unit > 1)
                padding.erase(padding.find(pad));
            live.back().upper = section;
        }
    }
    result.sections = section;
    for (size_t i = 0; i < buffers.size(); ++i)
        if (buffers[i].fixed != anywhere && result.size[i] > 0)
            result.lower_bound = std::max(result.lower_bound, buffers[i].fixed + result.size[i]);
    return result;
}

} // namespace lastuse::planning
