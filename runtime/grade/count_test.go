package grade_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/torchmem/workbook/runtime/grade"
)

// A number of bytes is right or wrong. One that was computed in float32 may be
// off by its rounding.
func TestCountsAreExactAndNumbersAreNot(t *testing.T) {
	type answer = func() int64
	exactly := func() int64 { return 10_000_000 }
	shown := func(show func(r *grade.Run, n int64)) grade.Task[answer] {
		run := func(r *grade.Run, f answer) { show(r, f()) }
		return grade.Task[answer]{Reference: exactly, Cases: []grade.Case[answer]{{Name: "one", Run: run}}}
	}
	counts := shown(func(r *grade.Run, n int64) { r.Count("the bytes", n) })
	numbers := shown(func(r *grade.Run, n int64) { r.Number("the bytes", float64(n)) })

	nearly := func() int64 { return 10_000_512 }
	require.True(t, numbers.Grade(nearly).Passed)
	require.True(t, counts.Grade(exactly).Passed)
	v := counts.Grade(nearly)
	require.Equal(t, []string{"values, one"}, failures(v))
	require.Contains(t, v.String(), "  got       the bytes: 10,000,512\n  want      10,000,000\n")
}

// A number that is wrong, that is missing, or that nobody asked for is no equal.
func TestNumbersAreComparedOneByOne(t *testing.T) {
	type answer = func() []float64
	task := grade.Task[answer]{
		Reference: func() []float64 { return []float64{1, 2} },
		Cases: []grade.Case[answer]{{Name: "one", Run: func(r *grade.Run, f answer) {
			for _, x := range f() {
				r.Number("x", x)
			}
		}}},
	}
	for got, says := range map[*[]float64]string{
		{1, 3}:    "x: 3",
		{1}:       "1 of 2 came out",
		{1, 2, 3}: "3 of 2 came out",
		{}:        "0 of 2 came out",
	} {
		v := task.Grade(func() []float64 { return *got })
		require.Equal(t, []string{"values, one"}, failures(v))
		require.Equal(t, says, v.Failed()[0].Got)
	}
	require.True(t, task.Grade(task.Reference).Passed)
}
