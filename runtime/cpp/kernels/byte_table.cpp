// Functions of bytes, as dialect/dnn/byte_table.py defines them.
#include <algorithm>

#include "../moves/tiles.hpp"
#include "byte_lookup.hpp"
#include "functions.hpp"

namespace lastuse::kernels {

namespace {

constexpr int64_t results = 256, short_line = 32;     // elements of a channel side by side that are few
constexpr int64_t tile_places = 256, tile_channels = 64; // that change places together

bool is_bytes(const Array &array) { return (array.is(Type::u8) || array.is(Type::i8)) && array.form->is_dense(); }

// Tables of channels, whose elements lie `inner` by `inner`.
struct ChannelTables {
    const unsigned char *tables;
    bool is_signed;
    int64_t channels, inner;

    ByteLookup lookup(int64_t channel) const { return {tables + channel * results, is_signed}; }
};

// Lines of elements of one channel, the channels one behind the other.
void look_up_lines(const ChannelTables &of, const unsigned char *from, unsigned char *to, int64_t begin, int64_t end) {
    for (int64_t line = begin; line < end; ++line)
        look_up(of.lookup(line % of.channels), from + line * of.inner, to + line * of.inner, of.inner);
}

// Places of few elements of each channel: some of them are looked up with their channels in front.
void look_up_places(const ChannelTables &of, const unsigned char *from, unsigned char *to, int64_t begin, int64_t end) {
    const int64_t width = of.channels * of.inner;
    char moved[tile_places * tile_channels];
    for (int64_t place = begin; place < end; place += tile_places)
        for (int64_t column = 0; column < width; column += tile_channels) {
            const int64_t places = std::min(tile_places, end - place), columns = std::min(tile_channels, width - column);
            const int64_t at = place * width + column;
            transpose({places, columns, width, tile_places}, 1, reinterpret_cast<const char *>(from) + at, moved);
            auto *const lines = reinterpret_cast<unsigned char *>(moved);
            for (int64_t c = 0; c < columns; ++c) {
                unsigned char *const line = lines + c * tile_places;
                look_up(of.lookup((column + c) / of.inner), line, line, places);
            }
            transpose({columns, places, tile_places, width}, 1, moved, reinterpret_cast<char *>(to) + at);
        }
}

} // namespace

void byte_table(const Call &call) {
    call.expect(call.ins.size() == 2 && call.outs.size() == 1 && call.numbers.size() <= 1, "the kernel takes other operands");
    const Array &x = call.ins[0], &table = call.ins[1], &y = call.outs[0];
    call.expect(is_bytes(x) && is_bytes(table) && is_bytes(y) && x.elements() == y.elements(),
                "the kernel takes dense ui8 and i8");
    const auto *const from = x.elements_of<const unsigned char>();
    auto *const to = y.elements_of<unsigned char>();
    ChannelTables of{table.elements_of<const unsigned char>(), x.is(Type::i8), 1, 1};
    if (call.numbers.empty()) {
        call.expect(table.elements() == results, "the kernel takes 256 results");
        const ByteLookup lookup = of.lookup(0);
        return in_lanes(lanes_for(call, y.elements() / 64), y.elements(), [&](int64_t begin, int64_t end, int) {
            look_up(lookup, from + begin, to + begin, end - begin);
        });
    }
    const size_t axis = call.index(0);
    call.expect(axis < x.rank() && table.elements() == x.size(axis) * results, "the kernel takes 256 results of a channel");
    if (y.elements() == 0)
        return;
    of.channels = x.size(axis);
    for (size_t behind = axis + 1; behind < x.rank(); ++behind)
        of.inner *= x.size(behind);
    const bool has_lines = of.inner >= short_line;
    const int64_t count = y.elements() / (has_lines ? of.inner : of.inner * of.channels);
    in_lanes(lanes_for(call, y.elements() / 16), count, [&](int64_t begin, int64_t end, int) {
        (has_lines ? look_up_lines : look_up_places)(of, from, to, begin, end); // y may be x
    });
}

} // namespace lastuse::kernels
