// Which choices are needed to place two values at one place: what place_graph.py describes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace lastuse::planning {

// How the place of a value follows from that of another one, its parent.
enum class Link {
    same, // it has the bytes of the parent
    view, // it is a part of the parent that views it
    part, // it is computed in its part of the parent
    any,  // the two share a storage, and either may be the parent
};

// Where `choice` is taken, or always if it is -1, the place of `child` follows from that of `parent`. It begins
// `distance` bytes behind it, where that is known.
struct PlaceEdge {
    int child, parent, choice;
    std::optional<int64_t> distance;
    Link link;
};

// What is known of a value: when a kernel writes all of its bytes (-1: none does), from when on and until when they are
// read, the block of all three, and how many bytes there are, 0 where that or their strides depend on choices.
struct PlacedValue {
    int64_t written, born, last;
    int block;
    int64_t bytes;
};

class PlaceGraph {
public:
    PlaceGraph(std::vector<PlacedValue> values, const std::vector<PlaceEdge> &edges);

    // Says which choices are taken.
    void take(const std::vector<int> &taken);

    // Choices that are not taken, one of which is needed so that `value` begins at one of some `distances` behind
    // `other`, or anywhere if there are none; nothing where that is not known.
    std::optional<std::vector<int>> needed(int value, int other, const std::vector<int64_t> &distances);

private:
    // What has been passed on the way to a value decides which edges may follow: see `next` of place_graph.cpp.
    enum Way : uint8_t { up, down, below_part_or_view, in_part, ways };
    enum class Step : uint8_t { same_up, same_down, view_up, view_down, part_up, part_down, any };

    struct Edge {
        int to, choice;
        std::optional<int64_t> distance;
        Step step;
    };
    // The value `value` begins `distance` bytes behind the first one.
    struct State {
        int value;
        std::optional<int64_t> distance;
        Way way;
    };
    struct Target {
        int value;
        std::vector<int64_t> distances;
    };
    struct Near;
    struct Border;

    static std::optional<Way> next(Way way, Step step);
    bool is_ruined(int one, int other, int64_t distance) const;
    Near near(int from, const Target &target, size_t most) const;
    std::optional<std::vector<int>> cut(int from, const Target &target, size_t most, size_t limit);
    std::vector<int> least(const Near &around, std::vector<char> reached, std::vector<int> border);

    std::vector<PlacedValue> values_;
    std::vector<std::vector<Edge>> edges_; // by value
    std::vector<char> taken_;              // by choice
    std::vector<int> closed_;              // by choice, not 0: paths may not have it; none has one between two cuts
};

} // namespace lastuse::planning
