// The generator. It counts instead of stepping, so each thread makes its own
// draws, and the same state gives the same numbers as on the CPU.

// mix spreads the bits of x (the finalizer of splitmix64).
__device__ __forceinline__ u64 mix(u64 x) {
    x ^= x >> 30;
    x *= 0xbf58476d1ce4e5b9ull;
    x ^= x >> 27;
    x *= 0x94d049bb133111ebull;
    return x ^ x >> 31;
}

// uniform returns the draw of that number, in [0, 1).
__device__ __forceinline__ double uniform(u64 seed, u64 draw) {
    return (double)(mix(mix(seed) + draw * 0x9e3779b97f4a7c15ull) >> 11) * 0x1p-53;
}

// normal returns the i-th number of a launch by the method of Box and Muller,
// which takes two draws.
__device__ __forceinline__ double normal(u64 seed, u64 draw, u64 i) {
    double u = 1 - uniform(seed, draw + 2 * i), v = uniform(seed, draw + 2 * i + 1);
    return sqrt(-2 * log(u)) * cosine(4 * HALF_PI * v);
}
