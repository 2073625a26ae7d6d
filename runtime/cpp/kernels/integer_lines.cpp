#include "integer_lines.hpp"

#include <algorithm>
#include <cstring>

namespace lastuse::kernels {

namespace {

constexpr int64_t most_together = 96, few_together = 12, lines_together = 96 * 1024; // rows; bytes of the lines of a lane
constexpr int64_t most_turned = 16 * 1024, most_expanded = 256 * 1024;               // bytes of weights in each run
constexpr int64_t least_line = 8;                                                    // rows of a line
constexpr int64_t few_channels = 16;

LASTUSE_WIDE void add_bytes(const unsigned char *from, int64_t count, int32_t *to) {
    for (int64_t k = 0; k < count; ++k)
        to[k] += from[k];
}

// The sums of the channels of pixels, all in front of each pixel.
LASTUSE_WIDE void add_channels(const int32_t *added, int64_t pixels, int64_t channels, uint32_t *before) {
    for (int64_t p = 0; p < pixels; ++p, added += channels) {
        uint32_t sum = 0;
        for (int64_t c = 0; c < channels; ++c)
            sum += static_cast<uint32_t>(added[c]);
        before[p + 1] = before[p] + sum;
    }
}

// Results of some places, channel by channel: [places, channels] in memory becomes [channels, places].
template <class Item>
void turn(const char *from, int64_t stride, int64_t places, int64_t channels, char *to, int64_t plane) {
    const auto *const items = reinterpret_cast<const Item *>(from);
    for (int64_t c = 0; c < channels; ++c) {
        auto *const out = reinterpret_cast<Item *>(to) + c * plane;
        for (int64_t p = 0; p < places; ++p)
            out[p] = items[p * stride + c];
    }
}

// The rows of a line of places.
class LineRows {
public:
    LineRows(const LineForm &form, const unsigned char *x, unsigned char zero, unsigned char flip)
        : form_(form), of_(form.of), x_(x), zero_(zero), flip_(flip) {}

    ByteRows rows(int64_t group, int64_t first, int64_t count, bool are_summed, unsigned char *memory) const {
        const int64_t per_line = form_.rows_of_line(), run = first / per_line;
        const int64_t start = first % per_line * form_.step - of_.begins[2], span = form_.span(count);
        const std::array<int64_t, 3> place{run / (of_.out[0] * of_.out[1]), run / of_.out[1] % of_.out[0], run % of_.out[1]};
        ByteRows made{memory, form_.channels_bytes(form_.step), count, nullptr, form_.channels_bytes(form_.width),
                      form_.channels_bytes(span)};
        if (lies_in_x(place, start, span)) {
            const int64_t line = place[2] * of_.strides[1] - of_.begins[1];
            made.from = x_ + form_.channels_bytes(element(place[0], place[1] * of_.strides[0] - of_.begins[0], line) + start);
            made.part_step = form_.channels_bytes(of_.dilations[1] * of_.in[2]);
        } else {
            unsigned char *to = memory;
            for (int64_t k0 = 0; k0 < of_.kernel[0]; ++k0)
                for (int64_t k1 = 0; k1 < of_.kernel[1]; ++k1, to += form_.channels_bytes(span)) {
                    const int64_t at0 = place[1] * of_.strides[0] - of_.begins[0] + k0 * of_.dilations[0];
                    const int64_t at1 = place[2] * of_.strides[1] - of_.begins[1] + k1 * of_.dilations[1];
                    if (at0 < 0 || at0 >= of_.in[0] || at1 < 0 || at1 >= of_.in[1])
                        fill(to, span);
                    else
                        copy(group, element(place[0], at0, at1), start, span, to);
                }
        }
        if (are_summed)
            made.sums = sums(made, span, memory + form_.lines_bytes());
        return made;
    }

private:
    int64_t element(int64_t sample, int64_t at0, int64_t at1) const {
        return ((sample * of_.in[0] + at0) * of_.in[1] + at1) * of_.in[2];
    }

    bool lies_in_x(const std::array<int64_t, 3> &place, int64_t start, int64_t span) const {
        const int64_t line = place[2] * of_.strides[1] - of_.begins[1], plane = place[1] * of_.strides[0] - of_.begins[0];
        return form_.has_x_last() && of_.groups == 1 && flip_ == 0 && of_.kernel[0] == 1 && start >= 0 && line >= 0 &&
               start + span <= of_.in[2] && line + (of_.kernel[1] - 1) * of_.dilations[1] < of_.in[1] && plane >= 0 &&
               plane < of_.in[0];
    }

    void fill(unsigned char *to, int64_t pixels) const {
        std::memset(to, zero_, static_cast<size_t>(form_.channels_bytes(pixels)));
    }

