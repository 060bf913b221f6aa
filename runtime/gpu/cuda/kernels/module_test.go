package kernels

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/torchmem/workbook/runtime/host"
)

// TestTextIsCurrent holds the committed text against the sources.
func TestTextIsCurrent(t *testing.T) {
	var files []string
	for _, pattern := range []string{"*.cu", "*.cuh"} {
		found, err := filepath.Glob(pattern)
		require.NoError(t, err)
		files = append(files, found...)
	}
	hash := sha256.New()
	for _, file := range append(files, "generate.sh") {
		content, err := os.ReadFile(file)
		require.NoError(t, err)
		hash.Write(content)
	}
	require.Equal(t, fmt.Sprintf("// Sources: %x", hash.Sum(nil)), lines("// Sources: .*"), "go generate has to run in this folder")
}

// lines returns the lines of the text that a pattern matches. The text itself is
// too long for a message.
func lines(pattern string) string {
	return strings.Join(regexp.MustCompile("(?m)^"+pattern+"$").FindAllString(PTX(), -1), "\n")
}

// TestTextIsReadByOldDrivers reads what the text says of itself.
func TestTextIsReadByOldDrivers(t *testing.T) {
	require.Equal(t, "// Compiler: release 11.8, V11.8.89", lines("// Compiler: .*"))
	require.Equal(t, ".version 7.8", lines(`\.version .*`))
	require.Equal(t, fmt.Sprintf(".target sm_%d", Capability), lines(`\.target .*`))
	require.Equal(t, ".address_size 64", lines(`\.address_size .*`))
}

// TestTextTakesNoMemory makes sure that no function has local memory, that the
// module has no variables, and that no order of adding is random.
func TestTextTakesNoMemory(t *testing.T) {
	require.Empty(t, lines(`.*\.local.*`))
	require.Empty(t, lines(`\s*(\.visible )?\.global.*`))
	require.Empty(t, lines(`\s*(atom|red)\..*`))
	require.NotEmpty(t, lines(`\s*\.shared.*`), "the patterns find what there is")
}

// parameters returns the number of parameters of each function, and requires
// each to be one word.
func parameters(t *testing.T) map[string]int {
	t.Helper()
	all := map[string]int{}
	entry := regexp.MustCompile(`(?s)\.visible \.entry (\w+)\((.*?)\)`)
	for _, match := range entry.FindAllStringSubmatch(PTX(), -1) {
		for _, p := range strings.Split(match[2], ",") {
			require.Regexp(t, `^\.param \.(u64|b64) `, strings.TrimSpace(p), match[1])
			all[match[1]]++
		}
	}
	return all
}

func TestFunctions(t *testing.T) {
	counted := parameters(t)
	require.Len(t, counted, len(Functions()))
	for _, name := range Functions() {
		require.Contains(t, counted, name)
	}
	require.Len(t, Functions(), strings.Count(PTX(), ".entry"))
	require.Contains(t, Functions(), "pointwise2")
}

// TestNamesAreThoseOfTheContract compares the table with the CPU's instruction
// set, and with the numbers that the sources give the names.
func TestNamesAreThoseOfTheContract(t *testing.T) {
	var names []string
	for _, f := range forms {
		names = append(names, f.name)
	}
	require.Equal(t, host.Names(), slices.Sorted(slices.Values(names)))

	source, err := os.ReadFile("words.cuh")
	require.NoError(t, err)
	list := regexp.MustCompile(`(?s)enum Name \{(.*?)\}`).FindStringSubmatch(string(source))[1]
	require.Equal(t, strings.Fields(strings.ToUpper(strings.Join(names, " "))), strings.Fields(strings.ReplaceAll(list, ",", " ")))
	require.Contains(t, string(source), fmt.Sprintf("const int RANK = %d;", rank))
	require.Contains(t, string(source), "enum Type { FLOAT32, FLOAT64, INT64, UINT8, BOOL, NUMBER };")
}
