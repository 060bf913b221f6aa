package lesson

import (
	"encoding/json"
	"io"

	"github.com/torchmem/workbook/runtime/timeline"
)

// Recorded is one line of the file that the flag -recording names: what the
// pictures of a program are drawn from. The project's documents draw theirs from
// it, also from programs of two lessons.
type Recorded struct {
	Program   string              `json:"program"`
	Recording *timeline.Recording `json:"recording"`
}

// writeRaw writes the recordings of all programs.
func (p *pictures) writeRaw(w io.Writer) error {
	lines := json.NewEncoder(w)
	for i, r := range p.recordings {
		if err := lines.Encode(Recorded{p.programs[i].Name, r}); err != nil {
			return err
		}
	}
	return nil
}