    // Elements of a line from `start` on; the zero point where there are none.
    void copy(int64_t group, int64_t line, int64_t start, int64_t span, unsigned char *to) const {
        const int64_t low = std::clamp<int64_t>(-start, 0, span), high = std::clamp(of_.in[2] - start, low, span);
        const int64_t all = of_.channels * of_.groups, channels = of_.channels;
        fill(to, low);
        fill(to + form_.channels_bytes(high), span - high);
        to += form_.channels_bytes(low);
        if (form_.has_x_last()) {
            const unsigned char *const from = x_ + (line + start + low) * all + group * channels;
            if (all == channels && flip_ == 0)
                std::memcpy(to, from, static_cast<size_t>(form_.channels_bytes(high - low)));
            else if (all == channels)
                copy_bytes(from, to, form_.channels_bytes(high - low), flip_);
            else
                for (int64_t p = 0; p < high - low; ++p)
                    for (int64_t c = 0; c < channels; ++c)
                        to[p * channels + c] = static_cast<unsigned char>(from[p * all + c] ^ flip_);
            return;
        }
        const int64_t plane = of_.in[0] * of_.in[1] * of_.in[2], sample = line / plane;
        for (int64_t c = 0; c < channels; ++c) {
            const int64_t channel = sample * all + group * channels + c;
            const unsigned char *const from = x_ + channel * plane + line % plane + start + low;
            for (int64_t p = 0; p < high - low; ++p)
                to[p * channels + c] = static_cast<unsigned char>(from[p] ^ flip_);
        }
    }

    // The sum of each row. Where rows overlap or are short it is made of sums of pixels: of the lines in front of each other
    // and of the channels, and then of those along the line.
    const int32_t *sums(const ByteRows &rows, int64_t span, unsigned char *memory) const {
        auto *const added = reinterpret_cast<int32_t *>(memory);
        auto *const before = reinterpret_cast<uint32_t *>(memory + form_.added_bytes());
        auto *const made = reinterpret_cast<int32_t *>(memory + form_.added_bytes() + form_.sums_bytes());
        if (form_.step >= form_.width && rows.part_bytes >= few_channels) {
            for (int64_t r = 0; r < rows.count; ++r) {
                uint32_t sum = 0;
                for (int64_t line = 0; line < form_.lines; ++line)
                    sum += static_cast<uint32_t>(sum_of(rows.from + r * rows.stride + line * rows.part_step, rows.part_bytes));
                made[r] = static_cast<int32_t>(sum);
            }
            return made;
        }
        before[0] = 0;
        if (of_.channels < few_channels) { // they are made of those of many bytes at once
            std::fill_n(added, form_.channels_bytes(span), 0);
            for (int64_t line = 0; line < form_.lines; ++line)
                add_bytes(rows.from + line * rows.part_step, form_.channels_bytes(span), added);
            add_channels(added, span, of_.channels, before);
        } else
            for (int64_t p = 0; p < span; ++p) {
                const unsigned char *const pixel = rows.from + form_.channels_bytes(p);
                uint32_t sum = 0;
                for (int64_t line = 0; line < form_.lines; ++line)
                    sum += static_cast<uint32_t>(sum_of(pixel + line * rows.part_step, of_.channels));
                before[p + 1] = before[p] + sum;
            }
        for (int64_t r = 0; r < rows.count; ++r)
            made[r] = static_cast<int32_t>(before[r * form_.step + form_.width] - before[r * form_.step]);
        return made;
    }

