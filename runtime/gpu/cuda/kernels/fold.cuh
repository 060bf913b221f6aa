// How a block of threads folds many numbers into one.
//
// A block is some columns of threads side by side. Each column works on one
// result: its threads share the elements out among them, fold what they got,
// and then the threads of a column are folded by halves. The order depends on
// nothing but the sizes, so the result is the same in every run, and what is
// added is kept in double, so the result is the true sum as far as a float32
// can tell. No memory is needed but the block's own.

// column is the number of this thread's result in the launch, lane its number
// among the threads of the column, and lanes how many those are: a power of two.
__device__ __forceinline__ u64 column() { return (u64)blockIdx.x * blockDim.x + threadIdx.x; }
__device__ __forceinline__ unsigned lane() { return threadIdx.y; }
__device__ __forceinline__ unsigned lanes() { return blockDim.y; }

struct Add {
    __device__ __forceinline__ double operator()(double sum, double a) const { return sum + a; }
};

// Larger and Smaller let what is not a number win.
struct Larger {
    __device__ __forceinline__ double operator()(double best, double a) const { return a > best || isnan(a) ? a : best; }
};

struct Smaller {
    __device__ __forceinline__ double operator()(double best, double a) const { return a < best || isnan(a) ? a : best; }
};

// fold combines the numbers that the threads of each column hold, and returns
// the result to all of them. Every thread of the block takes part.
template <class Combine> __device__ __forceinline__ double fold(double x, Combine combine) {
    __shared__ double slots[1024];
    unsigned here = lane() * blockDim.x + threadIdx.x;
    slots[here] = x;
    __syncthreads();
    for (unsigned half = lanes() / 2; half > 0; half /= 2) {
        if (lane() < half) slots[here] = combine(slots[here], slots[here + half * blockDim.x]);
        __syncthreads();
    }
    double result = slots[threadIdx.x];
    __syncthreads();
    return result;
}

// foldOver folds count numbers into one, from start on. The function gives the
// i-th of them. Each thread asks for AT_ONCE numbers before it folds the first,
// since memory answers late.
template <int AT_ONCE = 1, class Get, class Combine>
__device__ __forceinline__ double foldOver(u64 count, double start, Get get, Combine combine) {
    double result = start;
    u64 i = lane(), step = lanes();
#pragma unroll 1
    for (; i + (AT_ONCE - 1) * step < count; i += AT_ONCE * step) {
        double x[AT_ONCE];
#pragma unroll
        for (int k = 0; k < AT_ONCE; k++) x[k] = get(i + k * step);
#pragma unroll
        for (int k = 0; k < AT_ONCE; k++) result = combine(result, x[k]);
    }
#pragma unroll 1
    for (; AT_ONCE > 1 && i < count; i += step) result = combine(result, get(i));
    return fold(result, combine);
}
