package web

import (
	"cmp"
	"slices"

	"github.com/torchmem/workbook/runtime/timeline"
)

// maxEvents is how many events a page shows.
const maxEvents = 100_000

// left says what a page leaves out of a long history.
type left struct {
	// Bands is how many allocations, Largest the bytes of the largest, and
	// Most how many bytes of them were there at once.
	Bands   int   `json:"bands"`
	Largest int64 `json:"largest"`
	Most    int64 `json:"most"`
	// Segments is how many pieces of reserved memory.
	Segments int `json:"segments"`
}

// thinned is a history with fewer moments.
type thinned struct {
	// events has the number of events at each moment.
	events []int
	lives  []life
	pieces []piece
	// others is what is left out and active at each moment, in bytes.
	others []int64
	left   *left
}

// thin picks the moments of a page. A history that is short enough keeps all of
// them.
func thin(r *timeline.Recording, c timeline.Curves, lives []life, pieces []piece, limit int) *thinned {
	if len(r.Events) <= limit {
		return &thinned{lives: lives, pieces: pieces}
	}
	k := newKeeper(len(r.Events), limit)
	k.keepPeaks(c)
	k.keepStatements(r.Statements)
	t := &thinned{left: &left{}}
	t.pieces = k.keepPieces(pieces)
	t.lives = k.keepLives(lives)
	t.left.Segments = len(pieces) - len(t.pieces)
	t.events = k.moments()
	t.count(lives, k)
	t.renumber()
	return t
}

// keeper marks moments until there are enough.
type keeper struct {
	kept  []bool
	count int
	limit int
	// lives are the numbers of the bands that are kept.
	lives map[int]bool
}

func newKeeper(last, limit int) *keeper {
	k := &keeper{kept: make([]bool, last+1), limit: limit, lives: map[int]bool{}}
	k.keep(0)
	k.keep(last)
	return k
}

// keep marks a moment. One behind the last needs no mark.
func (k *keeper) keep(moment int) {
	if moment < len(k.kept) && !k.kept[moment] {
		k.kept[moment] = true
		k.count++
	}
}

// keepPeaks marks the first moments of the peaks.
func (k *keeper) keepPeaks(c timeline.Curves) {
	for _, curve := range [][]int64{c.Allocated, c.Active, c.Reserved} {
		top := 0
		for i, bytes := range curve {
			if bytes > curve[top] {
				top = i
			}
		}
		k.keep(top + 1)
	}
}

// keepStatements marks the ends of statements, of every n-th if they are many.
func (k *keeper) keepStatements(all []timeline.Statement) {
	step := 1 + 4*len(all)/k.limit
	for i := 0; i < len(all); i += step {
		k.keep(all[i].End)
	}
}

// keepPieces keeps the largest pieces, and all if they fill no more than half of
// the page.
func (k *keeper) keepPieces(all []piece) []piece {
	order := bySize(len(all), func(i int) int64 { return all[i].size })
	var kept []piece
	for _, i := range order {
		if k.count > k.limit/2 {
			break
		}
		k.keep(all[i].from)
		k.keep(all[i].to)
		kept = append(kept, all[i])
	}
	return kept
}

// keepLives keeps the largest bands, in their order.
func (k *keeper) keepLives(all []life) []life {
	for _, i := range bySize(len(all), func(i int) int64 { return all[i].Block }) {
		if k.count > k.limit-3 { // one may take three
			break
		}
		k.keep(all[i].from)
		k.keep(all[i].asked)
		k.keep(all[i].to)
		k.lives[i] = true
	}
	var kept []life
	for i, l := range all {
		if k.lives[i] {
			kept = append(kept, l)
		}
	}
	return kept
}

// bySize lists the numbers from 0 on, those of the largest first.
func bySize(n int, size func(int) int64) []int {
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(x, y int) int { return cmp.Compare(size(y), size(x)) })
	return order
}

func (k *keeper) moments() []int {
	var events []int
	for moment, kept := range k.kept {
		if kept {
			events = append(events, moment)
		}
	}
	return events
}

// count fills in what is left out.
func (t *thinned) count(all []life, k *keeper) {
	changes := make([]int64, len(k.kept)+1)
	for i, l := range all {
		if k.lives[i] {
			continue
		}
		t.left.Bands++
		t.left.Largest = max(t.left.Largest, l.Block)
		changes[l.from] += l.Block
		changes[l.to] -= l.Block
	}
	bytes := int64(0)
	for moment, kept := range k.kept {
		bytes += changes[moment]
		t.left.Most = max(t.left.Most, bytes)
		if kept {
			t.others = append(t.others, bytes)
		}
	}
}

// renumber turns the moments of bands and pieces into those of the page.
func (t *thinned) renumber() {
	t.lives = slices.Clone(t.lives)
	for i := range t.lives {
		l := &t.lives[i]
		l.from, l.asked, l.to = t.moment(l.from), t.moment(l.asked), t.moment(l.to)
	}
	for i := range t.pieces {
		p := &t.pieces[i]
		p.from, p.to = t.moment(p.from), t.moment(p.to)
	}
}

// moment returns the first moment of the page with at least so many events.
func (t *thinned) moment(events int) int {
	if t.events == nil {
		return events
	}
	at, _ := slices.BinarySearch(t.events, events)
	return at
}
