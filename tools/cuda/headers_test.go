// Package cuda tests headers.sh, which is all there is here: it fetches what
// compiling with the tag cuda needs, for machines without NVIDIA's toolkit.
package cuda

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// tools are what the script calls beside apt-get.
var tools = []string{"bash", "mktemp", "rm", "mkdir", "mv", "sha256sum", "awk", "tar", "dpkg-deb"}

// machine is a folder with the commands that the script finds.
type machine struct {
	*testing.T
	bin, temp, folder string
}

func newMachine(t *testing.T) machine {
	m := machine{t, t.TempDir(), t.TempDir(), filepath.Join(t.TempDir(), "kept here")}
	for _, tool := range tools {
		path, err := exec.LookPath(tool)
		if err != nil {
			t.Skipf("this machine has no %s", tool)
		}
		require.NoError(t, os.Symlink(path, filepath.Join(m.bin, tool)))
	}
	return m
}

// apt makes an apt-get of these lines, one for each of its verbs.
func (m machine) apt(verbs ...string) {
	m.Helper()
	script := "#!" + filepath.Join(m.bin, "bash") + "\ncase \"$*\" in\n" + strings.Join(verbs, "\n") + "\nesac\n"
	require.NoError(m, os.WriteFile(filepath.Join(m.bin, "apt-get"), []byte(script), 0o755))
}

// run runs the script.
func (m machine) run() (stdout, stderr string, err error) {
	command := exec.Command(filepath.Join(m.bin, "bash"), "headers.sh", m.folder)
	command.Env = []string{"PATH=" + m.bin, "TMPDIR=" + m.temp}
	var out, said strings.Builder
	command.Stdout, command.Stderr = &out, &said
	err = command.Run()
	return out.String(), said.String(), err
}

// fails holds what the script says when it fails: one line. It leaves nothing
// behind but what it keeps.
func (m machine) fails(why string) {
	m.Helper()
	stdout, stderr, err := m.run()
	require.Error(m, err)
	require.Empty(m, stdout)
	require.Equal(m, "the CUDA headers cannot be had: "+why+"\n", stderr)
	left, err := os.ReadDir(m.temp)
	require.NoError(m, err)
	require.Empty(m, left)
}

const (
	knowsDebian = `*indextargets*) echo "Packages bookworm-updates main http://other/debian"; echo "Packages bookworm main http://here/debian" ;;`
	updates     = `*update*) ;;`
)

func TestItFailsInOneLine(t *testing.T) {
	m := newMachine(t)
	m.fails("there is no apt-get; install NVIDIA's CUDA toolkit instead")
	m.apt(`*) exit 1 ;;`)
	m.fails("apt knows no archive of Debian 12")
	m.apt(knowsDebian, `*update*) exit 100 ;;`)
	m.fails("apt-get update does not succeed")
	m.apt(knowsDebian, updates, `*download*) exit 100 ;;`)
	m.fails("nvidia-cuda-dev does not come")
	m.apt(knowsDebian, updates, `*download*) echo nothing >nvidia-cuda-dev_1_amd64.deb ;;`)
	m.fails("nvidia-cuda-dev does not hold them")
}

// packaged makes a package with a cuda.h.
func (m machine) packaged(header string) string {
	m.Helper()
	root := m.TempDir()
	for name, text := range map[string]string{
		"DEBIAN/control":                            "Package: nvidia-cuda-dev\nVersion: 1\nArchitecture: amd64\nMaintainer: nobody <nobody@localhost>\nDescription: a test\n",
		"usr/include/cuda.h":                        header,
		"usr/lib/x86_64-linux-gnu/stubs/libcuda.so": "a library",
	} {
		name = filepath.Join(root, name)
		require.NoError(m, os.MkdirAll(filepath.Dir(name), 0o755))
		require.NoError(m, os.WriteFile(name, []byte(text), 0o644))
	}
	file := filepath.Join(m.TempDir(), "nvidia-cuda-dev_1_amd64.deb")
	said, err := exec.Command("dpkg-deb", "--build", root, file).CombinedOutput()
	require.NoError(m, err, "%s", said)
	return file
}

// TestAnotherHeader is not what is known to compile.
func TestAnotherHeader(t *testing.T) {
	m := newMachine(t)
	m.apt(knowsDebian, updates, `*download*) /bin/cp `+m.packaged("#define CUDA_VERSION 1\n")+` . ;;`)
	m.fails("nvidia-cuda-dev has another cuda.h than the one of CUDA 11.8 that is known")
}

// TestWhatIsKept is used again without a call of apt-get, and told so that go
// can read it. It needs the real header, which a run of the script has kept.
func TestWhatIsKept(t *testing.T) {
	cache, err := os.UserCacheDir()
	require.NoError(t, err)
	header, err := os.ReadFile(filepath.Join(cache, "workbook-cuda-11.8", "include", "cuda.h"))
	if err != nil {
		t.Skip("the header was never fetched here")
	}
	m := newMachine(t)
	m.apt(knowsDebian, updates, `*download*) /bin/cp `+m.packaged(string(header))+` . ;;`)
	first, stderr, err := m.run()
	require.NoError(t, err, stderr)
	m.apt(`*) exit 1 ;;`)
	again, stderr, err := m.run()
	require.NoError(t, err, stderr)
	require.Equal(t, first, again)

	out, err := exec.Command("bash", "-c", again+"go env CGO_CFLAGS CGO_LDFLAGS").Output()
	require.NoError(t, err)
	require.Equal(t, "'-I"+m.folder+"/include'\n'-L"+m.folder+"/lib'\n", string(out))
	library, err := os.ReadFile(filepath.Join(m.folder, "lib", "libcuda.so"))
	require.NoError(t, err)
	require.Equal(t, "a library", string(library))
}
