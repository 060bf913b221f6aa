package web

import (
	"cmp"
	"slices"

	"github.com/torchmem/workbook/runtime/timeline"
)

// # Piles
//
// A place in a program makes a pile if it allocates the same in statement after
// statement, and what it made in at least three of them is there at once. A loop that only
// rebinds a name holds two: the new value and, for a moment, the old one. A model
// of many layers makes many tensors at one place, but in one statement. So
// neither is a pile, and a list that grows in each round is one.
//
// This takes statements. A snapshot of PyTorch has none, and so no piles.

// minPile is from how many statements a pile has something.
const minPile = 3

// pile is what one place holds from many statements.
type pile struct {
	// Stack is the place, as a number among the stacks of the page, and Size
	// what it asks for.
	Stack int   `json:"stack"`
	Size  int64 `json:"size"`
	// Count and Bytes are of the moment At, when most statements had a part.
	Count int   `json:"count"`
	Bytes int64 `json:"bytes"`
	At    int   `json:"at"`
	// Until is when the last of it is gone, or the moment behind the last.
	Until int `json:"until"`
}

// source is what allocates the same again and again.
type source struct {
	stack int
	size  int64
}

// pilesOf finds the piles, the largest first, and marks the bands in them. The
// stacks are numbers that equal stacks share.
func pilesOf(lives []life, stacks []int, statements []timeline.Statement) []pile {
	places := map[source][]int{}
	for i := range lives {
		if lives[i].Alloc >= 0 && len(lives[i].Frames) > 0 {
			from := source{stacks[i], lives[i].Size}
			places[from] = append(places[from], i)
		}
	}
	var piles []pile
	members := map[source][]int{}
	for from, bands := range places {
		at, parts := fullest(lives, bands, statements)
		if parts < minPile {
			continue
		}
		p := pile{Stack: from.stack, Size: from.size, At: at}
		for _, i := range bands {
			if l := lives[i]; l.from <= at && at < l.asked {
				p.Count++
				p.Bytes += l.Block
				p.Until = max(p.Until, l.asked)
				members[from] = append(members[from], i)
			}
		}
		piles = append(piles, p)
	}
	slices.SortFunc(piles, func(x, y pile) int {
		return cmp.Or(cmp.Compare(y.Bytes, x.Bytes), cmp.Compare(x.Stack, y.Stack), cmp.Compare(x.Size, y.Size))
	})
	for n, p := range piles {
		for _, i := range members[source{p.Stack, p.Size}] {
			lives[i].pile = n
		}
	}
	return piles
}

// fullest returns the first moment at which bands from most statements are
// there, and from how many.
func fullest(lives []life, bands []int, statements []timeline.Statement) (at, parts int) {
	byEnd := slices.Clone(bands)
	slices.SortFunc(byEnd, func(x, y int) int { return cmp.Compare(lives[x].asked, lives[y].asked) })
	there := map[int]int{}
	for _, i := range bands { // by their beginning
		from := lives[i].from
		for len(byEnd) > 0 && lives[byEnd[0]].asked <= from {
			s := during(statements, lives[byEnd[0]].Alloc)
			if there[s]--; there[s] == 0 {
				delete(there, s)
			}
			byEnd = byEnd[1:]
		}
		there[during(statements, lives[i].Alloc)]++
		if len(there) > parts {
			at, parts = from, len(there)
		}
	}
	return at, parts
}
