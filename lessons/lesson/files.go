package lesson

import (
	"errors"
	"flag"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/torchmem/workbook/runtime/output"
)

// files are the names of what is written beside the page, empty for none.
type files struct {
	html, svg, snapshot string
	// recording is for what the pictures are drawn from.
	recording string
	// all are the files that will be there at the end.
	all []output.File
}

// endings are those of a snapshot's name, for PyTorch's viewer and as JSON. A name
// without one is for the viewer.
var endings = []string{".pickle", ".pkl", ".json", ".jsonl"}

// register adds the flags.
func (f *files) register(flags *flag.FlagSet) {
	for name, value := range map[string]*string{
		"html": &f.html, "svg": &f.svg, "recording": &f.recording, "snapshot": &f.snapshot,
	} {
		flags.Func(name, "", func(text string) error {
			if text == "" {
				return errors.New("it wants the name of a file")
			}
			*value = text
			return nil
		})
	}
}

// check looks at the names as they were typed, and finds the files that they
// stand for.
func (f *files) check(programs []Program) error {
	f.all = nil
	for _, file := range []output.File{{Flag: "html", Name: f.html}, {Flag: "svg", Name: f.svg}, {Flag: "recording", Name: f.recording}} {
		if file.Name != "" {
			f.all = append(f.all, file)
		}
	}
	for _, name := range f.snapshots(programs) {
		f.all = append(f.all, output.File{Flag: "snapshot", Name: name})
	}
	if ending := filepath.Ext(f.snapshot); ending != "" && !slices.Contains(endings, ending) {
		return fmt.Errorf("-snapshot %s: the ending is .pickle or .pkl for PyTorch's viewer, .json or .jsonl for JSON", f.snapshot)
	}
	return output.Names(f.all)
}

// snapshots lists the files of the flag -snapshot.
func (f *files) snapshots(programs []Program) (names []string) {
	switch {
	case f.snapshot == "":
		return nil
	case f.isJSON():
		return []string{f.snapshot}
	}
	for _, p := range programs {
		names = append(names, f.pickle(p, len(programs)))
	}
	return names
}

// isJSON tells by the ending whether the snapshot is one file of JSON.
func (f *files) isJSON() bool {
	ending := filepath.Ext(f.snapshot)
	return ending == ".json" || ending == ".jsonl"
}

// pickle is the snapshot of one of so many programs, which is for PyTorch's viewer.
// Among several, the name of the program stands before the ending.
func (f *files) pickle(p Program, programs int) string {
	if programs == 1 {
		return f.snapshot
	}
	ending := filepath.Ext(f.snapshot)
	return strings.TrimSuffix(f.snapshot, ending) + "-" + p.Name + ending
}

// written says what there is now.
func (f *files) written() string {
	names := make([]string, len(f.all))
	for i, file := range f.all {
		names[i] = file.Name
	}
	return "wrote " + strings.Join(names, ", ")
}
