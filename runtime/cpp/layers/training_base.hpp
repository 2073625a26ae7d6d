// What the kernels of recurrent layers in training share: operands, scratch, and the rows of steps.
#pragma once

#include <algorithm>
#include <cstring>
#include <functional>
#include <memory>
#include <vector>

#include "../threads/team.hpp"
#include "cell_step.hpp"
#include "product.hpp"

namespace lastuse::layers {

using kernels::Call;

// Operands of a call, which come one after the other.
class Reader {
public:
    explicit Reader(const std::vector<Array> &arrays) : arrays_(arrays) {}

    const Array &next() { return arrays_.at(next_++); }
    const Array *next_if(bool there) { return there ? &next() : nullptr; }
    float *floats() { return next().elements_of<float>(); }
    float *floats_if(bool there) { return there ? floats() : nullptr; }
    bool is_done() const { return next_ == arrays_.size(); }

private:
    const std::vector<Array> &arrays_;
    size_t next_ = 0;
};

class TrainingBase {
public:
    virtual ~TrainingBase() = default;

    int64_t scratch_bytes() const { return layer_.is_empty() ? 0 : end_; }

    void run(const Call &call) const {
        for (const auto *arrays : {&call.ins, &call.outs})
            for (const Array &array : *arrays)
                call.expect((array.is(Type::f32) || array.is(Type::i8)) && array.form->is_dense(),
                            "the kernel takes dense f32, and a workspace");
        on_team(layer_.threads, [&] {
            dnnl::stream stream(engine());
            compute(call, stream);
        });
    }

protected:
    explicit TrainingBase(const Call &call) : layer_(layer_of(call)) {}

    virtual void compute(const Call &call, dnnl::stream &stream) const = 0;

    // Takes a part of the scratch.
    int64_t take(int64_t bytes) {
        const int64_t offset = end_;
        end_ += aligned(bytes);
        return offset;
    }
    static float *at(const Call &call, int64_t offset) { return reinterpret_cast<float *>(call.scratch + offset); }

    // Elements from one row of a step to the next, in an array whose rows are in the order of those of x.
    int64_t step_stride(int64_t width) const { return layer_.batch_first ? layer_.steps * width : width; }
    int64_t state_stride() const { return layer_.state_rows(nullptr, 0).stride; }

    // The workspace of a direction. Throws Error where it is too small.
    float *workspace_of(const Array &workspace, int64_t direction) const {
        const int64_t bytes = workspace.size(1);
        if (bytes < layer_.workspace_bytes())
            throw Error("the workspace takes " + std::to_string(layer_.workspace_bytes()) + " bytes, it has " +
                        std::to_string(bytes));
        return reinterpret_cast<float *>(workspace.data + direction * bytes);
    }
    float *kept_of(float *workspace) const { return workspace + layer_.rows() * layer_.columns(); }

    // The rows of the step that a direction computes as number `walked`. `first`, `first_cells`: the states before the
    // first one.
    CellStep step_of(float *workspace, float *y, int64_t direction, int64_t walked, Rows first, Rows first_cells) const {
        const int64_t step = layer_.step(direction, walked);
        float *const kept = kept_of(workspace);
        CellStep made{layer_.hidden, layer_.step_rows(workspace, layer_.columns(), step), first,
                      layer_.step_rows(kept, layer_.hidden, step), first_cells};
        if (walked > 0) {
            const int64_t before = layer_.step(direction, walked - 1);
            made.before = layer_.y_rows(y, direction, before);
            made.cells_before = layer_.step_rows(kept, layer_.hidden, before);
        }
        return made;
    }

    // Calls work(first, end) for shares of the rows of a step.
    void for_rows(const Call &call, const std::function<void(int64_t, int64_t)> &work) const {
        constexpr int64_t functions = 8; // an element takes as long as so many of other kernels
        const int lanes = kernels::lanes_for(call, functions * layer_.batch * layer_.hidden);
        kernels::in_lanes(lanes, layer_.batch, [&](int64_t first, int64_t end, int) { work(first, end); });
    }

    void copy_rows(Rows from, Rows to) const {
        for (int64_t n = 0; n < layer_.batch; ++n)
            std::copy_n(from.row(n), layer_.hidden, to.row(n));
    }

    static void clear_all(const std::vector<Array> &arrays) {
        for (const Array &array : arrays)
            if (array.is(Type::f32))
                std::fill_n(array.elements_of<float>(), array.elements(), 0.0F);
    }

    const Layer layer_;

private:
    int64_t end_ = 0;
};

template <class Kind>
kernels::Prepared prepared_training(const Call &call) {
    return [kernel = std::make_shared<const Kind>(call)](const Call &run) { kernel->run(run); };
}

} // namespace lastuse::layers
