package grade_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/torchmem/workbook/runtime/grade"
	"github.com/torchmem/workbook/runtime/torch"
)

// program is a function that only uses memory.
type program = func(torch *torch.Torch)

// measures makes a task of one case. The setup is not the function's.
func measures(setup func(torch *torch.Torch), limits ...grade.Limit) grade.Task[program] {
	return grade.Task[program]{
		Reference: func(*torch.Torch) {},
		Cases: []grade.Case[program]{{Name: "one", Limits: limits, Run: func(r *grade.Run, f program) {
			setup(r.Torch)
			r.Measure(func() { f(r.Torch) })
		}}},
	}
}

// checkOf grades and returns the check of a metric.
func checkOf(t *testing.T, task grade.Task[program], f program, m grade.Metric) grade.Check {
	t.Helper()
	for _, c := range task.Grade(f).Checks {
		if c.Metric == m {
			return c
		}
	}
	require.Fail(t, "not graded", m)
	return grade.Check{}
}

// What is there when the function begins is part of its peak. What was gone by
// then is not.
func TestThePeakBeginsWithTheFunction(t *testing.T) {
	setup := func(torch *torch.Torch) {
		torch.Let("gone", torch.Cuda.Empty(3<<20)).Del()
		torch.Cuda.EmptyCache()
		torch.Let("x", torch.Cuda.Empty(1<<20))
	}
	task := measures(setup, grade.AtMost(grade.PeakAllocated, 0, ""), grade.AtMost(grade.PeakReserved, 0, ""))
	nothing := func(torch *torch.Torch) { torch.Var("x").Del() }
	require.EqualValues(t, 4<<20, checkOf(t, task, nothing, grade.PeakAllocated).Amount.Got)
	require.EqualValues(t, 20<<20, checkOf(t, task, nothing, grade.PeakReserved).Amount.Got)
}

// The line that is named is the one that asks the driver most often. What was
// asked for before the function does not count.
func TestTheLineThatAsksTheDriver(t *testing.T) {
	setup := func(torch *torch.Torch) { torch.Let("x", torch.Cuda.Empty(1<<20)) }
	task := measures(setup, grade.AtMost(grade.DriverAllocations, 0, ""))
	check := checkOf(t, task, func(torch *torch.Torch) {
		torch.Let("first", torch.Cuda.Empty(16<<20))
		for range 3 {
			torch.Let("most", torch.Cuda.Empty(8<<20)).Del()
			torch.Cuda.EmptyCache()
		}
		torch.Let("last", torch.Cuda.Empty(32<<20))
	}, grade.DriverAllocations)
	require.EqualValues(t, 5, check.Amount.Got)
	require.Equal(t, `torch.Let("most", torch.Cuda.Empty(8<<20)).Del()`, check.Place.Text)
}

// Who watches a program ends that watch, and not the grader's.
func TestAWatchEndsAlone(t *testing.T) {
	task := measures(func(*torch.Torch) {}, grade.AtMost(grade.PeakAllocated, 0, ""))
	check := checkOf(t, task, func(torch *torch.Torch) {
		torch.Watch(func(bool, int64) {})()
		torch.Let("x", torch.Cuda.Empty(1<<20))
	}, grade.PeakAllocated)
	require.EqualValues(t, 4<<20, check.Amount.Got)
}

// A tensor of another program is refused even if nothing else is done with it.
func TestAnotherProgramIsNamed(t *testing.T) {
	type maker = func() *torch.Tensor
	task := grade.Task[maker]{Cases: []grade.Case[maker]{{Name: "one", Run: func(r *grade.Run, f maker) {
		own := r.Torch.Let("own", r.Torch.Cuda.Full(1, 2))
		if f == nil {
			r.Value("y", own)
			return
		}
		r.Value("y", f())
	}}}}
	v := task.Grade(func() *torch.Tensor {
		other, err := grade.NewTorch()
		require.NoError(t, err)
		return other.Let("y", other.Cuda.Full(1, 2)).Tensor
	})
	require.Equal(t, "y was made by another program than the one that is graded", v.Failed()[0].Got)
}

// The numbers of a case are drawn from its own seed.
func TestAnotherSeedDrawsOtherNumbers(t *testing.T) {
	var seen []float64
	draws := func(seed uint64) grade.Case[program] {
		return grade.Case[program]{Name: "one", Seed: seed, Run: func(r *grade.Run, f program) {
			r.Measure(func() { f(r.Torch) })
			seen = append(seen, r.Torch.Var("x").Values()...)
		}}
	}
	draw := func(torch *torch.Torch) { torch.Let("x", torch.Cuda.Randn(1)) }
	for _, seed := range []uint64{1, 2, 1} {
		_, err := draws(seed).Measure(draw)
		require.NoError(t, err)
	}
	require.Len(t, seen, 3)
	require.Equal(t, seen[0], seen[2])
	require.NotEqual(t, seen[0], seen[1])
}
