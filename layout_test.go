package workbook_test

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// mayImport says for each package of the runtime, and for the lessons, which
// packages of the project it may import. The arrows point one way.
var mayImport = map[string][]string{
	"runtime/gpu":      {},
	"runtime/site":     {},
	"runtime/python":   {},
	"runtime/host":     {"runtime/gpu"},
	"runtime/gpu/sim":  {"runtime/gpu", "runtime/host"},
	"runtime/caching":  {"runtime/gpu", "runtime/python"},
	"runtime/report":   {"runtime/caching"},
	"runtime/oracle":   {"runtime/caching", "runtime/gpu"},
	"runtime/tensor":   {"runtime/caching", "runtime/gpu", "runtime/host", "runtime/site"},
	"runtime/autograd": {"runtime/tensor", "runtime/gpu", "runtime/python"},
	"runtime/nn":       {"runtime/autograd", "runtime/tensor"},
	"runtime/torch": {"runtime/nn", "runtime/autograd", "runtime/tensor", "runtime/report",
		"runtime/caching", "runtime/gpu", "runtime/site"},
	"lessons/lesson": {"runtime/torch", "runtime/report", "runtime/oracle", "runtime/caching",
		"runtime/gpu", "runtime/gpu/sim", "runtime/site"},
	"lessons": {"lessons/lesson", "runtime/torch"},
}

// TestArrowsPointOneWay reads the imports of every package.
func TestArrowsPointOneWay(t *testing.T) {
	const module = "github.com/torchmem/workbook/"
	out, err := exec.Command("go", "list", "-f", `{{.ImportPath}} {{join .Imports " "}}`, "./runtime/...", "./lessons/...").Output()
	require.NoError(t, err)
	for _, line := range strings.Split(strings.TrimSpace(string(out)), "\n") {
		words := strings.Fields(line)
		from := strings.TrimPrefix(words[0], module)
		allowed, ok := mayImport[from]
		if !ok && strings.HasPrefix(from, "lessons/") {
			allowed, ok = mayImport["lessons"], true
		}
		require.True(t, ok, "%s has no place in the layout", from)
		for _, to := range words[1:] {
			if own, ok := strings.CutPrefix(to, module); ok {
				require.Contains(t, allowed, own, "%s imports %s", from, own)
			}
		}
	}
}
