#include "map.hpp"

#include <algorithm>
#include <cstring>
#include <memory>
#include <set>
#include <tuple>

#include "../moves/elements.hpp"
#include "../moves/rows.hpp"
#include "constant_blocks.hpp"
#include "functions.hpp"
#include "map_code.hpp"

namespace lastuse::kernels {

namespace {

constexpr int64_t block = 1024;      // elements of a register
constexpr int64_t short_row = 512;   // of rows with fewer elements a block is several
constexpr int64_t tile_rows = 16;    // of a block where an operand's elements are contiguous from row to row
constexpr int64_t alignment = 64;

Type type_of(ElementType type) {
    constexpr Type types[] = {Type::boolean, Type::i8,  Type::i16, Type::i32, Type::i64, Type::u8,
                              Type::u16,     Type::u32, Type::u64, Type::f32, Type::f64, Type::f16};
    return types[static_cast<int>(type)];
}

// An operand or the result: its strides in bytes along each merged axis, 0 where it is broadcast.
struct Place {
    int64_t item;
    const int64_t *first; // strides
    int axes;
    bool is_scalar = false, is_dense = false; // one element for all; row-major
    bool is_row = false;                      // the same elements in each row of the last axis

    int64_t stride(size_t axis) const { return first[axis]; }
    int64_t last() const { return first[axes - 1]; }

    // Elements of the last axis but one are contiguous, and those of the last axis are not.
    bool is_turned() const { return axes > 1 && last() > item && first[axes - 2] == item; }
};

class Map : public std::enable_shared_from_this<Map> {
public:
    explicit Map(const Call &call) : code_(MapCode::of(call)) {
        check_types(call);
        merge_axes(call);
        constexpr int64_t apart = 3 * alignment; // registers are not in the same cache sets
        register_bytes_ = std::min(block, std::max<int64_t>(elements_, 1)) * 8 + apart;
        register_bytes_ -= register_bytes_ % alignment;
        constant_blocks_.reserve(code_->constant_values.size());
        for (const auto &[bits, item] : code_->constant_values)
            constant_blocks_.push_back(constant_block(bits, item, std::min(block, elements_)));
    }
    Map(const Map &) = delete; // places refer to it

    // One that is held already where one is the same, else `made`: for sizes that share some of their shapes. With the GIL,
    // as `MapCode::of`.
    static std::shared_ptr<const Map> shared(std::unique_ptr<const Map> made) {
        static auto *const known = new std::set<const Map *, Less>;
        if (const auto found = known->find(made.get()); found != known->end())
            return (*found)->shared_from_this();
        known->insert(made.get());
        return {made.release(), [](const Map *map) {
                    known->erase(map);
                    delete map;
                }};
    }

    void run(const Call &call) const {
        if (elements_ == 0)
            return;
        const int lanes = lanes_for(call, elements_ * (code_->cost + 1) / 2);
        in_lanes(lanes, blocks_, [&](int64_t begin, int64_t end, int) { run_blocks(call.ins, call.outs[0].data, begin, end); });
    }

private:
    struct Less { // all else follows from these
        bool operator()(const Map *a, const Map *b) const {
            return std::tie(a->code_, a->axes_, a->numbers_) < std::tie(b->code_, b->axes_, b->numbers_);
        }
    };

    void check_types(const Call &call) const {
        const std::vector<ElementType> &types = code_->types;
        call.expect(code_->operands == static_cast<int64_t>(call.ins.size()) && call.outs.size() == 1,
                    "the kernel takes other operands");
        for (size_t k = 0; k < call.ins.size(); ++k)
            call.expect(call.ins[k].form->type == type_of(types[k]), "operands are of other types");
        call.expect(call.outs[0].form->type == type_of(types.back()), "the result is of another type");
    }

