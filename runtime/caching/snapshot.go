package caching

import (
	"cmp"
	"slices"

	"github.com/torchmem/workbook/runtime/gpu"
)

// Segment is one entry of torch.cuda.memory_snapshot: the fields, their names
// and their order are PyTorch's. Sizes are bytes.
type Segment struct {
	Device        int           `json:"device"`
	Address       gpu.Ptr       `json:"address"`
	TotalSize     int64         `json:"total_size"`
	AllocatedSize int64         `json:"allocated_size"`
	ActiveSize    int64         `json:"active_size"`
	RequestedSize int64         `json:"requested_size"`
	Stream        gpu.Stream    `json:"stream"`
	SegmentType   string        `json:"segment_type"`
	SegmentPoolID PoolID        `json:"segment_pool_id"`
	IsExpandable  bool          `json:"is_expandable"`
	Frames        []Frame       `json:"frames"`
	Blocks        []BlockRecord `json:"blocks"`
}

// BlockRecord is a block of a Segment.
type BlockRecord struct {
	Address       gpu.Ptr    `json:"address"`
	Size          int64      `json:"size"`
	RequestedSize int64      `json:"requested_size"`
	State         BlockState `json:"state"`
	Frames        []Frame    `json:"frames"`
}

// Frame is a line of a stack. Those of blocks and segments are empty where no
// stacks are recorded.
type Frame struct {
	Filename string `json:"filename"`
	Line     int    `json:"line"`
	Name     string `json:"name"`
}

// BlockState is the state of a block in PyTorch's words.
type BlockState string

// A block belongs to a caller, or waits for a stream, or is cached.
const (
	ActiveAllocated   BlockState = "active_allocated"
	ActivePendingFree BlockState = "active_pending_free"
	Inactive          BlockState = "inactive"
)

// Snapshot describes all segments and their blocks by address, like
// torch.cuda.memory_snapshot. An expandable segment has one entry for each
// contiguous range that has memory.
func (a *Allocator) Snapshot() []Segment {
	a.mu.Lock()
	defer a.mu.Unlock()
	records := make([]Segment, 0, len(a.segments))
	for _, s := range a.segments {
		records = a.appendRecords(records, s)
	}
	sortByAddress(records)
	return records
}

// SnapshotPool describes the segments of one private pool, like
// torch.cuda.memory_snapshot(id). An unknown pool has none, and the zero id
// stands for all segments of all pools. Of an expandable segment, only the range
// at its very start is shown, as in PyTorch.
func (a *Allocator) SnapshotPool(id PoolID) []Segment {
	if id == (PoolID{}) {
		return a.Snapshot()
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	records := []Segment{}
	for _, s := range a.segments {
		if s.shelf.pool.id() == id && s.first.state != unmapped {
			records = append(records, a.appendRecords(nil, s)[0])
		}
	}
	sortByAddress(records)
	return records
}

func sortByAddress(records []Segment) {
	slices.SortFunc(records, func(x, y Segment) int { return cmp.Compare(x.Address, y.Address) })
}

func (a *Allocator) appendRecords(records []Segment, s *segment) []Segment {
	open := false
	for b := s.first; b != nil; b = b.next {
		if b.state == unmapped {
			open = false
			continue
		}
		if !open {
			records = append(records, s.record(b.ptr))
			open = true
		}
		records[len(records)-1].add(b, a.stackOf(b))
	}
	return records
}

// record starts an entry at an address.
func (s *segment) record(at gpu.Ptr) Segment {
	return Segment{
		Address:       at,
		Stream:        s.shelf.stream,
		SegmentType:   s.shelf.pool.class.String(),
		SegmentPoolID: s.shelf.pool.id(),
		IsExpandable:  s.expandable,
		Frames:        append([]Frame{}, s.frames...),
	}
}

func (r *Segment) add(b *Block, stack []Frame) {
	state := Inactive
	switch b.state {
	case allocated:
		state = ActiveAllocated
		r.AllocatedSize += b.size
	case pending:
		state = ActivePendingFree
	}
	if state != Inactive {
		r.ActiveSize += b.size
		r.RequestedSize += b.requested
	}
	r.TotalSize += b.size
	r.Blocks = append(r.Blocks, BlockRecord{b.ptr, b.size, b.requested, state, stack})
}
