// Boxes without those that overlap better ones, as dialect/dnn/suppression.py defines them.
#include <algorithm>
#include <cstring>
#include <functional>

#include "../support.hpp"
#include "functions.hpp"

namespace lastuse::kernels {

namespace {

// What is known of a box: its lower and higher x and y, and its area. Arrays of boxes have a plane for each.
constexpr int64_t planes = 5;

struct Box {
    float left, right, low, high, area;

    static Box of(const float *numbers, bool has_center) {
        Box box;
        if (has_center) {
            const float across = numbers[2] / 2, down = numbers[3] / 2;
            box.left = numbers[0] - across, box.right = numbers[0] + across;
            box.low = numbers[1] - down, box.high = numbers[1] + down;
        } else {
            sort(numbers[1], numbers[3], box.left, box.right);
            sort(numbers[0], numbers[2], box.low, box.high);
        }
        box.area = (box.right - box.left) * (box.high - box.low);
        return box;
    }
    static Box at(const float *boxes, int64_t room, int64_t k) {
        return {boxes[k], boxes[room + k], boxes[2 * room + k], boxes[3 * room + k], boxes[4 * room + k]};
    }
    void put(float *boxes, int64_t room, int64_t k) const {
        const float numbers[planes] = {left, right, low, high, area};
        for (int64_t plane = 0; plane < planes; ++plane)
            boxes[plane * room + k] = numbers[plane];
    }

private:
    static void sort(float a, float b, float &low, float &high) {
        low = a >= b ? b : a;
        high = a >= b ? a : b;
    }
};

// Whether the box overlaps one of the first `count` of the boxes by more than the threshold.
LASTUSE_WIDE bool overlaps(const Box box, const float *boxes, int64_t room, int64_t count, float threshold) {
    constexpr int64_t together = 32;
    const float *left = boxes, *right = left + room, *low = right + room, *high = low + room, *area = high + room;
    for (int64_t begin = 0; begin < count; begin += together) {
        const int64_t end = std::min(begin + together, count);
        int found = 0;
        for (int64_t k = begin; k < end; ++k) {
            const float across = (right[k] < box.right ? right[k] : box.right) - (left[k] > box.left ? left[k] : box.left);
            const float down = (high[k] < box.high ? high[k] : box.high) - (low[k] > box.low ? low[k] : box.low);
            const float both = across * down, either = area[k] + box.area - both;
            // A comparison with NaN is false: such a box overlaps none.
            found |= static_cast<int>(across > 0) & static_cast<int>(down > 0) & static_cast<int>(both > 0) &
                     static_cast<int>(area[k] > 0) & static_cast<int>(either > 0) &
                     static_cast<int>(both / either > threshold);
        }
        if (found != 0)
            return true;
    }
    return false;
}

// A number that is greater for a greater score, and of equal scores for the lower index. NaN is below all scores.
uint64_t key_of(float score, int64_t index) {
    uint32_t bits;
    const float one_zero = score + 0.0f;
    std::memcpy(&bits, &one_zero, sizeof bits);
    bits = score != score ? 0 : bits ^ ((bits >> 31) != 0 ? 0xffffffffu : 0x80000000u);
    return (static_cast<uint64_t>(bits) << 32) | (0xffffffffu - static_cast<uint32_t>(index));
}

int64_t index_of(uint64_t key) { return 0xffffffffu - static_cast<uint32_t>(key); }

LASTUSE_WIDE bool has_above(const float *scores, int64_t count, float threshold) {
    int found = 0;
    for (int64_t k = 0; k < count; ++k)
        found |= static_cast<int>(scores[k] > threshold);
    return found != 0;
}

// Writes the keys of the scores above the threshold; returns how many there are. There is room for one more.
int64_t keys_above(const float *scores, int64_t count, float threshold, uint64_t *keys) {
    constexpr int64_t together = 64; // few scores are above the threshold
    int64_t taken = 0;
    for (int64_t begin = 0; begin < count; begin += together) {
        const int64_t end = std::min(begin + together, count);
        if (!has_above(scores + begin, end - begin, threshold))
            continue;
        for (int64_t k = begin; k < end; ++k) {
            keys[taken] = key_of(scores[k], k);
            taken += static_cast<int64_t>(scores[k] > threshold);
        }
    }
    return taken;
}

// The sizes of a call, and where its scratch has what.
struct Sizes {
    int64_t batch, classes, boxes, most;
    int lanes;

    explicit Sizes(const Call &call)
        : batch(call.ins[0].size(0)), classes(call.ins[1].size(1)), boxes(call.ins[0].size(1)),
          most(call.integer(1)),
          lanes(static_cast<int>(std::clamp<int64_t>(lanes_for(call, parts() * boxes), 1, std::max<int64_t>(parts(), 1)))) {}

