package predict

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"strings"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/dustin/go-humanize"

	"github.com/torchmem/workbook/lessons/lesson"
	"github.com/torchmem/workbook/tools/workbook/terminal"
)

// width is that of the page, in columns.
const width = terminal.Width

// page prints the conversation.
type page struct {
	out io.Writer
	// echo repeats what was answered. It is for answers that nobody types,
	// so that what was asked and what was answered can be read together.
	echo   bool
	failed error
}

func newPage(out io.Writer, echo bool) *page {
	w := terminal.Writer(out)
	if !terminal.Is(out) {
		w.Profile = colorprofile.NoTTY
	}
	return &page{out: w, echo: echo}
}

// The colours of the page. A writer without colours leaves them away.
var (
	good = lipgloss.NewStyle().Foreground(lipgloss.Green)
	bad  = lipgloss.NewStyle().Foreground(lipgloss.Red)
	code = lipgloss.NewStyle().Bold(true)
)

// err returns the first error of writing.
func (p *page) err() error {
	if p.failed != nil {
		return fmt.Errorf("write the page: %w", p.failed)
	}
	return nil
}

func (p *page) print(format string, args ...any) {
	if _, err := fmt.Fprintf(p.out, format, args...); err != nil && p.failed == nil {
		p.failed = err
	}
}

// paragraph prints a text below an indentation, broken into lines.
func (p *page) paragraph(indent, text string) {
	for line := range strings.Lines(lipgloss.Wrap(text, width-len(indent), "")) {
		p.print("%s%s\n", indent, strings.TrimRight(line, " \n"))
	}
}

func (p *page) begin(s story) {
	p.paragraph("", fmt.Sprintf("Lesson %s, program %s", s.lesson, s.program))
	if len(s.others) > 0 {
		p.paragraph("", "Its other programs: "+strings.Join(s.others, ", "))
	}
	p.print("\n")
	p.paragraph("", manual)
	if conf := os.Getenv("PYTORCH_CUDA_ALLOC_CONF"); conf != "" {
		p.print("\n")
		p.paragraph("", "PYTORCH_CUDA_ALLOC_CONF is "+conf+", and the counters are those under it.")
	}
}

const manual = `What do the counters show after each statement? Answer with a number of bytes, such as 4,000,256 or 3.8 MiB, or with the change, such as +512 or -4 MiB. The answer = means unchanged, an empty line skips the question, ? shows the rules, and q stops.`

// statement shows which statement is next.
func (p *page) statement(i int, s story) {
	p.print("\n%d of %d\n", i+1, len(s.rows))
	for line := range strings.Lines(lipgloss.Wrap(s.rows[i].Statement, width-2, "")) {
		p.print("  %s\n", code.Render(strings.TrimRight(line, " \n")))
	}
}

// counters shows a row that nobody was asked for.
func (p *page) counters(r lesson.Row) {
	var words []string
	for _, c := range counters {
		words = append(words, c.name+" "+humanize.Comma(c.of(r)))
	}
	p.paragraph("    ", strings.Join(words, ", "))
}

// andSoOn sums up rows that are not asked for. The row is their last.
func (p *page) andSoOn(r lesson.Row, rows int) {
	what := "one more statement like these"
	if rows > 1 {
		what = fmt.Sprintf("%d more statements like these", rows)
	}
	p.print("\nand so on, %s, until after\n", what)
	p.paragraph("  ", r.Statement)
	p.counters(r)
}

// question asks for a counter. The answer is typed behind it.
func (p *page) question(c counter, before int64) {
	p.print("  %s, %s before: ", c.name, humanize.Comma(before))
}

// heard ends the line of a question that was answered.
func (p *page) heard(answer string) {
	if p.echo {
		p.print("%s\n", strings.ToValidUTF8(answer, "?"))
	}
}

// breakOff ends the line of a question that has no answer.
func (p *page) breakOff() { p.print("\n") }

func (p *page) misread(err error) { p.paragraph("    ", "Not understood: "+err.Error()) }

func (p *page) truth(actual int64) { p.print("    %s\n", spell(actual)) }

// right says so, and adds the truth where the answer was spelled shorter.
func (p *page) right(actual, predicted int64) {
	p.print("    %s\n", good.Render("right")+exactly(actual, predicted))
}

func exactly(actual, predicted int64) string {
	if actual == predicted {
		return ""
	}
	return ", exactly " + humanize.Comma(actual)
}

// missed shows the truth and the rule behind it.
func (p *page) missed(m miss) {
	verdict := bad.Render("no") + ", it is "
	if m.near() {
		verdict = bad.Render("nearly") + ", it is "
	}
	p.print("    %s\n", verdict+spell(m.actual))
	if r := ruleOf(m); r != nil {
		p.paragraph("    ", r.text)
	}
}

// score shows how many answers were right, and what to look at again.
func (p *page) score(r *Report) {
	p.print("\nYour score\n")
	for _, c := range counters {
		p.print("  %-10s %s\n", c.name, r.ByCounter[c.name])
	}
	p.print("  %-10s %s\n", "in all", &r.Score)
	if rule, times := r.mostMissed(); rule != nil {
		p.print("\nMost often overlooked (%s)\n", terminal.Times(times))
		p.paragraph("  ", rule.text)
	}
}

// String spells a score.
func (s *Score) String() string {
	var text bytes.Buffer
	fmt.Fprintf(&text, "%d of %d right", s.Right, s.Asked-s.Skipped)
	if s.Skipped > 0 {
		fmt.Fprintf(&text, ", %d skipped", s.Skipped)
	}
	return text.String()
}

// rules shows what is behind the counters.
func (p *page) rules() {
	for _, text := range []string{
		"A tensor's size is its number of elements times the size of one; float32 has 4 bytes.",
		"allocated is the sum of the blocks that tensors hold. " + rounding.text,
		"reserved is the sum of the segments taken from the driver. Sizes up to 1 MiB come from segments of 2 MiB, sizes below 10 MiB from segments of 20 MiB. A larger size has a segment of its own, rounded up to 2 MiB.",
		"A freed block stays in the cache, ready for the next tensor. empty_cache gives back the segments in which nothing is alive.",
		"peak is the most that was allocated since the start or the last reset, also in the middle of a statement.",
		"1 KiB is 1,024 bytes, 1 MiB 1,024 KiB. An answer with decimals is right if the counter reads the same to as many decimals.",
	} {
		p.paragraph("    ", "- "+text)
	}
}
