package caching

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/torchmem/workbook/runtime/gpu"
	"github.com/torchmem/workbook/runtime/gpu/sim"
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

func find(table *slotTable[*markQueue], s gpu.Stream) *markQueue {
	i := slices.IndexFunc(table.slots, func(q *markQueue) bool { return q != nil && q.stream == s })
	if i < 0 {
		return nil
	}
	return table.slots[i]
}

// TestStreamOrder holds the order that all recordings show: the default stream,
// then the second that was made, then the first, whatever came first.
func TestStreamOrder(t *testing.T) {
	for _, order := range [][]int{{0, 1, 2}, {2, 1, 0}, {1, 2, 0}, {1, 0, 2}} {
		var table slotTable[*markQueue]
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

// TestSlotTable adds and removes streams at random; none may be lost.
func TestSlotTable(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 9))
	var table slotTable[*markQueue]
	var present []*markQueue
	for range 5000 {
		i := rng.IntN(33)
		q := find(&table, gpu.Stream(i))
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
				require.GreaterOrEqual(t, at, table.home(q))
				require.Less(t, at-table.home(q), table.reach())
			}
		}
	}
}

// TestPoolOrder holds the order in which a recording gives back eleven private
// pools.
func TestPoolOrder(t *testing.T) {
	var table slotTable[*privatePool]
	for i := 1; i <= 11; i++ {
		table.insert(&privatePool{id: PoolID{0, i}})
	}
	var got []int
	for _, p := range table.inOrder() {
		got = append(got, p.id[1])
	}
	require.Equal(t, []int{5, 10, 2, 7, 4, 9, 1, 6, 11, 3, 8}, got)
}

// TestPoolsAreForgotten releases pools with and without memory. None may stay
// behind when the last of its memory is gone.
func TestPoolsAreForgotten(t *testing.T) {
	a, err := New(sim.New(gpu.DefaultProfile()), Config{})
	require.NoError(t, err)
	empty, used := a.NewPool(UseOnOOM), a.NewPool(UseOnOOM)
	require.NoError(t, a.UsePool(used))
	b, err := a.Malloc(1, 0)
	require.NoError(t, err)
	require.NoError(t, a.EndUse(used))
	require.NoError(t, a.ReleasePool(empty))
	require.NoError(t, a.ReleasePool(used))
	require.Len(t, a.private.byID, 1)
	require.Empty(t, a.private.lenders.inOrder())
	require.NoError(t, a.Free(b))
	require.NoError(t, a.EmptyCache())
	require.Empty(t, a.private.byID)
	require.Empty(t, a.private.released.inOrder())
}
