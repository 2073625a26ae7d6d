// In which order ops need least memory.
#pragma once

#include <vector>

#include "problem.hpp"

namespace lastuse::planning {

// `write` may lie where `read` does, if the op is the last that reads it and it has at least as many bytes.
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

// Buffers by number. One that no op writes is there from the start. `kept` ones stay to the end, the others until the
// last op that reads them. `lent` ones are the caller's and never written over.
struct Graph {
    std::vector<int64_t> bytes;
    std::vector<char> kept;
    std::vector<char> lent;
    std::vector<Op> ops;
    std::vector<Edge> edges; // besides those from who writes a buffer to who reads it
};

struct Schedule {
    std::vector<int> order;             // of ops
    std::vector<Permission> inplace;    // those taken in this order
    int64_t peak = 0;                   // the most bytes at one op, its reads and writes both counted
    int64_t lower_bound = 0;            // bytes; no order needs less
    Proof proof = Proof::none;
};

// The order of least peak: the one given, the best that a beam finds, then depth-first search over sets of executed
// ops under a budget that is halved towards the lower bound. `settle`: with as many ops as possible where the given order
// has them. Throws Error: the graph is no graph.
Schedule schedule(const Graph &graph, const std::vector<int> &given, Limits limits, bool settle);

// What `order` needs. Throws Error: it is not an order of the ops.
Schedule measured(const Graph &graph, const std::vector<int> &order);

} // namespace lastuse::planning
