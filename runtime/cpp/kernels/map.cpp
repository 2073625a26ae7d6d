#include "map.hpp"

#include <algorithm>
#include <cstring>
#include <memory>

#include "../moves/elements.hpp"
#include "../moves/rows.hpp"
#include "constant_blocks.hpp"
#include "functions.hpp"
#include "processors.hpp"

namespace lastuse::kernels {

namespace {

constexpr int64_t block = 1024;      // elements of a register
constexpr int64_t short_row = 512;   // of rows with fewer elements a block is several
constexpr int64_t tile_rows = 16;    // of a block where an operand's elements are contiguous from row to row
constexpr int64_t alignment = 64;
constexpr int64_t most_operands = 4; // of an instruction

MapLoop loop_of(Instruction instruction, ElementType in, ElementType out) {
    return LASTUSE_BEST_TO_AVX2(map_loop)(instruction, in, out);
}

int64_t bytes_of(ElementType type) {
    switch (type) {
#define LASTUSE_CASE(name, element)                                                                                     \
    case ElementType::name:                                                                                             \
        return sizeof(element);
        LASTUSE_MAP_TYPES(LASTUSE_CASE)
#undef LASTUSE_CASE
    }
    return 0;
}

Type type_of(ElementType type) {
    constexpr Type types[] = {Type::boolean, Type::i8,  Type::i16, Type::i32, Type::i64, Type::u8,
                              Type::u16,     Type::u32, Type::u64, Type::f32, Type::f64, Type::f16};
    return types[static_cast<int>(type)];
}

bool is_comparison(Instruction instruction) {
    return (instruction >= Instruction::less && instruction <= Instruction::not_equal) ||
           instruction == Instruction::isnan || instruction == Instruction::isinf;
}

// About how many additions take as long.
int64_t cost_of(Instruction instruction) { return instruction >= Instruction::exp && instruction <= Instruction::erf ? 16 : 1; }

// Reads what `MapProgram.numbers` of dialect/dnn/map_program.py writes.
class Reader {
public:
    explicit Reader(const Call &call) : call_(call) {}
    double number() {
        call_.expect(at_ < call_.numbers.size(), "the program ends too early");
        return call_.numbers[at_++];
    }
    int64_t below(int64_t end) {
        const double value = number();
        call_.expect(value >= 0 && value < static_cast<double>(end), "the program is malformed");
        return static_cast<int64_t>(value);
    }
    ElementType type() { return static_cast<ElementType>(below(static_cast<int64_t>(ElementType::f16) + 1)); }
    bool is_done() const { return at_ == call_.numbers.size(); }

private:
    const Call &call_;
    size_t at_ = 0;
};

// One step of a program: what it computes is the register of its number, counted behind operands and constants.
struct Computation {
    MapLoop loop;
    int64_t ins[most_operands], out;
    int64_t item; // bytes of an element of the result
};

// An operand or the result: its strides in bytes along each merged axis, 0 where it is broadcast.
struct Place {
    int64_t item;
    std::vector<int64_t> strides;
    bool is_scalar = false, is_dense = false; // one element for all; row-major
    bool is_row = false;                      // the same elements in each row of the last axis

    // Elements of the last axis but one are contiguous, and those of the last axis are not.
    bool is_turned() const { return strides.size() > 1 && strides.back() > item && strides[strides.size() - 2] == item; }
};

class Map {
public:
    explicit Map(const Call &call) {
        Reader reader(call);
        const std::vector<ElementType> types = read(call, reader);
        merge_axes(call, types);
        assign_registers();
    }

    void run(const Call &call) const {
        if (elements_ == 0)
            return;
        const int lanes = lanes_for(call, elements_ * (cost_ + 1) / 2);
        in_lanes(lanes, blocks_, [&](int64_t begin, int64_t end, int) { run_blocks(call.ins, call.outs[0].data, begin, end); });
    }

private:
    // The types of operands, constants and computed registers.
    std::vector<ElementType> read(const Call &call, Reader &reader) {
        std::vector<ElementType> types;
        operands_ = reader.below(1 << 20);
        call.expect(operands_ == static_cast<int64_t>(call.ins.size()) && call.outs.size() == 1,
                    "the kernel takes other operands");
        for (const Array &in : call.ins) {
            types.push_back(reader.type());
            call.expect(in.form->type == type_of(types.back()), "operands are of other types");
        }
        constants_ = reader.below(1 << 20);
        for (int64_t k = 0; k < constants_; ++k) {
            types.push_back(reader.type());
            const double first = reader.number(), second = reader.number();
            constant_values_.emplace_back(element(types.back(), first, second), bytes_of(types.back()));
        }
        const int64_t count = reader.below(1 << 20);
        call.expect(count > 0, "the program is empty");
        for (int64_t k = 0; k < count; ++k) {
            const auto instruction = static_cast<Instruction>(reader.below(static_cast<int64_t>(Instruction::cast) + 1));
            const ElementType in = reader.type(), stated = reader.type();
            Computation computation{loop_of(instruction, in, stated), {}, static_cast<int64_t>(types.size()), 0};
            const int64_t used = reader.below(most_operands + 1);
            for (int64_t i = 0; i < used; ++i) {
                computation.ins[i] = reader.below(static_cast<int64_t>(types.size()));
                const bool is_condition = instruction == Instruction::where && i == 0;
                call.expect(types[static_cast<size_t>(computation.ins[i])] == (is_condition ? ElementType::i1 : in),
                            "an instruction has operands of another type");
            }
            const ElementType made = instruction == Instruction::cast ? stated : is_comparison(instruction) ? ElementType::i1 : in;
            call.expect(computation.loop != nullptr && made == stated, "there is no such instruction");
            computation.item = bytes_of(made);
            cost_ += cost_of(instruction);
            types.push_back(made);
            computations_.push_back(computation);
        }
        call.expect(reader.is_done(), "the program has no end");
        call.expect(call.outs[0].form->type == type_of(types.back()), "the result is of another type");
        return types;
    }

