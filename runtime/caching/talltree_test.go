package caching

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/torchmem/workbook/runtime/gpu"
)

// TestTallFreeSet fills a set until it has three levels of branches, and empties
// and fills ranges of it, so that whole branches go and their neighbours take
// over. After each turn every block must be where a search looks for it.
func TestTallFreeSet(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 12))
	const span = 1 << 22
	var s freeSet
	have := map[*Block]bool{}
	fill := func(n int, low, width int64) {
		for range n {
			b := &Block{size: 512 * (1 + low + rng.Int64N(width)), ptr: gpu.Ptr(rng.Int64()) &^ 511}
			have[b] = true
			s.insert(b)
		}
	}
	fill(40_000, 0, span)
	require.GreaterOrEqual(t, s.height, 3)
	for range 60 {
		low, width := rng.Int64N(span), 1+rng.Int64N(span/8)
		var within []*Block
		for b := range have {
			if n := b.size / 512; n > low && n <= low+width {
				within = append(within, b)
			}
		}
		slices.SortFunc(within, orderBlocks)
		for _, b := range within {
			delete(have, b)
			s.remove(b)
		}
		fill(len(within)/2+rng.IntN(3000), low-low/8, 1+width/2)
		requireRouted(t, &s, len(have))
	}
	for b := range have {
		s.remove(b)
	}
	require.Equal(t, 0, s.height)
	requireRouted(t, &s, 0)
}

// requireRouted checks that every block is in the leaf that a search finds, that
// each leaf is found by its low key, and that the keys of branches ascend.
func requireRouted(t *testing.T, s *freeSet, count int) {
	t.Helper()
	requireAscending(t, s.root, s.height)
	seen := 0
	for l := s.leafFor(key{}); l != nil; l = l.next {
		// require.Same would spell both sides each time.
		require.True(t, l == s.leafFor(l.low), "a leaf is not found")
		for i, b := range l.blocks[:l.n] {
			if l != s.leafFor(keyOf(b)) || l != b.leaf || i != int(b.place) || !l.spans(keyOf(b)) {
				t.Fatalf("a block of %d bytes is not where it is looked for", b.size)
			}
			seen++
		}
	}
	require.Equal(t, count, seen)
}

func requireAscending(t *testing.T, at kid, height int) {
	if height == 0 {
		return
	}
	b := at.branch
	require.True(t, slices.IsSortedFunc(b.keys[:b.n], func(x, y key) int { return y.order(x) - x.order(y) }))
	for _, k := range b.keys[b.n:] {
		require.True(t, k == noKey)
	}
	for _, k := range b.kids[:b.n] {
		requireAscending(t, k, height-1)
	}
}
