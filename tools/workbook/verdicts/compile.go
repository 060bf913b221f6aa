package verdicts

import (
	"cmp"
	"maps"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/torchmem/workbook/solutions/tasks"
)

// problems returns those of a folder that was not compiled, by file.
func (f folder) problems(e *events) problems {
	all := problems{}
	file := ""
	for _, line := range e.build {
		if strings.HasPrefix(line, "#") || strings.TrimSpace(line) == "" {
			continue
		}
		line = f.short(line)
		if found := f.strangers(line); len(found) > 0 {
			maps.Copy(all, found)
			continue
		}
		// A line that is indented goes on with the one before.
		if !strings.HasPrefix(line, "\t") {
			file = f.blame(line, file)
		}
		p := all[file]
		p.what = "does not compile"
		if p.text != "" {
			p.text += "\n"
		}
		p.text += strings.ReplaceAll(line, "\t", "    ")
		all[file] = p
	}
	if len(all) == 0 && len(e.tests) == 0 && e.complaints != "" {
		all[""] = problem{text: strings.TrimSpace(f.short(e.complaints))}
	}
	if len(all) == 0 && len(e.tests) == 0 && strings.HasPrefix(e.failure, "exec:") {
		all[""] = problem{text: "go cannot be run: " + e.failure}
	}
	return all
}

// short takes the project's own path out of a message.
func (f folder) short(text string) string {
	text = strings.ReplaceAll(text, f.project.Root+string(filepath.Separator), "")
	// An original in the place of a file is known by its own path.
	text = strings.ReplaceAll(text, f.verdicts+string(filepath.Separator), "exercises/"+f.lesson+"/")
	return slashes.ReplaceAllStringFunc(text, filepath.ToSlash)
}

var (
	slashes  = regexp.MustCompile(`exercises\\\w+\\\w+\.go`)
	fileName = regexp.MustCompile(`(\w+\.go)[:)]`)
	place    = regexp.MustCompile(`^\S*/\S*\.go:\d+`)
)

// blame returns the name of the file that a compiler's message is about. One
// that names no file belongs to the last file.
func (f folder) blame(message, last string) string {
	if elsewhere := place.FindString(message); elsewhere != "" && !strings.HasPrefix(elsewhere, "exercises/") {
		return "" // a file of the workbook itself
	}
	file := last
	for _, found := range fileName.FindAllStringSubmatch(message, -1) {
		if file = found[1]; file != tasks.TestFile {
			return file
		}
	}
	// The tests are not the learner's. They do not compile when a function
	// that they name has gone, or takes something else than before.
	if file == tasks.TestFile {
		return cmp.Or(f.fileOf(message), file)
	}
	return file
}

// fileOf returns the file of the task whose function a message names.
func (f folder) fileOf(message string) string {
	for _, i := range tasks.Of(f.lesson) {
		if regexp.MustCompile(`\b` + regexp.QuoteMeta(i.Func) + `\b`).MatchString(message) {
			return i.File()
		}
	}
	return ""
}

// unreached is the problem of tasks whose tests did not begin.
func (f folder) unreached(e *events) problems {
	return problems{"": {text: "the program ended before it was graded" + exit(e)}}
}