    // The bytes of a constant: a number of f32 or f64, or the upper and lower 32 bits of what else it is.
    static uint64_t element(ElementType type, double first, double second) {
        uint64_t bits = 0;
        if (type == ElementType::f32) {
            const auto number = static_cast<float>(first);
            std::memcpy(&bits, &number, sizeof number);
        } else if (type == ElementType::f64) {
            std::memcpy(&bits, &first, sizeof first);
        } else {
            bits = (static_cast<uint64_t>(static_cast<int64_t>(first)) << 32) | static_cast<uint64_t>(second);
        }
        return bits;
    }

    void merge_axes(const Call &call, const std::vector<ElementType> &types) {
        const Form &result = *call.outs[0].form;
        const size_t rank = result.shape.size();
        std::vector<const Form *> forms;
        for (const Array &in : call.ins)
            forms.push_back(in.form);
        forms.push_back(&result);
        places_.resize(forms.size());
        for (size_t k = 0; k < forms.size(); ++k)
            places_[k].item = bytes_of(k + 1 == forms.size() ? types.back() : types[k]);
        elements_ = result.elements();
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
            bool merges = !sizes_.empty();
            for (size_t k = 0; k < forms.size() && merges; ++k)
                merges = places_[k].strides.back() == strides[k] * size;
            if (merges)
                sizes_.back() *= size;
            else
                sizes_.push_back(size);
            for (size_t k = 0; k < forms.size(); ++k) {
                if (merges)
                    places_[k].strides.back() = strides[k];
                else
                    places_[k].strides.push_back(strides[k]);
            }
        }
        if (sizes_.empty()) {
            sizes_.push_back(1);
            for (Place &place : places_)
                place.strides.push_back(place.item);
        }
        if (elements_ == 0)
            return;
        for (Place &place : places_) {
            const auto &strides = place.strides;
            place.is_scalar = std::all_of(strides.begin(), strides.end(), [](int64_t stride) { return stride == 0; });
            place.is_row = std::all_of(strides.begin(), strides.end() - 1, [](int64_t stride) { return stride == 0; });
            int64_t step = place.item;
            place.is_dense = true;
            for (size_t axis = sizes_.size(); axis-- > 0; step *= sizes_[axis])
                place.is_dense = place.is_dense && strides[axis] == step;
        }
        columns_ = sizes_.back();
        rows_ = elements_ / columns_;
        const bool turns = std::any_of(places_.begin(), places_.end(), [](const Place &place) { return place.is_turned(); });
        if (turns)
            rows_together_ = std::min(tile_rows, sizes_[sizes_.size() - 2]);
        else if (columns_ < short_row)
            rows_together_ = std::min(block / columns_, rows_);
        piece_ = std::min(block / rows_together_, columns_);
        pieces_ = (columns_ + piece_ - 1) / piece_;
        blocks_ = (rows_ + rows_together_ - 1) / rows_together_ * pieces_;
    }

    // Registers of computed values are used again behind their last reader; those of operands hold copies.
    void assign_registers() {
        const int64_t values = operands_ + constants_ + static_cast<int64_t>(computations_.size());
        std::vector<int64_t> last(static_cast<size_t>(values), -1);
        for (size_t k = 0; k < computations_.size(); ++k)
            for (const int64_t in : computations_[k].ins)
                last[static_cast<size_t>(in)] = static_cast<int64_t>(k);
        std::vector<int64_t> free;
        registers_.assign(static_cast<size_t>(values), -1);
        for (int64_t k = 0; k < operands_; ++k)
            registers_[static_cast<size_t>(k)] = count_++;
        for (size_t k = 0; k < computations_.size(); ++k) {
            int64_t &own = registers_[static_cast<size_t>(computations_[k].out)];
            if (free.empty()) {
                own = count_++;
            } else {
                own = free.back();
                free.pop_back();
            }
            for (int64_t value = operands_ + constants_; value < computations_[k].out; ++value)
                if (last[static_cast<size_t>(value)] == static_cast<int64_t>(k)) {
                    free.push_back(registers_[static_cast<size_t>(value)]);
                    last[static_cast<size_t>(value)] = -1;
                }
        }
        register_bytes_ = std::min(block, std::max<int64_t>(elements_, 1)) * 8 + 3 * alignment; // not in the same cache sets
        register_bytes_ -= register_bytes_ % alignment;
        for (const auto &[bits, item] : constant_values_)
            constant_blocks_.push_back(constant_block(bits, item, std::min(block, elements_)));
    }

