package workbook_test

import (
	"os/exec"
	"path"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// mayImport says for each package which packages of the project it may import.
// The arrows point one way. A name that ends in /* stands for all packages
// below.
var mayImport = map[string][]string{
	"runtime/gpu":                {},
	"runtime/site":               {},
	"runtime/units":              {},
	"runtime/python":             {},
	"runtime/output":             {},
	"runtime/host":               {"runtime/gpu"},
	"runtime/gpu/sim":            {"runtime/gpu", "runtime/host"},
	"runtime/device":             {"runtime/gpu", "runtime/gpu/sim", "runtime/gpu/cuda"},
	"runtime/gpu/cuda/fakecuda":  {},
	"runtime/caching":            {"runtime/gpu", "runtime/python"},
	"runtime/timeline":           {"runtime/caching", "runtime/gpu"},
	"runtime/timeline/svg":       {"runtime/timeline", "runtime/caching", "runtime/units"},
	"runtime/timeline/web":       {"runtime/timeline", "runtime/caching", "runtime/gpu"},
	"runtime/report":             {"runtime/caching", "runtime/gpu", "runtime/units"},
	"runtime/report/screen":      {"runtime/report"},
	"runtime/oracle":             {"runtime/caching", "runtime/gpu"},
	"runtime/tensor":             {"runtime/caching", "runtime/gpu", "runtime/host", "runtime/site"},
	"runtime/autograd":           {"runtime/tensor", "runtime/gpu", "runtime/python"},
	"runtime/nn":                 {"runtime/autograd", "runtime/tensor"},
	"runtime/gpu/cuda":           {"runtime/gpu", "runtime/gpu/cuda/kernels", "runtime/gpu/cuda/nvml", "runtime/gpu/cuda/preflight"},
	"runtime/gpu/cuda/nvml":      {"runtime/gpu"},
	"runtime/gpu/cuda/kernels":   {"runtime/gpu"},
	"runtime/gpu/cuda/preflight": {},
	"runtime/gpu/drivertest":     {"runtime/gpu", "runtime/host"},
	"runtime/torch": {"runtime/nn", "runtime/autograd", "runtime/tensor", "runtime/report",
		"runtime/caching", "runtime/gpu", "runtime/site", "runtime/snapshot",
		"runtime/timeline"},
	"runtime/snapshot/pickle": {},
	"runtime/snapshot":        {"runtime/snapshot/pickle", "runtime/caching", "runtime/gpu"},
	"runtime/replay":          {"runtime/caching", "runtime/gpu", "runtime/gpu/sim", "runtime/report", "runtime/oracle"},
	"runtime/grade": {"runtime/torch", "runtime/tensor", "runtime/report", "runtime/caching", "runtime/device", "runtime/gpu",
		"runtime/gpu/sim", "runtime/site", "runtime/units", "runtime/timeline"},
	"lessons/lesson": {"runtime/torch", "runtime/report", "runtime/report/screen", "runtime/oracle", "runtime/caching",
		"runtime/device", "runtime/gpu", "runtime/output", "runtime/site", "runtime/snapshot", "runtime/timeline", "runtime/timeline/svg",
		"runtime/timeline/web"},
	"lessons/*":                   {"lessons/lesson", "runtime/torch"},
	"solutions":                   {},
	"solutions/tasks":             {"solutions", "runtime/grade", "runtime/torch", "runtime/timeline/web"},
	"solutions/*":                 {"runtime/torch"},
	"tools/workbook/*":            {"tools/workbook/*", "solutions", "solutions/tasks", "runtime/grade", "runtime/output", "runtime/report", "runtime/units", "lessons/lesson", "tools/misuse"},
	"tools/workbook":              {"tools/workbook/*"},
	"tools/replay/whatif/history": {"runtime/snapshot", "runtime/caching", "runtime/gpu"},
	"tools/replay/whatif": {"tools/replay/whatif/history", "runtime/snapshot", "runtime/caching", "runtime/gpu",
		"runtime/gpu/sim", "runtime/output", "runtime/timeline", "runtime/timeline/web"},
	"tools/replay/cli": {"tools/misuse", "tools/replay/whatif", "runtime/replay", "runtime/report", "runtime/report/screen",
		"runtime/caching", "runtime/gpu"},
	"tools/replay":  {"tools/replay/cli"},
	"tools/misuse":  {},
	"tools/scripts": {},
	"tools/cuda":    {},
}

// libraries are what the lessons, the runtime and the exercises take from
// others. What tools need stays in tools, and the real driver has its own place.
// The last two are for the maps: how many columns a name has that is no ASCII, and
// whether anybody looks at them, on how wide a terminal. Tables and system calls of
// our own would be wrong sooner or later.
var libraries = []string{"gonum.org/v1/gonum/", "github.com/dustin/go-humanize",
	"github.com/clipperhouse/displaywidth", "github.com/charmbracelet/x/term"}

const module = "github.com/torchmem/workbook/"

// TestArrowsPointOneWay reads the imports of every package.
func TestArrowsPointOneWay(t *testing.T) {
	for from, imports := range importsOf(t) {
		allowed, ok := mayImport[rule(from)]
		require.True(t, ok, "%s has no place in the layout", from)
		for _, to := range imports {
			if own, ok := strings.CutPrefix(to, module); ok {
				require.True(t, contains(allowed, own), "%s imports %s", from, own)
			}
		}
	}
}

// TestLibrariesStayInTools makes sure that a lesson needs few modules of
// others.
func TestLibrariesStayInTools(t *testing.T) {
	for from, imports := range importsOf(t) {
		if strings.HasPrefix(from, "tools/") || from == "runtime/gpu/drivertest" {
			continue // what tools need, and what tests need
		}
		for _, to := range imports {
			first, _, _ := strings.Cut(to, "/")
			if !strings.Contains(first, ".") || strings.HasPrefix(to, module) {
				continue // Go's own, and ours
			}
			if to == "gorgonia.org/cu" {
				require.Equal(t, "runtime/gpu/cuda", from, "only the leaf that needs a driver may start one")
				continue
			}
			require.True(t, hasPrefix(to, libraries), "%s imports %s", from, to)
		}
	}
}

// importsOf lists the packages with what they import, by folder. With the tag
// cuda, every file counts that any build has.
func importsOf(t *testing.T) map[string][]string {
	t.Helper()
	out, err := exec.Command("go", "list", "-tags", "cuda", "-f", `{{.ImportPath}} {{join .Imports " "}}`, "./...").Output()
	require.NoError(t, err)
	imports := map[string][]string{}
	for _, line := range strings.Split(strings.TrimSpace(string(out)), "\n") {
		words := strings.Fields(line)
		if from := strings.TrimPrefix(words[0], module); from != strings.TrimSuffix(module, "/") {
			imports[from] = words[1:]
		}
	}
	return imports
}

// rule returns the name under which mayImport knows a package.
func rule(folder string) string {
	if _, ok := mayImport[folder]; ok {
		return folder
	}
	for dir := path.Dir(folder); dir != "."; dir = path.Dir(dir) {
		if _, ok := mayImport[dir+"/*"]; ok {
			return dir + "/*"
		}
	}
	return folder
}

func contains(allowed []string, folder string) bool {
	for _, a := range allowed {
		below, all := strings.CutSuffix(a, "*")
		if a == folder || all && strings.HasPrefix(folder, below) {
			return true
		}
	}
	return false
}

func hasPrefix(text string, prefixes []string) bool {
	for _, p := range prefixes {
		if strings.HasPrefix(text, p) {
			return true
		}
	}
	return false
}
