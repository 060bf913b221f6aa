package report

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/clipperhouse/displaywidth"

	"github.com/torchmem/workbook/runtime/units"
)

// mention says who holds the blocks that begin at a character of a bar.
type mention struct {
	cell    int
	holders []holder
	ink     ink
	// end is where the memory ends, in bytes.
	end int64
}

// holder is a name, and how many of the blocks have it.
type holder struct {
	name  string
	times int
}

// mostHolders bounds the names of one mention.
const mostHolders = 4

func (m mention) text() string {
	var words []string
	for i, h := range m.holders {
		if i == mostHolders-1 && len(m.holders) > mostHolders {
			words = append(words, fmt.Sprintf("%d more", len(m.holders)-i))
			break
		}
		words = append(words, h.name+often(h.times))
	}
	return strings.Join(words, ", ")
}

// follows reports whether the block goes on where the mention ends, with the same
// name.
func (m mention) follows(b block) bool {
	return m.end == b.from && len(m.holders) == 1 && m.holders[0].name == b.name
}

// and adds the holders of another mention.
func (m mention) and(other mention) mention {
	m.holders = slices.Clone(m.holders)
	for _, h := range other.holders {
		i := slices.IndexFunc(m.holders, func(have holder) bool { return have.name == h.name })
		if i < 0 {
			m.holders = append(m.holders, h)
		} else {
			m.holders[i].times += h.times
		}
	}
	return m
}

// mentions lists the names of a strip, from left to right. Blocks that touch and
// have the same name have it once; so have blocks that begin in one character.
func (m ruler) mentions(r strip) []mention {
	var all []mention
	inks := blockInks()
	for _, b := range r.blocks {
		ink := inks(b.state)
		if b.state != allocated || b.name == "" {
			continue
		}
		if last := len(all) - 1; last >= 0 && all[last].follows(b) {
			all[last].holders[0].times++
			all[last].end += b.size
			continue
		}
		all = append(all, mention{m.cell(b.from), []holder{{b.name, 1}}, ink, b.from + b.size})
	}
	return together(all)
}

// together joins the mentions that begin in one character.
func together(all []mention) []mention {
	var out []mention
	for _, m := range all {
		if last := len(out) - 1; last >= 0 && out[last].cell == m.cell {
			out[last] = out[last].and(m)
			continue
		}
		out = append(out, m)
	}
	return out
}

// keys are the numbers that stand for names which do not fit below their blocks.
type keys struct{ texts []string }

// mostKeys bounds the list of names below a map.
const mostKeys = 24

// of returns the number that a text has, or would have. It is empty when the list
// is full.
func (k *keys) of(text string) string {
	i := slices.Index(k.texts, text)
	if i < 0 {
		i = len(k.texts)
	}
	if i >= mostKeys {
		return ""
	}
	return strconv.Itoa(i + 1)
}

// list keeps a text for the list.
func (k *keys) list(text string) {
	if !slices.Contains(k.texts, text) {
		k.texts = append(k.texts, text)
	}
}

// labels writes names below their blocks, in a line that has some columns. What
// does not fit before the next one is a number; where not even that fits, it
// shares the number of its neighbours.
func (k *keys) labels(all []mention, room int) line {
	var out line
	for len(all) > 0 {
		gap := room - all[0].cell
		if len(all) > 1 {
			gap = all[1].cell - all[0].cell - 1
		}
		label, ok := k.fit(all[0].text(), gap)
		if !ok && len(all) > 1 {
			all = append([]mention{all[0].and(all[1])}, all[2:]...)
			continue
		}
		if !ok {
			k.list(all[0].text()) // it has no place, and must not be lost
		}
		out = append(out, blank(all[0].cell-out.width())...)
		out = append(out, span{label, all[0].ink})
		all = all[1:]
	}
	return out
}

// fit returns a text, or its number, as it fits into some columns.
func (k *keys) fit(text string, columns int) (label string, ok bool) {
	if displaywidth.String(text) <= columns {
		return text, true
	}
	key := k.of(text)
	if len(key) > columns {
		return "", false
	}
	k.list(text)
	return key, true
}

// legend lists the numbers with their names.
func (k *keys) legend(width int) []line {
	if len(k.texts) == 0 {
		return nil
	}
	var groups []line
	for i, t := range k.texts[:min(len(k.texts), mostKeys)] {
		key := strconv.Itoa(i+1) + " "
		groups = append(groups, line{{key, strong}, {cut(t, max(width-2-len(key), 0), "..."), ordinary}})
	}
	if more := len(k.texts) - mostKeys; more > 0 {
		groups = append(groups, text("and "+units.Count(more, "name")+" more"))
	}
	groups[0] = append(text("  "), groups[0]...)
	return flow(width, 2, "   ", groups...)
}
