package torch_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/torchmem/workbook/runtime/site"
)

// TestRecordersSeeWhoTakesOver rebinds the name of a tensor that a graph keeps, and
// then deletes what keeps the graph.
func TestRecordersSeeWhoTakesOver(t *testing.T) {
	m := newTorch(t)
	r := m.Record("")
	w := m.Let("w", m.Cuda.Randn(300, 300).RequiresGrad_())
	x := m.Let("x", m.Cuda.Randn(300, 300))
	outs := m.List("outs")
	outs.Append(x.Mul(w))
	r.Statement("outs.append(x * w)", site.Place{})
	made := len(r.Recording().Events)
	x.Set(m.Cuda.Randn(300, 300))
	r.Statement("x = torch.randn(300, 300)", site.Place{})

	bands := r.Recording().Bands()
	require.Len(t, bands, 4)
	require.Equal(t, "x", bands[1].HeldBy(made-1), "the name holds it")
	require.Equal(t, "(graph)", bands[1].HeldBy(len(r.Recording().Events)-1), "the graph does")
	require.Equal(t, "x", bands[3].HeldBy(len(r.Recording().Events)-1))
	require.Equal(t, "w", bands[0].HeldBy(made), "nobody took over")
}
