package doctor

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"
)

const nvrm = `NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  580.95.05  Release Build  (builder@host)  Tue Sep 23
GCC version:  gcc version 12.2.0 (Debian 12.2.0-14)
`

func TestGPU(t *testing.T) {
	m := newMachine(t)
	m.expect(gpu, note("no GPU of NVIDIA", "nothing has to be done: the simulated GPU needs none"))
	m.has("/dev/nvidiactl", "") // no GPU, but its control
	m.expect(gpu, note("no GPU of NVIDIA", ""))

	m.has("/proc/driver/nvidia/version", nvrm)
	m.expect(gpu, note("a driver of NVIDIA is loaded, driver 580.95.05, but no GPU can be reached",
		"nothing has to be done; a container sees GPUs if it is started with them"))
	m.has("/dev/nvidia0", "")
	m.has("/dev/nvidia1", "")
	m.expect(gpu, ok("/dev/nvidia0, /dev/nvidia1, driver 580.95.05; nvidia-smi is not on the PATH"))
	m.has("/proc/driver/nvidia/version", "no number")
	m.expect(gpu, ok("/dev/nvidia0, /dev/nvidia1, driver of unknown version; nvidia-smi is not on the PATH"))

	m.says(answer{err: context.DeadlineExceeded})
	m.expect(gpu, note("nvidia-smi does not answer within 5s", ""))
	m.says(answer{text: "Failed to initialize NVML\nmore\n", err: errors.New("exit status 9")})
	m.expect(gpu, note("/dev/nvidia0, /dev/nvidia1, driver of unknown version, but nvidia-smi fails: Failed to initialize NVML", ""))
	m.says(answer{err: errors.New("exit status 9")})
	m.expect(gpu, note("/dev/nvidia0, /dev/nvidia1, driver of unknown version, but nvidia-smi fails: exit status 9", ""))

	m.says(answer{text: "NVIDIA H200, 143771 MiB, 580.95.05\n"})
	m.expect(gpu, ok("NVIDIA H200, 143771 MiB, driver 580.95.05"))
	m.says(answer{text: "NVIDIA H200, 143771 MiB, 580.95.05\nNVIDIA H200, 143771 MiB, 580.95.05\n"})
	m.expect(gpu, ok("NVIDIA H200, 143771 MiB, driver 580.95.05, and 1 more"))
	m.says(answer{text: "odd\n"})
	m.expect(gpu, ok("odd"))
}

func TestGPUOfOtherSystems(t *testing.T) {
	m := newMachine(t)
	m.system = "windows"
	m.expect(gpu, note("no GPU of NVIDIA", ""))
	m.says(answer{err: errors.New("exit status 9")})
	m.expect(gpu, note("nvidia-smi is there, but no GPU of NVIDIA", ""))
	m.says(answer{text: "NVIDIA RTX 4090, 24564 MiB, 572.16\r\n"})
	m.expect(gpu, ok("NVIDIA RTX 4090, 24564 MiB, driver 572.16"))
	m.system = "darwin"
	m.expect(gpu, note("no GPU of NVIDIA, as on every Mac", ""))
}

func TestDriverLibrary(t *testing.T) {
	m := newMachine(t)
	m.expect(driverLibrary, note("libcuda.so.1 is not found", "nothing has to be done: the simulated GPU needs none"))
	m.has("/usr/lib/wsl/lib/libcuda.so.1", "")
	m.expect(driverLibrary, ok("/usr/lib/wsl/lib/libcuda.so.1"))
	m.variables["LD_LIBRARY_PATH"] = "/nowhere:/opt/driver:"
	m.has("/opt/driver/libcuda.so.1", "")
	m.expect(driverLibrary, ok("/opt/driver/libcuda.so.1"))

	const list = "2 libs found in cache `/etc/ld.so.cache'\n\tlibcudart.so.1 (libc6,x86-64) => /x/libcudart.so.1\n\tlibcuda.so (libc6,x86-64) => /x/libcuda.so\n"
	m.commands["/sbin/ldconfig -p"] = answer{text: list}
	m.expect(driverLibrary, ok("/opt/driver/libcuda.so.1"))
	m.commands["/sbin/ldconfig -p"] = answer{text: list + "\tlibcuda.so.1 (libc6,x86-64) => /x/libcuda.so.1\n"}
	m.expect(driverLibrary, ok("/x/libcuda.so.1"))

	m.system = "darwin"
	m.expect(driverLibrary, note("there is none for macOS", ""))
	m.system = "windows"
	m.variables["SystemRoot"] = `C:\Windows`
	m.expect(driverLibrary, note("nvcuda.dll is not in System32", ""))
	m.has(`C:\Windows\System32\nvcuda.dll`, "")
	m.expect(driverLibrary, ok(`C:\Windows\System32\nvcuda.dll`))
}

