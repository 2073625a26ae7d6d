#include "strided_product.hpp"

#include <algorithm>
#include <array>

#include "functions.hpp"
#include "processors.hpp"

namespace lastuse::kernels {

namespace {

const StridedKernel &strided_kernel() { return LASTUSE_BEST_TO_AVX512(strided_product); }

// Summed elements whose weights are packed together, and columns of them, at most: they stay in the second cache while rows
// are multiplied with them.
constexpr int64_t most_depth = 256, most_columns = 2 * product_panel;

// Rows up to which weights whose columns are dense are read where they are: of more, packing them takes less time than rows
// of them that meet in the first cache.
constexpr int64_t direct_rows = 256;

// Bytes of results that do not stay in the second cache.
constexpr int64_t large_bytes = 1 << 20;

// dialect/dnn/native_matmul.py has them too.
constexpr size_t most_axes = 8, most_terms = 4;

struct Sizes {
    int64_t rows, depth, columns;

    Sizes transposed() const { return {columns, depth, rows}; }

    int64_t together() const { return std::min(columns, most_columns); } // columns that are packed together

    // Bytes of packed weights in a lane.
    int64_t packed_bytes() const {
        return std::min(depth, most_depth) * panelled_columns(together()) * static_cast<int64_t>(sizeof(float));
    }
};

// The axes of an operand, or of a result, in the order of the product: batches, then rows and columns of a matrix.
using Order = std::array<size_t, most_axes>;

// The place of an axis that an operand lacks: of batches, or of rows or columns where it has one axis. It has size 1.
constexpr size_t missing = most_axes;

// What the numbers of a call say: these orders, and `post_ops`, the number of the first post-op, behind them.
struct Product {
    size_t a_rank, b_rank, batch_rank, y_rank, post_ops;
    Order a{}, b{}, y{};
    Sizes sizes;
    std::array<int64_t, most_axes> batches{};
    int64_t batch_count = 1;
    bool is_turned; // the transposed product is computed, as results lie so, or as one column would leave vectors empty

    explicit Product(const Call &call) {
        call.expect(call.ins.size() >= 2, "the kernel takes other operands");
        a_rank = call.ins[0].rank(), b_rank = call.ins[1].rank();
        const size_t rank = std::max(a_rank, b_rank);
        call.expect(a_rank > 0 && b_rank > 0 && rank <= most_axes, "the kernel takes other axes");
        batch_rank = rank < 2 ? 0 : rank - 2;
        y_rank = batch_rank + (a_rank > 1) + (b_rank > 1);
        post_ops = 0;
        for (const auto &[order, count] : {std::pair{&a, a_rank}, {&b, b_rank}, {&y, y_rank}})
            read(call, *order, count);
        sizes = {size_at(call, 0, a_row()), size_at(call, 0, a[a_rank - 1]), size_at(call, 1, b_column())};
        call.expect(size_at(call, 1, b[b_rank - (b_rank > 1 ? 2 : 1)]) == sizes.depth, "the operands have other sizes");
        for (size_t axis = 0; axis < batch_rank; ++axis) {
            const int64_t left = size_at(call, 0, batch_axis(a, a_rank, axis));
            const int64_t right = size_at(call, 1, batch_axis(b, b_rank, axis));
            call.expect(left == right || left == 1 || right == 1, "the operands have other sizes");
            batches[axis] = left == 1 ? right : left;
            batch_count *= batches[axis];
        }
        const bool exchanges = a_rank > 1 && b_rank > 1 && y[y_rank - 1] + 2 == y_rank && y[y_rank - 2] + 1 == y_rank;
        is_turned = exchanges || (sizes.columns == 1 && sizes.rows > 1);
    }

    size_t a_row() const { return a_rank > 1 ? a[a_rank - 2] : missing; }
    size_t b_column() const { return b_rank > 1 ? b[b_rank - 1] : missing; }
    size_t y_row() const { return a_rank > 1 ? y[batch_rank] : missing; }
    size_t y_column() const { return b_rank > 1 ? y[y_rank - 1] : missing; }

    // The axis of an operand that belongs to an axis of the batches: those it lacks are in front.
    size_t batch_axis(const Order &order, size_t rank, size_t axis) const {
        const size_t own = rank < 2 ? 0 : rank - 2, lacking = batch_rank - own;
        return axis < lacking ? missing : order[axis - lacking];
    }

    Sizes computed() const { return is_turned ? sizes.transposed() : sizes; }

    int lanes(const Call &call) const {
        return lanes_for(call, batch_count * sizes.rows * sizes.depth * sizes.columns / 8);
    }

private:
    void read(const Call &call, Order &order, size_t rank) {
        unsigned seen = 0;
        for (size_t axis = 0; axis < rank; ++axis) {
            call.expect(post_ops < call.numbers.size(), "the kernel takes other numbers");
            order[axis] = call.index(post_ops++);
            call.expect(order[axis] < rank && !(seen >> order[axis] & 1), "the kernel takes other axes");
            seen |= 1u << order[axis];
        }
    }

