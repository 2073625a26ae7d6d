#include "place_graph.hpp"

#include <algorithm>
#include <deque>
#include <numeric>
#include <string>

#include "failed_states.hpp"
#include "problem.hpp"

namespace lastuse::planning {

namespace {

constexpr size_t few_states = 128;   // so many places around a value are looked at first,
constexpr size_t many_states = 1024; // and so many where these do not suffice for
constexpr size_t few_choices = 3;    // so few choices
constexpr int outside = -1;          // the number of the target, and of what is farther away

template <typename T> struct Range {
    const T *first, *last;

    const T *begin() const { return first; }
    const T *end() const { return last; }
};

// Numbers of states by their keys.
class StateIndex {
public:
    explicit StateIndex(size_t most) : slots_(2 * most, {0, outside}) {}

    // The place of the number of a state; `outside` stands there where it has none.
    int &at(uint64_t key) {
        size_t at = key % slots_.size();
        while (slots_[at].number != outside && slots_[at].key != key)
            at = (at + 1) % slots_.size();
        slots_[at].key = key;
        return slots_[at].number;
    }

private:
    struct Slot {
        uint64_t key;
        int number;
    };
    std::vector<Slot> slots_;
};

} // namespace

// States around the first one, each with the steps from it.
struct PlaceGraph::Near {
    struct To {
        int state, choice;
    };
    std::vector<To> steps;        // of all states, one after the other
    std::vector<size_t> begin{0}; // by state where its steps begin, and where those of the last one end

    size_t size() const { return begin.size() - 1; }
    Range<To> from(int state) const { return {steps.data() + begin[state], steps.data() + begin[state + 1]}; }
    std::optional<std::vector<int>> path(const std::vector<int> &closed, std::vector<char> &reached) const;
};

// What is reached while the closed choices around the first state are opened, one after the other. What is before a
// state are the states that have a step to it.
struct PlaceGraph::Border {
    Near before;
    std::vector<std::vector<std::pair<int, int>>> crossings; // by number of a closed choice its steps
    std::vector<char> reached; // by state: a path leads there from the first one, without a closed choice
    std::vector<char> leaves;  // by state: a path leads from there to the outside, without a closed choice

    Border(const Near &around, const std::vector<int> &closed, size_t choices, std::vector<char> inside);

