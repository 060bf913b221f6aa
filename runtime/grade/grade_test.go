package grade_test

import (
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/torchmem/workbook/runtime/caching"
	"github.com/torchmem/workbook/runtime/gpu"
	"github.com/torchmem/workbook/runtime/gpu/sim"
	"github.com/torchmem/workbook/runtime/grade"
	"github.com/torchmem/workbook/runtime/torch"
)

// double is what the learner of these tests has to write: y = x * 2.
type double = func(torch *torch.Torch, x torch.Value) *torch.Tensor

const matrix = 1024 * 1024 * 4 // bytes of the large case

func task(limits ...grade.Limit) grade.Task[double] {
	return grade.Task[double]{
		Info:      grade.Info{Name: "double", Lesson: "99", Func: "Double", Title: "Double a matrix"},
		Reference: twice,
		Cases:     []grade.Case[double]{sized(1024, 1, limits), sized(16, 2, nil), sized(24, 3, nil)},
	}
}

func sized(n int, seed uint64, limits []grade.Limit) grade.Case[double] {
	return grade.Case[double]{
		Name: map[int]string{1024: "large", 16: "small", 24: "medium"}[n], Seed: seed,
		MemoryOnly: n > 100, Limits: limits,
		Run: func(r *grade.Run, f double) {
			x := r.Torch.Let("x", r.Torch.Cuda.Randn(n, n).RequiresGrad_())
			y := r.Torch.Var("y")
			r.Measure(func() { y.Set(f(r.Torch, x)) })
			r.Value("y", y)
			y.Sum().Backward()
			r.Gradient("x", x)
		},
	}
}

func twice(_ *torch.Torch, x torch.Value) *torch.Tensor { return x.Value().Mul(2) }

// failures lists "metric, case" of the checks that failed.
func failures(v grade.Verdict) []string {
	var all []string
	for _, c := range v.Failed() {
		all = append(all, string(c.Metric)+", "+c.Case)
	}
	return all
}

func TestRightAnswerPasses(t *testing.T) {
	v := task(grade.AtMost(grade.PeakAllocated, 2*matrix, "x and y")).Grade(twice)
	require.Empty(t, failures(v))
	require.True(t, v.Passed)
	require.Equal(t, "large", v.Picture.Case)
	require.False(t, v.Picture.AtEnd)
	require.Contains(t, v.Picture.Memory.Names, v.Picture.Memory.Segments[0].Blocks[0].Address)
	require.Contains(t, v.String(), "double: pass, all 10 checks hold\n")
	require.Contains(t, v.String(), "graded      peak allocated, bytes taken on the CPU, values, gradients; 3 cases, numbers in 2 of them\n")
	require.Contains(t, v.String(), "not graded  peak reserved, ")
}

func wasteful(torch *torch.Torch, x torch.Value) *torch.Tensor {
	once := torch.Let("once", x.Value().Mul(1))
	return once.Mul(2)
}

func TestPeakTellsLineAndHolders(t *testing.T) {
	v := task(grade.AtMost(grade.PeakAllocated, 2*matrix, "x and y")).Grade(wasteful)
	require.Equal(t, []string{"peak allocated, large"}, failures(v))
	text := v.String()
	for _, part := range []string{
		"double: 1 of 10 checks fail\n",
		"peak allocated, large\n  got       12,582,912 bytes\n  want      at most 8,388,608 bytes (x and y)\n",
		"  set at    runtime/grade/grade_test.go:70\n            return once.Mul(2)\n",
		"4,194,304 bytes made at runtime/grade/grade_test.go:69, held by the name once",
		"4,194,304 bytes made at runtime/grade/grade_test.go:35, held by the name x",
		"  new       4,194,304 bytes, which that line asks for\n",
		"  cause     Something is still held at the worst moment",
		"hint        go run ./tools/workbook hint double\n",
	} {
		require.Contains(t, text, part)
	}
}

