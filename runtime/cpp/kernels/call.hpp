// What a kernel of an op is called with. Each kernel that lastuse.runtime calls by name has a `Function`; the op's class
// in dialect/dnn says what its operands, results and numbers are.
#pragma once

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <string>
#include <vector>

#include "../moves/form.hpp"
#include "../support.hpp"

// Loops over elements gain from AVX2 if the processor has it. The kernels are compiled without contraction of products
// and sums, so all their loops round alike: results do not depend on the processor, on strides or on places.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#define LASTUSE_WIDE __attribute__((target_clones("avx2", "default"), optimize("O3")))
#else
#define LASTUSE_WIDE
#endif

namespace lastuse::kernels {

struct Call {
    const std::string &op; // its name, for messages
    const std::vector<Array> &ins, &outs;
    const std::vector<double> &numbers; // what the op's attributes say
    char *scratch;
    int64_t scratch_bytes;
    int threads;

    // Throws Error with the message unless it holds.
    void expect(bool holds, const char *message) const;
    // A number as an integer, and as an index from 0. Throws Error for a fraction, and where doubles have no unit steps.
    int64_t integer(size_t number) const;
    size_t index(size_t number) const;
    // Throws Error unless there are so many operands, results and numbers.
    void expect_counts(size_t ins, size_t outs, size_t numbers) const;
    // Throws Error unless these are dense f32.
    void expect_floats(std::initializer_list<const Array *> arrays) const;
};

using Function = void (*)(const Call &);

// A kernel of operands and results of known shapes and strides; what it depends on besides their data is computed once.
using Prepared = std::function<void(const Call &)>;
// Of a call without data, scratch and threads. Throws Error if the kernel does not take these operands.
using Preparation = Prepared (*)(const Call &);

// The one element of an array, as f64. Throws Error if there is another number of elements.
double number_of(const Call &call, const Array &array);

// The numbers of a dense array of i32 or i64.
class Integers {
public:
    Integers(const Call &call, const Array &array);
    int64_t operator[](int64_t index) const {
        return wide_ ? wide_[index] : static_cast<int64_t>(narrow_[index]);
    }

private:
    const int64_t *wide_ = nullptr;
    const int32_t *narrow_ = nullptr;
};

// The numbers of an array of i64 along its one axis, dense: the array's own, or copies in `memory`.
const int64_t *dense_numbers(const Array &array, std::vector<int64_t> &memory);

// Calls work(begin, end, lane) for shares of the numbers from 0 to count - 1, one for each lane.
void in_lanes(int lanes, int64_t count, const std::function<void(int64_t, int64_t, int)> &work);

// How many threads of the call are worth starting for work of so many elements.
int lanes_for(const Call &call, int64_t elements);

// Most lanes that `lanes_for` gives.
constexpr int most_lanes = 64;

} // namespace lastuse::kernels
