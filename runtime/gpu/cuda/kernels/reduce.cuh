// Reductions: sum, norm, max and min over some dimensions.
//
// The windows of the output and of the input's first elements have the
// dimensions that are kept; a second shape and window have those that are
// folded.

// Line is the elements that fall on one result: a window on the input, which
// starts at another place for each result.
struct Line {
    static const int AT_ONCE = 1;
    Shape shape;
    Operand o;
    i64 start;

    __device__ __forceinline__ double operator()(u64 i) const {
        Operand here[] = {o};
        here[0].at = start;
        locate(shape, i, here);
        return load(here[0]);
    }
};

// Packed is a line of float32 numbers that lie at equal steps: by far the most
// common kind, so it has a short path.
struct Packed {
    static const int AT_ONCE = 8;
    const float *first;
    i64 stride;

    __device__ __forceinline__ double operator()(u64 i) const { return first[(i64)i * stride]; }
};

// Reduction is how a kernel folds: it starts with a number that changes nothing.
struct Reduction {
    u64 name;

    __device__ __forceinline__ double start() const { return name == MAX ? -INFINITY : name == MIN ? INFINITY : 0; }

    __device__ __forceinline__ double operator()(double result, double a) const {
        switch (name) {
        case MAX: return Larger()(result, a);
        case MIN: return Smaller()(result, a);
        default: return result + a;
        }
    }
};

template <class Get> __device__ __forceinline__ double reduced(u64 name, u64 count, Get get, double scalar) {
    Reduction r = {name};
    auto element = [&](u64 i) {
        double x = get(i);
        return name == NORM ? x * x : x;
    };
    double result = foldOver<Get::AT_ONCE>(count, r.start(), element, r);
    return name == SUM ? result * scalar : name == NORM ? sqrt(result) : result;
}

extern "C" __global__ void reduce(u64 name, SHAPE(kept), OPERAND(out), OPERAND(a), SHAPE(line), OPERAND(along), u64 scalar) {
    Shape kept = SHAPE_OF(kept);
    Operand o[] = {OPERAND_OF(out, kept_form, 0), OPERAND_OF(a, kept_form, 1)};
    u64 i = column(), count = 0;
    if (i < kept.count) {
        locate(kept, i, o);
        count = line_count;
    }
    Line line = {SHAPE_OF(line), OPERAND_OF(along, line_form, 0), o[1].at};
    double number = __longlong_as_double(scalar), result;
    if (line.o.type == FLOAT32 && line.shape.rank <= 1)
        result = reduced(name, count, Packed{(const float *)line.o.first + line.start, line.o.stride[0]}, number);
    else
        result = reduced(name, count, line, number);
    if (i < kept.count && lane() == 0) store(o[0], result);
}