// A program can reset its own counters, and only those.
func TestResettingCountersFoolsNobody(t *testing.T) {
	cheat := func(torch *torch.Torch, x torch.Value) *torch.Tensor {
		stop := torch.Watch(func(bool, int64) {})
		y := wasteful(torch, x)
		torch.Var("once").Del()
		torch.Cuda.EmptyCache()
		torch.Cuda.ResetPeakMemoryStats()
		torch.Cuda.ResetAccumulatedMemoryStats()
		stop()
		return y
	}
	v := task(
		grade.AtMost(grade.PeakAllocated, 2*matrix, ""),
		grade.AtMost(grade.DriverAllocations, 0, ""),
	).Grade(func(torch *torch.Torch, x torch.Value) *torch.Tensor {
		for range 3 {
			torch.Cuda.Empty(6_000_000).Drop()
			torch.Cuda.EmptyCache()
		}
		return cheat(torch, x)
	})
	require.Equal(t, []string{"peak allocated, large", "driver allocations, large"}, failures(v))
	require.EqualValues(t, 3, v.Failed()[1].Amount.Got)
}

func TestWorkOnTheCPUIsSeen(t *testing.T) {
	v := task().Grade(func(_ *torch.Torch, x torch.Value) *torch.Tensor {
		return x.Value().CPU().Mul(2).Cuda()
	})
	require.Equal(t, []string{"bytes taken on the CPU, large", "bytes taken on the CPU, medium"}, failures(v))
}

// What another device did was not measured.
func TestAnotherProgramIsRefused(t *testing.T) {
	settings, err := caching.ParseConfig("")
	require.NoError(t, err)
	v := task().Grade(func(_ *torch.Torch, x torch.Value) *torch.Tensor {
		other, err := torch.New(sim.New(gpu.DefaultProfile()), settings)
		require.NoError(t, err)
		return other.Let("y", other.Cuda.Randn(x.Value().Shape()...)).Value()
	})
	require.Equal(t, []string{"the program, large", "the program, small", "the program, medium"}, failures(v))
}

func TestValuesAndGradientsAreCompared(t *testing.T) {
	wrong := map[string]struct {
		f     double
		fails []string
	}{
		"a constant returned": {func(torch *torch.Torch, x torch.Value) *torch.Tensor {
			return torch.Cuda.Full(2, x.Value().Shape()...)
		}, []string{"the program, large", "the program, small", "the program, medium"}},
		"another factor": {func(_ *torch.Torch, x torch.Value) *torch.Tensor {
			return x.Value().Mul(2.001)
		}, []string{"values, small", "gradients, small", "values, medium", "gradients, medium"}},
		"another shape": {func(_ *torch.Torch, x torch.Value) *torch.Tensor {
			return x.Value().Slice(0, 8).Mul(2)
		}, []string{"values, large", "values, small", "gradients, small", "values, medium", "gradients, medium"}},
		"not a number": {func(_ *torch.Torch, x torch.Value) *torch.Tensor {
			return x.Value().Mul(math.NaN())
		}, []string{"values, small", "gradients, small", "values, medium", "gradients, medium"}},
	}
	for name, w := range wrong {
		t.Run(name, func(t *testing.T) { require.Equal(t, w.fails, failures(task().Grade(w.f))) })
	}
}

func TestMissingGradient(t *testing.T) {
	noGradient := task()
	for i := range noGradient.Cases {
		c := &noGradient.Cases[i]
		c.Run = func(r *grade.Run, f double) {
			x := r.Torch.Let("x", r.Torch.Cuda.Randn(8, 8).RequiresGrad_())
			r.Measure(func() { r.Torch.Let("y", f(r.Torch, x)) })
			r.Gradient("x", x)
		}
	}
	noGradient.Reference = func(_ *torch.Torch, x torch.Value) *torch.Tensor {
		x.Value().Mul(2).Sum().Backward()
		return x.Value().Mul(2)
	}
	v := noGradient.Grade(twice)
	require.Equal(t, []string{"gradients, large", "gradients, small", "gradients, medium"}, failures(v))
	require.Equal(t, "x: None", v.Failed()[0].Got)
}

