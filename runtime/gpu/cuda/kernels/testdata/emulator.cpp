// A GPU for tests: it runs the kernels on the CPU, one thread after the other.
//
// The kernels are compiled as C++ as they stand. Each of a block's threads is a
// coroutine that runs to the next barrier. Commands come over the standard input
// and answers go to the standard output, both as words of eight bytes.

#include <algorithm>
#include <cmath>
#include <csetjmp>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <ucontext.h>
#include <utility>
#include <vector>

#define __global__
#define __device__
#define __forceinline__ inline
#define __constant__ static const
#define __shared__ static
#define __align__(n) alignas(n)
#define __launch_bounds__(...)

using std::isfinite;
using std::isnan;
using std::max;
using std::min;

struct Index {
    unsigned x, y, z;
};

static Index threadIdx, blockIdx, blockDim;

static unsigned long long __umul64hi(unsigned long long a, unsigned long long b) { return (unsigned __int128)a * b >> 64; }

static double __longlong_as_double(long long bits) {
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static long long __double_as_longlong(double x) {
    long long bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static void __trap() {
    fprintf(stderr, "a kernel stopped itself\n");
    exit(3);
}

static void __syncthreads();

#include "../kernels.cu"

// Call is one launch: a function that takes its words.
struct Call {
    void (*run)(const u64 *words);
    const u64 *words;
};

static Call call;

// Coroutine runs one thread of a block after the other, block by block. It
// begins with a context of its own; after that, jumps are faster.
struct Coroutine {
    ucontext_t context;
    jmp_buf at;
    Index index;
    bool begun, done;
    char stack[1 << 16];
};

static std::vector<std::unique_ptr<Coroutine>> coroutines;
static jmp_buf scheduler;
static Coroutine *current;

static void __syncthreads() {
    if (!_setjmp(current->at)) _longjmp(scheduler, 1);
}

static void live() {
    for (;;) {
        call.run(call.words);
        current->done = true;
        __syncthreads();
    }
}

// resume runs a coroutine up to its next barrier.
static void resume(Coroutine &c) {
    current = &c;
    threadIdx = c.index;
    if (_setjmp(scheduler)) return;
    if (c.begun) _longjmp(c.at, 1);
    c.begun = true;
    getcontext(&c.context);
    c.context.uc_stack.ss_sp = c.stack;
    c.context.uc_stack.ss_size = sizeof c.stack;
    makecontext(&c.context, live, 0);
    setcontext(&c.context);
}

static void runBlock() {
    unsigned threads = blockDim.x * blockDim.y;
    while (coroutines.size() < threads) coroutines.push_back(std::make_unique<Coroutine>());
    for (unsigned i = 0; i < threads; i++) {
        coroutines[i]->index = {i % blockDim.x, i / blockDim.x, 0};
        coroutines[i]->done = false;
    }
    for (bool more = true; more;) {
        more = false;
        for (unsigned i = 0; i < threads; i++) {
            if (coroutines[i]->done) continue;
            resume(*coroutines[i]);
            more = more || !coroutines[i]->done;
        }
    }
}

// Function is an entry of the table: how many words it takes, and how it is
// called with them.
struct Function {
    const char *name;
    u64 words;
    void (*run)(const u64 *words);
};

template <auto kernel, class... Word, size_t... I>
constexpr Function entry(const char *name, void (*)(Word...), std::index_sequence<I...>) {
    return {name, sizeof...(I), [](const u64 *words) { kernel(words[I]...); }};
}

template <class... Word> constexpr auto counted(void (*)(Word...)) { return std::make_index_sequence<sizeof...(Word)>(); }

#define FUNCTION(name) entry<name>(#name, name, counted(name))

static const Function functions[] = {
    FUNCTION(pointwise0), FUNCTION(pointwise1), FUNCTION(pointwise2), FUNCTION(pointwise3), FUNCTION(layer_norm_affine),
    FUNCTION(reduce), FUNCTION(rows1), FUNCTION(rows2), FUNCTION(layer_norm_backward), FUNCTION(layer_norm_weight),
    FUNCTION(nll_loss), FUNCTION(nll_loss_backward), FUNCTION(matmul_large), FUNCTION(matmul_small), FUNCTION(matmul_double),
};

static void receive(void *p, size_t n) {
    if (fread(p, 1, n, stdin) != n) exit(0);
}

static u64 word() {
    u64 w;
    receive(&w, sizeof w);
    return w;
}

static void send(const void *p, size_t n) { fwrite(p, 1, n, stdout); }

// launch reads a name, blocks, the two sides of a block, and the words. It
// answers whether there is such a function.
static void launch() {
    char name[32];
    receive(name, sizeof name);
    u64 blocks = word();
    blockDim = {(unsigned)word(), (unsigned)word(), 1};
    std::vector<u64> words(word());
    receive(words.data(), words.size() * sizeof(u64));
    u64 found = 0;
    for (const Function &f : functions) {
        if (strcmp(f.name, name) || f.words != words.size()) continue;
        found = 1;
        call = {f.run, words.data()};
        for (u64 b = 0; b < blocks; b++) {
            blockIdx = {(unsigned)b, 0, 0};
            runBlock();
        }
    }
    send(&found, sizeof found);
}

int main() {
    for (;;) {
        switch (word()) {
        case 'm': { // malloc
            void *p = malloc(word());
            send(&p, sizeof p);
            break;
        }
        case 'f': free((void *)word()); break;
        case 'u': { // upload
            void *to = (void *)word();
            receive(to, word());
            break;
        }
        case 'd': { // download
            void *from = (void *)word();
            send(from, word());
            break;
        }
        case 'l': launch(); break;
        }
        fflush(stdout);
    }
}
