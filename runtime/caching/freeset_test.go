package caching

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/torchmem/workbook/runtime/gpu"
)

// TestFreeSet compares the tree with a sorted slice. Sizes are drawn from a
// range that moves up and down, so that leaves fill and empty at both ends.
func TestFreeSet(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	var s freeSet
	var want []*Block
	for step := range 120_000 {
		grow := step/10_000%2 == 0
		if len(want) > 0 && (rng.IntN(10) < 3) == grow {
			i := rng.IntN(len(want))
			b := want[i]
			want = slices.Delete(want, i, i+1)
			if rng.IntN(3) == 0 {
				b.size = randomSize(rng, step)
				s.replace(b, b)
				want = insertSorted(want, b)
			} else {
				s.remove(b)
			}
		} else {
			b := &Block{size: randomSize(rng, step), ptr: gpu.Ptr(step) * 512}
			s.insert(b)
			want = insertSorted(want, b)
		}
		size := randomSize(rng, step)
		i, _ := slices.BinarySearchFunc(want, &Block{size: size}, orderBlocks)
		if i == len(want) {
			require.Nil(t, s.fit(size))
		} else {
			require.Same(t, want[i], s.fit(size))
		}
		if step%1000 == 0 {
			require.Equal(t, want, slices.AppendSeq(want[:0:0], s.ascend()))
			down := slices.AppendSeq([]*Block(nil), s.descend(noKey))
			slices.Reverse(down)
			require.Equal(t, len(want), len(down))
			require.True(t, slices.Equal(want, down))
		}
	}
}

func randomSize(rng *rand.Rand, step int) int64 {
	drift := step / 50 % 400
	if step/20_000%2 == 1 {
		drift = 400 - drift
	}
	return 512 * int64(1+drift+rng.IntN(300))
}

func orderBlocks(x, y *Block) int {
	return cmp.Or(cmp.Compare(x.size, y.size), cmp.Compare(x.ptr, y.ptr))
}

func insertSorted(blocks []*Block, b *Block) []*Block {
	i, _ := slices.BinarySearchFunc(blocks, b, orderBlocks)
	return slices.Insert(blocks, i, b)
}