// Whatever a program raises is a verdict with the learner's line, never a
// stack.
func TestErrorsOfTheProgram(t *testing.T) {
	mistakes := map[string]struct {
		f    double
		says string
	}{
		"PyTorch's": {func(torch *torch.Torch, x torch.Value) *torch.Tensor {
			return x.Value().MatMul(torch.Cuda.Randn(3, 3))
		}, "mat1 and mat2 shapes cannot be multiplied"},
		"Go's": {func(*torch.Torch, torch.Value) *torch.Tensor {
			return []*torch.Tensor{}[len(failures(grade.Verdict{}))]
		}, "index out of range"},
		"out of memory": {func(torch *torch.Torch, _ torch.Value) *torch.Tensor {
			return torch.Cuda.Empty(1 << 40)
		}, "CUDA out of memory"},
		"a leak past the end": {func(torch *torch.Torch, x torch.Value) *torch.Tensor {
			x.Value().Mul(3).Own(nobody{})
			return x.Value().Mul(2)
		}, "tensors are left"},
	}
	for name, m := range mistakes {
		t.Run(name, func(t *testing.T) {
			v := task().Grade(m.f)
			require.Equal(t, grade.Finished, v.Failed()[0].Metric)
			require.Contains(t, v.Failed()[0].Got, m.says)
			require.NotContains(t, v.String(), "goroutine ")
			if name != "a leak past the end" {
				require.True(t, strings.HasPrefix(v.Failed()[0].Place.Place, "runtime/grade/grade_test.go:"))
			}
		})
	}
}

type nobody struct{}

func (nobody) Holder() string { return "nobody" }

func TestEndAndLiveTensors(t *testing.T) {
	v := task(
		grade.AtMost(grade.EndAllocated, 2*matrix, ""),
		grade.AtMost(grade.EndReserved, 20<<20, ""),
		grade.AtMost(grade.LiveTensors, 1, "y"),
		grade.AtMost(grade.PeakReserved, 20<<20, ""),
		grade.AtLeast(grade.Made, 2*matrix, ""),
	).Grade(wasteful)
	require.Equal(t, []string{"allocated at the end, large", "live tensors at the end, large"}, failures(v))
	require.EqualValues(t, 2, v.Failed()[1].Amount.Got)
	require.Contains(t, v.String(), "held by the name once")
	require.True(t, v.Failed()[0].Moment.AtEnd)
	require.Nil(t, v.Picture)
}

func TestAtLeast(t *testing.T) {
	v := task(grade.AtLeast(grade.Made, 2*matrix, "once and y")).Grade(twice)
	require.Equal(t, []string{"bytes allocated in all, large"}, failures(v))
	require.Contains(t, v.String(), "want      at least 8,388,608 bytes (once and y)")
}

func TestRecomputedLayers(t *testing.T) {
	checkpointed := task(grade.AtMost(grade.Recomputed, 1, ""))
	checkpointed.Cases = checkpointed.Cases[:1]
	checkpointed.Cases[0].Run = func(r *grade.Run, f double) {
		nn := r.Torch.NN
		model := nn.Sequential(nn.ReLU(), nn.ReLU(), nn.ReLU())
		r.CountCalls(model.Children()...)
		x := r.Torch.Let("x", r.Torch.Cuda.Randn(8, 8).RequiresGrad_())
		r.Measure(func() {
			r.Torch.CheckpointSequential(model, 2, x, r.Torch.UseReentrant(true)).Sum().Backward()
			r.Torch.Checkpoint(model, x, r.Torch.UseReentrant(false)).Sum().Backward()
		})
	}
	v := checkpointed.Grade(twice)
	require.Equal(t, []string{"layers run again, large"}, failures(v))
	require.EqualValues(t, 4, v.Failed()[0].Amount.Got)
}

