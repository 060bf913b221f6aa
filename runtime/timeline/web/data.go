package web

import (
	"cmp"
	"slices"

	"github.com/torchmem/workbook/runtime/timeline"
)

// data is what the script reads. Long lists are columns: one list for each
// field. A column whose name ends in Steps has differences, which are short to
// write where the numbers are long. Bytes are bytes, and moments are numbers.
type data struct {
	Title      string    `json:"title"`
	Recordings []*record `json:"recordings"`
}

// record is one recording.
type record struct {
	Title  string `json:"title"`
	Device string `json:"device"`
	Total  int64  `json:"total"`
	// Events is how many there were. EventSteps has the number of events at
	// each moment, where that is not the moment itself.
	Events     int   `json:"events"`
	EventSteps []int `json:"eventSteps,omitempty"`
	// Left and OtherSteps say what is left out of a long history.
	Left       *left   `json:"left,omitempty"`
	OtherSteps []int64 `json:"otherSteps,omitempty"`
	// Actions has a letter for the event before each moment, and Subjects
	// the band or the piece that it is about, -1 where that is not shown.
	Actions    string       `json:"actions"`
	Subjects   []int        `json:"subjects"`
	Curves     curveColumns `json:"curves"`
	Bands      bandColumns  `json:"bands"`
	Pieces     pieceColumns `json:"pieces"`
	Spaces     []string     `json:"spaces"`
	Texts      []string     `json:"texts"`
	Stacks     [][]place    `json:"stacks"`
	Statements []statement  `json:"statements"`
	Piles      []pile       `json:"piles"`
}

// curveColumns has the counters at each moment.
type curveColumns struct {
	AllocatedSteps []int64 `json:"allocatedSteps"`
	ActiveSteps    []int64 `json:"activeSteps"`
	ReservedSteps  []int64 `json:"reservedSteps"`
	PeakSteps      []int64 `json:"peakSteps"`
}

type bandColumns struct {
	FromSteps []int   `json:"fromSteps"`
	Asked     []int   `json:"asked"`
	To        []int   `json:"to"`
	Size      []int64 `json:"size"`
	Block     []int64 `json:"block"`
	Space     []int   `json:"space"`
	Offset    []int64 `json:"offset"`
	// Name is a number among the texts, Stack one among the stacks, and Pile
	// one among the piles, -1 for none.
	Name  []int `json:"name"`
	Stack []int `json:"stack"`
	Pile  []int `json:"pile"`
	// Held has three numbers for each later holder: the band, the moment from
	// which on it holds, and its name among the texts.
	Held []int `json:"held"`
}

type pieceColumns struct {
	From   []int   `json:"from"`
	To     []int   `json:"to"`
	Size   []int64 `json:"size"`
	Space  []int   `json:"space"`
	Offset []int64 `json:"offset"`
	Stream []int   `json:"stream"`
	// Expandable is 1 for pages of an expandable segment.
	Expandable []int `json:"expandable"`
}

// pile is what one place holds from many statements.
type pile struct {
	// Stack is the place, as a number among the stacks.
	Stack int   `json:"stack"`
	Count int   `json:"count"`
	Bytes int64 `json:"bytes"`
	// Until is when the last of it is gone, or the moment behind the last.
	Until int `json:"until"`
}

type statement struct {
	Text      string `json:"text"`
	File      string `json:"file"`
	Line      int    `json:"line"`
	End       int    `json:"end"`
	Allocated int64  `json:"allocated"`
	Reserved  int64  `json:"reserved"`
	Peak      int64  `json:"peak"`
}

// newRecord lays out a recording.
func newRecord(r *timeline.Recording, limit int) *record {
	curves := r.Curves()
	texts := newTexts()
	piles := r.Piles()
	t := thin(r, curves, livesOf(r, piles), piecesOf(r), limit)
	slices.SortFunc(t.pieces, func(x, y piece) int {
		return cmp.Or(cmp.Compare(x.at, y.at), cmp.Compare(x.from, y.from))
	})
	stacks := make([]int, len(t.lives))
	for i, l := range t.lives {
		stacks[i] = texts.stack(l.Frames)
	}
	d := &record{
		Title: r.Title, Device: r.Device, Total: r.Total, Events: len(r.Events),
		EventSteps: steps(t.events), Left: t.left, OtherSteps: steps(t.others),
	}
	d.setPiles(piles, texts, t)
	d.setEvents(r, t)
	d.setCurves(r, curves, t)
	spaces := spacesOf(t.pieces, t.lives)
	d.Spaces = spaces.texts()
	d.setBands(t, stacks, spaces, texts)
	d.setPieces(t.pieces, spaces, texts)
	d.setStatements(r.Statements, t)
	d.Texts, d.Stacks = texts.all, texts.stacks
	return d
}

// setPiles numbers the places of the piles, and when they end.
func (d *record) setPiles(all []timeline.Pile, texts *texts, t *thinned) {
	d.Piles = make([]pile, len(all))
	for i, p := range all {
		d.Piles[i] = pile{texts.stack(p.Frames), len(p.Bands), p.Bytes, t.moment(p.Until + 1)}
	}
}

// setStatements numbers the ends of the statements as moments of the page.
func (d *record) setStatements(all []timeline.Statement, t *thinned) {
	d.Statements = make([]statement, len(all))
	for i, s := range all {
		d.Statements[i] = statement{s.Text, s.File, s.Line, t.moment(s.End), s.Allocated, s.Reserved, s.Peak}
	}
}

// setCurves takes the counters at the moments of the page.
func (d *record) setCurves(r *timeline.Recording, c timeline.Curves, t *thinned) {
	start := startOf(r)
	column := func(first int64, curve []int64) []int64 {
		all := append([]int64{first}, curve...)
		if t.events == nil {
			return steps(all)
		}
		some := make([]int64, len(t.events))
		for i, events := range t.events {
			some[i] = all[events]
		}
		return steps(some)
	}
	d.Curves = curveColumns{
		AllocatedSteps: column(start.allocated, c.Allocated), ActiveSteps: column(start.active, c.Active),
		ReservedSteps: column(start.reserved, c.Reserved), PeakSteps: column(start.allocated, c.Peak),
	}
}

// counters are those before the first event, in bytes.
type counters struct{ allocated, active, reserved int64 }

func startOf(r *timeline.Recording) counters {
	var c counters
	for _, s := range r.Start {
		c.allocated += s.AllocatedSize
		c.active += s.ActiveSize
		c.reserved += s.TotalSize
	}
	return c
}

// steps returns the differences from each number to the next. The first is
// from zero.
func steps[N int | int64](all []N) []N {
	if all == nil {
		return nil
	}
	steps, last := make([]N, len(all)), N(0)
	for i, n := range all {
		steps[i], last = n-last, n
	}
	return steps
}
