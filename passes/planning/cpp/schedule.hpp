// Orders of ops that need the least memory.
#pragma once

#include <vector>

#include "problem.hpp"

namespace lastuse::planning {

// `write` may be in place over `read`, if the op is the last reader of `read` and `read` is at least as large.
struct Permission {
    int read;
    int write;
};

struct Op {
    std::vector<int> reads;
    std::vector<int> writes;
    std::vector<Permission> may_inplace;
};

// Op `first` has to run before op `then`.
struct Edge {
    int first;
    int then;
};

// Buffers by number. A buffer that no op writes is live from the start. `kept` buffers are live to the end, others until
// their last reader. `not_overwritable` buffers belong to the caller: no op writes over them in place.
struct Graph {
    std::vector<int64_t> bytes;
    std::vector<char> kept;
    std::vector<char> not_overwritable;
    std::vector<Op> ops;
    std::vector<Edge> edges; // besides those from the writer of a buffer to its readers
};

struct Schedule {
    std::vector<int> order;             // of ops
    std::vector<Permission> inplace;    // the pairs that are in place in this order
    int64_t peak = 0;                   // the most live bytes at one op, including its reads and writes
    int64_t lower_bound = 0;            // bytes; no order needs less
    Proof proof = Proof::none;
};

// The order of least peak among `given`, the best order of a beam search, and the result of a depth-first search over sets
// of executed ops under a budget that is bisected towards the lower bound. `settle`: of the orders with that peak, one
// that is close to `given`. Throws Error: the graph is invalid.
Schedule schedule(const Graph &graph, const std::vector<int> &given, Limits limits, bool settle);

// The peak and the in-place pairs of `order`. Throws Error: it is not an order of the ops.
Schedule measured(const Graph &graph, const std::vector<int> &order);

} // namespace lastuse::planning
