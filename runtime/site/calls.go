package site

import (
	"runtime"
	"strings"
)

// Call is a line of a stack and the function that it stands in.
type Call struct {
	// Function is spelled as Go does: main.leakList, or for the workbook's own
	// packages runtime/torch.(*Cuda).Empty.
	Function string
	// File is the path as it was compiled, and for the workbook's own files
	// the path in the workbook: lessons/06/leaks.go.
	File string
	Line int
}

// Learners returns the calls at return addresses of runtime.Callers that the
// learner wrote, the innermost first.
func Learners(pcs []uintptr) []Call { return calls(pcs, learners) }

// All returns the calls at return addresses of runtime.Callers, the innermost
// first, but for those of Go's own packages.
func All(pcs []uintptr) []Call {
	return calls(pcs, func(f runtime.Frame) bool { return !ofGo(f.Function) })
}

func calls(pcs []uintptr, wanted func(runtime.Frame) bool) []Call {
	all := []Call{}
	if len(pcs) == 0 {
		return all
	}
	frames := runtime.CallersFrames(pcs)
	for {
		f, more := frames.Next()
		if f.File != "" && wanted(f) {
			all = append(all, Call{strings.TrimPrefix(f.Function, module), InWorkbook(f.File), f.Line})
		}
		if !more {
			return all
		}
	}
}

const module = "github.com/torchmem/workbook/"

// InWorkbook shortens the path of a file in the workbook: to lessons/06/leaks.go.
// Other files keep theirs.
func InWorkbook(file string) string { return strings.TrimPrefix(file, root) }