    static int64_t size_at(const Call &call, size_t operand, size_t axis) {
        return axis == missing ? 1 : call.ins[operand].size(axis);
    }
};

// A matrix for each batch; strides are in elements, and 0 repeats.
struct Matrices {
    MatrixOf<float> first;
    std::array<int64_t, most_axes> strides;

    MatrixOf<float> at(int64_t offset) const { return {first.first + offset, first.row, first.column}; }
    Matrix read(int64_t offset) const { return {first.first + offset, first.row, first.column}; }
};

// The distance of elements along an axis of so many; `missing`, and one of size 1, are repeated.
int64_t stride_of(const Call &call, const Array &array, size_t axis, int64_t size) {
    constexpr auto item = static_cast<int64_t>(sizeof(float));
    if (axis == missing || array.size(axis) == 1)
        return size == 1 ? 1 : 0;
    const int64_t stride = array.form->strides[axis];
    call.expect(array.size(axis) == size && stride % item == 0, "the kernel takes other sizes");
    return stride / item;
}

class Work {
public:
    explicit Work(const Call &call, const Product &product) : call_(call), product_(product), sizes_(product.sizes) {
        axes_ = product.batch_rank;
        batches_ = product.batches;
        given_ = matrices(call.ins[0], {product.a_row(), sizes_.rows}, {product.a[product.a_rank - 1], sizes_.depth},
                          [&](size_t axis) { return product.batch_axis(product.a, product.a_rank, axis); });
        weights_ = matrices(call.ins[1], {product.b[product.b_rank - (product.b_rank > 1 ? 2 : 1)], sizes_.depth},
                            {product.b_column(), sizes_.columns},
                            [&](size_t axis) { return product.batch_axis(product.b, product.b_rank, axis); });
        const Array &y = call.outs[0];
        call.expect(y.rank() == product.y_rank, "the kernel takes other sizes");
        out_ = like_result(y);
        post_ops_ = row_post_ops(call, product.post_ops, last_row_function);
        for (size_t k = 0; k < post_ops_.count; ++k) {
            if (post_ops_.all[k].function != RowFunction::sum)
                continue;
            call.expect(terms_ < most_terms && 2 + terms_ < call.ins.size(), "the kernel takes other operands");
            const Array &term = call.ins[2 + terms_];
            call.expect(term.is(Type::f32) && term.rank() <= y.rank(), "the kernel takes other operands");
            number_[terms_] = k;
            added_[terms_++] = like_result(term);
        }
        call.expect(call.ins.size() == 2 + terms_, "the kernel takes other operands");
    }

    void run() {
        if (product_.is_turned)
            turn();
        else
            join_rows();
        const int64_t own = is_direct() ? 0 : sizes_.packed_bytes();
        const int64_t room = own == 0 ? most_lanes : call_.scratch_bytes / own;
        const int lanes = static_cast<int>(std::min<int64_t>(product_.lanes(call_), room));
        call_.expect(lanes > 0, "there is no scratch");
        const int64_t groups = (sizes_.columns + sizes_.together() - 1) / sizes_.together(), count = batch_count() * groups;
        const int64_t blocks = (sizes_.rows + strided_kernel().most_rows - 1) / strided_kernel().most_rows;
        const int64_t parts = std::min((lanes + count - 1) / count, blocks), tasks = count * parts;
        in_lanes(static_cast<int>(std::min<int64_t>(lanes, tasks)), tasks, [&](int64_t begin, int64_t end, int lane) {
            auto *const panels = reinterpret_cast<float *>(call_.scratch + lane * own);
            for (int64_t task = begin; task < end; ++task) {
                const int64_t part = task % parts, group = task / parts % groups;
                const int64_t row = sizes_.rows * part / parts, last = sizes_.rows * (part + 1) / parts;
                compute(task / parts / groups, row, last, group * sizes_.together(), panels);
            }
        });
    }

private:
    const Call &call_;
    const Product &product_;
    Sizes sizes_;
    size_t axes_;
    std::array<int64_t, most_axes> batches_;
    Matrices given_, weights_, out_;
    RowPostOps post_ops_;
    size_t terms_ = 0;
    std::array<size_t, most_terms> number_; // of the post-op that adds the term
    std::array<Matrices, most_terms> added_;

    struct Line {
        size_t axis;
        int64_t size;
    };

