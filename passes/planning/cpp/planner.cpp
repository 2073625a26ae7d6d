#include "planner.hpp"

#include <algorithm>
#include <random>
#include <utility>

#include "greedy.hpp"
#include "search.hpp"

namespace lastuse::planning {
namespace {

// Limits of `best`, in overlaps visited (25 million take about a second) and in nodes of search times sections of buffers.
constexpr int64_t portfolio_meetings = 20'000'000;
constexpr int64_t shuffle_meetings = 600'000;
constexpr int64_t search_buffers = 600; // with more, a node takes too long for the search to pay
constexpr int64_t search_work = 20'000'000;

constexpr int64_t unplanned = INT64_MAX; // the peak before there is a plan
constexpr int64_t most_nodes = int64_t{1} << 50;

void improve(Plan &plan, Placer &placer, std::vector<int64_t> offsets) {
    if (offsets.empty())
        return;
    const int64_t peak = placer.peak(offsets);
    if (peak < plan.peak) {
        plan.peak = peak;
        plan.offsets = std::move(offsets);
    }
}

bool done(Plan &plan) {
    if (plan.peak > plan.lower_bound)
        return false;
    plan.proof = Proof::reached;
    return true;
}

// Tries all orders with both rules; returns the order of the best plan.
std::vector<int> portfolio(Plan &plan, Placer &placer, const Timeline &timeline, const Clock &clock) {
    const auto orders = orders_of(timeline);
    size_t winner = 0;
    int64_t visited = 0;
    for (size_t i = 0; i < orders.size(); ++i)
        for (const Gap gap : {Gap::lowest, Gap::smallest}) {
            if (plan.peak < unplanned && (clock.left() <= 0 || visited > portfolio_meetings))
                return orders[winner];
            const int64_t before = plan.peak;
            improve(plan, placer, placer.place(orders[i], gap, plan.peak == unplanned ? unplanned : plan.peak - 1, &visited));
            if (plan.peak < before)
                winner = i;
            if (plan.peak <= plan.lower_bound)
                return orders[winner];
        }
    return orders[winner];
}

// Local search: moves a buffer that reaches the peak, or sometimes any buffer, forward in the order, and keeps orders that
// are not worse.
void shuffle(Plan &plan, Placer &placer, const Timeline &timeline, std::vector<int> order, const Clock &clock) {
    // The engine is portable; the standard distributions are not.
    std::mt19937_64 engine(0);
    const auto below = [&](size_t count) { return static_cast<size_t>(engine() % count); };
    int64_t visited = 0;
    std::vector<int64_t> offsets = placer.place(order, Gap::lowest, INT64_MAX, &visited);
    if (visited * 20 > shuffle_meetings)
        return; // too few tries to gain anything
    int64_t peak = placer.peak(offsets);
    improve(plan, placer, offsets);
    while (visited < shuffle_meetings && clock.left() > 0 && plan.peak > plan.lower_bound) {
        std::vector<size_t> top;
        for (size_t i = 0; i < order.size(); ++i)
            if (offsets[order[i]] + timeline.size[order[i]] == peak)
                top.push_back(i);
        const size_t from = below(10) < 7 ? top[below(top.size())] : below(order.size());
        const size_t to = from > 0 ? below(from) : below(order.size());
        const int moved = order[from];
        order.erase(order.begin() + static_cast<std::ptrdiff_t>(from));
        order.insert(order.begin() + static_cast<std::ptrdiff_t>(to), moved);
        auto tried = placer.place(order, Gap::lowest, peak, &visited);
        if (tried.empty()) {
            order.erase(order.begin() + static_cast<std::ptrdiff_t>(to));
            order.insert(order.begin() + static_cast<std::ptrdiff_t>(from), moved);
            continue;
        }
        offsets = std::move(tried);
        peak = placer.peak(offsets);
        improve(plan, placer, offsets);
    }
}

Plan started(const std::vector<Buffer> &buffers, const Timeline &timeline) {
    Plan plan;
    plan.lower_bound = timeline.lower_bound;
    plan.peak = buffers.empty() ? 0 : unplanned;
    return plan;
}

// Searches for a plan of the lower bound, then bisects between that and the peak. If the search of a capacity exceeds its
// share of the limits, the bisection continues above that capacity.
void bisect(Plan &plan, Placer &placer, Search &search, int64_t step, Clock &clock) {
    const int64_t bound = plan.lower_bound;
    int64_t low = bound; // the smallest capacity that is not known to be infeasible
    int64_t open = low;  // the smallest capacity above those that were given up
    double part = 0.6;
    int64_t asked = low;
    while (open < plan.peak && !clock.over()) {
        Clock share({clock.left() * part, 0});
        const auto nodes = static_cast<int64_t>(static_cast<double>(std::min(clock.nodes_left(), most_nodes)) * part);
        std::vector<int64_t> offsets;
        const Fits found = search.fits(asked, share, nodes + 1, offsets);
        clock.nodes += share.nodes;
        if (found == Fits::yes)
            improve(plan, placer, std::move(offsets));
        else
            open = asked + step;
        if (found == Fits::no)
            low = open;
        asked = open + (plan.peak - step - open) / 2 / step * step;
        part = 0.5;
    }
    plan.lower_bound = low;
    if (low == plan.peak)
        plan.proof = low == bound ? Proof::reached : Proof::infeasible_below;
}

// The limit of nodes for the search of `best`; the time of a node grows with the sections of the buffers.
int64_t quick_nodes(const Timeline &timeline) {
    int64_t sections = 1;
    for (const auto &live : timeline.live)
        for (const auto &piece : live)
            sections += piece.upper - piece.lower;
    return std::max<int64_t>(search_work / sections, 1);
}

Plan planned(const std::vector<Buffer> &buffers, Limits limits, bool quick) {
    const Timeline timeline = timeline_of(buffers);
    const int64_t nodes = quick ? quick_nodes(timeline) : most_nodes;
    Clock clock({limits.seconds, limits.nodes > 0 ? std::min(limits.nodes, nodes) : nodes});
    Plan plan = started(buffers, timeline);
    if (done(plan))
        return plan;
    Placer placer(buffers, timeline);
    const auto order = portfolio(plan, placer, timeline, clock);
    if (done(plan) || clock.left() <= 0)
        return plan;
    if (quick)
        shuffle(plan, placer, timeline, order, clock);
    if (done(plan) || clock.over() || (quick && static_cast<int64_t>(buffers.size()) > search_buffers))
        return plan;
    Search search(buffers, timeline);
    if (search.possible())
        bisect(plan, placer, search, timeline.step, clock);
    return plan;
}

// Each buffer of the order in the lowest gap.
Plan placed(const std::vector<Buffer> &buffers, const Timeline &timeline, const std::vector<int> &order) {
    Plan plan = started(buffers, timeline);
    Placer placer(buffers, timeline);
    plan.offsets = placer.place(order, Gap::lowest);
    plan.peak = placer.peak(plan.offsets);
    done(plan);
    return plan;
}

} // namespace

int64_t lower_bound(const std::vector<Buffer> &buffers) { return timeline_of(buffers).lower_bound; }

Plan greedy(const std::vector<Buffer> &buffers) {
    const Timeline timeline = timeline_of(buffers);
    return placed(buffers, timeline, orders_of(timeline).front());
}

Plan first_fit(const std::vector<Buffer> &buffers, const std::vector<int> &order) {
    std::vector<char> met(buffers.size(), 0);
    for (const int b : order)
        if (b < 0 || static_cast<size_t>(b) >= buffers.size() || std::exchange(met[b], 1))
            throw Error("an order has each buffer once");
    if (order.size() != buffers.size())
        throw Error("an order has each buffer once");
    return placed(buffers, timeline_of(buffers), order);
}

Plan best(const std::vector<Buffer> &buffers, Limits limits) { return planned(buffers, limits, true); }

Plan exact(const std::vector<Buffer> &buffers, Limits limits) { return planned(buffers, limits, false); }

} // namespace lastuse::planning
