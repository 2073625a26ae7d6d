#include "integer_rows.hpp"

#include <algorithm>
#include <cstring>

#include "cell.hpp"

namespace lastuse::kernels {

namespace {

constexpr int64_t gathered = 96 * 1024; // bytes of rows that stay in a cache beside two strips of columns
constexpr int64_t least_rows = 12, most_rows = 96;
constexpr int64_t packed_together = 128 * 1024; // bytes of columns, unless a few strips have more
constexpr int64_t least_strips = 4;

LASTUSE_WIDE int32_t sum_of(const unsigned char *bytes, int64_t count) {
    uint32_t sum = 0;
    for (int64_t k = 0; k < count; ++k)
        sum += bytes[k];
    return static_cast<int32_t>(sum);
}

} // namespace

LASTUSE_WIDE void copy_bytes(const unsigned char *from, unsigned char *to, int64_t count, unsigned char flip) {
    for (int64_t k = 0; k < count; ++k)
        to[k] = static_cast<unsigned char>(from[k] ^ flip);
}

const IntegerProductKernels &integer_product_kernels() {
#if defined(__x86_64__)
    if (has_vnni())
        return vnni::integer_product;
    if (has_avx2())
        return avx2::integer_product;
#endif
    return generic::integer_product;
}

int64_t IntegerSizes::rows_together() const {
    return std::clamp(gathered / std::max<int64_t>(padded_depth(), 1) / least_rows * least_rows, least_rows, most_rows);
}

int64_t IntegerSizes::strips_together() const {
    const int64_t strip_bytes = std::max<int64_t>(padded_depth(), 1) * strip_width;
    return std::min(strips(), std::max(packed_together / strip_bytes / 2 * 2, least_strips));
}

int64_t IntegerSizes::groups_together() const {
    const int64_t group_bytes = std::max<int64_t>(padded_depth(), 1) * strip_width * strips();
    return strips_together() < strips() ? 1 : std::clamp<int64_t>(packed_together / group_bytes, 1, std::max<int64_t>(groups, 1));
}

int64_t IntegerSizes::scratch_bytes(int threads) const {
    return packed_bytes() + 3 * table_bytes() + lane_bytes() * std::clamp(threads, 1, most_lanes);
}

IntegerRows::IntegerRows(const Call &call, const IntegerSizes &sizes)
    : call_(call), sizes_(sizes), kernels_(integer_product_kernels()) {
    call.expect(call.ins.size() >= 2 && call.outs.size() == 1 && call.numbers.size() >= static_cast<size_t>(Role::count),
                "the kernel takes other operands");
    for (const Array &array : call.ins)
        call.expect(array.form->is_dense(), "the kernel takes dense operands");
    const auto is_byte = [](const Array &array) { return array.is(Type::u8) || array.is(Type::i8); };
    const Array &y = call.outs[0];
    call.expect(y.form->is_dense() && (y.is(Type::i32) || (is_byte(y) && operand(Role::y_zero) != nullptr)),
                "the kernel makes dense i32, ui8 or i8");
    const auto weights = call.ins.size() > 2 && operand(Role::x_scale) != nullptr ? size_t{3} : size_t{1};
    call.expect(is_byte(call.ins[0]) && is_byte(call.ins[weights]), "the kernel takes ui8 and i8");
    for (const Role role : {Role::x_scale, Role::weights_scale, Role::y_scale})
        call.expect(operand(role) == nullptr || operand(role)->is(Type::f32), "scales are f32");
    call.expect(call.scratch_bytes >= sizes.scratch_bytes(1), "the kernel takes more scratch");
    packed_ = reinterpret_cast<signed char *>(call.scratch);
    offsets_ = reinterpret_cast<int32_t *>(call.scratch + sizes.packed_bytes());
    zeros_ = reinterpret_cast<int32_t *>(call.scratch + sizes.packed_bytes() + sizes.table_bytes());
    factors_ = reinterpret_cast<float *>(call.scratch + sizes.packed_bytes() + 2 * sizes.table_bytes());
    lanes_ = call.scratch + sizes.packed_bytes() + 3 * sizes.table_bytes();
    x_zero_ = integer(Role::x_zero, 0);
}

const Array *IntegerRows::operand(Role role) const {
    const double number = call_.numbers[static_cast<size_t>(role)];
    call_.expect(number < static_cast<double>(call_.ins.size()), "there is no operand of this number");
    return number < 0 ? nullptr : &call_.ins[static_cast<size_t>(number)];
}

int32_t IntegerRows::integer(Role role, int64_t index) const {
    const Array *const array = operand(role);
    if (array == nullptr)
        return 0;
    const int64_t at = array->elements() == 1 ? 0 : index;
    call_.expect(at < array->elements(), "a parameter has other sizes");
    if (array->is(Type::u8))
        return array->elements_of<uint8_t>()[at];
    return array->is(Type::i8) ? array->elements_of<int8_t>()[at] : array->elements_of<int32_t>()[at];
}

float IntegerRows::scale(Role role, int64_t index) const {
    const Array &array = *operand(role);
    const int64_t at = array.elements() == 1 ? 0 : index;
    call_.expect(at < array.elements(), "a parameter has other sizes");
    return array.elements_of<float>()[at];
}

void IntegerRows::multiply(const std::function<ByteColumns(int64_t group)> &columns, int64_t rows, const GatherRows &gather,
                           const RowResults &results) {
    const int64_t width = sizes_.strips_together() * strip_width, groups = sizes_.groups_together();
    for (int64_t group = 0; group < sizes_.groups; group += groups)
        for (int64_t first = 0; first < sizes_.columns; first += width) {
            std::vector<ColumnRange> ranges;
            for (int64_t g = group; g < std::min(group + groups, sizes_.groups); ++g)
                ranges.push_back({g, first, std::min(width, sizes_.columns - first)});
            pack(columns, ranges);
            multiply_packed(ranges, rows, gather, results);
        }
}

void IntegerRows::pack(const std::function<ByteColumns(int64_t group)> &columns, const std::vector<ColumnRange> &ranges) {
    const int64_t width = sizes_.strips_together() * strip_width, range_bytes = width * sizes_.padded_depth();
    const int64_t strips = (ranges.front().count + strip_width - 1) / strip_width;
    const auto count = static_cast<int64_t>(ranges.size());
    in_lanes(lanes_for(call_, count * range_bytes / 4), count * strips, [&](int64_t begin, int64_t end, int) {
        while (begin < end) {
            const int64_t number = begin / strips, first = begin % strips, part = std::min(end - begin, strips - first);
            const ColumnRange &range = ranges[static_cast<size_t>(number)];
            const int64_t start = range.first / strip_width + first;
            kernels_.pack(columns(range.group), start, start + part,
                          packed_ + number * range_bytes + first * strip_width * sizes_.padded_depth(),
                          offsets_ + number * width + first * strip_width);
            begin += part;
        }
    });
    const bool is_unsigned = columns(ranges.front().group).is_unsigned;
    const auto x_zero = static_cast<uint32_t>(x_zero_ + (x_is_signed() ? 128 : 0));
    reads_row_sums_ = false;
    for (int64_t number = 0; number < count; ++number) {
        const ColumnRange &range = ranges[static_cast<size_t>(number)];
        for (int64_t c = 0; c < strips * strip_width; ++c) {
            const int64_t at = number * width + c, index = range.group * sizes_.columns + range.first + c;
            const bool is_column = c < range.count;
            const auto zero = is_column ? static_cast<uint32_t>(integer(Role::weights_zero, index) - (is_unsigned ? 128 : 0)) : 0;
            const auto added = is_column ? static_cast<uint32_t>(integer(Role::bias, index)) : 0;
            const uint32_t whole = static_cast<uint32_t>(sizes_.depth) * x_zero * zero;
            offsets_[at] = static_cast<int32_t>(whole - x_zero * static_cast<uint32_t>(offsets_[at]) + added);
            zeros_[at] = static_cast<int32_t>(zero);
            reads_row_sums_ = reads_row_sums_ || zero != 0;
            if (item() == 1)
                factors_[at] = is_column ? scale(Role::x_scale, 0) * scale(Role::weights_scale, index) / scale(Role::y_scale, 0) : 0.0f;
        }
    }
}

void IntegerRows::multiply_packed(const std::vector<ColumnRange> &ranges, int64_t rows, const GatherRows &gather,
                                  const RowResults &results) const {
    const int64_t width = sizes_.strips_together() * strip_width, range_bytes = width * sizes_.padded_depth();
    const int64_t products = rows * static_cast<int64_t>(ranges.size()) * ranges.front().count * sizes_.depth;
    const int64_t room = (call_.scratch_bytes - (lanes_ - call_.scratch)) / sizes_.lane_bytes();
    const int64_t lanes = std::min<int64_t>(lanes_for(call_, products / 32), room);
    const int64_t share = (rows + lanes - 1) / lanes, least = kernels_.most_rows;
    const int64_t together = std::min(sizes_.rows_together(), std::max((share + least - 1) / least * least, least));
    const int64_t chunks = (rows + together - 1) / together;
    const bool makes_bytes = item() == 1, is_signed = call_.outs[0].is(Type::i8);
    in_lanes(static_cast<int>(std::min(lanes, std::max<int64_t>(chunks, 1))), chunks, [&](int64_t begin, int64_t end, int lane) {
        char *const memory = lanes_ + lane * sizes_.lane_bytes();
        auto *const sums = reinterpret_cast<int32_t *>(memory + sizes_.gathered_bytes());
        char *const staged = memory + sizes_.gathered_bytes() + sizes_.sums_bytes();
        for (int64_t first = begin * together; first < std::min(end * together, rows); first += together) {
            const int64_t count = std::min(together, rows - first);
            for (size_t number = 0; number < ranges.size(); ++number) {
                const ColumnRange &range = ranges[number];
                const auto table = static_cast<int64_t>(number) * width;
                ByteRows given = gather(range.group, first, count, reinterpret_cast<unsigned char *>(memory));
                if (reads_row_sums_) {
                    for (int64_t r = 0; r < count; ++r)
                        sums[r] = sum_of(given.from + r * given.stride, sizes_.depth);
                    given.sums = sums;
                }
                const ColumnRules rules{offsets_ + table,
                                        reads_row_sums_ ? zeros_ + table : nullptr,
                                        makes_bytes ? factors_ + table : nullptr,
                                        integer(Role::y_zero, 0),
                                        is_signed ? -128 : 0,
                                        is_signed ? 127 : 255};
                kernels_.multiply(given, {packed_ + static_cast<int64_t>(number) * range_bytes, sizes_.padded_depth(),
                                          range.count, rules, results.place(range, first, staged), results.stride});
                if (results.finish)
                    results.finish(range, first, count, staged);
            }
        }
    });
}

} // namespace lastuse::kernels
