package web

import (
	"strconv"
	"strings"

	"github.com/torchmem/workbook/runtime/caching"
)

// texts numbers texts and stacks, so that each is in the page once. Text 0 is
// empty, and stack 0 has no frames.
type texts struct {
	all      []string
	numbers  map[string]int
	stacks   [][]place
	byFrames map[*caching.Frame]int
	byText   map[string]int
}

// place is a frame: the file, the line, and the function, the texts as numbers.
type place [3]int

func newTexts() *texts {
	return &texts{
		all: []string{""}, numbers: map[string]int{"": 0},
		stacks: [][]place{{}}, byFrames: map[*caching.Frame]int{}, byText: map[string]int{"": 0},
	}
}

// text returns the number of a text. Bytes that are no text in UTF-8 are
// replaced: JSON has no others.
func (t *texts) text(s string) int {
	n, ok := t.numbers[s]
	if !ok {
		n = len(t.all)
		t.all = append(t.all, strings.ToValidUTF8(s, "\ufffd"))
		t.numbers[s] = n
	}
	return n
}

// stack returns the number of a stack. Equal stacks mostly share their memory,
// so the address of the first frame is looked up first.
func (t *texts) stack(frames []caching.Frame) int {
	if len(frames) == 0 {
		return 0
	}
	n, ok := t.byFrames[&frames[0]]
	if !ok || len(t.stacks[n]) != len(frames) {
		n = t.newStack(frames)
		t.byFrames[&frames[0]] = n
	}
	return n
}

func (t *texts) newStack(frames []caching.Frame) int {
	stack := make([]place, len(frames))
	var key strings.Builder
	for i, f := range frames {
		stack[i] = place{t.text(f.Filename), f.Line, t.text(f.Name)}
		for _, n := range stack[i] {
			key.WriteString(" " + strconv.Itoa(n))
		}
	}
	n, ok := t.byText[key.String()]
	if !ok {
		n = len(t.stacks)
		t.stacks = append(t.stacks, stack)
		t.byText[key.String()] = n
	}
	return n
}
