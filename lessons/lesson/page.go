package lesson

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/torchmem/workbook/runtime/caching"
	"github.com/torchmem/workbook/runtime/torch"
)

// page is where the rows of a lesson go.
type page interface {
	// begin starts a program, finish ends it while its device is still
	// there.
	begin(p Program) error
	row(r Row)
	finish(p Program, t *torch.Torch, s *Show) error
	// end closes a page that is complete, abandon one that is not: it
	// leaves what is there.
	end() error
	abandon()
}

// jsonPage prints one JSON object for each row.
type jsonPage struct {
	out *json.Encoder
	err error
}

func newJSONPage(w io.Writer) *jsonPage { return &jsonPage{out: json.NewEncoder(w)} }

func (p *jsonPage) begin(Program) error { return p.err }
func (p *jsonPage) end() error          { return p.err }
func (p *jsonPage) abandon()            {}

func (p *jsonPage) row(r Row) {
	if p.err == nil {
		p.err = p.out.Encode(r)
	}
}

func (p *jsonPage) finish(Program, *torch.Torch, *Show) error { return p.err }

// snapshotPage also writes the segments at the end of each program to a file.
type snapshotPage struct {
	page
	file *os.File
	out  *json.Encoder
}

// snapshotLine is one line of the file.
type snapshotLine struct {
	Program  string            `json:"program"`
	Segments []caching.Segment `json:"segments"`
}

func newSnapshotPage(name string, inner page) (page, error) {
	f, err := os.Create(name)
	if err != nil {
		return nil, fmt.Errorf("snapshot: %w", err)
	}
	return &snapshotPage{inner, f, json.NewEncoder(f)}, nil
}

func (p *snapshotPage) finish(program Program, t *torch.Torch, s *Show) error {
	if err := p.out.Encode(snapshotLine{program.Name, t.Cuda.MemorySnapshot()}); err != nil {
		return fmt.Errorf("snapshot: %w", err)
	}
	return p.page.finish(program, t, s)
}

func (p *snapshotPage) end() error { return errors.Join(p.page.end(), p.file.Close()) }

func (p *snapshotPage) abandon() {
	p.page.abandon()
	p.file.Close()
}
