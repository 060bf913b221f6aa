package whatif

import (
	"strings"
	"unicode"

	"github.com/charmbracelet/x/ansi"

	"github.com/torchmem/workbook/runtime/caching"
)

// longest is how many characters of a text from a recording are shown. PyTorch's
// own texts are shorter.
const longest = 1000

// title names settings.
func title(conf string) string {
	if conf == "" {
		return "the default settings"
	}
	return Printable(conf)
}

// Printable replaces what a terminal could take for a command, and cuts what is
// very long. Texts in a recording are anybody's.
func Printable(s string) string {
	s = strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return '?'
	}, s)
	return ansi.Truncate(s, longest, "...")
}

// Caller is the innermost line of a stack that people know. It is empty where there
// is no stack.
func Caller(stack []caching.Frame) caching.Frame {
	if len(stack) == 0 {
		return caching.Frame{}
	}
	return caller(stack)
}

// caller is the innermost line of a stack that people know: one of Python. By
// default PyTorch records the lines of C++ that lead from there to the allocator,
// too.
func caller(stack []caching.Frame) caching.Frame {
	for _, f := range stack {
		if strings.HasSuffix(f.Filename, ".py") {
			return f
		}
	}
	return stack[0]
}
