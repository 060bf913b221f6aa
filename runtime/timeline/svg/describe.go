package svg

import (
	"fmt"
	"strings"

	"github.com/dustin/go-humanize"

	"github.com/torchmem/workbook/runtime/units"
)

// describe says in sentences what the picture shows, for those who do not see it.
func (p *page) describe() string {
	var all []string
	for _, one := range p.panels {
		all = append(all, one.describe())
	}
	if p.compared {
		all = append(all, p.describeSaving())
	}
	return strings.Join(all, " ")
}

func (p *panel) describe() string {
	_, peak := p.peak()
	end, held := p.end(), 0
	for _, h := range p.holders() {
		held += h.count
	}
	text := fmt.Sprintf("%s: the peak is %s bytes; at the end %s bytes in %s are still held, and %s bytes are reserved.",
		p.recording.Title, humanize.Comma(peak), humanize.Comma(end.allocated),
		units.Count(held, "allocation"), humanize.Comma(end.reserved))
	for _, s := range p.passages {
		if s.rounds > 1 {
			text += fmt.Sprintf(" %s: %s.", s.text(p.recording.Statements), p.verdict(s).texts[0])
		}
	}
	return text
}

func (p *page) describeSaving() string {
	_, before := p.panels[0].peak()
	_, after := p.panels[1].peak()
	switch {
	case after < before:
		return fmt.Sprintf("The second peak is %s bytes lower, by %s.", humanize.Comma(before-after), percent(before-after, before))
	case after > before:
		return fmt.Sprintf("The second peak is %s bytes higher, by %s.", humanize.Comma(after-before), percent(after-before, before))
	}
	return "The peaks are equal."
}