    int64_t parts() const { return batch * classes; }
    int64_t boxes_bytes() const { return aligned(batch * planes * boxes * 4); }
    int64_t counts_bytes() const { return aligned(parts() * 8); }
    int64_t keys_bytes() const { return aligned((boxes + 1) * 8); }
    int64_t lane_bytes() const { return keys_bytes() + aligned(planes * most * 4); }
    int64_t scratch() const { return boxes_bytes() + counts_bytes() + lanes * lane_bytes(); }
};

} // namespace

int64_t non_max_suppression_scratch(const Call &call) { return Sizes(call).scratch(); }

void non_max_suppression(const Call &call) {
    call.expect(call.ins.size() == 4 || call.ins.size() == 5, "the kernel takes other operands");
    call.expect_counts(call.ins.size(), 2, 2);
    const Array &boxes = call.ins[0], &scores = call.ins[1], &selected = call.outs[0], &count = call.outs[1];
    call.expect_floats({&boxes, &scores});
    call.expect(selected.is(Type::i64) && selected.form->is_dense() && count.is(Type::i64), "results are dense i64");
    const Sizes sizes(call);
    call.expect(boxes.size(2) == 4 && scores.size(0) == sizes.batch && scores.size(2) == sizes.boxes && sizes.most >= 0 &&
                    sizes.most <= sizes.boxes && selected.elements() == 3 * sizes.parts() * sizes.most,
                "operands and results have other sizes");
    call.expect(call.scratch_bytes >= sizes.scratch(), "the kernel takes more scratch");
    const bool has_center = call.numbers[0] != 0, filters = call.ins.size() == 5;
    const double limit = number_of(call, call.ins[2]);
    const int64_t most = limit < static_cast<double>(sizes.most) ? static_cast<int64_t>(std::max(limit, 0.0)) : sizes.most;
    const auto overlap = static_cast<float>(number_of(call, call.ins[3]));
    const float threshold = filters ? static_cast<float>(number_of(call, call.ins[4])) : 0.0f;
    auto *const planes_of = reinterpret_cast<float *>(call.scratch);
    auto *const counts = reinterpret_cast<int64_t *>(call.scratch + sizes.boxes_bytes());
    auto *const rows = selected.elements_of<int64_t>();
    for (int64_t n = 0; n < sizes.batch && most > 0; ++n)
        for (int64_t k = 0; k < sizes.boxes; ++k)
            Box::of(boxes.elements_of<float>() + 4 * (n * sizes.boxes + k), has_center)
                .put(planes_of + n * planes * sizes.boxes, sizes.boxes, k);
    in_lanes(sizes.lanes, sizes.parts(), [&](int64_t begin, int64_t end, int lane) {
        char *const own = call.scratch + sizes.boxes_bytes() + sizes.counts_bytes() + lane * sizes.lane_bytes();
        auto *const keys = reinterpret_cast<uint64_t *>(own);
        auto *const kept = reinterpret_cast<float *>(own + sizes.keys_bytes());
        for (int64_t part = begin; part < end; ++part) {
            const float *const of = scores.elements_of<float>() + part * sizes.boxes;
            const float *const around = planes_of + part / sizes.classes * planes * sizes.boxes;
            int64_t left = 0, taken = 0;
            if (most > 0 && filters)
                left = keys_above(of, sizes.boxes, threshold, keys);
            else if (most > 0)
                for (; left < sizes.boxes; ++left)
                    keys[left] = key_of(of[left], left);
            std::make_heap(keys, keys + left);
            for (; left > 0 && taken < most; --left) {
                const int64_t index = index_of(keys[0]);
                const Box box = Box::at(around, sizes.boxes, index);
                std::pop_heap(keys, keys + left);
                if (box.area > 0 && overlaps(box, kept, sizes.most, taken, overlap))
                    continue;
                box.put(kept, sizes.most, taken);
                rows[3 * (part * sizes.most + taken++) + 2] = index;
            }
            counts[part] = taken;
        }
    });
    int64_t to = 0;
    for (int64_t part = 0; part < sizes.parts(); ++part)
        for (int64_t k = 0; k < counts[part]; ++k, ++to) {
            const int64_t row[3] = {part / sizes.classes, part % sizes.classes, rows[3 * (part * sizes.most + k) + 2]};
            std::copy_n(row, 3, rows + 3 * to);
        }
    std::fill(rows + 3 * to, rows + selected.elements(), 0);
    std::memcpy(count.data, &to, sizeof to);
}

} // namespace lastuse::kernels
