package history

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/torchmem/workbook/runtime/gpu"
)

// TestRanges compares random additions and removals with a page at a time.
func TestRanges(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	const pages = 64
	var r ranges
	var owner [pages]int // one more than the lane, zero for no memory
	for range 20_000 {
		at := rng.IntN(pages)
		n := 1 + rng.IntN(min(6, pages-at))
		s := span{gpu.Ptr(1000 + at), int64(n), rng.IntN(2)}
		free, own := true, true
		for i := at; i < at+n; i++ {
			free = free && owner[i] == 0
			own = own && owner[i] != 0 && owner[i] == owner[at]
		}
		if rng.IntN(2) == 0 {
			require.Equal(t, free, r.add(s))
			if free {
				fill(owner[at:at+n], s.lane+1)
			}
			continue
		}
		_, ok := r.remove(s.at, s.size)
		require.Equal(t, own, ok)
		if own {
			fill(owner[at:at+n], 0)
		}
	}
	at := 0
	r.tree.Scan(func(_ gpu.Ptr, s span) bool {
		for i := int(s.at) - 1000; at < i; at++ {
			require.Zero(t, owner[at])
		}
		for range s.size {
			require.Equal(t, s.lane+1, owner[at])
			at++
		}
		return true
	})
}

func fill(all []int, v int) {
	for i := range all {
		all[i] = v
	}
}