    const LineForm &form_;
    const Windows &of_;
    const unsigned char *x_;
    unsigned char zero_, flip_;
};

// The weights of all places of a row, with their zero points around them: [groups, shifts, outputs, lines, width, channels].
void expand(const Call &call, const LineForm &form, unsigned char *to) {
    const Windows &of = form.of;
    const auto *const w = operand_of(call, Role::weights)->elements_of<const unsigned char>();
    const Array *const zeros = operand_of(call, Role::weights_zero);
    const int64_t taps = of.kernel[2], row = form.width * of.channels;
    for (int64_t group = 0; group < of.groups; ++group)
        for (int64_t shift = 0; shift < of.shifts; ++shift)
            for (int64_t o = group * of.outputs; o < (group + 1) * of.outputs; ++o) {
                const auto *const given = zeros == nullptr ? nullptr : zeros->elements_of<const unsigned char>();
                const unsigned char zero = given == nullptr ? 0 : given[zeros->elements() == 1 ? 0 : o];
                std::memset(to, zero, static_cast<size_t>(form.depth()));
                unsigned char *line = to + shift * of.strides[2] * of.channels;
                for (int64_t k = 0; k < form.lines; ++k, line += row) {
                    const int64_t first = (o * form.lines + k) * taps * of.channels;
                    if (of.is_last) {
                        std::memcpy(line, w + first, static_cast<size_t>(taps * of.channels));
                        continue;
                    }
                    for (int64_t c = 0; c < of.channels; ++c)
                        for (int64_t tap = 0; tap < taps; ++tap)
                            line[tap * of.channels + c] = w[((o * of.channels + c) * form.lines + k) * taps + tap];
                }
                to += form.depth();
            }
}

int64_t filled_width(const Windows &of) {
    int64_t width = of.kernel[2] + (of.shifts - 1) * of.strides[2];
    while (width * of.channels % quad != 0)
        ++width;
    return width;
}

} // namespace

LineForm::LineForm(const Windows &windows)
    : of(windows), lines(windows.kernel[0] * windows.kernel[1]), width(filled_width(windows)),
      step(windows.shifts * windows.strides[2]) {}

bool LineForm::is_expanded() const {
    return of.shifts > 1 || width != of.kernel[2] || (!of.is_last && of.channels > 1);
}

bool LineForm::fits() const {
    const int64_t bytes = of.groups * columns() * depth();
    if (of.channels == 0 || of.taps() == 0 || of.is_depthwise())
        return false;
    if (is_expanded() && (of.is_packed || bytes > most_expanded))
        return false;
    if ((of.is_last && of.is_pointwise()) || (of.dilations[2] != 1 && of.kernel[2] != 1))
        return false;
    return of.in[2] / step >= least_line && (has_x_last() || bytes <= most_turned);
}

int64_t LineForm::rows_together() const {
    int64_t rows = most_together;
    while (rows > few_together && (lines + 4) * channels_bytes(span(rows)) > lines_together)
        rows -= few_together;
    return rows;
}

IntegerSizes LineForm::sizes() const {
    const int64_t gathered = lines_bytes() + added_bytes() + sums_bytes() + aligned(rows_together() * 4);
    return {depth(), columns(), of.groups, !has_y_last() || of.shifts > 1, of.is_packed, of.shifts, rows_together(), gathered};
}

void integer_lines(const Call &call, const LineForm &form) {
    const Windows &of = form.of;
    const Array &w = *operand_of(call, Role::weights), &y = call.outs.at(0);
    const int64_t expanded = form.expanded_bytes();
    call.expect(call.scratch_bytes >= expanded, "the kernel takes more scratch");
    const Call inner{call.op,      call.ins, call.outs, call.numbers, call.scratch + expanded, call.scratch_bytes - expanded,
                     call.threads};
    const IntegerSizes sizes = form.sizes();
    IntegerRows rows(inner, sizes);
    const unsigned char *weights = w.elements_of<const unsigned char>();
    if (form.is_expanded()) {
        expand(call, form, reinterpret_cast<unsigned char *>(call.scratch));
        weights = reinterpret_cast<const unsigned char *>(call.scratch);
    }
    const auto columns = [&](int64_t group) {
        const unsigned char *const from = weights + group * sizes.columns * sizes.depth;
        return ByteColumns{from, sizes.depth, sizes.columns, 1, sizes.depth, w.is(Type::u8)};
    };
    const unsigned char flip = rows.flip();
    const LineRows window(form, call.ins[0].elements_of<const unsigned char>(), rows.x_zero_byte() ^ flip, flip);
    const GatherRows gather = [&](int64_t group, int64_t first, int64_t count, unsigned char *memory) {
        return window.rows(group, first, count, rows.reads_row_sums(), memory);
    };
    const int64_t per_line = form.rows_of_line(), runs = of.batch * of.out[0] * of.out[1];
    const int64_t item = rows.item(), all = of.groups * of.outputs;
    if (form.has_y_last() && of.shifts == 1) {
        const auto place = [&](const ColumnRange &range, int64_t first, char *) {
            return y.data + (first * all + range.group * of.outputs + range.first) * item;
        };
        return rows.multiply(columns, per_line, gather, {place, all * item, {}}, runs);
    }
    // Elements from one place to the next in the memory of a lane.
    const int64_t stride = of.shifts > 1 ? of.outputs : sizes.strips_together() * strip_width;
    const auto place = [](const ColumnRange &, int64_t, char *memory) { return memory; };
    const auto finish = [&](const ColumnRange &range, int64_t first, int64_t count, const char *memory) {
        const int64_t run = first / per_line, at = first % per_line * of.shifts;
        const int64_t places = std::min(count * of.shifts, of.out[2] - at);
        if (form.has_y_last()) {
            char *const to = y.data + (run * of.out[2] + at) * of.outputs * item;
            std::memcpy(to, memory, static_cast<size_t>(places * of.outputs * item));
            return;
        }
        const int64_t lines = of.out[0] * of.out[1], plane = lines * of.out[2];
        const int64_t channels = of.shifts > 1 ? of.outputs : range.count;
        const int64_t channel = run / lines * all + range.group * of.outputs + (of.shifts > 1 ? 0 : range.first);
        char *const to = y.data + (channel * plane + run % lines * of.out[2] + at) * item;
        if (item == 1)
            turn<char>(memory, stride, places, channels, to, plane);
        else
            turn<int32_t>(memory, stride, places, channels, to, plane);
    };
    rows.multiply(columns, per_line, gather, {place, stride * of.shifts * item, finish}, runs);
}

} // namespace lastuse::kernels
