package classes

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"

	"github.com/torchmem/workbook/tools/workbook/verdicts"
)

// explanation says why a task passes or not.
func explanation(r verdicts.Result) string {
	if r.Verdict == nil {
		return clean(strings.TrimRight(r.Problem, "\n")) + "\n"
	}
	return clean(r.Verdict.String())
}

// clean makes text of what a program printed: valid UTF-8 without colours and
// without characters that XML does not know. What it cannot keep, it replaces.
func clean(s string) string {
	s = strings.ReplaceAll(s, "\r\n", "\n")
	s = ansi.Strip(strings.ToValidUTF8(s, string(utf8.RuneError)))
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n', r == '\t':
			return r
		case unicode.IsControl(r), r == '\uFFFE', r == '\uFFFF':
			return utf8.RuneError
		}
		return r
	}, s)
}

// most is how many bytes of a program's output are kept, half of them from its
// end.
const most = 16 << 10

// clip takes the middle out of a long text.
func clip(s string) string {
	if len(s) <= most {
		return s
	}
	head := strings.ToValidUTF8(s[:most/2], "")
	tail := strings.ToValidUTF8(s[len(s)-most/2:], "")
	return fmt.Sprintf("%s\n... %d bytes are left out ...\n%s", head, len(s)-len(head)-len(tail), tail)
}
