package grade_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/torchmem/workbook/runtime/grade"
)

const original = `package exercise

import "math"

// F doubles.
func F(x float64) float64 {
	y := math.Abs(x)
	// TODO: double y
	// END
	return y
}

const n = 3
`

func TestOnlyTheGapMayChange(t *testing.T) {
	same := map[string]string{
		"nothing":        original,
		"the gap":        strings.Replace(original, "	// END", "	y *= 2\n	// END", 1),
		"a comment":      strings.Replace(original, "// F doubles.", "// F is mine.", 1),
		"an import":      strings.Replace(original, `import "math"`, "import (\n\t\"fmt\"\n\t\"math\"\n)", 1),
		"the layout":     strings.Replace(original, "	return y", "\n\n  return   y", 1),
		"a Windows file": strings.ReplaceAll(original, "\n", "\r\n"),
	}
	for name, file := range same {
		require.NoError(t, grade.SameOutside([]byte(file), []byte(original)), name)
	}
	ownGap := strings.Replace(original, "	return y", "	// TODO\n	y = 7\n	// END\n	return y", 1)
	require.Error(t, grade.SameOutside([]byte(ownGap), []byte(original)))
	closed := strings.Replace(original, "	// END", "	return y }\nfunc init() {}\nfunc _() (y float64) {\n	// END", 1)
	require.ErrorContains(t, grade.SameOutside([]byte(closed), []byte(original)), "the gap ends its function")
	for file, says := range map[string]string{
		strings.Replace(original, "return y", "return y*2", 1):        "the function F has changed outside of the gap",
		strings.Replace(original, "n = 3", "n = 4", 1):                "a declaration (const) has changed outside of the gap",
		strings.Replace(original, "package exercise", "package x", 1): "the package clause has changed outside of the gap",
		strings.Replace(original, "const n = 3", "", 1):               "a declaration (const) is gone",
		original + "func G() {}\n":                                    "the function G is new",
		strings.Replace(original, "	// END\n", "", 1):                 "the mark // END is missing below // TODO",
		strings.Replace(original, "	// TODO: double y\n", "", 1):      "a mark // END has no // TODO above it",
		"package exercise\n":                                          "the marks // TODO and // END are missing",
		strings.Replace(original, "return y", "return (", 1):          "without its gap the file is no Go",
	} {
		require.ErrorContains(t, grade.SameOutside([]byte(file), []byte(original)), says)
	}
}

func TestFilesWithoutAGap(t *testing.T) {
	names := []byte("package exercise\n\ntype value = int\n")
	require.NoError(t, grade.Same(names, names))
	require.ErrorContains(t, grade.Same([]byte("package exercise\n\ntype value = string\n"), names), "a declaration (type) has changed")
	require.Error(t, grade.Same([]byte("package"), names))
}

func TestOutsideIsACheck(t *testing.T) {
	v := task().Grade(twice)
	v.Outside(task().Info, nil)
	require.True(t, v.Passed)
	require.Contains(t, v.Graded, grade.Outside)
	v.Outside(task().Info, errors.New("the function Double has changed"))
	require.False(t, v.Passed)
	require.Equal(t, "double.go", v.Failed()[0].Case)
}
