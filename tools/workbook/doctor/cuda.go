package doctor

import (
	"context"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

// driverLibrary looks for the library through which programs reach the driver.
func driverLibrary(ctx context.Context, s *surroundings) Finding {
	switch s.system {
	case "darwin":
		return note("there is none for macOS", needless)
	case "windows":
		if library := s.env("SystemRoot") + `\System32\nvcuda.dll`; s.exists(library) {
			return ok(library)
		}
		return note("nvcuda.dll is not in System32", needless)
	}
	if library := s.listed(ctx); library != "" {
		return ok(library)
	}
	for _, folder := range s.libraryFolders() {
		if library := path.Join(folder, libcuda); s.exists(library) {
			return ok(library)
		}
	}
	return note(libcuda+" is not found", needless)
}

const libcuda = "libcuda.so.1"

// listed returns the library that the loader knows.
func (s *surroundings) listed(ctx context.Context) string {
	for _, ldconfig := range []string{"ldconfig", "/sbin/ldconfig"} {
		text, err := s.run(ctx, call{command: ldconfig, args: []string{"-p"}})
		if err != nil {
			continue
		}
		for line := range strings.Lines(text) {
			name, file, found := strings.Cut(line, "=>")
			if found && strings.HasPrefix(strings.TrimSpace(name), libcuda+" ") {
				return strings.TrimSpace(file)
			}
		}
	}
	return ""
}

// libraryFolders are where the library often is without the loader's knowledge.
func (s *surroundings) libraryFolders() []string {
	folders := strings.FieldsFunc(s.env("LD_LIBRARY_PATH"), func(r rune) bool { return r == ':' })
	return append(folders,
		"/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/usr/lib64", "/usr/lib",
		"/usr/local/nvidia/lib64", "/usr/lib/wsl/lib", "/run/opengl-driver/lib",
		"/usr/local/cuda/compat", "/usr/local/cuda/lib64",
	)
}

// headers looks for cuda.h, which programs need that are compiled for a GPU.
func headers(ctx context.Context, s *surroundings) Finding {
	if s.system == "darwin" {
		return note("there are none for macOS", needless)
	}
	file, version := s.header(ctx)
	if file == "" {
		return note("cuda.h is not found", needless)
	}
	return ok(fmt.Sprintf("%s, CUDA %s", file, spelled(version)))
}

// header returns the first cuda.h and its CUDA_VERSION, 13000 for 13.0. The
// version is 0 if the file does not say it, and the file empty if there is none.
func (s *surroundings) header(ctx context.Context) (file string, version int) {
	for _, folder := range s.includeFolders(ctx) {
		file := path.Join(folder, "cuda.h")
		if text, err := os.ReadFile(s.path(file)); err == nil && !sameFile(folder, s.shim()) {
			return file, cudaVersion(text)
		}
	}
	return "", 0
}

// shim is the workbook's own folder of headers, which goes before the toolkit's
// and has none of its own to offer.
func (s *surroundings) shim() string {
	return filepath.Join(s.project.Root, "runtime", "gpu", "cuda", "include")
}

// includeFolders are where cuda.h may be, the folders that somebody chose first.
func (s *surroundings) includeFolders(ctx context.Context) []string {
	var folders []string
	for _, name := range []string{"CGO_CFLAGS", "CGO_CPPFLAGS"} {
		flags, _ := s.golang(ctx, name)
		folders = append(folders, named(flags, "-I", "-isystem")...)
	}
	for _, name := range []string{"CUDA_HOME", "CUDA_PATH"} {
		if home := s.env(name); home != "" {
			folders = append(folders, path.Join(strings.ReplaceAll(home, `\`, "/"), "include"))
		}
	}
	folders = append(folders, s.glob("/usr/local/cuda*/include")...)
	return append(folders, "/opt/cuda/include", "/usr/include")
}

var versionMacro = regexp.MustCompile(`(?m)^\s*#\s*define\s+CUDA_VERSION\s+(\d+)`)

// cudaVersion returns what a header defines as CUDA_VERSION, or 0.
func cudaVersion(header []byte) int {
	found := versionMacro.FindSubmatch(header)
	if found == nil {
		return 0
	}
	n, err := strconv.Atoi(string(found[1]))
	if err != nil {
		return 0
	}
	return n
}

// spelled reads 13000 as 13.0.
func spelled(version int) string {
	if version == 0 {
		return "of unknown version"
	}
	return fmt.Sprintf("%d.%d", version/1000, version%1000/10)
}

// cgo looks whether Go can call C, which a program for a real GPU does.
func cgo(ctx context.Context, s *surroundings) Finding {
	enabled, err := s.golang(ctx, "CGO_ENABLED")
	if err != nil {
		return note("not looked at, since the go command cannot be asked", "see Go above")
	}
	cc, _ := s.golang(ctx, "CC")
	words := strings.Fields(cc)
	if len(words) == 0 {
		words = []string{"cc"}
	}
	file, err := s.find(words[0])
	switch {
	case err != nil:
		return note(words[0]+" is not on the PATH", needless+"; a real one does need a C compiler")
	case enabled != "1":
		return note("Go does not use C (CGO_ENABLED="+enabled+")", needless+"; for a real one: go env -w CGO_ENABLED=1")
	}
	return ok("on, with " + file)
}
