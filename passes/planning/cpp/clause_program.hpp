// The cheapest set of variables to drop so that every clause holds: what clause_program.py describes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <utility>
#include <vector>

namespace lastuse::planning {

// What it costs to drop a variable: compared by the first number that differs, added number by number.
using DropCost = std::array<int64_t, 4>;

// One variable of `dropped` is dropped, or one of `kept` is kept.
struct Clause {
    std::vector<int> dropped;
    std::vector<int> kept;
};

struct LeastCost {
    std::vector<int> dropped;
    DropCost cost{};
    bool exact = true; // nothing costs less
};

// Sets of open clauses, in the order in which they were found. The bits of set n are the `words` words from n * words on.
struct OpenSets {
    size_t words = 1;
    std::vector<uint64_t> bits;
    std::vector<DropCost> costs; // of the cheapest way there
    std::vector<int> last;       // the last variable that it drops, by its number in ClauseProgram::drops_; -1: none

    size_t size() const { return costs.size(); }
    const uint64_t *at(size_t n) const { return &bits[n * words]; }
    void reserve(size_t count) {
        bits.reserve(count * words);
        costs.reserve(count);
        last.reserve(count);
    }
};

class ClauseProgram {
public:
    // `costs` of the variables, in the order of decision; from so `many` sets on those that another is better than are
    // left out, and no more than `most` are kept.
    ClauseProgram(std::vector<DropCost> costs, size_t many, size_t most);

    // Adds a clause that has to hold: of one variable at least, none twice.
    void add(Clause clause);

    // The cheapest variables to drop. Dropping all of them has to be possible.
    LeastCost solve();

    int64_t work() const { return work_; } // sets of open clauses that were looked at so far

private:
    using ClauseBits = std::vector<std::pair<int, size_t>>; // open clauses, each with its bit
    // What was known before a variable was decided.
    struct Step {
        int variable = -1;
        OpenSets sets;
        ClauseBits bits;
        std::vector<size_t> free; // bits that no clause has
        size_t width = 0;
        bool exact = true;
        int64_t work = 0; // sets that were looked at
    };
    // Clauses over connected variables, and the solution of the first `solved` of them, step by step.
    struct Group {
        std::vector<int> clauses;
        size_t solved = 0;
        LeastCost solution;
        std::vector<Step> steps;

        int first() const { return steps.empty() ? -1 : steps.front().variable; }
    };
    // What a variable does to open clauses: it opens some, makes some hold, and is the last one of some.
    struct Decision {
        int variable;
        std::vector<uint64_t> opened, held_by_keeping, held_by_dropping, closed;
    };

    int root(int variable);
    void solve(Group &group);
    std::pair<Step, std::vector<int>> resumed(Group &group) const;
    Decision begun(int variable, Step &now) const;
    std::vector<uint64_t> bits_of(const std::vector<int> &clauses, const Step &now) const;
    OpenSets decided(const OpenSets &sets, const Decision &decision);
    OpenSets undominated(const OpenSets &sets, const ClauseBits &bits, int variable) const;
    const DropCost *repair(int clause, int variable) const;

    std::vector<DropCost> costs_;
    size_t many_, most_;
    int64_t work_ = 0;
    std::vector<Clause> clauses_;
    std::vector<int> highest_;                               // of each clause the variable that is decided first
    std::vector<int> above_;                                 // disjoint sets of connected variables
    std::map<int, Group> groups_;                            // by representative of these
    std::vector<std::vector<int>> opens_, closes_, drops_by_, keeps_by_; // by variable, clauses
    std::vector<std::pair<int, int>> drops_;                 // a variable that was dropped, and the number of the one before
};

} // namespace lastuse::planning
