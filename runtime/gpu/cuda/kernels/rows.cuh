// Kernels that work on rows: all elements along one dimension.
//
// The windows have the other dimensions, and each operand has one word more:
// the step from one element of the row to the next.

// Row is one row of an operand.
struct Row {
    u64 first;
    int type;
    i64 at, step;

    __device__ __forceinline__ double operator[](u64 i) const { return load(first, type, at + (i64)i * step); }
    __device__ __forceinline__ void set(u64 i, double x) const { store(first, type, at + (i64)i * step, x); }
};

__device__ __forceinline__ Row row(const Operand &o, u64 step) { return {o.first, o.type, o.at, (i64)step}; }

// eachOf calls the function with the numbers of all elements of a row.
template <class Do> __device__ __forceinline__ void eachOf(u64 length, Do act) {
#pragma unroll 1
    for (u64 i = lane(); i < length; i += lanes()) act(i);
}

// softmaxOf takes the largest element off first, so that no power overflows.
__device__ __forceinline__ void softmaxOf(u64 name, u64 length, Row out, Row x) {
    double largest = foldOver(length, -INFINITY, [&](u64 i) { return x[i]; }, Larger());
    double sum = foldOver(length, 0, [&](u64 i) { return exp(x[i] - largest); }, Add());
    double offset = largest + log(sum);
    eachOf(length, [&](u64 i) {
        double y = x[i] - offset;
        out.set(i, name == SOFTMAX ? exp(y) : y);
    });
}

// momentOf writes one number for a row: its mean, or one over its deviation. The
// scalar keeps that finite.
__device__ __forceinline__ void momentOf(u64 name, u64 length, Row out, Row x, double scalar, bool real) {
    double mean = foldOver(length, 0, [&](u64 i) { return x[i]; }, Add()) / (double)length;
    double result = mean;
    if (name == ROW_RSTD) {
        double squares = foldOver(length, 0, [&](u64 i) { return (x[i] - mean) * (x[i] - mean); }, Add());
        result = 1 / sqrt(squares / (double)length + scalar);
    }
    if (real && lane() == 0) out.set(0, result);
}

extern "C" __global__ void rows1(u64 name, SHAPE(s), u64 length, OPERAND(out), u64 out_step, OPERAND(a), u64 a_step, u64 scalar) {
    Shape shape = SHAPE_OF(s);
    Operand o[] = {OPERAND_OF(out, s_form, 0), OPERAND_OF(a, s_form, 1)};
    u64 i = column();
    bool real = i < shape.count;
    if (real) locate(shape, i, o);
    else length = 0;
    Row result = row(o[0], out_step), x = row(o[1], a_step);
    if (name == SOFTMAX || name == LOG_SOFTMAX) softmaxOf(name, length, result, x);
    else momentOf(name, length, result, x, __longlong_as_double(scalar), real);
}

// rows2 is the gradient of a softmax. Of the plain one, a is the gradient times
// the result; of the logarithm's it is the gradient alone. b is the result.
extern "C" __global__ void rows2(u64 name, SHAPE(s), u64 length, OPERAND(out), u64 out_step, OPERAND(a), u64 a_step, OPERAND(b), u64 b_step) {
    Shape shape = SHAPE_OF(s);
    Operand o[] = {OPERAND_OF(out, s_form, 0), OPERAND_OF(a, s_form, 1), OPERAND_OF(b, s_form, 2)};
    u64 i = column();
    if (i < shape.count) locate(shape, i, o);
    else length = 0;
    Row result = row(o[0], out_step), g = row(o[1], a_step), y = row(o[2], b_step);
    double sum = foldOver(length, 0, [&](u64 k) { return g[k]; }, Add());
    eachOf(length, [&](u64 k) {
        double share = name == SOFTMAX_BACKWARD ? y[k] : exp(y[k]);
        result.set(k, g[k] - share * sum);
    });
}
