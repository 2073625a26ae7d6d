#include "integer_rows.hpp"

#include <algorithm>
#include <cstring>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include "processors.hpp"

namespace lastuse::kernels {

namespace {

constexpr int64_t gathered_together = 96 * 1024; // bytes of rows that stay in a cache beside two strips of columns
constexpr int64_t least_rows = 12, most_rows = 96;
constexpr int64_t packed_together = 128 * 1024; // bytes of columns, unless a few strips have more
constexpr int64_t least_strips = 4;

// offsets: the sums of columns, which become what is added to those of a row.
LASTUSE_WIDE void make_offsets(int32_t *offsets, const int32_t *zeros, const int32_t *biases, int32_t x_zero, int32_t depth,
                               int64_t count) {
    const auto zero = static_cast<uint32_t>(x_zero), whole = static_cast<uint32_t>(depth) * zero;
    for (int64_t c = 0; c < count; ++c) {
        const uint32_t taken = zero * static_cast<uint32_t>(offsets[c]);
        offsets[c] = static_cast<int32_t>(whole * static_cast<uint32_t>(zeros[c]) - taken + static_cast<uint32_t>(biases[c]));
    }
}

LASTUSE_WIDE bool take_from(int32_t *numbers, int32_t taken, int64_t count) {
    uint32_t any = 0;
    for (int64_t c = 0; c < count; ++c) {
        numbers[c] -= taken;
        any |= static_cast<uint32_t>(numbers[c]);
    }
    return any != 0;
}

} // namespace

int32_t sum_of(const unsigned char *bytes, int64_t count) {
    uint32_t sum = 0;
    int64_t k = 0;
#if defined(__SSE2__)
    constexpr int64_t width = 16;
    __m128i sums = _mm_setzero_si128(); // of 8 bytes each
    for (; k + width <= count; k += width) {
        const __m128i some = _mm_loadu_si128(reinterpret_cast<const __m128i *>(bytes + k));
        sums = _mm_add_epi64(sums, _mm_sad_epu8(some, _mm_setzero_si128()));
    }
    sum = static_cast<uint32_t>(_mm_cvtsi128_si32(_mm_add_epi64(sums, _mm_unpackhi_epi64(sums, sums))));
#endif
    for (; k < count; ++k)
        sum += bytes[k];
    return static_cast<int32_t>(sum);
}

LASTUSE_WIDE void copy_bytes(const unsigned char *from, unsigned char *to, int64_t count, unsigned char flip) {
    for (int64_t k = 0; k < count; ++k)
        to[k] = static_cast<unsigned char>(from[k] ^ flip);
}

const IntegerProductKernels &integer_product_kernels() {
#if defined(__x86_64__)
    if (has_vnni())
        return vnni::integer_product;
#endif
    return LASTUSE_BEST_TO_AVX2(integer_product);
}

int64_t IntegerSizes::rows_together() const {
    if (chunk > 0)
        return chunk;
    return std::clamp(gathered_together / std::max<int64_t>(padded_depth(), 1) / least_rows * least_rows, least_rows, most_rows);
}

int64_t IntegerSizes::strips_together() const {
    if (is_packed)
        return strips();
    return std::min(strips(), std::max(packed_together / std::max<int64_t>(strip_bytes(), 1) / 2 * 2, least_strips));
}

int64_t IntegerSizes::groups_together() const {
    if (is_packed)
        return std::max<int64_t>(groups, 1);
    const int64_t group_bytes = std::max<int64_t>(padded_depth(), 1) * strip_width * strips();
    return strips_together() < strips() ? 1 : std::clamp<int64_t>(packed_together / group_bytes, 1, std::max<int64_t>(groups, 1));
}

int64_t IntegerSizes::scratch_bytes(int threads) const {
    return packed_bytes() + 4 * table_bytes() + lane_bytes() * std::clamp(threads, 1, most_lanes);
}

IntegerRows::IntegerRows(const Call &call, const IntegerSizes &sizes)
    : call_(call), sizes_(sizes), kernels_(integer_product_kernels()), parameters_(call) {
    call.expect(call.scratch_bytes >= sizes.scratch_bytes(1), "the kernel takes more scratch");
    call.expect(!sizes.is_packed || operand_of(call, Role::weights)->elements() == sizes.weights_bytes(),
                "the packed weights have other sizes");
    const int64_t table = sizes.table_bytes();
    packed_ = reinterpret_cast<signed char *>(call.scratch);
    char *const tables = call.scratch + sizes.packed_bytes();
    offsets_ = reinterpret_cast<int32_t *>(tables);
    zeros_ = reinterpret_cast<int32_t *>(tables + table);
    factors_ = reinterpret_cast<float *>(tables + 2 * table);
    biases_ = reinterpret_cast<float *>(tables + 3 * table);
    lanes_ = tables + 4 * table;
}

void IntegerRows::multiply(const std::function<ByteColumns(int64_t group)> &columns, int64_t rows, const GatherRows &gather,
                           const RowResults &results, int64_t runs) {
    const int64_t together = width(), groups = sizes_.groups_together();
    for (int64_t group = 0; group < sizes_.groups; group += groups)
        for (int64_t first = 0; first < sizes_.columns; first += together) {
            std::vector<ColumnRange> ranges;
            for (int64_t g = group; g < std::min(group + groups, sizes_.groups); ++g)
                ranges.push_back({g, first, std::min(together, sizes_.columns - first)});
            pack(columns, ranges);
            multiply_packed(ranges, rows, runs, gather, results);
        }
}

const signed char *IntegerRows::panel(const ColumnRange &range, int64_t number) const {
    if (!sizes_.is_packed)
        return packed_ + number * width() * sizes_.padded_depth();
    const auto *const weights = operand_of(call_, Role::weights)->elements_of<const signed char>();
    return weights + (range.group * sizes_.strips() + range.first / strip_width) * sizes_.strip_bytes();
}

void IntegerRows::pack(const std::function<ByteColumns(int64_t group)> &columns, const std::vector<ColumnRange> &ranges) {
    const int64_t strips = (ranges.front().count + strip_width - 1) / strip_width;
    const auto count = static_cast<int64_t>(ranges.size());
    if (sizes_.is_packed) {
        const Array &weights = *operand_of(call_, Role::weights);
        std::memcpy(offsets_, weights.data + sizes_.panel_bytes(), static_cast<size_t>(count * strips * strip_width * 4));
        return make_tables(ranges, weights.is(Type::u8));
    }
    const int64_t range_bytes = width() * sizes_.padded_depth();
    in_lanes(lanes_for(call_, count * range_bytes / 4), count * strips, [&](int64_t begin, int64_t end, int) {
        while (begin < end) {
            const int64_t number = begin / strips, first = begin % strips, part = std::min(end - begin, strips - first);
            const ColumnRange &range = ranges[static_cast<size_t>(number)];
            const int64_t start = range.first / strip_width + first;
            kernels_.pack(columns(range.group), start, start + part,
                          packed_ + number * range_bytes + first * sizes_.strip_bytes(),
                          offsets_ + number * width() + first * strip_width);
            begin += part;
        }
    });
    make_tables(ranges, columns(ranges.front().group).is_unsigned);
}

template <class Number>
void IntegerRows::repeat(Number *table, int64_t count) const {
    for (int64_t c = sizes_.columns / sizes_.repeats; c < count; ++c)
        table[c] = table[c - sizes_.columns / sizes_.repeats];
}

void IntegerRows::make_tables(const std::vector<ColumnRange> &ranges, bool is_unsigned) {
    const int32_t x_zero = parameters_.x_zero() + (x_is_signed() ? 128 : 0);
    reads_row_sums_ = false;
    for (size_t number = 0; number < ranges.size(); ++number) {
        const ColumnRange &range = ranges[number];
        const int64_t at = static_cast<int64_t>(number) * width(), index = range.group * sizes_.columns + range.first;
        const int64_t count = range.count / sizes_.repeats;
        auto *const biases = reinterpret_cast<int32_t *>(biases_ + at); // until offsets are made
        std::fill_n(biases, width(), 0);
        std::fill_n(zeros_ + at, width(), 0);
        if (parameters_.results() != Results::floats)
            parameters_.fill_biases(index, count, biases);
        parameters_.fill_zeros(index, count, zeros_ + at);
        repeat(biases, range.count);
        repeat(zeros_ + at, range.count);
        reads_row_sums_ = take_from(zeros_ + at, is_unsigned ? 128 : 0, range.count) || reads_row_sums_;
        make_offsets(offsets_ + at, zeros_ + at, biases, x_zero, static_cast<int32_t>(sizes_.depth), range.count);
        if (parameters_.results() == Results::floats) {
            std::fill_n(biases_ + at, width(), 0.0f);
            parameters_.fill_biases(index, count, biases_ + at);
            repeat(biases_ + at, range.count);
        }
        if (parameters_.results() != Results::sums) {
            std::fill_n(factors_ + at, width(), 0.0f);
            parameters_.fill_factors(index, count, factors_ + at);
            repeat(factors_ + at, range.count);
        }
    }
}

ColumnRules IntegerRows::rules_of(int64_t table) const {
    const bool is_biased = parameters_.results() == Results::floats && operand_of(call_, Role::bias) != nullptr;
    ColumnRules rules = parameters_.rules();
    rules.offsets = offsets_ + table;
    rules.zeros = reads_row_sums_ ? zeros_ + table : nullptr;
    rules.factors = factors_ + table;
    rules.biases = is_biased ? biases_ + table : nullptr;
    return rules;
}

ByteRows IntegerRows::gathered(const ColumnRange &range, int64_t first, int64_t count, const GatherRows &gather,
                               char *memory) const {
    ByteRows given = gather(range.group, first, count, reinterpret_cast<unsigned char *>(memory));
    if (reads_row_sums_ && given.sums == nullptr) {
        auto *const sums = reinterpret_cast<int32_t *>(memory + sizes_.gathered_bytes());
        for (int64_t r = 0; r < count; ++r)
            sums[r] = sum_of(given.from + r * given.stride, sizes_.depth);
        given.sums = sums;
    }
    return given;
}

void IntegerRows::multiply_columns(const ColumnRange &range, int64_t rows, int lanes, const GatherRows &gather,
                                   const RowResults &results) const {
    const int64_t strips = (range.count + strip_width - 1) / strip_width;
    in_lanes(static_cast<int>(std::min<int64_t>(lanes, strips)), strips, [&](int64_t begin, int64_t end, int lane) {
        const int64_t column = begin * strip_width, count = std::min(end * strip_width, range.count) - column;
        char *const memory = lanes_ + lane * sizes_.lane_bytes();
        const ByteRows given = gathered(range, 0, rows, gather, memory);
        const ColumnRange part{range.group, range.first + column, count};
        kernels_.multiply(given, {panel(range, 0) + begin * sizes_.strip_bytes(), sizes_.padded_depth(), count, rules_of(column),
                                  results.place(part, 0, nullptr), results.stride});
    });
}

void IntegerRows::multiply_packed(const std::vector<ColumnRange> &ranges, int64_t rows, int64_t runs, const GatherRows &gather,
                                  const RowResults &results) const {
    const int64_t all = rows * runs;
    const int64_t products = all * static_cast<int64_t>(ranges.size()) * ranges.front().count * sizes_.depth;
    const int64_t room = (call_.scratch_bytes - (lanes_ - call_.scratch)) / sizes_.lane_bytes();
    const int64_t least = kernels_.most_rows;
    // Products of few rows take as long as to read the columns.
    const bool are_few = all <= few_rows;
    const int64_t lanes = std::min<int64_t>(lanes_for(call_, products / (are_few ? 16 : 32)), room);
    if (are_few && runs == 1 && ranges.size() == 1 && !results.finish)
        return multiply_columns(ranges.front(), rows, static_cast<int>(lanes), gather, results);
    const int64_t share = (all + lanes - 1) / lanes;
    const int64_t together = std::min(sizes_.rows_together(), std::max((share + least - 1) / least * least, least));
    const int64_t of_run = (rows + together - 1) / together, chunks = of_run * runs;
    in_lanes(static_cast<int>(std::min(lanes, std::max<int64_t>(chunks, 1))), chunks, [&](int64_t begin, int64_t end, int lane) {
        char *const memory = lanes_ + lane * sizes_.lane_bytes();
        char *const staged = memory + sizes_.gathered_bytes() + sizes_.sums_bytes();
        for (int64_t chunk = begin; chunk < end; ++chunk) {
            const int64_t from = chunk % of_run * together, count = std::min(together, rows - from);
            const int64_t first = chunk / of_run * rows + from;
            for (size_t number = 0; number < ranges.size(); ++number) {
                const ColumnRange &range = ranges[number];
                const ByteRows given = gathered(range, first, count, gather, memory);
                kernels_.multiply(given, {panel(range, static_cast<int64_t>(number)), sizes_.padded_depth(), range.count,
                                          rules_of(static_cast<int64_t>(number) * width()), results.place(range, first, staged),
                                          results.stride});
                if (results.finish)
                    results.finish(range, first, count, staged);
            }
        }
    });
}

} // namespace lastuse::kernels