    void merge_axes(const Call &call) {
        const Form &result = *call.outs[0].form;
        const size_t rank = result.shape.size();
        std::vector<const Form *> forms;
        for (const Array &in : call.ins)
            forms.push_back(in.form);
        forms.push_back(&result);
        elements_ = result.elements();
        std::vector<int64_t> sizes; // of merged axes
        std::vector<std::vector<int64_t>> merged(forms.size());
        for (size_t axis = 0; axis < rank; ++axis) {
            const int64_t size = result.shape[axis];
            std::vector<int64_t> strides;
            for (const Form *form : forms) {
                const size_t missing = rank - form->shape.size();
                call.expect(form->shape.size() <= rank, "an operand has more axes than the result");
                const int64_t own = axis < missing ? 1 : form->shape[axis - missing];
                call.expect(own == size || own == 1, "an operand does not broadcast to the result");
                strides.push_back(own == 1 ? 0 : form->strides[axis - missing]);
            }
            if (size == 1)
                continue;
            bool merges = !sizes.empty();
            for (size_t k = 0; k < forms.size() && merges; ++k)
                merges = merged[k].back() == strides[k] * size;
            if (merges)
                sizes.back() *= size;
            else
                sizes.push_back(size);
            for (size_t k = 0; k < forms.size(); ++k) {
                if (merges)
                    merged[k].back() = strides[k];
                else
                    merged[k].push_back(strides[k]);
            }
        }
        const auto item_of = [&](size_t k) {
            return bytes_of(k + 1 == forms.size() ? code_->types.back() : code_->types[k]);
        };
        if (sizes.empty()) {
            sizes.push_back(1);
            for (size_t k = 0; k < forms.size(); ++k)
                merged[k].push_back(item_of(k));
        }
        axes_ = sizes.size();
        numbers_.reserve(axes_ * (1 + forms.size()));
        numbers_ = sizes;
        for (const auto &strides : merged)
            numbers_.insert(numbers_.end(), strides.begin(), strides.end());
        places_.reserve(forms.size());
        for (size_t k = 0; k < forms.size(); ++k)
            places_.push_back({item_of(k), numbers_.data() + axes_ * (k + 1), static_cast<int>(axes_)});
        if (elements_ == 0)
            return;
        for (Place &place : places_) {
            const auto is_zero = [](int64_t stride) { return stride == 0; };
            place.is_scalar = std::all_of(place.first, place.first + axes_, is_zero);
            place.is_row = std::all_of(place.first, place.first + axes_ - 1, is_zero);
            int64_t step = place.item;
            place.is_dense = true;
            for (size_t axis = axes_; axis-- > 0; step *= size(axis))
                place.is_dense = place.is_dense && place.stride(axis) == step;
        }
        columns_ = size(axes_ - 1);
        rows_ = elements_ / columns_;
        const bool turns = std::any_of(places_.begin(), places_.end(), [](const Place &place) { return place.is_turned(); });
        if (turns)
            rows_together_ = std::min(tile_rows, size(axes_ - 2));
        else if (columns_ < short_row)
            rows_together_ = std::min(block / columns_, rows_);
        piece_ = std::min(block / rows_together_, columns_);
        pieces_ = (columns_ + piece_ - 1) / piece_;
        blocks_ = (rows_ + rows_together_ - 1) / rows_together_ * pieces_;
    }

    void run_blocks(const std::vector<Array> &ins, char *out, int64_t begin, int64_t end) const;

    // Whether all blocks read the same elements of an operand: it has one row, which blocks of several rows repeat.
    bool fills_once(const Place &place) const { return place.is_row && rows_together_ > 1 && pieces_ == 1; }

    // Whether the blocks of a row read one element of an operand.
    bool fills_row(const Place &place) const { return place.last() == 0 && rows_together_ == 1; }

    int64_t size(size_t axis) const { return numbers_[axis]; }

    int64_t offset_of(const Place &place, int64_t row) const {
        int64_t offset = 0;
        for (size_t axis = axes_ - 1; axis-- > 0; row /= size(axis))
            offset += row % size(axis) * place.stride(axis);
        return offset;
    }

    // Calls visit(shape, offset in the array, offset in a block) for the rows of a block that lie at one stride.
    template <class Visit>
    void each_run(const Place &place, int64_t row, int64_t rows, int64_t start, int64_t length, const Visit &visit) const {
        const size_t inner = axes_ - 2; // the axis along which rows lie at one stride
        for (int64_t done = 0; done < rows;) {
            const bool several = axes_ > 1;
            const int64_t count = several ? std::min(size(inner) - (row + done) % size(inner), rows - done) : rows;
            visit(StridedRows{count, length, several ? place.stride(inner) : 0, place.last(), place.item},
                  offset_of(place, row + done) + start * place.last(), done * length * place.item);
            done += count;
        }
    }

