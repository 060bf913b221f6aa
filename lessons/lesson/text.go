package lesson

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/dustin/go-humanize"

	"github.com/torchmem/workbook/runtime/caching"
	"github.com/torchmem/workbook/runtime/gpu"
	"github.com/torchmem/workbook/runtime/report"
	"github.com/torchmem/workbook/runtime/report/screen"
	"github.com/torchmem/workbook/runtime/torch"
)

// width is that of the page, in columns.
const width = 80

// textPage prints the lesson for a reader.
type textPage struct {
	out     *bufio.Writer
	prose   prose
	columns []column
	maps    report.Style
}

func newTextPage(w io.Writer, text prose) *textPage {
	p := &textPage{out: bufio.NewWriter(w), prose: text, columns: counters, maps: screen.Style(w)}
	p.paragraph(text.title)
	p.line(strings.Repeat("=", len([]rune(text.title))))
	p.paragraph(text.opening)
	return p
}

// warn says which numbers were not recorded.
func (p *textPage) warn(o *options) {
	if !o.profile.Verified {
		p.paragraph(wrap(fmt.Sprintf("The GPU is %s. This profile is unverified: its numbers were not compared with PyTorch on such a GPU.", o.profile.Title)))
	}
	if usual, _ := caching.ParseConfig(""); o.profile.Title != gpu.DefaultProfile().Title || o.settings != usual {
		p.paragraph(wrap(fmt.Sprintf("The text below describes an %s with default settings. Other numbers are not those of the text.", gpu.DefaultProfile().Title)))
	}
}

// measure adds what the driver of a real GPU says.
func (p *textPage) measure(o *options) {
	p.columns = slices.Concat(counters, figures)
	p.paragraph(wrap(fmt.Sprintf("This is a real GPU: %s with %s bytes. The last two columns are its driver's: the memory that it counts as used, by every process, before and after the statement, and what remains of that without the reserved bytes.",
		o.profile.Title, humanize.Comma(o.profile.TotalMemory))))
}

func (p *textPage) line(text string) { fmt.Fprintln(p.out, text) }

// paragraph prints a text with an empty line before it. No text prints
// nothing.
func (p *textPage) paragraph(text string) {
	if text != "" {
		fmt.Fprintf(p.out, "\n%s\n", text)
	}
}

func (p *textPage) begin(program Program) error {
	s := p.prose.programs[program.Name]
	title := fmt.Sprintf("-- %s (%s) ", s.title, program.Name)
	p.paragraph(title + strings.Repeat("-", max(0, width-len([]rune(title)))))
	p.paragraph(s.before)
	p.paragraph(heading(p.columns))
	return p.out.Flush()
}

func (p *textPage) row(r Row) {
	p.line(spellRow(r, p.columns))
	p.out.Flush() // a row is there to be read, whatever comes next
}

func (p *textPage) finish(program Program, t *torch.Torch, s *Show) error {
	for i, r := range s.remarks {
		if slices.Contains(s.remarks[:i], r) {
			continue // PyTorch repeats its warnings; once is enough to read
		}
		p.paragraph(r.title + ":")
		p.line(p.spell(r))
	}
	if end := t.Moment(""); !s.drew(end) {
		p.paragraph(drawing(p.maps.Map(end)))
	}
	if notice := p.prose.programs[program.Name].notice; notice != "" {
		p.paragraph("What to notice")
		p.line(notice)
	}
	return p.out.Flush()
}

// spell returns the lines of a remark. A picture is as wide as it is meant to be.
func (p *textPage) spell(r remark) string {
	switch {
	case r.before == nil:
		return wrap(r.text)
	case r.after == nil:
		return drawing(p.maps.Map(*r.before))
	}
	return drawing(p.maps.Compare(*r.before, *r.after))
}

func drawing(text string) string { return strings.TrimRight(text, "\n") }

func (p *textPage) end() error {
	p.paragraph(p.prose.next)
	return p.out.Flush()
}

// abandon prints what is there of a lesson that broke.
func (p *textPage) abandon() { p.out.Flush() }

// wrap breaks the lines of a text that are longer than the page, between words.
func wrap(text string) string {
	var out []string
	for _, line := range strings.Split(text, "\n") {
		for len([]rune(line)) > width {
			cut := strings.LastIndex(line[:width+1], " ")
			if cut <= 0 {
				break
			}
			out = append(out, strings.TrimRight(line[:cut], " "))
			line = strings.TrimLeft(line[cut:], " ")
		}
		out = append(out, line)
	}
	return strings.Join(out, "\n")
}
