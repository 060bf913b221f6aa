"""Time PyTorch's own allocator in C++, without Python in the loop. usage: allocator_speed.py
The sizes and the pattern are those of runtime/caching/benchmark_test.go: medians of ten runs, nanoseconds."""
from statistics import median
import torch
from torch.utils.cpp_extension import load_inline
SOURCE = r"""
#include <c10/cuda/CUDACachingAllocator.h>
#include <chrono>
#include <random>
#include <vector>
namespace A = c10::cuda::CUDACachingAllocator;
using Clock = std::chrono::steady_clock;
static double ns(Clock::time_point from, int64_t n) {
  return std::chrono::duration<double, std::nano>(Clock::now() - from).count() / n;
}
double pair(int64_t size, int64_t n) {
  A::raw_delete(A::raw_alloc(size));
  auto from = Clock::now();
  for (int64_t i = 0; i < n; i++) A::raw_delete(A::raw_alloc(size));
  return ns(from, n);
}
double mixed(int64_t live, int64_t n) {
  std::mt19937_64 draw(1);
  std::uniform_real_distribution<double> u(0, 1);
  auto size = [&] { return u(draw) < .5 ? (int64_t)(512 * std::pow(2048., u(draw))) : (int64_t)((1 + 15 * u(draw)) * (1 << 20)); };
  std::vector<void*> blocks;
  for (int64_t i = 0; i < live; i++) blocks.push_back(A::raw_alloc(size()));
  std::vector<int64_t> sizes(1 << 16), at(1 << 16);
  for (auto& s : sizes) s = size();
  for (auto& a : at) a = (int64_t)(u(draw) * live);
  auto step = [&](int64_t i) { auto& b = blocks[at[i & 0xffff]]; A::raw_delete(b); b = A::raw_alloc(sizes[i & 0xffff]); };
  for (int64_t i = 0; i < 20 * live + 1000; i++) step(i);
  auto from = Clock::now();
  for (int64_t i = 0; i < n; i++) step(i);
  double t = ns(from, n);
  for (auto b : blocks) A::raw_delete(b);
  A::emptyCache();
  return t;
}
"""
torch.cuda.init(); torch.empty(1, device="cuda")
m = load_inline("allocator_speed", cpp_sources=[SOURCE], functions=["pair", "mixed"], with_cuda=True, extra_cflags=["-O2"])
for name, size in {"512B": 512, "1MiB": 1 << 20, "4MiB": 4 << 20, "64MiB": 64 << 20}.items():
    print(f"Pair/{name} {median(m.pair(size, 1_000_000) for _ in range(10)):.0f}")
for live in (10, 100, 1000, 10000):
    print(f"Mixed/live={live} {median(m.mixed(live, 300_000) for _ in range(10)):.0f}")
