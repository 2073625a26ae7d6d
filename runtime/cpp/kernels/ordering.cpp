// The largest and smallest elements along an axis, as dialect/dnn/ordering.py defines them.
#include "functions.hpp"
#include "lines.hpp"

namespace lastuse::kernels {

namespace {

// Whether a is before b, where the largest or the smallest are first. NaN is first of both, or the largest.
template <class Element>
bool before(Element a, Element b, bool largest, bool nan_first) {
    if (a != a || b != b)
        return nan_first ? a != a && b == b : a == a && b != b;
    return largest ? a > b : a < b;
}

void arg(const Call &call, bool largest) {
    call.expect_counts(1, 1, 2);
    const Array &x = call.ins[0], &y = call.outs[0];
    call.expect(y.is(Type::i64), "indices are i64");
    const auto axis = call.index(0);
    const bool takes_last = call.numbers[1] != 0;
    with_element_type(call, x, [&](auto zero) {
        using Element = decltype(zero);
        for_lines<2>(call, {&x, &y}, axis, [&](const std::array<Line, 2> &lines) {
            const auto &[from, to] = lines;
            int64_t best = 0;
            auto most = from.template get<Element>(0);
            for (int64_t at = 1; at < x.size(axis); ++at) {
                const auto element = from.template get<Element>(at);
                if (before(element, most, largest, true) || (takes_last && !before(most, element, largest, true))) {
                    best = at;
                    most = element;
                }
            }
            to.set(0, best);
        });
    });
}

// The first elements of a line in order, and their numbers: first a heap, in which the last of them is the root.
template <class Element>
class FirstElements {
public:
    FirstElements(const Line &values, const Line &numbers, int64_t count, bool largest)
        : values_(values), numbers_(numbers), count_(count), largest_(largest) {}

    void take(const Line &from, int64_t length) {
        for (int64_t at = 0; at < count_; ++at)
            set(at, {from.get<Element>(at), at});
        for (int64_t at = count_ / 2; at-- > 0;)
            sink(at, get(at), count_);
        for (int64_t at = count_; at < length && count_ > 0; ++at)
            if (const Entry entry{from.get<Element>(at), at}; precedes(entry, get(0)))
                sink(0, entry, count_);
        for (int64_t end = count_ - 1; end > 0; --end) {
            const Entry last = get(end);
            set(end, get(0));
            sink(0, last, end);
        }
    }

private:
    struct Entry {
        Element value;
        int64_t number;
    };

    Entry get(int64_t at) const { return {values_.get<Element>(at), numbers_.get<int64_t>(at)}; }
    void set(int64_t at, const Entry &entry) const {
        values_.set(at, entry.value);
        numbers_.set(at, entry.number);
    }
    bool precedes(const Entry &a, const Entry &b) const {
        if (before(a.value, b.value, largest_, largest_))
            return true;
        return !before(b.value, a.value, largest_, largest_) && a.number < b.number;
    }
    // Puts an entry into the place `at` of a heap of `end` entries, or below.
    void sink(int64_t at, const Entry &entry, int64_t end) const {
        for (int64_t child = 2 * at + 1; child < end; child = 2 * at + 1) {
            if (child + 1 < end && precedes(get(child), get(child + 1)))
                ++child;
            if (!precedes(entry, get(child)))
                break;
            set(at, get(child));
            at = child;
        }
        set(at, entry);
    }

    Line values_, numbers_;
    int64_t count_;
    bool largest_;
};

} // namespace

void arg_max(const Call &call) { arg(call, true); }

void arg_min(const Call &call) { arg(call, false); }

void top_k(const Call &call) {
    call.expect_counts(1, 2, 2);
    const Array &x = call.ins[0], &values = call.outs[0], &numbers = call.outs[1];
    call.expect(numbers.is(Type::i64) && values.is(x.form->type), "values are of the operand's type, indices i64");
    const auto axis = call.index(0);
    const bool largest = call.numbers[1] != 0;
    with_element_type(call, x, [&](auto zero) {
        for_lines<3>(call, {&x, &values, &numbers}, axis, [&](const std::array<Line, 3> &lines) {
            FirstElements<decltype(zero)>(lines[1], lines[2], values.size(axis), largest).take(lines[0], x.size(axis));
        });
    });
}

} // namespace lastuse::kernels
