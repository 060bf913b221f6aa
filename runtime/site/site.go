// Package site tells places in a learner's program: the line of a lesson or an
// exercise that made a tensor, deleted a name, or went wrong. Lines of the
// workbook's own packages are passed over, since the learner did not write
// them.
package site

import (
	"bytes"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
)

// Site is a place, kept as return addresses until it is read.
type Site struct {
	pcs [48]uintptr
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
func OfPanic() Place {
	frames := stack()
	for {
		if f, more := frames.Next(); f.Function == "runtime.gopanic" || !more {
			return innermost(frames)
		}
	}
}

// Running returns the learner's line that is being executed, however deep the
// workbook is below it.
func Running() Place { return innermost(stack()) }

// stack returns the frames of the caller's caller and all above.
func stack() *runtime.Frames {
	pcs := make([]uintptr, 1024)
	return runtime.CallersFrames(pcs[:runtime.Callers(3, pcs)])
}

// Place returns the learner's line at the site.
func (s Site) Place() Place { return innermost(runtime.CallersFrames(s.pcs[:s.n])) }

// String returns the place as lessons/03/main.go:36.
func (s Site) String() string { return s.Place().String() }

// Place is a line of a file. The zero value is an unknown place.
type Place struct {
	// File is the path that the file had when it was compiled.
	File string
	Line int
}

// String returns the place as lessons/03/main.go:36.
func (p Place) String() string {
	if p.File == "" {
		return "an unknown place"
	}
	return fmt.Sprintf("%s:%d", shortened(p.File), p.Line)
}

// MarshalText spells the place as String does.
func (p Place) MarshalText() ([]byte, error) { return []byte(p.String()), nil }

// UnmarshalText reads what MarshalText spells. The file then has its short name.
func (p *Place) UnmarshalText(text []byte) error {
	*p = Place{}
	at := bytes.LastIndexByte(text, ':')
	if at < 0 {
		return nil // an unknown place
	}
	line, err := strconv.Atoi(string(text[at+1:]))
	if err != nil {
		return fmt.Errorf("site: %q is no place", text)
	}
	p.File, p.Line = string(text[:at]), line
	return nil
}

// Text reads the line, without the space around it. It is empty where the file
// cannot be read.
func (p Place) Text() string {
	source, err := os.ReadFile(p.File)
	if lines := strings.Split(string(source), "\n"); err == nil && p.Line > 0 && p.Line <= len(lines) {
		return strings.TrimSpace(lines[p.Line-1])
	}
	return ""
}

// graders are the calls in which a learner's function is graded: what called
// them is none of the learner's.
var graders = []string{"/workbook/runtime/grade.(*Run).Measure", "/workbook/runtime/grade.attempt"}

// innermost returns the first of the frames that is a learner's.
func innermost(frames *runtime.Frames) Place {
	for {
		f, more := frames.Next()
		switch {
		case names(f, graders), !more && !learners(f):
			return Place{}
		case learners(f):
			return Place{f.File, f.Line}
		}
	}
}

// learners reports whether the learner wrote the frame's line: it belongs
// neither to Go nor to the workbook's own packages. A test is a learner too. The
// file decides, and not the function: a function of ours that Go has copied into
// the learner's bears the learner's name.
func learners(f runtime.Frame) bool {
	if strings.HasSuffix(f.File, "_test.go") {
		return true
	}
	ours := slices.ContainsFunc(own, func(folder string) bool { return strings.HasPrefix(f.File, root+folder) })
	return !ours && f.File != "" && !ofGo(f.Function)
}

// ofGo reports whether a function belongs to Go's own packages: their paths have
// no dot in the first part, as a host's name has, and none is a program.
func ofGo(function string) bool {
	path, _, nested := strings.Cut(function, "/")
	if !nested {
		path, _, _ = strings.Cut(function, ".")
		return path != "main"
	}
	return !strings.Contains(path, ".")
}

// own are the workbook's folders that learners do not write in.
var own = []string{"runtime/", "lessons/lesson/", "solutions/tasks/"}

// root is the workbook's folder as the compiler knew it.
var root = func() string {
	_, file, _, _ := runtime.Caller(0)
	return strings.TrimSuffix(file, "runtime/site/site.go")
}()

// names reports whether the frame's function is one of those.
func names(f runtime.Frame, functions []string) bool {
	return slices.ContainsFunc(functions, func(name string) bool { return strings.Contains(f.Function, name) })
}

// shortened keeps a file's name and its two folders.
func shortened(file string) string {
	parts := strings.Split(file, "/")
	return strings.Join(parts[max(0, len(parts)-3):], "/")
}
