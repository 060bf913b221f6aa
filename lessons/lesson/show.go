package lesson

import (
	"github.com/torchmem/workbook/runtime/oracle"
	"github.com/torchmem/workbook/runtime/torch"
)

// Show makes the rows of a program.
type Show struct {
	lesson  Lesson
	program Program
	torch   *torch.Torch
	page    page
	gauge   *gauge // nil on a simulated GPU
	remarks []remark
	seen    int // how much of the allocator's history the rows have told
	said    int // how many of the remarks
}

// remark is a text that the program adds below its rows. Its key is the name
// that a recording has for it.
type remark struct{ key, title, text string }

// Row is one statement with the counters after it.
type Row struct {
	Lesson    string `json:"lesson"`
	Program   string `json:"program"`
	Label     string `json:"label"`
	Statement string `json:"statement"`
	oracle.Counters
	*DriverUse
	Events []oracle.Event `json:"events"`
	// Texts are what the program said since the row before, such as a
	// summary, under the names that the recording has for them.
	Texts map[string]string `json:"texts,omitempty"`
}

// historyLimit bounds the history of one program. The longest lesson makes
// twelve thousand entries.
const historyLimit = 1_000_000

func newShow(l Lesson, p Program, t *torch.Torch, page page) *Show {
	t.Cuda.Allocator().RecordHistory(historyLimit)
	s := &Show{lesson: l, program: p, torch: t, page: page}
	t.OnWarning(func(text string) { s.Text("warnings", "PyTorch warns", text) })
	return s
}

// Statement makes a row for a statement that is also the label of a recorded
// row.
func (s *Show) Statement(statement string) { s.Labelled(statement, statement) }

// Labelled makes a row for a statement whose recorded row has another label.
func (s *Show) Labelled(label, statement string) {
	s.row(Row{Program: s.program.Name, Label: label, Statement: statement})
}

// Aside makes a row that no recording has.
func (s *Show) Aside(statement string) { s.row(Row{Statement: statement}) }

// Text adds a text below the rows, such as a summary. The key is the name that
// the recording has for it.
func (s *Show) Text(key, title, text string) {
	s.remarks = append(s.remarks, remark{key, title, text})
}

// Map adds a picture of the segments as they are now. The picture of the end
// comes by itself.
func (s *Show) Map(title string) { s.Text("", title, segmentMap(s.torch)) }

func (s *Show) row(r Row) {
	s.torch.EndStatement()
	r.Lesson = s.lesson.Number
	r.Counters = oracle.CountersOf(s.torch.Cuda.MemoryStats())
	if s.gauge != nil {
		r.DriverUse = s.gauge.read(s.torch)
	}
	r.Events = s.newEvents()
	r.Texts = s.newTexts()
	s.page.row(r)
}

// newEvents returns what the allocator did since the row before.
func (s *Show) newEvents() []oracle.Event {
	entries, next := s.torch.Cuda.Allocator().HistorySince(s.seen)
	s.seen = next
	return oracle.Events(entries)
}

// newTexts returns the remarks since the row before.
func (s *Show) newTexts() map[string]string {
	if s.said == len(s.remarks) {
		return nil
	}
	texts := map[string]string{}
	for _, r := range s.remarks[s.said:] {
		if r.key != "" {
			texts[r.key] += r.text
		}
	}
	s.said = len(s.remarks)
	return texts
}
