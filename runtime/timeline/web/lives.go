package web

import (
	"fmt"

	"github.com/torchmem/workbook/runtime/caching"
	"github.com/torchmem/workbook/runtime/gpu"
	"github.com/torchmem/workbook/runtime/timeline"
)

// life is a band in moments. A moment is how many events have happened, so what
// event 0 makes is there from moment 1 on.
type life struct {
	timeline.Band
	from, asked, to int
	// pile is the number of the pile that it belongs to, -1 for none.
	pile int
}

func livesOf(r *timeline.Recording, piles []timeline.Pile) []life {
	bands := r.Bands()
	lives := make([]life, len(bands))
	for i, b := range bands {
		lives[i] = life{b, b.Alloc + 1, b.Requested + 1, b.Free + 1, -1}
	}
	for n, p := range piles {
		for _, i := range p.Bands {
			lives[i].pile = n
		}
	}
	return lives
}

// letters stand for the actions of events in the page's data.
var letters = map[caching.Action]byte{
	caching.ActionAlloc: 'a', caching.ActionFreeRequested: 'r', caching.ActionFreeCompleted: 'c',
	caching.ActionSegmentAlloc: 'S', caching.ActionSegmentFree: 'F',
	caching.ActionSegmentMap: 'M', caching.ActionSegmentUnmap: 'U', caching.ActionOOM: 'o',
}

func letter(a caching.Action) byte {
	if l, ok := letters[a]; ok {
		return l
	}
	return '?'
}

// streamText spells a stream. The default one has no name.
func streamText(s gpu.Stream) string {
	if s == 0 {
		return ""
	}
	return fmt.Sprintf("%#x", uint64(s))
}
