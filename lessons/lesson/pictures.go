package lesson

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/torchmem/workbook/runtime/snapshot"
	"github.com/torchmem/workbook/runtime/timeline"
	"github.com/torchmem/workbook/runtime/timeline/svg"
	"github.com/torchmem/workbook/runtime/timeline/web"
	"github.com/torchmem/workbook/runtime/torch"
)

// pictures are the files beside the page: a page for the browser and a still
// picture of all programs, and a snapshot of each. They are there from the
// beginning, so that one which cannot be written is told at once. A lesson that
// breaks leaves pictures of how it came to that.
type pictures struct {
	prose      prose
	programs   []Program
	html, svg  *os.File
	raw        *os.File // the recordings themselves
	snapshots  map[string]*os.File
	recordings []*timeline.Recording
}

// openPictures opens the files that the flags name.
func (o *options) openPictures() (*pictures, error) {
	p := &pictures{programs: o.programs, snapshots: map[string]*os.File{}}
	if err := p.open(o); err != nil {
		p.close()
		return nil, err
	}
	return p, nil
}

func (p *pictures) open(o *options) (err error) {
	if p.prose, err = parseProse(o.lesson); err != nil {
		return err
	}
	if p.html, err = create("html", o.html); err != nil {
		return err
	}
	if p.svg, err = create("svg", o.svg); err != nil {
		return err
	}
	if p.raw, err = create("recording", o.recording); err != nil {
		return err
	}
	for _, program := range o.programs {
		name := o.pickle()
		if len(o.programs) > 1 {
			name = ofProgram(name, program)
		}
		if p.snapshots[program.Name], err = create("snapshot", name); err != nil {
			return err
		}
	}
	return nil
}

// create makes a file, none for no name.
func create(flag, name string) (*os.File, error) {
	if name == "" {
		return nil, nil
	}
	f, err := os.Create(name)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", flag, err)
	}
	return f, nil
}

// ofProgram puts the name of a program before the ending of a file's name.
func ofProgram(file string, p Program) string {
	if file == "" {
		return ""
	}
	ending := filepath.Ext(file)
	return strings.TrimSuffix(file, ending) + "-" + p.Name + ending
}

// wanted reports whether any picture is asked for. Recording takes time.
func (o *options) wanted() bool {
	return o.html != "" || o.svg != "" || o.recording != "" || o.pickle() != ""
}

// record records a program from now on.
func (p *pictures) record(program Program, t *torch.Torch) *torch.Recorder {
	title := fmt.Sprintf("%s (%s)", p.prose.programs[program.Name].title, program.Name)
	r := t.Record(title)
	p.recordings = append(p.recordings, r.Recording())
	return r
}

// finish writes the snapshot of a program while its device is still there.
func (p *pictures) finish(program Program, r *torch.Recorder) error {
	r.Stop()
	return writeTo(p.snapshots[program.Name], func(w io.Writer) error { return snapshot.Write(w, r.Snapshot()) })
}

// end writes what shows all programs, and closes the files.
func (p *pictures) end() error {
	defer p.close()
	return errors.Join(
		writeTo(p.html, func(w io.Writer) error { return web.Write(w, p.prose.title, p.recordings) }),
		writeTo(p.svg, func(w io.Writer) error {
			return svg.WriteAll(w, p.recordings, svg.Options{Title: p.prose.title})
		}),
		writeTo(p.raw, p.writeRaw),
	)
}

// writeTo writes a file and closes it. There may be none.
func writeTo(f *os.File, write func(io.Writer) error) error {
	if f == nil {
		return nil
	}
	if err := write(f); err != nil {
		return fmt.Errorf("%s: %w", f.Name(), err)
	}
	return f.Close()
}

// close closes what is still open. Those that are closed already do not mind.
func (p *pictures) close() {
	for _, f := range p.snapshots {
		f.Close()
	}
	p.html.Close()
	p.svg.Close()
	p.raw.Close()
}
