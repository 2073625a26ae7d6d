#include "map_code.hpp"

#include <cstring>
#include <string>

#include "shared_values.hpp"
#include "processors.hpp"

namespace lastuse::kernels {

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

namespace {

MapLoop loop_of(Instruction instruction, ElementType in, ElementType out) {
    return LASTUSE_BEST_TO_AVX2(map_loop)(instruction, in, out);
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

// The bytes of a constant: a number of f32 or f64, or the upper and lower 32 bits of what else it is.
uint64_t element(ElementType type, double first, double second) {
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

// All but registers.
MapCode read(const Call &call) {
    Reader reader(call);
    MapCode code;
    std::vector<ElementType> &types = code.types;
    code.operands = reader.below(1 << 20);
    for (int64_t k = 0; k < code.operands; ++k)
        types.push_back(reader.type());
    code.constants = reader.below(1 << 20);
    for (int64_t k = 0; k < code.constants; ++k) {
        types.push_back(reader.type());
        const double first = reader.number(), second = reader.number();
        code.constant_values.emplace_back(element(types.back(), first, second), bytes_of(types.back()));
    }
    const int64_t count = reader.below(1 << 20);
    call.expect(count > 0, "the program is empty");
    for (int64_t k = 0; k < count; ++k) {
        const auto instruction = static_cast<Instruction>(reader.below(static_cast<int64_t>(Instruction::cast) + 1));
        const ElementType in = reader.type(), stated = reader.type();
        MapComputation computation{loop_of(instruction, in, stated), {}, static_cast<int64_t>(types.size())};
        const int64_t used = reader.below(most_map_operands + 1);
        for (int64_t i = 0; i < used; ++i) {
            computation.ins[i] = reader.below(static_cast<int64_t>(types.size()));
            const bool is_condition = instruction == Instruction::where && i == 0;
            call.expect(types[static_cast<size_t>(computation.ins[i])] == (is_condition ? ElementType::i1 : in),
                        "an instruction has operands of another type");
        }
        const ElementType made = instruction == Instruction::cast ? stated : is_comparison(instruction) ? ElementType::i1 : in;
        call.expect(computation.loop != nullptr && made == stated, "there is no such instruction");
        code.cost += cost_of(instruction);
        types.push_back(made);
        code.computations.push_back(computation);
    }
    call.expect(reader.is_done(), "the program has no end");
    return code;
}

// Registers of computed values are used again behind their last reader; those of operands hold copies.
void assign_registers(MapCode &code) {
    const auto values = static_cast<int64_t>(code.types.size());
    std::vector<int64_t> last(static_cast<size_t>(values), -1);
    for (size_t k = 0; k < code.computations.size(); ++k)
        for (const int64_t in : code.computations[k].ins)
            last[static_cast<size_t>(in)] = static_cast<int64_t>(k);
    std::vector<int64_t> free;
    code.registers.assign(static_cast<size_t>(values), -1);
    for (int64_t k = 0; k < code.operands; ++k)
        code.registers[static_cast<size_t>(k)] = code.register_count++;
    for (size_t k = 0; k < code.computations.size(); ++k) {
        int64_t &own = code.registers[static_cast<size_t>(code.computations[k].out)];
        if (free.empty()) {
            own = code.register_count++;
        } else {
            own = free.back();
            free.pop_back();
        }
        for (int64_t value = code.operands + code.constants; value < code.computations[k].out; ++value)
            if (last[static_cast<size_t>(value)] == static_cast<int64_t>(k)) {
                free.push_back(code.registers[static_cast<size_t>(value)]);
                last[static_cast<size_t>(value)] = -1;
            }
    }
}

} // namespace

std::shared_ptr<const MapCode> MapCode::of(const Call &call) {
    static auto *const known = new SharedValues<std::string, MapCode>;
    return known->of(exact_key(call.numbers), [&call] {
        MapCode code = read(call);
        assign_registers(code);
        return code;
    });
}

} // namespace lastuse::kernels
