package lesson

import (
	"cmp"
	"maps"
	"reflect"

	"github.com/torchmem/workbook/runtime/caching"
	"github.com/torchmem/workbook/runtime/oracle"
	"github.com/torchmem/workbook/runtime/report"
	"github.com/torchmem/workbook/runtime/site"
	"github.com/torchmem/workbook/runtime/torch"
)

// Show makes the rows of a program.
type Show struct {
	lesson  Lesson
	program Program
	torch   *torch.Torch
	page    page
	gauge   *gauge // nil on a simulated GPU
	// recorder is nil unless pictures are asked for.
	recorder *torch.Recorder
	// fresh is what the allocator did since the row before.
	fresh   []caching.Entry
	stop    func()
	remarks []remark
	said    int // how many of the remarks
}

// remark is a text that the program adds below its rows. Its key is the name
// that a recording has for it. In the place of a text there may be a picture: of
// one moment, or of two.
type remark struct {
	key, title, text string
	before, after    *report.Moment
}

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

func newShow(l Lesson, p Program, t *torch.Torch, page page) *Show {
	s := &Show{lesson: l, program: p, torch: t, page: page}
	s.stop = t.Cuda.Allocator().Trace(nil, func(e caching.TraceEntry) { s.fresh = append(s.fresh, e.Entry) })
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
	s.remarks = append(s.remarks, remark{key: key, title: title, text: text})
}

// Map adds a picture of the segments as they are now. The picture of the end
// comes by itself, unless it would be the same again.
func (s *Show) Map(title string) {
	now := s.Moment("")
	s.remarks = append(s.remarks, remark{title: title, before: &now})
}

// Moment remembers the segments as they are now, for Compare.
func (s *Show) Moment(title string) report.Moment { return s.torch.Moment(title) }

// Compare adds a picture of two moments: side by side, where the page has room.
func (s *Show) Compare(title string, before, after report.Moment) {
	s.remarks = append(s.remarks, remark{title: title, before: &before, after: &after})
}

// drew reports whether the last picture shows the same as another would.
func (s *Show) drew(m report.Moment) bool {
	if len(s.remarks) == 0 {
		return false
	}
	last := s.remarks[len(s.remarks)-1]
	shown := cmp.Or(last.after, last.before)
	return shown != nil && reflect.DeepEqual(shown.Segments, m.Segments) && maps.Equal(shown.Names, m.Names)
}

func (s *Show) row(r Row) {
	s.torch.EndStatement()
	r.Lesson = s.lesson.Number
	r.Counters = oracle.CountersOf(s.torch.Cuda.MemoryStats())
	if s.gauge != nil {
		r.DriverUse = s.gauge.read(s.torch)
	}
	if s.recorder != nil {
		s.recorder.Statement(r.Statement, site.Running())
	}
	r.Events = s.newEvents()
	r.Texts = s.newTexts()
	s.page.row(r)
}

// newEvents returns what the allocator did since the row before.
func (s *Show) newEvents() []oracle.Event {
	entries := s.fresh
	s.fresh = nil
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
