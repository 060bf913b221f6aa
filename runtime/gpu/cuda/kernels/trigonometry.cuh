// Sine and cosine of any double.
//
// CUDA's own keep the digits of a large angle in local memory, and local memory
// is something that the driver takes behind our back. These need none.

// The first 1216 bits of 2/pi behind the binary point, after one word of zeros.
__constant__ u64 TWO_OVER_PI[20] = {
    0x0000000000000000ull, 0xa2f9836e4e441529ull, 0xfc2757d1f534ddc0ull, 0xdb6295993c439041ull,
    0xfe5163abdebbc561ull, 0xb7246e3a424dd2e0ull, 0x06492eea09d1921cull, 0xfe1deb1cb129a73eull,
    0xe88235f52ebb4484ull, 0xe99c7026b45f7e41ull, 0x3991d639835339f4ull, 0x9c845f8bbdf9283bull,
    0x1ff897ffde05980full, 0xef2f118b5a0a6d1full, 0x6d367ecf27cb09b7ull, 0x4f463f669e5fea2dull,
    0x7527bac7ebe5f17bull, 0x3d0739f78a5292eaull, 0x6bfb5fb11f8d5d08ull, 0x56033046fc7b6babull,
};

// The half of pi as a sum of three doubles.
const double HALF_PI = 0x1.921fb54442d18p+0;
const double HALF_PI_2 = 0x1.1a62633145c07p-54;
const double HALF_PI_3 = -0x1.f1976b7ed8fbcp-110;

// Angle is a whole number of quarter turns, of which two bits matter, and a rest
// between -pi/4 and pi/4.
struct Angle {
    unsigned quarters;
    double rest;
};

// nearAngle takes an angle of less than a million apart. The first step is
// exact: quarters times HALF_PI has no bit that the difference lacks.
__device__ __forceinline__ Angle nearAngle(double x) {
    double quarters = rint(x * (1 / HALF_PI));
    double rest = fma(-quarters, HALF_PI, x);
    rest = fma(-quarters, HALF_PI_2, rest);
    rest = fma(-quarters, HALF_PI_3, rest);
    return {(unsigned)(int)quarters, rest};
}

// farAngle takes a larger angle apart. x is an integer m times a power of two.
// Only those bits of 2/pi matter that m turns into the last two bits before the
// point and into some behind it: 192 bits in all. The product of m with them is
// the angle in quarter turns, without what is a multiple of four.
__device__ __forceinline__ Angle farAngle(double x) {
    u64 bits = (u64)__double_as_longlong(x) & 0x7fffffffffffffffull;
    u64 m = (bits & 0xfffffffffffffull) | 0x10000000000000ull;
    int start = (int)(bits >> 52) - 1075 + 62, word = start / 64, shift = start % 64;
    u64 part[3];
#pragma unroll
    for (int j = 0; j < 3; j++) {
        part[j] = TWO_OVER_PI[word + j] << shift;
        if (shift > 0) part[j] |= TWO_OVER_PI[word + j + 1] >> (64 - shift);
    }
    u64 middle = m * part[1], carry = __umul64hi(m, part[2]);
    u64 top = m * part[0] + __umul64hi(m, part[1]);
    middle += carry;
    if (middle < carry) top++;
    unsigned quarters = (unsigned)(top >> 62);
    i64 high = (i64)(top << 2 | middle >> 62); // as a signed number: the nearest quarter is taken off
    u64 low = middle << 2;
    if (high < 0) quarters++;
    double rest = ((double)high * 0x1p-64 + (double)low * 0x1p-128) * HALF_PI;
    return x < 0 ? Angle{0u - quarters, -rest} : Angle{quarters, rest};
}

__device__ __forceinline__ Angle angle(double x) { return fabs(x) < 0x1p20 ? nearAngle(x) : farAngle(x); }

// The Taylor series of sine and cosine, as far as they matter below pi/4.
__device__ __forceinline__ double sineOfRest(double r) {
    double z = r * r, sum = 1 / 51090942171709440000.0; // 1/21!
    sum = fma(-sum, z, 1 / 121645100408832000.0);
    sum = fma(-sum, z, 1 / 355687428096000.0);
    sum = fma(-sum, z, 1 / 1307674368000.0);
    sum = fma(-sum, z, 1 / 6227020800.0);
    sum = fma(-sum, z, 1 / 39916800.0);
    sum = fma(-sum, z, 1 / 362880.0);
    sum = fma(-sum, z, 1 / 5040.0);
    sum = fma(-sum, z, 1 / 120.0);
    sum = fma(-sum, z, 1 / 6.0);
    return fma(-sum * z, r, r);
}

__device__ __forceinline__ double cosineOfRest(double r) {
    double z = r * r, sum = 1 / 2432902008176640000.0; // 1/20!
    sum = fma(-sum, z, 1 / 6402373705728000.0);
    sum = fma(-sum, z, 1 / 20922789888000.0);
    sum = fma(-sum, z, 1 / 87178291200.0);
    sum = fma(-sum, z, 1 / 479001600.0);
    sum = fma(-sum, z, 1 / 3628800.0);
    sum = fma(-sum, z, 1 / 40320.0);
    sum = fma(-sum, z, 1 / 720.0);
    sum = fma(-sum, z, 1 / 24.0);
    sum = fma(-sum, z, 0.5);
    return fma(-sum, z, 1.0);
}

// quarterTurn is the sine of an angle.
__device__ __forceinline__ double quarterTurn(unsigned quarters, double rest) {
    double x = quarters & 1 ? cosineOfRest(rest) : sineOfRest(rest);
    return quarters & 2 ? -x : x;
}

__device__ __forceinline__ double sine(double x) {
    if (!isfinite(x)) return x - x;
    if (x == 0) return x;
    Angle a = angle(x);
    return quarterTurn(a.quarters, a.rest);
}

__device__ __forceinline__ double cosine(double x) {
    if (!isfinite(x)) return x - x;
    Angle a = angle(x);
    return quarterTurn(a.quarters + 1, a.rest);
}
