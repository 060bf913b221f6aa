package history

import (
	"github.com/torchmem/workbook/runtime/caching"
	"github.com/torchmem/workbook/runtime/gpu"
)

// Program is what one GPU's allocator was asked for.
type Program struct {
	// Ops are the requests in their order.
	Ops []Op
	// Lanes are the streams and pools that they name.
	Lanes []Lane
	// Slots is how many blocks are alive at once at most: each op names its
	// block by a slot.
	Slots int
	// Queues is how many streams could have made the blocks wait.
	Queues int
	Start  Start
	// Releases are the times when memory went back to the driver.
	Releases []Release
	// Growths are the times when the driver was asked for more.
	Growths []Growth
	// Recorded is what the history itself says.
	Recorded Recorded
}

// Recorded is what the events tell without any replay.
type Recorded struct {
	Events int
	// PeakReserved is the most that was reserved.
	PeakReserved int64
	// Mallocs and Frees are the calls of the driver.
	Mallocs, Frees int64
	// OOMs are requests that failed.
	OOMs int
	// Strange are events of an unknown kind, and Gone segments that the
	// snapshot should show and does not.
	Strange, Gone int
}

// Lane is where blocks are cached apart from others.
type Lane struct {
	Stream gpu.Stream
	Pool   caching.PoolID
}

// Kind says what an Op asks for.
type Kind uint8

// The kinds of ops.
const (
	// OpAlloc asks for Size bytes on Lane and keeps them in Slot.
	OpAlloc Kind = iota
	// OpFree frees Slot.
	OpFree
	// OpFreeLater frees Slot while another stream uses it. Lane is the
	// queue that it waits in.
	OpFreeLater
	// OpDone says that the other stream is done with Slot.
	OpDone
	// OpRelease is the place of the release number Slot.
	OpRelease
	// OpDrop releases the private pool of Lane.
	OpDrop
	// OpFailed is a request for Size bytes on Lane that failed.
	OpFailed
)

// Op is one request.
type Op struct {
	Kind Kind
	Lane int16
	Slot int32
	// Event is the number of the event that shows it.
	Event int32
	Size  int64
}

// Start is what was there before the first event.
type Start struct {
	Blocks   []Block
	Segments []Segment
	// Lowest are the lowest ranges of expandable segments that got memory
	// during the history, one for each pool and lane.
	Lowest []Segment
	// Reserved is the sum of the segments, in bytes.
	Reserved int64
}

// Block is a block that is older than the history.
type Block struct {
	Addr gpu.Ptr
	// Size is what was requested, and Whole what the block occupies, zero
	// where only the request is known.
	Size, Whole int64
	// Next is where the first block behind it was allocated while it was
	// there, zero if none was.
	Next       gpu.Ptr
	Lane, Slot int
	// Pending blocks were freed already and wait in Queue. Until is the op
	// that ends the wait.
	Pending bool
	Queue   int
	Until   int64
}

// Segment is a segment that is older than the history, or a range of an
// expandable one that has memory.
type Segment struct {
	Addr       gpu.Ptr
	Size       int64
	Lane       int
	Expandable bool
	// Small tells that it belongs to the small pool.
	Small bool
}

// Growth is a request that the driver served.
type Growth struct {
	Event int
	// Before is what was reserved, and Need how much more was asked for.
	Before, Need int64
	// Whole is how many large segments were cached as a whole.
	Whole int
	// Release is the number of the release right before, -1 without one.
	Release int
}
