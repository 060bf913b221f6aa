package lesson

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/torchmem/workbook/runtime/caching"
	"github.com/torchmem/workbook/runtime/output"
	"github.com/torchmem/workbook/runtime/snapshot"
	"github.com/torchmem/workbook/runtime/timeline"
	"github.com/torchmem/workbook/runtime/timeline/svg"
	"github.com/torchmem/workbook/runtime/timeline/web"
	"github.com/torchmem/workbook/runtime/torch"
)

// pictures are the files beside the page: a page for the browser and a still
// picture of all programs, and snapshots. One that cannot be written is told
// before the page begins. A lesson that breaks leaves pictures of how it came to
// that.
type pictures struct {
	files
	prose      prose
	programs   []Program
	recordings []*timeline.Recording
	// segments are the lines of a snapshot in JSON.
	segments bytes.Buffer
}

// snapshotLine is one of them.
type snapshotLine struct {
	Program  string            `json:"program"`
	Segments []caching.Segment `json:"segments"`
}

// newPictures makes sure that the files which the flags name can be written.
func (o *options) newPictures() (*pictures, error) {
	prose, err := parseProse(o.lesson)
	if err != nil {
		return nil, err
	}
	if name := o.files.snapshot; isFolder(name) {
		return nil, fmt.Errorf("snapshot: %s is a folder: name a file in it", name)
	}
	return &pictures{files: o.files, prose: prose, programs: o.programs}, output.Check(o.files.all)
}

// isFolder tells a folder, also where the names of the programs make other names of
// its own.
func isFolder(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.IsDir()
}

// wanted reports whether any picture is asked for.
func (o *options) wanted() bool { return len(o.files.all) > 0 }

// record records a program from now on. It returns nil where nothing shows a history:
// recording takes time, and blocks have the frames that were recorded.
func (p *pictures) record(program Program, t *torch.Torch) *torch.Recorder {
	if len(p.all) == 1 && p.isJSON() {
		return nil
	}
	title := fmt.Sprintf("%s (%s)", p.prose.programs[program.Name].title, program.Name)
	r := t.Record(title)
	p.recordings = append(p.recordings, r.Recording())
	return r
}

// finish keeps the memory at the end of a program, while its device is still
// there.
func (p *pictures) finish(program Program, t *torch.Torch, r *torch.Recorder) error {
	if r != nil {
		r.Stop()
	}
	switch {
	case p.snapshot == "":
		return nil
	case p.isJSON():
		return json.NewEncoder(&p.segments).Encode(snapshotLine{program.Name, t.Cuda.MemorySnapshot()})
	}
	return output.Write(p.pickle(program, len(p.programs)), func(w io.Writer) error { return snapshot.Write(w, r.Snapshot()) })
}

// end writes what shows all programs.
func (p *pictures) end() error {
	segments := ""
	if p.isJSON() {
		segments = p.snapshot
	}
	return errors.Join(
		writeTo(p.html, func(w io.Writer) error { return web.Write(w, p.prose.title, p.recordings) }),
		writeTo(p.svg, func(w io.Writer) error {
			return svg.WriteAll(w, p.recordings, svg.Options{Title: p.prose.title})
		}),
		writeTo(p.recording, p.writeRaw),
		writeTo(segments, func(w io.Writer) error { _, err := p.segments.WriteTo(w); return err }),
	)
}

// writeTo writes a file. No name is no file.
func writeTo(name string, write func(io.Writer) error) error {
	if name == "" {
		return nil
	}
	return output.Write(name, write)
}