    void run_blocks(const std::vector<Array> &ins, char *out, int64_t begin, int64_t end) const;

    // Whether all blocks read the same elements of an operand: it has one row, which blocks of several rows repeat.
    bool fills_once(const Place &place) const { return place.is_row && rows_together_ > 1 && pieces_ == 1; }

    // Whether the blocks of a row read one element of an operand.
    bool fills_row(const Place &place) const { return place.strides.back() == 0 && rows_together_ == 1; }

    int64_t offset_of(const Place &place, int64_t row) const {
        int64_t offset = 0;
        for (size_t axis = sizes_.size() - 1; axis-- > 0; row /= sizes_[axis])
            offset += row % sizes_[axis] * place.strides[axis];
        return offset;
    }

    // Calls visit(shape, offset in the array, offset in a block) for the rows of a block that lie at one stride.
    template <class Visit>
    void each_run(const Place &place, int64_t row, int64_t rows, int64_t start, int64_t length, const Visit &visit) const {
        const size_t inner = sizes_.size() - 2; // the axis along which rows lie at one stride
        for (int64_t done = 0; done < rows;) {
            const bool several = sizes_.size() > 1;
            const int64_t count = several ? std::min(sizes_[inner] - (row + done) % sizes_[inner], rows - done) : rows;
            visit(StridedRows{count, length, several ? place.strides[inner] : 0, place.strides.back(), place.item},
                  offset_of(place, row + done) + start * place.strides.back(), done * length * place.item);
            done += count;
        }
    }

    int64_t operands_ = 0, constants_ = 0, cost_ = 0, count_ = 0, register_bytes_ = 0;
    std::vector<Computation> computations_;
    std::vector<std::pair<uint64_t, int64_t>> constant_values_; // bits and bytes
    std::vector<int64_t> registers_;                            // of operands and of computed values
    std::vector<ConstantBlock> constant_blocks_;
    std::vector<Place> places_; // of operands, then of the result
    std::vector<int64_t> sizes_; // of merged axes
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
    char *const memory = room.aligned(count_ * register_bytes_);
    room.at.resize(std::max(room.at.size(), registers_.size()));
    const char **const at = room.at.data();
    const auto own = [&](int64_t value) { return memory + registers_[static_cast<size_t>(value)] * register_bytes_; };
    for (int64_t k = 0; k < operands_; ++k)
        if (const Place &place = places_[static_cast<size_t>(k)]; place.is_scalar) {
            copy_elements(place.item, std::min(block, elements_), ins[static_cast<size_t>(k)].data, 0, own(k), place.item);
            at[k] = own(k);
        } else if (fills_once(place)) {
            gather_rows({rows_together_, columns_, 0, place.strides.back(), place.item}, ins[static_cast<size_t>(k)].data,
                        own(k));
            at[k] = own(k);
        }
    for (int64_t k = 0; k < constants_; ++k)
        at[operands_ + k] = constant_blocks_[static_cast<size_t>(k)]->data();
    const Place &result = places_.back();
    for (int64_t number = begin; number < end; ++number) {
        const int64_t row = number / pieces_ * rows_together_, rows = std::min(rows_together_, rows_ - row);
        const int64_t start = number % pieces_ * piece_, length = std::min(piece_, columns_ - start);
        const auto first = [&](const Place &place) {
            return place.is_dense ? (row * columns_ + start) * place.item
                                  : offset_of(place, row) + start * place.strides.back();
        };
        const auto is_direct = [&](const Place &place) {
            return (place.is_dense && (rows == 1 || length == columns_)) ||
                   (rows == 1 && place.strides.back() == place.item);
        };
        for (int64_t k = 0; k < operands_; ++k) {
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
        const Computation &last = computations_.back();
        char *const to = is_direct(result) ? out + first(result) : own(last.out);
        for (const Computation &computation : computations_) {
            char *const made = &computation == &last ? to : own(computation.out);
            const char *used[most_operands];
            for (int64_t k = 0; k < most_operands; ++k)
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
    return [prepared = std::make_shared<const Map>(call)](const Call &of) { prepared->run(of); };
}

std::vector<std::string> map_instructions() {
    return {
#define LASTUSE_NAME(name) #name,
        LASTUSE_MAP_INSTRUCTIONS(LASTUSE_NAME)
#undef LASTUSE_NAME
    };
}

} // namespace lastuse::kernels
