#include "clause_program.hpp"

#include <algorithm>
#include <functional>
#include <numeric>

#include "failed_states.hpp"
#include "problem.hpp"

namespace lastuse::planning {

namespace {

constexpr size_t word_bits = 64;
constexpr size_t repaired_sets = 8; // so many of the cheapest sets are compared with all others by what repairs cost

DropCost operator+(const DropCost &a, const DropCost &b) { return {a[0] + b[0], a[1] + b[1], a[2] + b[2], a[3] + b[3]}; }
DropCost operator-(const DropCost &a, const DropCost &b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2], a[3] - b[3]}; }

size_t count(const uint64_t *bits, size_t words) {
    size_t total = 0;
    for (size_t n = 0; n < words; ++n)
        total += static_cast<size_t>(__builtin_popcountll(bits[n]));
    return total;
}

bool contains(const uint64_t *bits, const uint64_t *others, size_t words) {
    for (size_t n = 0; n < words; ++n)
        if (others[n] & ~bits[n])
            return false;
    return true;
}

void set(std::vector<uint64_t> &bits, size_t bit) { bits[bit / word_bits] |= uint64_t{1} << bit % word_bits; }

// The entry of an open clause.
template <typename Bits> auto find(Bits &bits, int clause) {
    return std::find_if(bits.begin(), bits.end(), [&](const auto &entry) { return entry.first == clause; });
}

// The same sets with more words each.
OpenSets widened(OpenSets sets, size_t words) {
    std::vector<uint64_t> bits(sets.size() * words);
    for (size_t n = 0; n < sets.size(); ++n)
        std::copy_n(sets.at(n), sets.words, &bits[n * words]);
    sets.bits = std::move(bits);
    sets.words = words;
    return sets;
}

// Finds equal sets among those that are added to `sets`, at most so many.
class SetIndex {
public:
    SetIndex(OpenSets &sets, size_t most) : sets_(sets) {
        size_t slots = 16;
        while (slots < 2 * most)
            slots *= 2;
        slots_.assign(slots, none);
    }

    // The number of a set of open clauses, and whether it is a new one.
    std::pair<size_t, bool> number(const std::vector<uint64_t> &bits) {
        uint64_t key = 0;
        for (const uint64_t word : bits)
            key = scramble(key ^ word);
        for (size_t at = key;; ++at) {
            uint32_t &slot = slots_[at & (slots_.size() - 1)];
            if (slot != none) {
                if (std::equal(bits.begin(), bits.end(), sets_.at(slot)))
                    return {slot, false};
                continue;
            }
            slot = static_cast<uint32_t>(sets_.size());
            sets_.bits.insert(sets_.bits.end(), bits.begin(), bits.end());
            sets_.costs.emplace_back();
            sets_.last.push_back(-1);
            return {slot, true};
        }
    }

private:
    static constexpr uint32_t none = UINT32_MAX;

    OpenSets &sets_;
    std::vector<uint32_t> slots_; // numbers of sets, with open addressing
};

} // namespace

ClauseProgram::ClauseProgram(std::vector<DropCost> costs, size_t many, size_t most)
    : costs_(std::move(costs)), many_(many), most_(most), above_(costs_.size()), opens_(costs_.size()),
      closes_(costs_.size()), drops_by_(costs_.size()), keeps_by_(costs_.size()) {
    std::iota(above_.begin(), above_.end(), 0);
}

int ClauseProgram::root(int variable) {
    while (above_[variable] != variable)
        variable = above_[variable] = above_[above_[variable]];
    return variable;
}

void ClauseProgram::add(Clause clause) {
    const int number = static_cast<int>(clauses_.size());
    std::vector<int> variables = clause.dropped;
    variables.insert(variables.end(), clause.kept.begin(), clause.kept.end());
    if (variables.empty())
        throw Error("a clause has no variable");
    for (const int variable : variables)
        if (variable < 0 || static_cast<size_t>(variable) >= costs_.size())
            throw Error("there is no variable " + std::to_string(variable));
    const auto [lowest, highest] = std::minmax_element(variables.begin(), variables.end());
    highest_.push_back(*highest);
    opens_[*highest].push_back(number);
    closes_[*lowest].push_back(number);
    for (const int variable : clause.dropped)
        drops_by_[variable].push_back(number);
    for (const int variable : clause.kept)
        keeps_by_[variable].push_back(number);
    clauses_.push_back(std::move(clause));
    Group group;
    for (const int variable : variables)
        if (auto found = groups_.extract(root(variable))) {
            Group other = std::move(found.mapped());
            if (other.first() > group.first()) // the one that was solved from a later variable on stays
                std::swap(group, other);
            group.clauses.insert(group.clauses.end(), other.clauses.begin(), other.clauses.end());
        }
    group.clauses.push_back(number);
    for (const int variable : variables)
        above_[root(variable)] = root(variables.front());
    groups_[root(variables.front())] = std::move(group);
}