    std::shared_ptr<const MapCode> code_;
    std::vector<ConstantBlock> constant_blocks_;
    std::vector<Place> places_;     // of operands, then of the result
    std::vector<int64_t> numbers_;  // sizes of merged axes, then the strides of each place
    size_t axes_ = 0;
    int64_t register_bytes_ = 0;
    int64_t elements_ = 0, columns_ = 1, rows_ = 1, rows_together_ = 1, blocks_ = 1;
    int64_t piece_ = 1, pieces_ = 1; // columns of a block, and blocks beside each other
};

// The registers of a thread.
struct Room {
    std::vector<char> bytes;
    std::vector<const char *> at; // operands, constants and computed values

    char *aligned(int64_t wanted) {
        bytes.resize(std::max(bytes.size(), static_cast<size_t>(wanted + alignment)));
        const auto address = reinterpret_cast<uintptr_t>(bytes.data());
        return bytes.data() + (alignment - address % alignment) % alignment;
    }
};

void Map::run_blocks(const std::vector<Array> &ins, char *out, int64_t begin, int64_t end) const {
    thread_local Room room;
    const int64_t operands = code_->operands, constants = code_->constants;
    char *const memory = room.aligned(code_->register_count * register_bytes_);
    room.at.resize(std::max(room.at.size(), code_->registers.size()));
    const char **const at = room.at.data();
    const auto own = [&](int64_t value) { return memory + code_->registers[static_cast<size_t>(value)] * register_bytes_; };
    for (int64_t k = 0; k < operands; ++k)
        if (const Place &place = places_[static_cast<size_t>(k)]; place.is_scalar) {
            copy_elements(place.item, std::min(block, elements_), ins[static_cast<size_t>(k)].data, 0, own(k), place.item);
            at[k] = own(k);
        } else if (fills_once(place)) {
            gather_rows({rows_together_, columns_, 0, place.last(), place.item}, ins[static_cast<size_t>(k)].data,
                        own(k));
            at[k] = own(k);
        }
    for (int64_t k = 0; k < constants; ++k)
        at[operands + k] = constant_blocks_[static_cast<size_t>(k)]->data();
    const Place &result = places_.back();
    for (int64_t number = begin; number < end; ++number) {
        const int64_t row = number / pieces_ * rows_together_, rows = std::min(rows_together_, rows_ - row);
        const int64_t start = number % pieces_ * piece_, length = std::min(piece_, columns_ - start);
        const auto first = [&](const Place &place) {
            return place.is_dense ? (row * columns_ + start) * place.item
                                  : offset_of(place, row) + start * place.last();
        };
        const auto is_direct = [&](const Place &place) {
            return (place.is_dense && (rows == 1 || length == columns_)) ||
                   (rows == 1 && place.last() == place.item);
        };
        for (int64_t k = 0; k < operands; ++k) {
            const Place &place = places_[static_cast<size_t>(k)];
            const char *const from = ins[static_cast<size_t>(k)].data;
            if (place.is_scalar || fills_once(place))
                continue;
            at[k] = is_direct(place) ? from + first(place) : own(k);
            if (fills_row(place)) {
                if (start == 0 || number == begin)
                    copy_elements(place.item, piece_, from + offset_of(place, row), 0, own(k), place.item);
            } else if (at[k] == own(k)) {
                each_run(place, row, rows, start, length, [&](const StridedRows &run, int64_t outside, int64_t inside) {
                    gather_rows(run, from + outside, own(k) + inside);
                });
            }
        }
        const MapComputation &last = code_->computations.back();
        char *const to = is_direct(result) ? out + first(result) : own(last.out);
        for (const MapComputation &computation : code_->computations) {
            char *const made = &computation == &last ? to : own(computation.out);
            const char *used[most_map_operands];
            for (int64_t k = 0; k < most_map_operands; ++k)
                used[k] = at[computation.ins[k]];
            computation.loop(made, used, rows * length);
            at[computation.out] = made;
        }
        if (to == own(last.out))
            each_run(result, row, rows, start, length, [&](const StridedRows &run, int64_t outside, int64_t inside) {
                scatter_rows(run, to + inside, out + outside);
            });
    }
}

} // namespace

Prepared map(const Call &call) {
    return [prepared = Map::shared(std::make_unique<const Map>(call))](const Call &of) { prepared->run(of); };
}

std::vector<std::string> map_instructions() {
    return {
#define LASTUSE_NAME(name) #name,
        LASTUSE_MAP_INSTRUCTIONS(LASTUSE_NAME)
#undef LASTUSE_NAME
    };
}

} // namespace lastuse::kernels
