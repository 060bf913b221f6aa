package caching_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/torchmem/workbook/runtime/caching"
	"github.com/torchmem/workbook/runtime/gpu"
	"github.com/torchmem/workbook/runtime/gpu/sim"
)

// BenchmarkPair is one malloc and one free of the same size.
func BenchmarkPair(b *testing.B) {
	for _, c := range []struct {
		name string
		size int64
	}{{"512B", 512}, {"1MiB", 1 << 20}, {"4MiB", 4 << 20}, {"64MiB", 64 << 20}} {
		b.Run(c.name, func(b *testing.B) {
			a := newAllocator(b, "")
			b.ReportAllocs()
			for b.Loop() {
				block, err := a.Malloc(c.size, 0)
				if err != nil {
					b.Fatal(err)
				}
				if err := a.Free(block); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkMixed is a step of a program that holds a number of blocks: free one
// of them at random and allocate another of a random size. Half of the sizes
// are small, log-uniform in 512 B to 1 MiB, half are uniform in 1 to 16 MiB.
func BenchmarkMixed(b *testing.B) {
	for _, live := range []int{10, 100, 1000, 10000} {
		b.Run(fmt.Sprintf("live=%d", live), func(b *testing.B) {
			m := newMix(b, live)
			b.ReportAllocs()
			for b.Loop() {
				m.step(b)
			}
		})
	}
}

// BenchmarkFragmented is a malloc and a free beside a great many cached blocks,
// all of another size.
func BenchmarkFragmented(b *testing.B) {
	for _, cached := range []int{1000, 100_000, 1_000_000} {
		b.Run(fmt.Sprintf("cached=%d", cached), func(b *testing.B) {
			a := newAllocator(b, "")
			leaveHoles(b, a, cached)
			rng := rand.New(rand.NewPCG(1, 2))
			b.ReportAllocs()
			for b.Loop() {
				block, err := a.Malloc(512*(1+rng.Int64N(16)), 0)
				if err != nil {
					b.Fatal(err)
				}
				if err := a.Free(block); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// leaveHoles makes free blocks of 512 B to 8 KiB with live ones in between.
func leaveHoles(tb testing.TB, a *caching.Allocator, holes int) {
	rng := rand.New(rand.NewPCG(3, 4))
	blocks := make([]*caching.Block, 2*holes)
	for i := range blocks {
		size := int64(512)
		if i%2 == 0 {
			size *= 1 + rng.Int64N(16)
		}
		blocks[i] = malloc(tb, a, size)
	}
	for i := 0; i < len(blocks); i += 2 {
		if err := a.Free(blocks[i]); err != nil {
			tb.Fatal(err)
		}
	}
}

// mix is the program of BenchmarkMixed.
type mix struct {
	alloc *caching.Allocator
	// sizes and victims are drawn beforehand, so that the steps measure
	// the allocator.
	sizes   []int64
	victims []int
	next    int
	live    []*caching.Block
}

func newMix(tb testing.TB, live int) *mix {
	rng := rand.New(rand.NewPCG(5, 6))
	m := &mix{alloc: newAllocator(tb, ""), live: make([]*caching.Block, live)}
	m.sizes, m.victims = make([]int64, 1<<16), make([]int, 1<<16)
	for i := range m.sizes {
		m.victims[i] = rng.IntN(live)
		if rng.IntN(2) == 0 {
			m.sizes[i] = int64(math.Exp2(9 + 11*rng.Float64()))
		} else {
			m.sizes[i] = 1<<20 + rng.Int64N(15<<20)
		}
	}
	for i := range m.live {
		m.live[i] = malloc(tb, m.alloc, m.sizes[i])
	}
	// The first steps shape the cache; a steady program has them behind it.
	for range 20*live + 10_000 {
		m.step(tb)
	}
	return m
}

func (m *mix) step(tb testing.TB) {
	draw := m.next % len(m.sizes)
	m.next++
	i := m.victims[draw]
	if err := m.alloc.Free(m.live[i]); err != nil {
		tb.Fatal(err)
	}
	m.live[i] = malloc(tb, m.alloc, m.sizes[draw])
}

// newAllocator returns an allocator on a fresh simulated device.
func newAllocator(tb testing.TB, conf string) *caching.Allocator {
	tb.Helper()
	cfg, err := caching.ParseConfig(conf)
	if err != nil {
		tb.Fatal(err)
	}
	a, err := caching.New(sim.New(gpu.DefaultProfile()), cfg)
	if err != nil {
		tb.Fatal(err)
	}
	return a
}

// malloc allocates on the default stream and does not expect to fail.
func malloc(tb testing.TB, a *caching.Allocator, size int64) *caching.Block {
	b, err := a.Malloc(size, 0)
	if err != nil {
		tb.Fatal(err)
	}
	return b
}
