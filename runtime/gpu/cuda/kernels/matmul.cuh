// The matrix product. Blocks of 256 threads make square tiles of the result:
// strips of the factors go to shared memory once and are read from there by
// all threads, each of which keeps a small square of sums in its registers.
//
// Sums are in the type of the elements, one product after the other, as the
// CPU's are.

const int THREADS = 16; // along each side of a tile
const int DEPTH = 8;    // of a strip

// Matrix is a window of two dimensions.
struct Matrix {
    u64 first;
    i64 rows, columns, row, column; // sizes, and steps
};

// turned shows the matrix with rows and columns changed over.
__device__ __forceinline__ Matrix turned(const Matrix &m) { return {m.first, m.columns, m.rows, m.column, m.row}; }

#define MATRIX(m) u64 m##_first, u64 m##_rows, u64 m##_columns, u64 m##_row, u64 m##_column
#define MATRIX_OF(m) {m##_first, (i64)m##_rows, (i64)m##_columns, (i64)m##_row, (i64)m##_column}

// Strip is a piece of a factor: SIDE rows of a, or columns of b, and DEPTH deep.
// A gap behind each line spreads the lines over the banks of the memory.
template <class T, int SIDE> struct __align__(16) Strip {
    T line[DEPTH][SIDE + 16 / sizeof(T)];
};

// Loader brings strips of one factor, one after the other. Each thread brings
// some elements of each, at equal steps. Threads that stand side by side read
// what lies side by side.
template <class T, int SIDE> struct Loader {
    static const int ALL = THREADS * THREADS, EACH = SIDE * DEPTH / ALL;
    const T *next; // this thread's first element of the next strip
    i64 step, strip; // to its next element, and to the next strip
    int along, deep, alongStep, deepStep, width;
    T held[EACH];

    // The matrix has SIDE along its rows, which begin at from.
    __device__ __forceinline__ Loader(Matrix m, i64 from) {
        int thread = threadIdx.x;
        bool deepFirst = m.column <= m.row;
        along = deepFirst ? thread / DEPTH : thread % SIDE;
        deep = deepFirst ? thread % DEPTH : thread / SIDE;
        alongStep = deepFirst ? ALL / DEPTH : 0;
        deepStep = deepFirst ? 0 : ALL / SIDE;
        width = (int)min((i64)SIDE, m.rows - from);
        next = (const T *)m.first + (from + along) * m.row + deep * m.column;
        step = alongStep * m.row + deepStep * m.column;
        strip = DEPTH * m.column;
    }

    // fetch asks for the next strip, of a rest that is so deep. Beyond the edge
    // are zeros.
    __device__ __forceinline__ void fetch(i64 left) {
        int depth = (int)min((i64)DEPTH, left);
#pragma unroll
        for (int k = 0; k < EACH; k++) {
            bool inside = along + k * alongStep < width && deep + k * deepStep < depth;
            held[k] = inside ? next[k * step] : 0;
        }
        next += strip;
    }

    // put lays what was fetched into shared memory.
    __device__ __forceinline__ void put(Strip<T, SIDE> &to) const {
#pragma unroll
        for (int k = 0; k < EACH; k++) to.line[deep + k * deepStep][along + k * alongStep] = held[k];
    }
};

__device__ __forceinline__ float multiplyAdd(float a, float b, float sum) { return fmaf(a, b, sum); }
__device__ __forceinline__ double multiplyAdd(double a, double b, double sum) { return fma(a, b, sum); }

// inTile is the row (or column) of a thread's k-th sum. They come in fours,
// which are read from shared memory together.
__device__ __forceinline__ int inTile(int thread, int k) { return k / 4 * (4 * THREADS) + thread * 4 + k % 4; }

template <class T, int SIDE>
__device__ __forceinline__ void product(Matrix out, Matrix a, Matrix b, Matrix bias) {
    const int EACH = SIDE / THREADS;
    __shared__ Strip<T, SIDE> stripA, stripB;
    i64 tiles = (out.columns + SIDE - 1) / SIDE;
    i64 row = blockIdx.x / tiles * SIDE, column = blockIdx.x % tiles * SIDE;
    int x = threadIdx.x % THREADS, y = threadIdx.x / THREADS;
    Loader<T, SIDE> fromA(a, row), fromB(turned(b), column);
    T sum[EACH][EACH] = {};

    fromA.fetch(a.columns);
    fromB.fetch(a.columns);
    for (i64 left = a.columns; left > 0; left -= DEPTH) {
        fromA.put(stripA);
        fromB.put(stripB);
        __syncthreads();
        fromA.fetch(left - DEPTH); // while the threads compute
        fromB.fetch(left - DEPTH);
#pragma unroll 2
        for (int d = 0; d < DEPTH; d++) {
            T ofA[EACH], ofB[EACH];
#pragma unroll
            for (int k = 0; k < EACH; k++) {
                ofA[k] = stripA.line[d][inTile(y, k)];
                ofB[k] = stripB.line[d][inTile(x, k)];
            }
#pragma unroll
            for (int i = 0; i < EACH; i++)
#pragma unroll
                for (int j = 0; j < EACH; j++) sum[i][j] = multiplyAdd(ofA[i], ofB[j], sum[i][j]);
        }
        __syncthreads();
    }

#pragma unroll
    for (int i = 0; i < EACH; i++)
#pragma unroll
        for (int j = 0; j < EACH; j++) {
            i64 r = row + inTile(y, i), c = column + inTile(x, j);
            if (r >= out.rows || c >= out.columns) continue;
            T result = sum[i][j];
            if (bias.rows > 0) result += ((const T *)bias.first)[r * bias.row + c * bias.column];
            ((T *)out.first)[r * out.row + c * out.column] = result;
        }
}

// The bias has no rows where there is none.
#define PRODUCT(name, T, SIDE) \
    extern "C" __global__ void __launch_bounds__(THREADS * THREADS) \
        name(MATRIX(out), MATRIX(a), MATRIX(b), MATRIX(bias)) { \
        product<T, SIDE>(MATRIX_OF(out), MATRIX_OF(a), MATRIX_OF(b), MATRIX_OF(bias)); \
    }

// Large tiles for large products, small ones so that a product of middling size
// has work for every multiprocessor.
PRODUCT(matmul_large, float, 128)
PRODUCT(matmul_small, float, 64)
PRODUCT(matmul_double, double, 64)