func TestGradingNothingIsNoPass(t *testing.T) {
	vacuous := task()
	vacuous.Cases = []grade.Case[double]{{Name: "empty", Run: func(r *grade.Run, f double) {}}}
	require.Equal(t, []string{"the program, empty"}, failures(vacuous.Grade(twice)))
	vacuous.Cases = nil
	require.False(t, vacuous.Grade(twice).Passed)
}

func TestOwnCausesComeFirst(t *testing.T) {
	own := task(grade.AtMost(grade.PeakAllocated, 2*matrix, ""))
	own.Causes = map[grade.Metric]string{grade.PeakAllocated: "It is once."}
	require.Equal(t, "It is once.", own.Grade(wasteful).Failed()[0].Cause)
}

// Reading a value of a large case costs nothing, since nobody grades it.
func TestLargeCasesComputeNothing(t *testing.T) {
	huge := task()
	huge.Cases = []grade.Case[double]{sized(1024, 1, nil)}
	v := huge.Grade(func(torch *torch.Torch, x torch.Value) *torch.Tensor {
		y := torch.Let("product", x.Value().Mul(1))
		for range 1000 {
			y.Set(y.MatMul(x)) // 2 GFLOP each
		}
		require.NotZero(t, y.Sum().Item().Float64(), "nobody can tell by a number")
		return x.Value().Mul(2)
	})
	require.Empty(t, failures(v))
}

func TestAnotherLimitIsRefused(t *testing.T) {
	v := task().Grade(func(torch *torch.Torch, x torch.Value) *torch.Tensor {
		if err := torch.Cuda.SetPerProcessMemoryFraction(0.5); err != nil {
			panic(err)
		}
		return x.Value().Mul(2)
	})
	require.Contains(t, v.Failed()[0].Got, "the limit of the GPU was changed")
}

// What is read takes memory of the CPU.
func TestReadingCounts(t *testing.T) {
	v := task().Grade(func(torch *torch.Torch, x torch.Value) *torch.Tensor {
		_ = x.Value().Values()
		return x.Value().Mul(2)
	})
	require.Equal(t, []string{"bytes taken on the CPU, large"}, failures(v))
}

func TestResultsWithoutANameAreExplained(t *testing.T) {
	v := task(grade.AtMost(grade.EndAllocated, 2*matrix, "")).Grade(func(torch *torch.Torch, x torch.Value) *torch.Tensor {
		for range 3 {
			x.Value().Mul(3)
		}
		return x.Value().Mul(2)
	})
	require.Empty(t, failures(v), "they end with the function")
	v = task(grade.AtMost(grade.PeakAllocated, 2*matrix, "")).Grade(func(torch *torch.Torch, x torch.Value) *torch.Tensor {
		for range 3 {
			x.Value().Mul(3)
		}
		return x.Value().Mul(2)
	})
	require.Contains(t, v.Failed()[0].Cause, "Give it a name")
}

func TestTheCauseOfAnErrorIsExplained(t *testing.T) {
	v := task().Grade(func(torch *torch.Torch, x torch.Value) *torch.Tensor {
		y := torch.Let("twice", x.Value().Mul(2))
		y.Del()
		return y.Mul(1)
	})
	require.Equal(t, "The name is deleted before its last use.", v.Failed()[0].Cause)
	require.Contains(t, v.String(), "  also      the same in 2 other cases\n")
	require.Equal(t, []grade.Metric{grade.Finished}, v.Graded)
}

func TestYesAndNo(t *testing.T) {
	type answer = func() bool
	yes := grade.Task[answer]{Reference: func() bool { return true }, Cases: []grade.Case[answer]{{
		Name: "one", Run: func(r *grade.Run, f answer) { r.Truth("it fits", f()) },
	}}}
	require.True(t, yes.Grade(yes.Reference).Passed)
	check := yes.Grade(func() bool { return false }).Failed()[0]
	require.Equal(t, "it fits: no", check.Got)
	require.Equal(t, "yes", check.Want)
	require.NotContains(t, yes.Asked(), grade.HostBytes, "nothing was measured")
}