    bool is_way_out(int state) const { return state == outside || leaves[state]; }
    bool stays_inside(int number, const Near &around, const std::vector<int> &closed);
    void leave(int state, const std::vector<int> &closed);
};

PlaceGraph::PlaceGraph(std::vector<PlacedValue> values, const std::vector<PlaceEdge> &edges)
    : values_(std::move(values)), edges_(values_.size()) {
    int choices = 0;
    for (const auto &[child, parent, choice, distance, link] : edges) {
        for (const int value : {child, parent})
            if (value < 0 || static_cast<size_t>(value) >= values_.size())
                throw Error("there is no value " + std::to_string(value));
        Step upwards = Step::any, downwards = Step::any;
        if (link == Link::same)
            upwards = Step::same_up, downwards = Step::same_down;
        else if (link == Link::view)
            upwards = Step::view_up, downwards = Step::view_down;
        else if (link == Link::part)
            upwards = Step::part_up, downwards = Step::part_down;
        const auto back = distance ? std::optional(-*distance) : std::nullopt;
        edges_[child].push_back({parent, choice, back, upwards});
        edges_[parent].push_back({child, choice, distance, downwards});
        choices = std::max(choices, choice + 1);
    }
    taken_.resize(choices);
    closed_.resize(choices);
}

void PlaceGraph::take(const std::vector<int> &taken) {
    std::fill(taken_.begin(), taken_.end(), 0);
    for (const int choice : taken)
        if (choice >= 0 && static_cast<size_t>(choice) < taken_.size())
            taken_[choice] = 1;
}

std::optional<std::vector<int>> PlaceGraph::needed(int value, int other, const std::vector<int64_t> &distances) {
    if (value == other) // no choice is needed
        return std::nullopt;
    const Target there{value, distances};
    Target back{other, {}};
    for (const int64_t distance : distances)
        back.distances.push_back(-distance);
    std::optional<std::vector<int>> best;
    for (const size_t most : {few_states, many_states}) {
        for (const bool turned : {false, true}) {
            const size_t limit = best ? best->size() : SIZE_MAX;
            if (auto found = turned ? cut(other, there, most, limit) : cut(value, back, most, limit))
                best = std::move(found);
        }
        if (best && best->size() <= few_choices)
            break;
    }
    return best;
}

// The place of a value follows from that of one other at most, so a path between two values goes up and then down. A
// value that another one is computed in its part of is the parent of all that is written over the same bytes before:
// the path goes down to the operand before it goes up to the result, and the other way round.
std::optional<PlaceGraph::Way> PlaceGraph::next(Way way, Step step) {
    switch (step) {
    case Step::any: return up;
    case Step::same_up: return way == up || way == in_part ? std::optional(way) : std::nullopt;
    case Step::view_up: return way == up ? std::optional(up) : std::nullopt;
    case Step::part_up: return way == up || way == down ? std::optional(up) : std::nullopt;
    case Step::same_down: return way == up || way == down ? down : below_part_or_view;
    case Step::view_down: return below_part_or_view;
    case Step::part_down: return in_part;
    }
    return std::nullopt;
}

// Two values in one storage, the second one `distance` bytes behind the first one, of which one is written while the
// bytes of the other one are needed.
bool PlaceGraph::is_ruined(int one, int other, int64_t distance) const {
    const PlacedValue &a = values_[one], &b = values_[other];
    if (one == other || a.block != b.block || distance >= a.bytes || distance + b.bytes <= 0 || !a.bytes || !b.bytes)
        return false;
    const auto ruins = [](const PlacedValue &written, const PlacedValue &read) {
        return written.written >= 0 && read.born < written.written && written.written < read.last;
    };
    return ruins(a, b) || ruins(b, a);
}

// What may be placed around a value, `most` states of it. A path along which one value ruins the first or the last one
// places nothing.
PlaceGraph::Near PlaceGraph::near(int from, const Target &target, size_t most) const {
    Near found;
    std::vector<State> states{{from, 0, up}};
    StateIndex numbers(most);
    const auto key = [](const State &state) {
        const auto place = static_cast<uint64_t>(state.distance.value_or(INT64_MIN));
        return scramble(scramble(place) + static_cast<uint64_t>(state.value) * ways + state.way);
    };
    numbers.at(key(states.front())) = 0;
    const bool is_placed = target.distances.size() == 1;
    for (size_t at = 0; at < states.size(); ++at) {
        const State state = states[at];
        for (const Edge &edge : edges_[state.value]) {
            const auto way = next(state.way, edge.step);
            if (!way)
                continue;
            State reached{edge.to, std::nullopt, *way};
            if (state.distance && edge.distance)
                reached.distance = *state.distance + *edge.distance;
            if (reached.distance) {
                const int64_t distance = *reached.distance;
                if (is_ruined(from, edge.to, distance) ||
                    (is_placed && is_ruined(target.value, edge.to, distance - target.distances.front())))
                    continue;
            }
            const bool is_target = edge.to == target.value &&
                                   (target.distances.empty() || !reached.distance ||
                                    std::count(target.distances.begin(), target.distances.end(), *reached.distance));
            int number = outside;
            if (!is_target) {
                int &known = numbers.at(key(reached));
                if (known == outside && states.size() < most) {
                    known = static_cast<int>(states.size());
                    states.push_back(reached);
                }
                number = known;
            }
            const bool is_free = edge.choice < 0 || taken_[edge.choice];
            found.steps.push_back({number, is_free ? -1 : edge.choice});
        }
        found.begin.push_back(found.steps.size());
    }
    return found;
}

// Choices around `from` without which there is no path to the target: those of shortest paths, one after the other, as
// far as they lead out of what is reached without them, and none that can be left out. Nothing where a path needs none,
// and where there are no fewer than `limit` of them: no two of the paths have a choice in common.
std::optional<std::vector<int>> PlaceGraph::cut(int from, const Target &target, size_t most, size_t limit) {
    const Near around = near(from, target, most);
    std::vector<int> on_paths;
    std::vector<char> reached;
    bool is_given_up = false;
    for (size_t paths = 1; const auto path = around.path(closed_, reached); ++paths) {
        is_given_up = path->empty() || paths >= limit;
        if (is_given_up)
            break;
        for (const int choice : *path)
            closed_[choice] = 1;
        on_paths.insert(on_paths.end(), path->begin(), path->end());
    }
    for (const int choice : on_paths)
        closed_[choice] = 0;
    if (is_given_up)
        return std::nullopt;
    std::vector<int> border;
    for (size_t state = 0; state < reached.size(); ++state)
        for (const auto &[to, choice] : around.from(static_cast<int>(state)))
            if (reached[state] && choice >= 0 && (to == outside || !reached[to]) && !closed_[choice]) {
                closed_[choice] = 1;
                border.push_back(choice);
            }
    for (const int choice : border)
        closed_[choice] = 0;
    std::vector<int> left = least(around, std::move(reached), std::move(border));
    return left.size() < limit ? std::optional(std::move(left)) : std::nullopt;
}

// The choices of a border without those that can be left out, the first ones before the last ones.
std::vector<int> PlaceGraph::least(const Near &around, std::vector<char> reached, std::vector<int> border) {
    std::sort(border.begin(), border.end());
    for (size_t n = 0; n < border.size(); ++n)
        closed_[border[n]] = static_cast<int>(n) + 1;
    Border growing(around, closed_, border.size(), std::move(reached));
    std::vector<int> left;
    for (size_t n = 0; n < border.size(); ++n) {
        closed_[border[n]] = 0;
        if (growing.stays_inside(static_cast<int>(n), around, closed_))
            continue;
        closed_[border[n]] = static_cast<int>(n) + 1;
        left.push_back(border[n]);
    }
    for (const int choice : left)
        closed_[choice] = 0;
    return left;
}

PlaceGraph::Border::Border(const Near &around, const std::vector<int> &closed, size_t choices,
                           std::vector<char> inside)
    : crossings(choices), reached(std::move(inside)), leaves(around.size()) {
    const int states = static_cast<int>(around.size());
    std::vector<size_t> &begin = before.begin;
    begin.assign(around.size() + 1, 0);
    for (const auto &step : around.steps)
        if (step.state != outside)
            ++begin[step.state];
    std::partial_sum(begin.begin(), begin.end(), begin.begin());
    before.steps.resize(begin.back());
    std::vector<int> last;
    for (int from = 0; from < states; ++from)
        for (const auto &[to, choice] : around.from(from)) {
            if (to != outside)
                before.steps[--begin[to]] = {from, choice};
            if (choice >= 0 && closed[choice])
                crossings[closed[choice] - 1].emplace_back(from, to);
            else if (to == outside)
                last.push_back(from);
        }
    for (const int state : last)
        leave(state, closed);
}

// Opens a choice. Where the outside is reached then, the choice has to be closed again, and nothing has changed.
bool PlaceGraph::Border::stays_inside(int number, const Near &around, const std::vector<int> &closed) {
    std::vector<int> added;
    bool is_out = false;
    const auto reach = [&](int state) {
        is_out = is_out || is_way_out(state);
        if (is_out || reached[state])
            return;
        reached[state] = 1;
        added.push_back(state);
    };
    for (const auto &[from, to] : crossings[number])
        if (reached[from])
            reach(to);
    for (size_t at = 0; at < added.size() && !is_out; ++at)
        for (const auto &[to, choice] : around.from(added[at]))
            if (choice < 0 || !closed[choice])
                reach(to);
    if (is_out) {
        for (const int state : added)
            reached[state] = 0;
        return false;
    }
    for (const auto &[from, to] : crossings[number])
        if (is_way_out(to))
            leave(from, closed);
    return true;
}

// From `state` a path leads to the outside.
void PlaceGraph::Border::leave(int state, const std::vector<int> &closed) {
    if (leaves[state])
        return;
    leaves[state] = 1;
    std::vector<int> left{state};
    while (!left.empty()) {
        const int to = left.back();
        left.pop_back();
        for (const auto &[from, choice] : before.from(to))
            if ((choice < 0 || !closed[choice]) && !leaves[from]) {
                leaves[from] = 1;
                left.push_back(from);
            }
    }
}

// The choices of a path from the first state to the outside without those that are closed, of few choices. Where there
// is none, `reached` says which states are.
std::optional<std::vector<int>> PlaceGraph::Near::path(const std::vector<int> &closed,
                                                       std::vector<char> &reached) const {
    std::vector<To> came(size(), {outside, -1});
    reached.assign(size(), 0);
    reached[0] = 1;
    std::deque<int> queue{0};
    while (!queue.empty()) {
        const int state = queue.front();
        queue.pop_front();
        for (const auto &[to, choice] : from(state)) {
            if ((choice >= 0 && closed[choice]) || (to != outside && reached[to]))
                continue;
            if (to == outside) {
                std::vector<int> choices;
                for (To step{state, choice}; step.state != outside; step = came[step.state])
                    if (step.choice >= 0)
                        choices.push_back(step.choice);
                return choices;
            }
            reached[to] = 1;
            came[to] = {state, choice};
            if (choice < 0)
                queue.push_front(to);
            else
                queue.push_back(to);
        }
    }
    return std::nullopt;
}

} // namespace lastuse::planning
