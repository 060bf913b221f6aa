// Package timeline holds what a program did to the memory of a GPU, in the order
// in which it happened, so that it can be drawn.
//
// A [Recording] is a list of events, and what else a reader wants to know about
// them: which statement of the program was running, which tensor an allocation
// became, which line asked for it. It comes from a lesson, an exercise, or a
// snapshot of PyTorch. The pictures are made from it: a still one, and a page for
// a browser.
//
// Time is counted in events, not in seconds: what matters is what came before
// what.
//
// # What follows from the events
//
// The events are all there is; what else a picture needs is computed from them.
// [Recording.Bands] are the allocations, each with its beginning and its end,
// [Recording.Curves] the counters after each event, [Recording.SegmentsAt] the
// memory at a moment, and [Recording.Largest] who holds most of it then. The tests
// compare each of these with what the allocator says of itself.
//
// [Recording.Piles] are what looks like a leak: places that hold more with every
// statement. Both pictures show them, in the same colour and by the same name.
package timeline

import (
	"github.com/torchmem/workbook/runtime/caching"
)

// Recording is what happened on one GPU.
type Recording struct {
	// Title says which program it was.
	Title string
	// Device is the name of the GPU, and Total its memory in bytes.
	Device string
	Total  int64
	Events []Event
	// Statements are those of the program, in order. There are none where
	// nobody knows them.
	Statements []Statement
	// Start has the segments that were there before the first event.
	Start []caching.Segment
}

// Event is one entry of the allocator's history with what is known of it.
type Event struct {
	caching.Entry
	// Block is the bytes that an allocation occupies, at least Size, which
	// is what was asked for. It is zero for other actions.
	Block int64
	// Frames is the stack that asked for it, the innermost call first. Equal
	// stacks share their memory.
	Frames []caching.Frame
	// Name is the tensor that an allocation became, empty where nobody named
	// it.
	Name string
	// Holders are those who held it later, where that was somebody else: a
	// graph keeps what a name has let go of.
	Holders []Holder
	// Pool is the private pool that it happened in, zero for the default
	// ones and where nobody knows.
	Pool caching.PoolID
}

// Holder is who holds an allocation.
type Holder struct {
	// From is the event after which it is so.
	From int
	// Name is a name of the program, or in parentheses what else it is.
	Name string
}

// Statement is one line of a program.
type Statement struct {
	// Text is the statement as Python spells it.
	Text string
	// File and Line are where it stands in the program.
	File string
	Line int
	// End is how many events had happened when it ended.
	End int
	// Allocated, Reserved and Peak are the counters then, in bytes. Peak is
	// of what was allocated.
	Allocated, Reserved, Peak int64
}
