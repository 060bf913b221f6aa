// Kernels that make each element of the output from its number and from the
// elements of the inputs that have the same number. One thread makes one
// element, so the output may be an input.
//
// There is one kernel for each number of inputs, and the first word says what
// it computes. All threads take the same turn there, which costs nothing beside
// the memory; and the module stays small enough to be compiled in a moment.

// thread is the number of this thread in the launch.
__device__ __forceinline__ u64 thread() { return (u64)blockIdx.x * blockDim.x + threadIdx.x; }

__device__ __forceinline__ double truth(bool yes) { return yes ? 1 : 0; }

__device__ __forceinline__ double sigmoid(double a) { return 1 / (1 + exp(-a)); }

// below is the probability that a standard normal number is below a.
__device__ __forceinline__ double below(double a) { return erfc(-a / 0x1.6a09e667f3bcdp+0) / 2; }

__device__ __forceinline__ double geluSlope(double a) {
    double density = exp(-a * a / 2) / 0x1.40d931ff62706p+1; // the root of two pi
    return below(a) + a * density;
}

__device__ __forceinline__ double siluSlope(double a) {
    double s = sigmoid(a);
    return s * (1 + a * (1 - s));
}

// The comparisons are such that what is not a number passes.
__device__ __forceinline__ double clampMin(double a, double low) { return a < low ? low : a; }
__device__ __forceinline__ double clampMax(double a, double high) { return a > high ? high : a; }
__device__ __forceinline__ double sign(double a) { return a > 0 ? 1 : a < 0 ? -1 : a; }

// power multiplies where the exponent is a small whole number, so that powers of
// integers are integers.
__device__ __forceinline__ double power(double a, double exponent) {
    if (!(exponent >= 0 && exponent <= 64 && exponent == floor(exponent))) return pow(a, exponent);
    double result = 1;
#pragma unroll 1
    for (int left = (int)exponent; left > 0; left /= 2) {
        if (left & 1) result *= a;
        a *= a;
    }
    return result;
}

// pointwise0 writes numbers that depend on no input.
extern "C" __global__ void pointwise0(u64 name, SHAPE(s), OPERAND(out), u64 scalar, u64 seed, u64 draw) {
    u64 i = thread();
    if (i >= s_count) return;
    Shape shape = SHAPE_OF(s);
    Operand o[] = {OPERAND_OF(out, s_form, 0)};
    locate(shape, i, o);
    double number = __longlong_as_double(scalar), result = 0;
    switch (name) {
    case FILL: result = number; break;
    case RAND: result = uniform(seed, draw + i); break;
    case RANDN: result = normal(seed, draw, i); break;
    case BERNOULLI: result = truth(uniform(seed, draw + i) < number); break;
    }
    store(o[0], result);
}

// pointwise1 is a function of one element a and a number s.
__device__ __forceinline__ double ofOne(u64 name, double a, double s) {
    switch (name) {
    case COPY: return a;
    case NEG: return -a;
    case ABS: return fabs(a);
    case SIGN: return sign(a);
    case EXP: return exp(a);
    case LOG: return log(a);
    case SQRT: return sqrt(a);
    case SIN: return sine(a);
    case COS: return cosine(a);
    case TANH: return tanh(a);
    case SIGMOID: return sigmoid(a);
    case RELU: return clampMin(a, 0);
    case GELU: return a * below(a);
    case SILU: return a * sigmoid(a);
    case RECIPROCAL: return 1 / a;
    case ADD_SCALAR: return a + s;
    case SUB_FROM: return s - a;
    case MUL_SCALAR: return a * s;
    case DIV_SCALAR: return a / s;
    case POW_SCALAR: return power(a, s);
    case CLAMP_MIN: return clampMin(a, s);
    case CLAMP_MAX: return clampMax(a, s);
    case LEAKY_RELU: return a > 0 ? a : a * s;
    case GE_SCALAR: return truth(a >= s);
    case LE_SCALAR: return truth(a <= s);
    case EQ_SCALAR: return truth(a == s);
    case ISNAN: return truth(isnan(a));
    }
    return 0;
}

extern "C" __global__ void pointwise1(u64 name, SHAPE(s), OPERAND(out), OPERAND(a), u64 scalar) {
    u64 i = thread();
    if (i >= s_count) return;
    Shape shape = SHAPE_OF(s);
    Operand o[] = {OPERAND_OF(out, s_form, 0), OPERAND_OF(a, s_form, 1)};
    locate(shape, i, o);
    store(o[0], ofOne(name, load(o[1]), __longlong_as_double(scalar)));
}

// pointwise2 is a function of two elements and a number. In a backward
// function a is the gradient of the result.
__device__ __forceinline__ double ofTwo(u64 name, double a, double b, double s) {
    switch (name) {
    case ADD: return a + b;
    case SUB: return a - b;
    case MUL: return a * b;
    case DIV: return a / b;
    case EQ: return truth(a == b);
    case LOGICAL_AND: return truth(a != 0 && b != 0);
    case LOGICAL_OR: return truth(a != 0 || b != 0);
    case MASKED_FILL: return b != 0 ? s : a;
    case DROPOUT: return a * b * s;
    case MSE: return (a - b) * (a - b);
    case RELU_BACKWARD: return b > 0 ? a : 0;
    case TANH_BACKWARD: return a * (1 - b * b);
    case SIGMOID_BACKWARD: return a * b * (1 - b);
    case GELU_BACKWARD: return a * geluSlope(b);
    case SILU_BACKWARD: return a * siluSlope(b);
    case LEAKY_RELU_BACKWARD: return b > 0 ? a : a * s;
    }
    return 0;
}

extern "C" __global__ void pointwise2(u64 name, SHAPE(s), OPERAND(out), OPERAND(a), OPERAND(b), u64 scalar) {
    u64 i = thread();
    if (i >= s_count) return;
    Shape shape = SHAPE_OF(s);
    Operand o[] = {OPERAND_OF(out, s_form, 0), OPERAND_OF(a, s_form, 1), OPERAND_OF(b, s_form, 2)};
    locate(shape, i, o);
    store(o[0], ofTwo(name, load(o[1]), load(o[2]), __longlong_as_double(scalar)));
}

// pointwise3 is a function of three elements and a number.
__device__ __forceinline__ double ofThree(u64 name, double a, double b, double c, double s) {
    switch (name) {
    case WHERE: return a != 0 ? b : c;
    case MSE_BACKWARD: return s * (b - c) * a;
    case LAYER_NORM: return (a - b) * c; // an element, its row's mean and deviation
    }
    return 0;
}

extern "C" __global__ void pointwise3(u64 name, SHAPE(s), OPERAND(out), OPERAND(a), OPERAND(b), OPERAND(c), u64 scalar) {
    u64 i = thread();
    if (i >= s_count) return;
    Shape shape = SHAPE_OF(s);
    Operand o[] = {OPERAND_OF(out, s_form, 0), OPERAND_OF(a, s_form, 1), OPERAND_OF(b, s_form, 2), OPERAND_OF(c, s_form, 3)};
    locate(shape, i, o);
    store(o[0], ofThree(name, load(o[1]), load(o[2]), load(o[3]), __longlong_as_double(scalar)));
}
