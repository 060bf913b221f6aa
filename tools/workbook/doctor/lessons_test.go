package doctor

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// withGPU is a machine that lacks nothing, with a toolkit of that version in
// a folder.
func withGPU(t *testing.T, toolkit, version string) *machine {
	m := newMachine(t)
	m.has("/usr/lib/x86_64-linux-gnu/libcuda.so.1", "")
	m.has("/proc/driver/nvidia/version", nvrm)
	m.has("/dev/nvidia0", "")
	m.has(toolkit+"/include/cuda.h", "#define CUDA_VERSION "+version+"\n")
	m.has(toolkit+"/lib64/stubs/libcuda.so", "")
	return m
}

func (m *machine) loses(name string) {
	m.t.Helper()
	require.NoError(m.t, os.Remove(filepath.Join(m.machine, name)))
}

// TestTheFirstThingMissing takes away one thing after the other, the last first.
// The finding always names the first.
func TestTheFirstThingMissing(t *testing.T) {
	m := withGPU(t, "/usr/local/cuda-12.8", "12080")
	require.Equal(t, OK, lessonsOnGPU(t.Context(), m.surroundings).State)
	missing := func(is, do string) {
		t.Helper()
		m.expect(lessonsOnGPU, note("missing: "+is, needless+"; for a real one, "+do))
	}

	m.loses("/usr/local/cuda-12.8/lib64/stubs/libcuda.so")
	missing("the library to link with, libcuda.so",
		"install NVIDIA's CUDA toolkit, or type: ln -s /usr/lib/x86_64-linux-gnu/libcuda.so.1 /usr/lib/x86_64-linux-gnu/libcuda.so")
	m.goSays("CGO_ENABLED", "0")
	missing("cgo: Go does not use C (CGO_ENABLED=0)", "type: go env -w CGO_ENABLED=1")
	delete(m.commands, "gcc")
	missing("a C compiler: gcc is not on the PATH", "install gcc")
	all := m.goEnv
	m.goEnv, m.goOnce = nil, sync.Once{}
	missing("the go command", "see Go above")
	m.goEnv, m.goOnce = all, sync.Once{}
	m.loses("/usr/local/cuda-12.8/include/cuda.h")
	missing("the header cuda.h", `install NVIDIA's CUDA toolkit, or on Debian 12 type: eval "$(bash tools/cuda/headers.sh)"`)
	m.loses("/dev/nvidia0")
	missing("a GPU: a driver of NVIDIA is loaded, driver 580.95.05, but no GPU can be reached", "look at its driver")
	m.loses("/proc/driver/nvidia/version")
	missing("a GPU: no driver of NVIDIA is loaded (no /proc/driver/nvidia)", "load the driver, which after an update takes a restart")
	m.loses("/usr/lib/x86_64-linux-gnu/libcuda.so.1")
	missing("the driver, libcuda.so.1", "install NVIDIA's driver, or start the container with its GPUs")

	for _, other := range []string{"darwin", "windows"} {
		m.system = other
		m.expect(lessonsOnGPU, note("they run on Linux, and on Windows within WSL 2", needless))
	}
}

func TestTheDeviceOfLessons(t *testing.T) {
	m := withGPU(t, "/usr/local/cuda", "12080")
	m.variables["CUDA_VISIBLE_DEVICES"] = "-1"
	m.expect(lessonsOnGPU, note("missing: a GPU: CUDA_VISIBLE_DEVICES=-1 hides all",
		needless+"; for a real one, take the variable out of the environment"))
	m.variables["CUDA_VISIBLE_DEVICES"] = "0"
	m.says(answer{err: errors.New("Driver/library version mismatch")})
	m.expect(lessonsOnGPU, note("missing: a GPU: /dev/nvidia0, driver 580.95.05, but nvidia-smi fails: Driver/library version mismatch",
		needless+"; for a real one, look at its driver"))
	m.loses("/dev/nvidia0")
	m.loses("/proc/driver/nvidia/version")
	m.has("/dev/dxg", "") // WSL 2
	require.Equal(t, OK, lessonsOnGPU(t.Context(), m.surroundings).State)
}

// TestWhatToType has toolkits in several places. Go is told only what it does not
// know.
func TestWhatToType(t *testing.T) {
	const run = "go run -tags cuda ./lessons/03 -device cuda"
	typed := func(m *machine) []string {
		t.Helper()
		f := lessonsOnGPU(t.Context(), m.surroundings)
		require.Equal(t, OK, f.State, f.Is)
		return f.Type
	}

	m := withGPU(t, "/usr/local/cuda", "12080")
	require.Equal(t, []string{`export CGO_LDFLAGS="-L/usr/local/cuda/lib64/stubs"`, run}, typed(m))
	m.has("/usr/lib/x86_64-linux-gnu/libcuda.so", "")
	require.Equal(t, []string{run}, typed(m), "Ubuntu's driver brings the library to link with")

	m = withGPU(t, "/opt/cuda-12.4", "12040")
	m.variables["CUDA_HOME"] = "/opt/cuda-12.4"
	m.goSays("CGO_CFLAGS", "-O2 -g")
	m.goSays("CGO_LDFLAGS", "-O2 -g")
	require.Equal(t, []string{
		`export CGO_CFLAGS="-I/opt/cuda-12.4/include -O2 -g"`,
		`export CGO_LDFLAGS="-L/opt/cuda-12.4/lib64/stubs -O2 -g"`, run,
	}, typed(m))

	m = withGPU(t, "/usr/local/cuda-13.0", "13000")
	require.Equal(t, []string{
		`export CGO_CFLAGS="-I` + m.shim() + ` -I/usr/local/cuda-13.0/include"`,
		`export CGO_LDFLAGS="-L/usr/local/cuda-13.0/lib64/stubs"`, run,
	}, typed(m))

	// What was typed is not asked for again.
	m.goSays("CGO_CFLAGS", "-I"+m.shim()+" -I/usr/local/cuda-13.0/include")
	m.goSays("CGO_LDFLAGS", "-L/usr/local/cuda-13.0/lib64/stubs")
	require.Equal(t, []string{run}, typed(m))
	m.goSays("CGO_CFLAGS", "-I/usr/local/cuda-13.0/include -I"+m.shim())
	require.Len(t, typed(m), 2, "the order matters")

	m.goSays("CGO_LDFLAGS", "")
	m.variables["LIBRARY_PATH"] = "/elsewhere:/usr/local/cuda-13.0/lib64/stubs"
	require.NotContains(t, strings.Join(typed(m), "\n"), "LDFLAGS")
}

// TestWhatIsTypedIsRead lets a shell and go read a folder with odd signs.
func TestWhatIsTypedIsRead(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("there is no sh")
	}
	const folder = "/a b$HOME`c"
	line := assignment("CGO_CFLAGS", withFolder("-O1", "-I", folder))
	out, err := exec.Command("sh", "-c", line+"; go env CGO_CFLAGS").Output()
	require.NoError(t, err)
	got := strings.TrimSpace(string(out))
	require.Equal(t, "'-I"+folder+"' -O1", got)
	require.Equal(t, []string{folder}, named(got, "-I"))
}