LeastCost ClauseProgram::solve() {
    LeastCost all;
    for (auto &[_, group] : groups_) {
        if (group.solved < group.clauses.size()) {
            solve(group);
            group.solved = group.clauses.size();
        }
        const LeastCost &part = group.solution;
        all.dropped.insert(all.dropped.end(), part.dropped.begin(), part.dropped.end());
        all.cost = all.cost + part.cost;
        all.exact = all.exact && part.exact;
    }
    return all;
}

// From the last variable of a group to its first one.
void ClauseProgram::solve(Group &group) {
    auto [now, left] = resumed(group);
    for (const int variable : left) {
        now.variable = variable;
        group.steps.push_back(std::move(now));
        const Step &before = group.steps.back();
        now = {variable, {}, before.bits, before.free, before.width, before.exact, before.work};
        const Decision decision = begun(variable, now);
        const size_t words = decision.opened.size();
        now.work += static_cast<int64_t>(before.sets.size());
        now.sets = decided(words == before.sets.words ? before.sets : widened(before.sets, words), decision);
        if (now.sets.size() > many_) {
            now.sets = undominated(now.sets, now.bits, variable);
            if (now.sets.size() > most_) {
                now.sets.bits.resize(most_ * now.sets.words);
                now.sets.costs.resize(most_);
                now.sets.last.resize(most_);
                now.exact = false;
            }
        }
    }
    work_ += now.work;
    LeastCost &solution = group.solution = {{}, {}, now.exact};
    if (now.sets.size() == 0) { // no set that was kept makes all clauses hold
        std::set<int> every;
        for (const int n : group.clauses)
            every.insert(clauses_[n].dropped.begin(), clauses_[n].dropped.end());
        solution.dropped.assign(every.begin(), every.end());
        for (const int variable : every)
            solution.cost = solution.cost + costs_[variable];
        solution.exact = false;
        return;
    }
    solution.cost = now.sets.costs.front();
    for (int n = now.sets.last.front(); n >= 0; n = drops_[n].second)
        solution.dropped.push_back(drops_[n].first);
}

// What was known before the first step that clauses without a solution change, and the variables from there on.
//
// A step depends on the clauses of its variable, and on what makes those hold that are open then: on the variables that
// these may drop and that no clause keeps.
std::pair<ClauseProgram::Step, std::vector<int>> ClauseProgram::resumed(Group &group) const {
    int changed = -1;
    std::set<int, std::greater<int>> left;
    for (size_t n = group.solved; n < group.clauses.size(); ++n) {
        const int number = group.clauses[n];
        changed = std::max(changed, highest_[number]);
        left.insert(clauses_[number].dropped.begin(), clauses_[number].dropped.end());
        for (const int variable : clauses_[number].kept) {
            left.insert(variable);
            for (const int other : drops_by_[variable])
                changed = std::max(changed, highest_[other]);
        }
    }
    auto &steps = group.steps;
    const auto at = std::find_if(steps.begin(), steps.end(), [&](const Step &step) { return step.variable <= changed; });
    for (auto step = at; step != steps.end(); ++step)
        left.insert(step->variable);
    Step begin;
    if (at != steps.end())
        begin = std::move(*at);
    else
        begin.sets = {1, {0}, {DropCost{}}, {-1}};
    steps.erase(at, steps.end());
    return {std::move(begin), {left.begin(), left.end()}};
}

// Gives the clauses that a variable opens a bit, and takes those of the clauses back of which it is the last one.
ClauseProgram::Decision ClauseProgram::begun(int variable, Step &now) const {
    for (const int n : opens_[variable]) {
        if (now.free.empty())
            now.free.push_back(now.width++);
        now.bits.emplace_back(n, now.free.back());
        now.free.pop_back();
    }
    Decision decision{variable, bits_of(opens_[variable], now), bits_of(keeps_by_[variable], now),
                      bits_of(drops_by_[variable], now), bits_of(closes_[variable], now)};
    for (const int n : closes_[variable]) {
        const auto closed = find(now.bits, n);
        now.free.push_back(closed->second);
        now.bits.erase(closed);
    }
    return decision;
}

