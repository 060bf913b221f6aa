package lesson

import (
	"encoding/json"
	"io"

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
