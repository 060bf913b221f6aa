// Package site tells places in a learner's program: the line of a lesson or an
// exercise that made a tensor, deleted a name, or went wrong. Lines of the
// runtime are passed over, since the learner did not write them.
package site

import (
	"fmt"
	"runtime"
	"strings"
)

// Site is a place, kept as return addresses until it is read.
type Site struct {
	pcs [24]uintptr
	n   int
}

// Here returns the place of the caller's caller.
func Here() Site {
	var s Site
	s.n = runtime.Callers(3, s.pcs[:])
	return s
}

// OfPanic returns the place that a panic comes from. It is called by the
// deferred function that recovers: what lies above the panic is not the place.
func OfPanic() string {
	pcs := make([]uintptr, 256)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs)])
	for {
		if f, more := frames.Next(); f.Function == "runtime.gopanic" || !more {
			return innermost(frames)
		}
	}
}

// String returns the place as lessons/03/main.go:36.
func (s Site) String() string { return innermost(runtime.CallersFrames(s.pcs[:s.n])) }

// innermost returns the first of the frames that is a learner's.
func innermost(frames *runtime.Frames) string {
	for {
		f, more := frames.Next()
		if learners(f) {
			return fmt.Sprintf("%s:%d", shortened(f.File), f.Line)
		}
		if !more {
			return "an unknown place"
		}
	}
}

// learners reports whether the learner wrote the frame's line: it belongs
// neither to Go nor to the workbook's own packages. A test is a learner too.
func learners(f runtime.Frame) bool {
	if strings.HasSuffix(f.File, "_test.go") {
		return true
	}
	for _, own := range []string{"/workbook/runtime/", "/workbook/lessons/lesson."} {
		if strings.Contains(f.Function, own) {
			return false
		}
	}
	return f.File != "" && !strings.HasPrefix(f.Function, "runtime.")
}

// shortened keeps a file's name and its two folders.
func shortened(file string) string {
	parts := strings.Split(file, "/")
	return strings.Join(parts[max(0, len(parts)-3):], "/")
}
