package doctor

import (
	"context"
	"path"
	"strings"
)

// need is one thing without which no lesson runs on a real GPU. It returns what
// is missing, or nothing, and what to do about it.
type need func(ctx context.Context, s *surroundings) (missing, do string)

// needs are in the order in which they are met.
var needs = []need{needDriver, needDevice, needHeader, needCompiler, needLibrary}

// lessonsOnGPU says in one line what a lesson lacks to run on a real GPU, the
// first thing only. If it lacks nothing, the finding has what to type.
func lessonsOnGPU(ctx context.Context, s *surroundings) Finding {
	if s.system != "linux" {
		return note("they run on Linux, and on Windows within WSL 2", needless)
	}
	for _, lacks := range needs {
		if missing, do := lacks(ctx, s); missing != "" {
			return note("missing: "+missing, needless+"; for a real one, "+do)
		}
	}
	f := ok("all that they need is there; in the project's folder, type:")
	f.Type = s.lessonCommands(ctx)
	return f
}

func needDriver(ctx context.Context, s *surroundings) (missing, do string) {
	if driverLibrary(ctx, s).State == OK {
		return "", ""
	}
	return "the driver, " + libcuda, "install NVIDIA's driver, or start the container with its GPUs"
}

// needDevice finds one when the GPU check does, or where Windows lends it to
// Linux.
func needDevice(ctx context.Context, s *surroundings) (missing, do string) {
	f := gpu(ctx, s)
	hidden := s.env("CUDA_VISIBLE_DEVICES")
	switch {
	case hidden == "-1" || hidden == "NoDevFiles":
		return "a GPU: CUDA_VISIBLE_DEVICES=" + hidden + " hides all", "take the variable out of the environment"
	case f.State == OK, s.exists("/dev/dxg"):
		return "", ""
	case s.kernelDriver() == "":
		return "a GPU: no driver of NVIDIA is loaded (no /proc/driver/nvidia)", "load the driver, which after an update takes a restart"
	}
	return "a GPU: " + f.Is, "look at its driver"
}

func needHeader(ctx context.Context, s *surroundings) (missing, do string) {
	if file, _ := s.header(ctx); file != "" {
		return "", ""
	}
	return "the header cuda.h", `install NVIDIA's CUDA toolkit, or on Debian 12 type: eval "$(bash tools/cuda/headers.sh)"`
}

func needCompiler(ctx context.Context, s *surroundings) (missing, do string) {
	f := cgo(ctx, s)
	_, err := s.golang(ctx, "CGO_ENABLED")
	switch {
	case err != nil:
		return "the go command", "see Go above"
	case f.State == OK:
		return "", ""
	case strings.Contains(f.Is, "CGO_ENABLED"):
		return "cgo: " + f.Is, "type: go env -w CGO_ENABLED=1"
	}
	return "a C compiler: " + f.Is, "install gcc"
}

func needLibrary(ctx context.Context, s *surroundings) (missing, do string) {
	if s.linkFolder(ctx) != "" {
		return "", ""
	}
	driver := driverLibrary(ctx, s).Is
	return "the library to link with, libcuda.so",
		"install NVIDIA's CUDA toolkit, or type: ln -s " + driver + " " + path.Join(path.Dir(driver), "libcuda.so")
}

// linkFolder returns the first folder with a libcuda.so: one that is looked
// into anyway, or one with the toolkit's stand-in.
func (s *surroundings) linkFolder(ctx context.Context) string {
	flags, _ := s.golang(ctx, "CGO_LDFLAGS")
	folders := named(flags, "-L")
	folders = append(folders, strings.FieldsFunc(s.env("LIBRARY_PATH"), func(r rune) bool { return r == ':' })...)
	folders = append(folders, cuFolders...)
	if file, _ := s.header(ctx); file != "" {
		home := path.Dir(path.Dir(file))
		folders = append(folders, path.Join(home, "lib64/stubs"), path.Join(home, "lib/stubs"), path.Join(home, "lib"))
	}
	folders = append(folders, s.glob("/usr/local/cuda*/lib64/stubs")...)
	folders = append(folders, s.glob("/usr/local/cuda*/targets/*/lib/stubs")...)
	folders = append(folders, "/opt/cuda/lib64/stubs", "/usr/lib/x86_64-linux-gnu/stubs", "/usr/lib/wsl/lib")
	for _, folder := range folders {
		if s.exists(path.Join(folder, "libcuda.so")) {
			return folder
		}
	}
	return ""
}

// shimFrom is the CUDA_VERSION from which gorgonia.org/cu needs the workbook's
// own header before the toolkit's.
const shimFrom = 13000

// lessonCommands are what somebody types to run a lesson on the GPU: what go has
// to be told about headers and library, as far as it does not know, and the
// lesson.
func (s *surroundings) lessonCommands(ctx context.Context) []string {
	var lines []string
	file, version := s.header(ctx)
	had, _ := s.golang(ctx, "CGO_CFLAGS")
	flags := had
	if folder := path.Dir(file); !knownToCu(folder) {
		flags = s.told(flags, "-I", folder)
	}
	if version >= shimFrom && !s.begins(flags, s.shim()) {
		flags = withFolder(flags, "-I", s.shim())
	}
	if flags != had {
		lines = append(lines, assignment("CGO_CFLAGS", flags))
	}
	had, _ = s.golang(ctx, "CGO_LDFLAGS")
	if folder := s.linkFolder(ctx); !knownToCu(folder) && !s.onLibraryPath(folder) {
		if flags := s.told(had, "-L", folder); flags != had {
			lines = append(lines, assignment("CGO_LDFLAGS", flags))
		}
	}
	return append(lines, "go run -tags cuda ./lessons/03 -device cuda")
}

// told puts a folder in front of flags that do not name it.
func (s *surroundings) told(flags, flag, folder string) string {
	for _, f := range named(flags, flag) {
		if f == folder || sameFile(s.path(f), s.path(folder)) {
			return flags
		}
	}
	return withFolder(flags, flag, folder)
}

// begins reports whether flags name a folder before all others.
func (s *surroundings) begins(flags, folder string) bool {
	all := named(flags, "-I")
	return len(all) > 0 && (all[0] == folder || sameFile(all[0], folder))
}

func (s *surroundings) onLibraryPath(folder string) bool {
	for f := range strings.SplitSeq(s.env("LIBRARY_PATH"), ":") {
		if f == folder {
			return true
		}
	}
	return false
}