    template <class BatchAxis>
    Matrices matrices(const Array &array, Line row, Line column, BatchAxis batch_axis) const {
        call_.expect(array.is(Type::f32), "the kernel takes f32");
        Matrices made{{array.elements_of<float>(), stride_of(call_, array, row.axis, row.size),
                       stride_of(call_, array, column.axis, column.size)},
                      {}};
        for (size_t axis = 0; axis < product_.batch_rank; ++axis)
            made.strides[axis] = stride_of(call_, array, batch_axis(axis), batches_[axis]);
        return made;
    }

    // Of what broadcasts to the result.
    Matrices like_result(const Array &array) const {
        const size_t lacking = product_.y_rank - array.rank();
        const auto own = [&](size_t axis) { return axis == missing || axis < lacking ? missing : axis - lacking; };
        return matrices(array, {own(product_.y_row()), sizes_.rows}, {own(product_.y_column()), sizes_.columns},
                        [&](size_t axis) { return own(product_.y[axis]); });
    }

    template <class Change>
    void each_row_matrix(Change change) {
        change(given_);
        change(out_);
        for (size_t k = 0; k < terms_; ++k)
            change(added_[k]);
    }

    void turn() {
        sizes_ = sizes_.transposed();
        std::swap(given_, weights_);
        each_row_matrix([](Matrices &each) { each.first = each.first.transposed(); });
        weights_.first = weights_.first.transposed();
    }

    // Batches that have the same weights are rows below each other, where they lie so.
    void join_rows() {
        for (; axes_ > 0; --axes_) {
            const size_t axis = axes_ - 1;
            if (batches_[axis] == 1)
                continue;
            bool joins = weights_.strides[axis] == 0;
            each_row_matrix([&](const Matrices &each) {
                joins = joins && (sizes_.rows == 1 || each.strides[axis] == sizes_.rows * each.first.row);
            });
            if (!joins)
                return;
            if (sizes_.rows == 1)
                each_row_matrix([&](Matrices &each) { each.first.row = each.strides[axis]; });
            sizes_.rows *= batches_[axis];
        }
    }

    int64_t batch_count() const {
        int64_t count = 1;
        for (size_t axis = 0; axis < axes_; ++axis)
            count *= batches_[axis];
        return count;
    }

    int64_t offset(const Matrices &of, int64_t batch) const {
        int64_t elements = 0;
        for (size_t axis = axes_; axis-- > 0; batch /= batches_[axis])
            elements += batch % batches_[axis] * of.strides[axis];
        return elements;
    }

    bool is_direct() const {
        const bool has_whole_vectors = sizes_.columns % strided_kernel().direct_columns == 0;
        return weights_.first.column == 1 && sizes_.rows <= direct_rows && has_whole_vectors;
    }

    // Rows `row` to `end` of the columns from `column` on that are packed together.
    void compute(int64_t batch, int64_t row, int64_t end, int64_t column, float *panels) const {
        const bool direct = is_direct();
        const Matrix weights = weights_.read(offset(weights_, batch)).at(0, column);
        const Matrix given = given_.read(offset(given_, batch)).at(row, 0);
        StridedProduct part{};
        part.rows = end - row;
        part.columns = std::min(sizes_.together(), sizes_.columns - column);
        part.out = out_.at(offset(out_, batch)).at(row, column);
        part.is_packed = !direct;
        part.is_large = call_.outs[0].elements() * static_cast<int64_t>(sizeof(float)) >= large_bytes;
        // A sum that is first is what sums begin with: it may be the result's memory.
        const bool begins = terms_ > 0 && number_[0] == 0;
        std::array<Matrix, most_terms> terms;
        for (size_t k = 0; k < terms_; ++k)
            terms[k] = added_[k].read(offset(added_[k], batch)).at(row, column);
        if (begins)
            part.begun = terms[0];
        int64_t start = 0;
        do {
            part.depth = direct ? sizes_.depth : std::min(most_depth, sizes_.depth - start);
            part.given = given.at(0, start);
            part.weights = weights.at(start, 0);
            if (!direct) {
                strided_kernel().pack(part.weights, part.depth, part.columns, panels);
                part.weights.first = panels;
            }
            start += part.depth;
            if (start == sizes_.depth) {
                part.post_ops.count = post_ops_.count - begins;
                std::copy_n(post_ops_.all + begins, part.post_ops.count, part.post_ops.all);
                for (size_t k = begins; k < terms_; ++k)
                    part.terms[number_[k] - begins] = terms[k];
            }
            strided_kernel().compute(part);
            part.begun = {part.out.first, part.out.row, part.out.column};
        } while (start < sizes_.depth);
    }
};

} // namespace

void matmul(const Call &call) {
    const Product product(call);
    call.expect(call.outs.size() == 1, "the kernel takes other operands");
    if (call.outs[0].elements() > 0)
        Work(call, product).run();
}

int64_t matmul_scratch(const Call &call) {
    const Product product(call);
    return product.computed().packed_bytes() * product.lanes(call);
}

} // namespace lastuse::kernels
