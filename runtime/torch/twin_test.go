package torch_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/torchmem/workbook/runtime/caching"
	"github.com/torchmem/workbook/runtime/gpu"
	"github.com/torchmem/workbook/runtime/gpu/sim"
	"github.com/torchmem/workbook/runtime/oracle"
	"github.com/torchmem/workbook/runtime/tensor"
	"github.com/torchmem/workbook/runtime/torch"
)

// twin is a Go program that mirrors a recorded one, statement by statement.
type twin struct {
	*torch.Torch
	t         *testing.T
	want      *oracle.Program
	at        int
	seen      int
	got, told *oracle.Log
	// afterBackward clears gradients that are no variable's.
	afterBackward func()
}

// newTwin starts the twin of a recording. When the test ends, the twin must
// have reached the last row, and the device must be empty.
func newTwin(t *testing.T, program string) *twin {
	t.Helper()
	want, err := oracle.Read("../../testdata/oracle/programs/" + program + ".json")
	require.NoError(t, err)
	m := &twin{t: t, want: want, got: oracle.NewLog(), told: oracle.NewLog(), Torch: newTorch(t)}
	m.Cuda.Allocator().RecordHistory(1_000_000)
	return m
}

// end checks that the twin reached the last row.
func (m *twin) end() {
	m.t.Helper()
	require.Equal(m.t, len(m.want.Rows), m.at, "rows of %s", m.want.Name)
}

// row compares everything since the row before with the recording.
func (m *twin) row(label string) {
	m.t.Helper()
	require.Less(m.t, m.at, len(m.want.Rows), "%s has no row %q", m.want.Name, label)
	want := m.want.Rows[m.at]
	m.at++
	require.Equal(m.t, want.Label, label)
	entries, next := m.Cuda.Allocator().HistorySince(m.seen)
	m.seen = next
	require.Equal(m.t, m.told.Spell(want.Events), m.got.Spell(oracle.Events(entries)), "events of %q", label)
	require.Equal(m.t, want.Counters, oracle.CountersOf(m.Cuda.MemoryStats()), "counters after %q", label)
}

// replay does what the recording's next rows did, as long as their labels
// begin with the prefix, without running an operator: what comes after finds
// the allocator in the same state.
func (m *twin) replay(prefix string) {
	m.t.Helper()
	a := m.Cuda.Allocator()
	blocks := map[gpu.Ptr]*caching.Block{}
	m.Cuda.ResetPeakMemoryStats()
	for m.at < len(m.want.Rows) && strings.HasPrefix(m.want.Rows[m.at].Label, prefix) {
		for _, e := range m.want.Rows[m.at].Events {
			switch e.Action {
			case "alloc":
				b, err := a.Malloc(e.Size, 0)
				require.NoError(m.t, err)
				blocks[e.Addr] = b
			case "free_requested":
				require.NoError(m.t, a.Free(blocks[e.Addr]))
			}
		}
		m.row(m.want.Rows[m.at].Label)
	}
}

// raisedBy returns what the function raised, spelled as Python does, or the
// empty string.
func raisedBy(p *torch.Torch, f func()) string {
	var misuse *tensor.Error
	switch err := p.Raises(f); {
	case err == nil:
		return ""
	case errors.As(err, &misuse):
		return misuse.Kind + ": " + misuse.Text
	default:
		return fmt.Sprintf("%T: %v", err, err)
	}
}

// newTorch returns a program on a fresh simulated GPU. When the test ends, the
// program must leave nothing behind.
func newTorch(t *testing.T) *torch.Torch {
	t.Helper()
	p, err := torch.New(sim.New(gpu.DefaultProfile()), caching.DefaultConfig())
	require.NoError(t, err)
	t.Cleanup(func() {
		if !t.Failed() {
			require.NoError(t, p.Close())
		}
	})
	return p
}
