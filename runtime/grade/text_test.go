package grade_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/torchmem/workbook/runtime/grade"
	"github.com/torchmem/workbook/runtime/torch"
)

// The text of an error can be long. It is told once.
func TestTheSameErrorIsToldOnce(t *testing.T) {
	type program = func(r *grade.Run)
	run := func(r *grade.Run, f program) { f(r) }
	task := grade.Task[program]{
		Reference: func(r *grade.Run) { r.Number("bytes", float64(r.Torch.Cuda.MemoryAllocated())) },
		Cases:     []grade.Case[program]{{Name: "one", Run: run}, {Name: "another", Run: run}},
	}
	text := task.Grade(func(r *grade.Run) { r.Torch.Cuda.EmptyUint8(1 << 40) }).String()
	require.Contains(t, text, "the program, one\n  got       CUDA out of memory. Tried to allocate 1024.00 GiB. GPU 0 has")
	require.Contains(t, text, "  also      the same in 1 other case\n")
}

// What a program raises may have several lines. They stay in their column.
func TestAnErrorOfSeveralLines(t *testing.T) {
	v := task().Grade(func(_ *torch.Torch, x torch.Value) *torch.Tensor {
		panic(fmt.Sprintf("first\nsecond of %v. And more\n", x.Value().Shape()))
	})
	require.Contains(t, v.String(), "the program, large\n  got       first\n            second of [1024 1024]. And more\n  want      ")
	require.Contains(t, v.String(), "\n  also      small: first\n  also      medium: first\n\n")
}
