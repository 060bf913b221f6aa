package replay

import (
	"fmt"

	"github.com/torchmem/workbook/runtime/caching"
	"github.com/torchmem/workbook/runtime/gpu"
)

// Trace is a recording of operations on PyTorch's allocator.
type Trace struct {
	// Conf are the settings that it ran with, as PYTORCH_CUDA_ALLOC_CONF
	// holds them.
	Conf string
	// TotalMemory is the device's memory in bytes, zero if that is unknown.
	TotalMemory int64
	// Fraction is the share of the device that could be reserved. Nil sets
	// no limit.
	Fraction *float64
	// Streams are the handles of the streams, the default one first.
	Streams []gpu.Stream
	// Columns name the counters of each operation.
	Columns []string
	Ops     []Operation
	// Events are the allocator's own log.
	Events []caching.Entry
	// Segments, Stats and Summary are the state at the end.
	Segments []Segment
	Stats    map[string]int64
	Summary  string
}

// Op names what an operation does.
type Op string

// The operations of a trace.
const (
	OpAlloc        Op = "alloc"
	OpFree         Op = "free"
	OpRecordStream Op = "record_stream"
	OpEmptyCache   Op = "empty_cache"
	OpResetPeak    Op = "reset_peak"
)

// Operation is one step of a trace and the counters after it.
type Operation struct {
	Op Op `json:"op"`
	// ID names a block, from its alloc to its free.
	ID int `json:"id"`
	// Bytes are what an alloc asks for.
	Bytes int64 `json:"bytes"`
	// Stream is a place in the trace's list of streams.
	Stream int `json:"stream"`
	// OK tells that an alloc succeeded, and Error what was said if not.
	OK       bool    `json:"ok"`
	Error    string  `json:"error"`
	Counters []int64 `json:"counters"`
}

// String spells the operation for people.
func (o Operation) String() string {
	switch o.Op {
	case OpAlloc:
		return fmt.Sprintf("alloc %d of %d bytes on stream %d", o.ID, o.Bytes, o.Stream)
	case OpFree:
		return fmt.Sprintf("free %d", o.ID)
	case OpRecordStream:
		return fmt.Sprintf("record_stream of %d on stream %d", o.ID, o.Stream)
	default:
		return string(o.Op)
	}
}

// Segment is the part of a [caching.Segment] that a trace holds.
type Segment struct {
	Address       gpu.Ptr    `json:"address"`
	TotalSize     int64      `json:"total_size"`
	AllocatedSize int64      `json:"allocated_size"`
	ActiveSize    int64      `json:"active_size"`
	RequestedSize int64      `json:"requested_size"`
	Stream        gpu.Stream `json:"stream"`
	SegmentType   string     `json:"segment_type"`
	IsExpandable  bool       `json:"is_expandable"`
	Blocks        []Block    `json:"blocks"`
}

// Block is the part of a [caching.BlockRecord] that a trace holds.
type Block struct {
	Address       gpu.Ptr            `json:"address"`
	Size          int64              `json:"size"`
	RequestedSize int64              `json:"requested_size"`
	State         caching.BlockState `json:"state"`
}
