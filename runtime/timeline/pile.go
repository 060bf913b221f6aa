package timeline

import (
	"cmp"
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/torchmem/workbook/runtime/caching"
)

// # Piles
//
// A place in a program makes a pile if it allocates the same in statement after
// statement, and what it made in at least three of them is there at once. A loop
// that only rebinds a name holds two: the new value and, for a moment, the old one.
// A model of many layers makes many tensors at one place, but in one statement. So
// neither is a pile, and a list that grows in each round is one.
//
// This takes statements and stacks. A snapshot of PyTorch has no statements, and so
// no piles.

// minPile is from how many statements a pile has something.
const minPile = 3

// Pile is what one place holds from many statements.
type Pile struct {
	// Frames is the place, and Size the bytes that it asks for each time.
	Frames []caching.Frame
	Size   int64
	// Bands are its allocations, as numbers among [Recording.Bands]: those
	// that are held after the event At, when most statements had a part. Bytes
	// is what they occupy together.
	Bands []int
	Bytes int64
	At    int
	// Until is the event in which the last of them is let go of, len(Events)
	// where that never happens.
	Until int
}

// Piles finds the piles, the largest first.
func (r *Recording) Piles() []Pile {
	bands := r.Bands()
	var piles []Pile
	for _, made := range r.bySource(bands) {
		at, parts := r.fullest(bands, made)
		if parts < minPile {
			continue
		}
		first := bands[made[0]]
		p := Pile{Frames: first.Frames, Size: first.Size, At: at}
		for _, i := range made {
			if b := bands[i]; b.Alloc <= at && at < b.Requested {
				p.Bands = append(p.Bands, i)
				p.Bytes += b.Block
				p.Until = max(p.Until, b.Requested)
			}
		}
		piles = append(piles, p)
	}
	slices.SortStableFunc(piles, func(x, y Pile) int { return cmp.Compare(y.Bytes, x.Bytes) })
	return piles
}

// source is what allocates the same again and again.
type source struct {
	stack string
	size  int64
}

// bySource groups the bands that the statements made by what made them, the oldest
// first.
func (r *Recording) bySource(bands []Band) [][]int {
	var groups [][]int
	known := map[source]int{}
	texts := stackTexts{}
	for i, b := range bands {
		if b.Alloc == Before || len(b.Frames) == 0 {
			continue
		}
		from := source{texts.of(b.Frames), b.Size}
		n, ok := known[from]
		if !ok {
			n = len(groups)
			known[from] = n
			groups = append(groups, nil)
		}
		groups[n] = append(groups[n], i)
	}
	return groups
}

// stackTexts spells stacks so that equal ones are equal texts. They mostly share
// their memory, so it looks first where a stack lies.
type stackTexts map[stackPlace]string

type stackPlace struct {
	first *caching.Frame
	n     int
}

func (t stackTexts) of(frames []caching.Frame) string {
	place := stackPlace{&frames[0], len(frames)}
	text, ok := t[place]
	if !ok {
		var spelled strings.Builder
		for _, f := range frames {
			spelled.WriteString(strconv.Quote(f.Filename) + strconv.Quote(f.Name) + strconv.Itoa(f.Line))
		}
		text = spelled.String()
		t[place] = text
	}
	return text
}

// fullest returns the event after which bands from most statements are held, and
// from how many. Of several it is the first with most bands. The bands come in the
// order of their beginning.
func (r *Recording) fullest(bands []Band, made []int) (at, parts int) {
	most := 0
	byEnd := slices.Clone(made)
	slices.SortStableFunc(byEnd, func(x, y int) int { return cmp.Compare(bands[x].Requested, bands[y].Requested) })
	held, n := map[int]int{}, 0 // how many of each statement, and of all
	for _, i := range made {
		now := bands[i].Alloc
		for ; bands[byEnd[0]].Requested <= now; byEnd = byEnd[1:] {
			s := r.during(bands[byEnd[0]].Alloc)
			n--
			if held[s]--; held[s] == 0 {
				delete(held, s)
			}
		}
		held[r.during(now)]++
		n++
		if len(held) > parts || len(held) == parts && n > most {
			at, parts, most = now, len(held), n
		}
	}
	return at, parts
}

// during returns the number of the statement that an event belongs to, which is
// len(Statements) behind the last.
func (r *Recording) during(event int) int {
	return sort.Search(len(r.Statements), func(i int) bool { return r.Statements[i].End > event })
}
