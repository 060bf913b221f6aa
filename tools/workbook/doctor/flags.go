package doctor

import (
	"path"
	"slices"
	"strings"
)

// named returns the folders that a compiler's flags name with one of the given
// flags, such as -Ifolder or -I folder. A flag with a space in it stands in
// quotation marks, as go reads it.
func named(flags string, ask ...string) []string {
	var folders []string
	next := false
	for _, f := range splitFlags(flags) {
		at := slices.IndexFunc(ask, func(a string) bool { return strings.HasPrefix(f, a) })
		switch {
		case next:
			folders, next = append(folders, f), false
		case at >= 0 && f == ask[at]:
			next = true
		case at >= 0:
			folders = append(folders, strings.TrimPrefix(f, ask[at]))
		}
	}
	return folders
}

// splitFlags splits at spaces that are not between quotation marks.
func splitFlags(flags string) []string {
	var words []string
	for flags = strings.TrimSpace(flags); flags != ""; flags = strings.TrimSpace(flags) {
		end := strings.IndexAny(flags, " \t\n")
		if mark := flags[0]; mark == '\'' || mark == '"' {
			flags = flags[1:]
			end = strings.IndexByte(flags, mark)
		}
		if end < 0 {
			return append(words, flags)
		}
		words, flags = append(words, flags[:end]), flags[end+1:]
	}
	return words
}

// withFolder puts a folder in front of flags.
func withFolder(flags, flag, folder string) string {
	word := flag + folder
	if strings.ContainsAny(word, " \t") {
		word = "'" + word + "'"
	}
	return strings.TrimSpace(word + " " + flags)
}

// assignment is what a shell reads as setting a variable.
func assignment(name, value string) string {
	return "export " + name + `="` + shellEscapes.Replace(value) + `"`
}

var shellEscapes = strings.NewReplacer(`\`, `\\`, `"`, `\"`, `$`, `\$`, "`", "\\`")

// knownToCu reports whether gorgonia.org/cu, or the compiler, looks into a
// folder by itself: for headers, or for the library to link with.
func knownToCu(folder string) bool {
	return slices.Contains(cuFolders, path.Clean(folder))
}

var cuFolders = []string{
	"/usr/include", "/usr/local/include", "/usr/local/cuda/include", "/opt/cuda/include",
	"/usr/local/cuda-11.0/targets/x86_64-linux/include", "/usr/local/cuda-10.2/include",
	"/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/usr/lib64", "/usr/lib", "/usr/local/lib",
	"/usr/local/cuda/lib64", "/usr/local/cuda/lib", "/opt/cuda/lib64", "/opt/cuda/lib",
	"/usr/local/cuda-11.0/targets/x86_64-linux/lib", "/usr/local/cuda-10.2/lib64", "/usr/local/cuda-10.2/lib",
}