// The bits of open clauses.
std::vector<uint64_t> ClauseProgram::bits_of(const std::vector<int> &clauses, const Step &now) const {
    std::vector<uint64_t> bits(std::max<size_t>(1, (now.width + word_bits - 1) / word_bits));
    for (const int n : clauses)
        set(bits, find(now.bits, n)->second);
    return bits;
}

// The sets after a variable.
OpenSets ClauseProgram::decided(const OpenSets &sets, const Decision &decision) {
    OpenSets after;
    after.words = sets.words;
    after.reserve(2 * sets.size());
    SetIndex index(after, 2 * sets.size());
    std::vector<uint64_t> left(sets.words);
    const DropCost &cost = costs_[decision.variable];
    for (const bool drops : {false, true}) {
        const auto &held = drops ? decision.held_by_dropping : decision.held_by_keeping;
        for (size_t n = 0; n < sets.size(); ++n) {
            bool stays_open = false;
            for (size_t w = 0; w < sets.words; ++w) {
                left[w] = (sets.at(n)[w] | decision.opened[w]) & ~held[w];
                stays_open = stays_open || left[w] & decision.closed[w];
            }
            if (stays_open)
                continue;
            const DropCost total = drops ? sets.costs[n] + cost : sets.costs[n];
            const auto [number, is_new] = index.number(left);
            if (!is_new && !(total < after.costs[number]))
                continue;
            after.costs[number] = total;
            after.last[number] = sets.last[n];
            if (drops) {
                after.last[number] = static_cast<int>(drops_.size());
                drops_.emplace_back(decision.variable, sets.last[n]);
            }
        }
    }
    return after;
}

// What it costs that an open clause holds by a variable that is decided after `variable`; null where none makes it hold,
// or not without regard to other clauses.
const DropCost *ClauseProgram::repair(int clause, int variable) const {
    const DropCost *least = nullptr;
    for (const int other : clauses_[clause].dropped)
        if (other < variable && keeps_by_[other].empty() && (!least || costs_[other] < *least))
            least = &costs_[other];
    return least;
}

// The sets, the cheapest first, without those that a cheaper one is as good as: one that has none of the other open
// clauses, or has some and costs no more with variables dropped for these.
OpenSets ClauseProgram::undominated(const OpenSets &sets, const ClauseBits &bits, int variable) const {
    const size_t words = sets.words;
    std::vector<uint64_t> fixed(words);
    std::vector<DropCost> repairs(words * word_bits);
    const DropCost *least = nullptr;
    for (const auto &[clause, bit] : bits) {
        if (const DropCost *cost = repair(clause, variable)) {
            repairs[bit] = *cost;
            if (!least || *cost < *least)
                least = cost;
        } else {
            set(fixed, bit);
        }
    }
    // Each of the two has an open clause that the other one has not, or costs more.
    const auto is_repaired = [&](const uint64_t *other, const uint64_t *mine, DropCost spare) {
        if (!least || spare < *least)
            return false;
        for (size_t w = 0; w < words; ++w)
            if (other[w] & ~mine[w] & fixed[w])
                return false;
        for (size_t w = 0; w < words; ++w)
            for (uint64_t open = other[w] & ~mine[w]; open; open &= open - 1) {
                spare = spare - repairs[w * word_bits + static_cast<size_t>(__builtin_ctzll(open))];
                if (spare < DropCost{})
                    return false;
            }
        return true;
    };
    std::vector<size_t> order(sets.size());
    std::iota(order.begin(), order.end(), 0);
    std::vector<size_t> sizes(sets.size());
    for (size_t n = 0; n < sets.size(); ++n)
        sizes[n] = count(sets.at(n), words);
    std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) {
        return sets.costs[a] != sets.costs[b] ? sets.costs[a] < sets.costs[b] : sizes[a] < sizes[b];
    });
    OpenSets left;
    left.words = words;
    left.reserve(std::min(sets.size(), most_ + 1));
    for (const size_t n : order) {
        bool is_dominated = false;
        for (size_t k = 0; k < left.size() && !is_dominated; ++k)
            is_dominated = contains(sets.at(n), left.at(k), words);
        for (size_t k = 0; k < std::min(left.size(), repaired_sets) && !is_dominated; ++k)
            is_dominated = is_repaired(left.at(k), sets.at(n), sets.costs[n] - left.costs[k]);
        if (is_dominated)
            continue;
        left.bits.insert(left.bits.end(), sets.at(n), sets.at(n) + words);
        left.costs.push_back(sets.costs[n]);
        left.last.push_back(sets.last[n]);
        if (left.size() > most_)
            break;
    }
    return left;
}

} // namespace lastuse::planning