func TestHeaders(t *testing.T) {
	m := newMachine(t)
	m.goEnv["CGO_CFLAGS"] = "-O2 -I/opt/flags"
	m.expect(headers, note("cuda.h is not found", "nothing has to be done: the simulated GPU needs none"))
	// The workbook's own cuda.h is no toolkit's.
	m.own("runtime/gpu/cuda/include/cuda.h", "#define CUDA_VERSION 1\n")
	m.goEnv["CGO_CFLAGS"] = "-O2 -I" + m.shim() + " -I/opt/flags"
	// Each folder goes before those that came earlier here.
	m.has("/usr/include/cuda.h", "nothing")
	m.expect(headers, ok("/usr/include/cuda.h, CUDA of unknown version"))
	m.has("/opt/cuda/include/cuda.h", "#define CUDA_VERSION 12060\n")
	m.expect(headers, ok("/opt/cuda/include/cuda.h, CUDA 12.6"))
	m.has("/usr/local/cuda-12.8/include/cuda.h", "#define CUDA_VERSION 12080\n")
	m.expect(headers, ok("/usr/local/cuda-12.8/include/cuda.h, CUDA 12.8"))
	m.variables["CUDA_PATH"] = "/opt/path"
	m.has("/opt/path/include/cuda.h", "/* #define CUDA_VERSION 1 */\n#  define CUDA_VERSION   13000 /* 13.0 */\n")
	m.expect(headers, ok("/opt/path/include/cuda.h, CUDA 13.0"))
	m.variables["CUDA_HOME"] = "/opt/home"
	m.has("/opt/home/include/cuda.h", "#define CUDA_VERSION 99999999999999999999\n")
	m.expect(headers, ok("/opt/home/include/cuda.h, CUDA of unknown version"))

	m.has("/opt/flags/cuda.h", "#define CUDA_VERSION 13010\n")
	m.expect(headers, ok("/opt/flags/cuda.h, CUDA 13.1"))

	m.system = "darwin"
	m.expect(headers, note("there are none for macOS", ""))
}

func TestFoldersOfFlags(t *testing.T) {
	require.Equal(t, []string{"/a", "/b", "/c"}, named("-g -I/a -O2 -I /b -isystem /c -DI", "-I", "-isystem"))
	require.Empty(t, named("-I", "-I"))
	require.Equal(t, []string{"/with space", "/b"}, named(`'-I/with space'  -g "-I/b"`, "-I"))
	require.Equal(t, []string{"/open"}, named(`'-I/open`, "-I"))
	require.Equal(t, "'-I/with space' -g", withFolder("-g", "-I", "/with space"))
	require.Equal(t, "-L/a", withFolder("", "-L", "/a"))
	require.Equal(t, `export A="-I/a\"b\$c\\"`, assignment("A", `-I/a"b$c\`))
}

func TestCgo(t *testing.T) {
	m := newMachine(t)
	m.expect(cgo, ok("on, with /usr/bin/gcc"))

	m = newMachine(t)
	m.goEnv["CGO_ENABLED"] = "0"
	m.expect(cgo, note("Go does not use C (CGO_ENABLED=0)", "nothing has to be done: the simulated GPU needs none; for a real one: go env -w CGO_ENABLED=1"))

	m = newMachine(t)
	m.goEnv["CC"] = "clang -target x"
	m.expect(cgo, note("clang is not on the PATH", "nothing has to be done: the simulated GPU needs none; a real one does need a C compiler"))

	m = newMachine(t)
	m.goEnv["CC"] = ""
	m.expect(cgo, note("cc is not on the PATH", ""))

	m = newMachine(t)
	m.goEnv = nil
	m.expect(cgo, note("not looked at, since the go command cannot be asked", "see Go above"))
}
