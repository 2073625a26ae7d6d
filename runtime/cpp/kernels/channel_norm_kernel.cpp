// The kernels of channel_norm.hpp, in GCC's vectors of eight floats. Compiled once for each processor, in the namespace
// LASTUSE_PROCESSOR, with the compiler options of that processor (see CMakeLists.txt).
//
// No inline function of another header may be used here: the linker would keep one copy of it for all processors.
#include "channel_norm.hpp"

namespace lastuse::kernels::LASTUSE_PROCESSOR {

namespace {

constexpr int64_t width = channel_group; // numbers in a row of the arrays below

using Lane = float __attribute__((vector_size(32)));
using Four = float __attribute__((vector_size(16)));
using Wide = double __attribute__((vector_size(32)));

inline Lane load(const float *from) {
    Lane lane;
    __builtin_memcpy(&lane, from, sizeof lane);
    return lane;
}

inline void store(float *to, Lane lane) { __builtin_memcpy(to, &lane, sizeof lane); }

// Element i of a row belongs to lane i % width. Where channels are last a lane is a channel; else all are one channel.
struct Lanes {
    float values[width];
};
struct Sums {
    double first[width], second[width];
};

// The rows of a group of channels: `count` elements each, `stride` from one to the next.
struct Rows {
    int64_t begin, rows, count, stride;
};

Rows rows_of(const ChannelArray &array, int64_t channel, int64_t together) {
    if (array.last)
        return {channel, array.batch * array.inner, together, array.channels};
    return {channel * array.inner, array.batch, array.inner, array.channels * array.inner};
}

// What is summed of an element: `given` and `given * centred` of f64, four elements at a time or one.
struct Moments { // of x
    template <class Number>
    static Number given(Number, Number centred) {
        return centred;
    }
};
struct Products { // of dy
    template <class Number>
    static Number given(Number dy, Number) {
        return dy;
    }
};

inline Wide wide(const float *from) {
    Four four;
    __builtin_memcpy(&four, from, sizeof four);
    return __builtin_convertvector(four, Wide);
}

// The sums of given and of given * (x - origin).
template <class Kind>
void add_up(const float *x, const float *dy, const Rows &rows, const Lanes &origin, Sums &sums) {
    constexpr int64_t parts = width / 4;
    Wide first[parts] = {}, second[parts] = {}, from[parts];
    for (int64_t k = 0; k < parts; ++k)
        from[k] = wide(origin.values + 4 * k);
    for (int64_t row = 0; row < rows.rows; ++row) {
        const int64_t begin = rows.begin + row * rows.stride, end = begin + rows.count;
        int64_t at = begin;
        for (; at + width <= end; at += width)
            for (int64_t k = 0; k < parts; ++k) {
                const Wide centred = wide(x + at + 4 * k) - from[k];
                const Wide given = Kind::given(wide(dy + at + 4 * k), centred);
                first[k] += given;
                second[k] += given * centred;
            }
        for (int64_t j = 0; at + j < end; ++j) {
            const double centred = static_cast<double>(x[at + j]) - static_cast<double>(origin.values[j]);
            const double given = Kind::given(static_cast<double>(dy[at + j]), centred);
            sums.first[j] += given;
            sums.second[j] += given * centred;
        }
    }
    for (int64_t k = 0; k < parts; ++k) {
        Wide before[2];
        __builtin_memcpy(&before[0], sums.first + 4 * k, sizeof(Wide));
        __builtin_memcpy(&before[1], sums.second + 4 * k, sizeof(Wide));
        before[0] += first[k];
        before[1] += second[k];
        __builtin_memcpy(sums.first + 4 * k, &before[0], sizeof(Wide));
        __builtin_memcpy(sums.second + 4 * k, &before[1], sizeof(Wide));
    }
}

// All lanes are one channel: each gets the sum of all.
void join(Sums &sums) {
    double first = 0, second = 0;
    for (int64_t j = 0; j < width; ++j) {
        first += sums.first[j];
        second += sums.second[j];
    }
    for (int64_t j = 0; j < width; ++j) {
        sums.first[j] = first;
        sums.second[j] = second;
    }
}

// A channel, or where they are last the channels that share vectors: their rows, and a number for each lane.
struct Group {
    Rows rows;
    int64_t channel, lanes; // lanes that have a channel
    Sums sums;
    Lanes origin, factor, shift, slope;
};

// Groups that are computed together: rows are read whole then, where channels are last.
constexpr int64_t most_groups = 16;
struct Groups {
    int64_t count = 0;
    Group of[most_groups];
};

// The groups from channel `first` on, `end` at most; `first` becomes the channel behind them.
void take(const ChannelArray &array, int64_t &first, int64_t end, Groups &groups) {
    for (groups.count = 0; first < end && groups.count < (array.last ? most_groups : 1);) {
        const int64_t together = !array.last ? 1 : end - first < width ? end - first : width;
        Group &group = groups.of[groups.count++];
        group = {};
        group.rows = rows_of(array, first, together);
        group.channel = first;
        group.lanes = array.last ? together : width;
        first += together;
    }
}

// Calls `work` with each group and some of its rows, until it had all.
template <class Work>
void sweep(const ChannelArray &array, Groups &groups, Work work) {
    const int64_t rows = groups.of[0].rows.rows, step = array.last ? 16 : rows;
    for (int64_t row = 0; row < rows; row += step)
        for (int64_t k = 0; k < groups.count; ++k) {
            Rows part = groups.of[k].rows;
            part.begin += row * part.stride;
            part.rows = rows - row < step ? rows - row : step;
            work(groups.of[k], part);
        }
}

// y = (x - origin) * factor + shift
void scale_rows(const float *x, float *y, const Rows &rows, const Group &group) {
    for (int64_t row = 0; row < rows.rows; ++row) {
        const int64_t begin = rows.begin + row * rows.stride, end = begin + rows.count;
        int64_t at = begin;
        for (; at + width <= end; at += width)
            for (int64_t half = 0; half < width; half += 8) {
                const Lane centred = load(x + at + half) - load(group.origin.values + half);
                store(y + at + half, centred * load(group.factor.values + half) + load(group.shift.values + half));
            }
        for (int64_t j = 0; at + j < end; ++j)
            y[at + j] = (x[at + j] - group.origin.values[j]) * group.factor.values[j] + group.shift.values[j];
    }
}

// dx = (dy - shift - (x - origin) * slope) * factor
void go_back_rows(const float *dy, const float *x, float *dx, const Rows &rows, const Group &group) {
    for (int64_t row = 0; row < rows.rows; ++row) {
        const int64_t begin = rows.begin + row * rows.stride, end = begin + rows.count;
        int64_t at = begin;
        for (; at + width <= end; at += width)
            for (int64_t half = 0; half < width; half += 8) {
                const Lane centred = load(x + at + half) - load(group.origin.values + half);
                const Lane rest = load(dy + at + half) - load(group.shift.values + half) -
                                  centred * load(group.slope.values + half);
                store(dx + at + half, rest * load(group.factor.values + half));
            }
        for (int64_t j = 0; at + j < end; ++j)
            dx[at + j] = (dy[at + j] - group.shift.values[j] -
                          (x[at + j] - group.origin.values[j]) * group.slope.values[j]) *
                         group.factor.values[j];
    }
}

double square_root(double value) { return __builtin_sqrt(value); }

// An element of each channel: about it moments are taken, lest the square of a large mean hide a small variance.
void choose_origin(const ChannelNorm &norm, Group &group) {
    if (norm.array.batch * norm.array.inner == 0)
        return;
    for (int64_t j = 0; j < group.lanes; ++j) {
        const float element = norm.x[group.rows.begin + (norm.array.last ? j : 0)];
        group.origin.values[j] = element - element == 0.0f ? element : 0.0f; // neither infinite nor NaN
    }
}

void finish_statistics(const ChannelNorm &norm, Group &group) {
    const auto elements = static_cast<double>(norm.array.batch * norm.array.inner);
    const float kept = norm.momentum, added = 1.0f - kept;
    if (!norm.array.last)
        join(group.sums);
    for (int64_t j = 0; j < group.lanes; ++j) {
        const int64_t at = norm.array.last ? group.channel + j : group.channel;
        const double distance = group.sums.first[j] / elements;
        const double spread = group.sums.second[j] / elements - distance * distance;
        const double variance = spread < 0 ? 0.0 : spread;
        const auto mean = static_cast<float>(static_cast<double>(group.origin.values[j]) + distance);
        group.origin.values[j] = mean;
        group.factor.values[j] = static_cast<float>(static_cast<double>(norm.scale[at]) /
                                                    square_root(variance + static_cast<double>(norm.epsilon)));
        group.shift.values[j] = norm.bias[at];
        if (norm.array.last || j == 0) {
            norm.own_mean[at] = mean;
            norm.own_variance[at] = static_cast<float>(variance);
            norm.mean[at] = norm.old_mean[at] * kept + mean * added;
            norm.variance[at] = norm.old_variance[at] * kept + norm.own_variance[at] * added;
        }
    }
}

void finish_sums(const ChannelNormGradient &gradient, Group &group) {
    const ChannelArray &array = gradient.array;
    const auto elements = static_cast<double>(array.batch * array.inner);
    if (!array.last)
        join(group.sums);
    for (int64_t j = 0; j < group.lanes; ++j) {
        const int64_t at = array.last ? group.channel + j : group.channel;
        const double inverse =
            1.0 / square_root(static_cast<double>(gradient.variance[at]) + static_cast<double>(gradient.epsilon));
        group.factor.values[j] = static_cast<float>(static_cast<double>(gradient.scale[at]) * inverse);
        if (!gradient.fixed) {
            group.shift.values[j] = static_cast<float>(group.sums.first[j] / elements);
            group.slope.values[j] = static_cast<float>(group.sums.second[j] * inverse * inverse / elements);
        }
        if (array.last || j == 0) {
            gradient.dscale[at] = static_cast<float>(group.sums.second[j] * inverse);
            gradient.dbias[at] = static_cast<float>(group.sums.first[j]);
        }
    }
}

void normalize(const ChannelNorm &norm, int64_t first, int64_t end) {
    Groups groups;
    while (first < end) {
        take(norm.array, first, end, groups);
        for (int64_t k = 0; k < groups.count; ++k)
            choose_origin(norm, groups.of[k]);
        sweep(norm.array, groups, [&](Group &group, const Rows &rows) {
            add_up<Moments>(norm.x, norm.x, rows, group.origin, group.sums);
        });
        for (int64_t k = 0; k < groups.count; ++k)
            finish_statistics(norm, groups.of[k]);
        sweep(norm.array, groups,
              [&](const Group &group, const Rows &rows) { scale_rows(norm.x, norm.y, rows, group); });
    }
}

void go_back(const ChannelNormGradient &gradient, int64_t first, int64_t end) {
    Groups groups;
    while (first < end) {
        take(gradient.array, first, end, groups);
        for (int64_t k = 0; k < groups.count; ++k)
            for (int64_t j = 0; j < groups.of[k].lanes; ++j)
                groups.of[k].origin.values[j] =
                    gradient.mean[groups.of[k].channel + (gradient.array.last ? j : 0)];
        sweep(gradient.array, groups, [&](Group &group, const Rows &rows) {
            add_up<Products>(gradient.x, gradient.dy, rows, group.origin, group.sums);
        });
        for (int64_t k = 0; k < groups.count; ++k)
            finish_sums(gradient, groups.of[k]);
        sweep(gradient.array, groups, [&](const Group &group, const Rows &rows) {
            go_back_rows(gradient.dy, gradient.x, gradient.dx, rows, group);
        });
    }
}

} // namespace

const ChannelNormKernels channel_norm = {normalize, go_back};

} // namespace lastuse::kernels::LASTUSE_PROCESSOR
