package grade

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/torchmem/workbook/runtime/torch"
)

// TestFilm films a function that fails in its second case.
func TestFilm(t *testing.T) {
	type function func(torch *torch.Torch, n int)
	run := func(n int) func(*Run, function) {
		return func(r *Run, f function) { r.Measure(func() { f(r.Torch, n) }) }
	}
	task := Task[function]{Cases: []Case[function]{
		{Name: "small", Run: run(1000)}, {Name: "huge", Run: run(1 << 45), MemoryOnly: true},
	}}
	films := task.Film(func(torch *torch.Torch, n int) {
		torch.Let("x", torch.Cuda.Empty(1000))
		torch.Let("y", torch.Cuda.Empty(n))
	})
	require.Len(t, films, 2)
	require.Equal(t, "small", films[0].Title)
	bands := films[0].Bands()
	require.Equal(t, []string{"x", "y"}, []string{bands[0].Name, bands[1].Name})
	require.EqualValues(t, "runtime/grade/film_test.go", bands[0].Frames[0].Filename)
	require.EqualValues(t, 4000, bands[1].Size)
	require.Len(t, films[1].Bands(), 1)
	require.EqualValues(t, "oom", films[1].Events[len(films[1].Events)-1].Action)
}
