// What a launch hands over, and how kernels read and write elements.
//
// Every parameter is one word of eight bytes: an address, a size, a step, the
// bits of a double. The host has put the windows together: dimensions that lie
// without a gap are one, dimensions of one element are gone. The fastest
// dimension comes first.

typedef unsigned long long u64;
typedef long long i64;

// The most dimensions that a window has after that. window.go has the number too.
const int RANK = 8;

// The element types, numbered as gpu.DType numbers them. A NUMBER is no memory:
// its address word holds the bits of a double.
enum Type { FLOAT32, FLOAT64, INT64, UINT8, BOOL, NUMBER };

// The kernels, numbered as the table in plan.go numbers them.
enum Name {
    COPY, FILL, NEG, ABS, SIGN, EXP, LOG, SQRT, SIN, COS, TANH, SIGMOID, RELU, GELU, SILU, RECIPROCAL,
    ADD_SCALAR, SUB_FROM, MUL_SCALAR, DIV_SCALAR, POW_SCALAR, CLAMP_MIN, CLAMP_MAX, LEAKY_RELU,
    ADD, SUB, MUL, DIV,
    RELU_BACKWARD, TANH_BACKWARD, SIGMOID_BACKWARD, GELU_BACKWARD, SILU_BACKWARD, LEAKY_RELU_BACKWARD,
    DROPOUT, EQ, GE_SCALAR, LE_SCALAR, EQ_SCALAR, ISNAN, LOGICAL_AND, LOGICAL_OR, WHERE, MASKED_FILL,
    MSE, MSE_BACKWARD, LAYER_NORM, RANDN, RAND, BERNOULLI,
    SUM, NORM, MAX, MIN,
    SOFTMAX, LOG_SOFTMAX, ROW_MEAN, ROW_RSTD, SOFTMAX_BACKWARD, LOG_SOFTMAX_BACKWARD,
    LAYER_NORM_BACKWARD, LAYER_NORM_WEIGHT, NLL_LOSS, NLL_LOSS_BACKWARD, MATMUL, ADDMM
};

// Shape is the sizes that the windows of a launch share.
struct Shape {
    u64 count; // elements in all
    int rank;
    u64 size[RANK];
};

// SHAPE declares the words of a shape, and SHAPE_OF collects them. The form has
// the rank in its lowest byte, and above it one byte for the type of each
// operand.
#define SHAPE(s) u64 s##_count, u64 s##_form, \
    u64 s##_0, u64 s##_1, u64 s##_2, u64 s##_3, u64 s##_4, u64 s##_5, u64 s##_6, u64 s##_7
#define SHAPE_OF(s) {s##_count, (int)(s##_form & 255), {s##_0, s##_1, s##_2, s##_3, s##_4, s##_5, s##_6, s##_7}}

// Operand is one window: its first element, and the steps between neighbours of
// each dimension, in elements.
struct Operand {
    u64 first;
    int type;
    i64 stride[RANK];
    i64 at; // the place that load and store mean
};

// OPERAND declares the words of an operand, and OPERAND_OF collects those of the
// one that the form tells the n-th type of.
#define OPERAND(o) u64 o##_first, \
    u64 o##_0, u64 o##_1, u64 o##_2, u64 o##_3, u64 o##_4, u64 o##_5, u64 o##_6, u64 o##_7
#define OPERAND_OF(o, form, n) {o##_first, TYPE_OF(form, n), \
    {(i64)o##_0, (i64)o##_1, (i64)o##_2, (i64)o##_3, (i64)o##_4, (i64)o##_5, (i64)o##_6, (i64)o##_7}, 0}
#define TYPE_OF(form, n) ((int)(form >> (8 * (n + 1)) & 255))

// load reads an element. Arithmetic is in double for every type, as on the CPU,
// and rounds once, when the result is stored: so both get the same number.
__device__ __forceinline__ double load(u64 first, int type, i64 at) {
    switch (type) {
    case FLOAT32: return ((const float *)first)[at];
    case FLOAT64: return ((const double *)first)[at];
    case INT64: return (double)((const i64 *)first)[at];
    case NUMBER: return __longlong_as_double(first);
    default: return ((const unsigned char *)first)[at];
    }
}

__device__ __forceinline__ double load(const Operand &o) { return load(o.first, o.type, o.at); }

// whole cuts the fraction off. What no integer can hold becomes the smallest
// one, which is what x86 processors make of it.
__device__ __forceinline__ i64 whole(double x) {
    return x >= -0x1p63 && x < 0x1p63 ? (i64)x : (i64)0x8000000000000000ull;
}

// store writes an element.
__device__ __forceinline__ void store(u64 first, int type, i64 at, double x) {
    switch (type) {
    case FLOAT32: ((float *)first)[at] = (float)x; break;
    case FLOAT64: ((double *)first)[at] = x; break;
    case INT64: ((i64 *)first)[at] = whole(x); break;
    case UINT8: ((unsigned char *)first)[at] = (unsigned char)whole(x); break;
    case BOOL: ((unsigned char *)first)[at] = x != 0; break;
    }
}

__device__ __forceinline__ void store(const Operand &o, double x) { store(o.first, o.type, o.at, x); }

// locate sets the place of the i-th element, in row-major order, in each of the
// operands. A window of one dimension needs no division.
template <int N> __device__ __forceinline__ void locate(const Shape &s, u64 i, Operand (&o)[N]) {
#pragma unroll
    for (int d = 0; d < RANK; d++) {
        if (d >= s.rank) break;
        u64 index = i;
        if (d + 1 < s.rank) {
            i = index / s.size[d];
            index -= i * s.size[d];
        }
#pragma unroll
        for (int k = 0; k < N; k++) o[k].at += (i64)index * o[k].stride[d];
    }
}
