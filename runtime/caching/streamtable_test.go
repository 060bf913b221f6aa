package caching

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/torchmem/workbook/runtime/gpu"
)

// queueOf returns a queue for the i-th stream that a process made; 0 is the
// default stream.
func queueOf(i int) *markQueue {
	var s streams
	for made := 1; made <= i; made++ {
		s.created = append(s.created, gpu.Stream(made))
	}
	return &markQueue{stream: gpu.Stream(i), hash: hashOf(s.id(gpu.Stream(i)))}
}

// TestStreamOrder holds the order that all recordings show: the default stream,
// then the second that was made, then the first, whatever came first.
func TestStreamOrder(t *testing.T) {
	for _, order := range [][]int{{0, 1, 2}, {2, 1, 0}, {1, 2, 0}, {1, 0, 2}} {
		var table streamTable
		for _, i := range order {
			table.insert(queueOf(i))
		}
		var got []gpu.Stream
		for _, q := range table.inOrder() {
			got = append(got, q.stream)
		}
		require.Equal(t, []gpu.Stream{0, 2, 1}, got)
	}
}

// TestStreamTable adds and removes streams at random; none may be lost.
func TestStreamTable(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 9))
	var table streamTable
	var present []*markQueue
	for range 5000 {
		i := rng.IntN(33)
		q := table.find(gpu.Stream(i))
		if q == nil {
			q = queueOf(i)
			table.insert(q)
			present = append(present, q)
		} else {
			table.remove(q)
			present = slices.DeleteFunc(present, func(p *markQueue) bool { return p == q })
		}
		require.ElementsMatch(t, present, table.inOrder())
		for at, q := range table.slots {
			if q != nil {
				require.GreaterOrEqual(t, at, table.home(q.hash))
				require.Less(t, at-table.home(q.hash), table.reach())
			}
		}
	}
}
