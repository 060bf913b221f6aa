package snapshot

import "github.com/torchmem/workbook/runtime/caching"

// Snapshot is the content of one file.
type Snapshot struct {
	// Segments of all GPUs, by GPU and then by address.
	Segments []caching.Segment
	// Traces has the history of each GPU.
	Traces [][]Event
	// Settings are those of the allocator, nil where the file has none.
	Settings *Settings
	// Annotations are the stages that a program passed.
	Annotations []Annotation
}

// Event is one entry of a history.
type Event struct {
	caching.Entry
	// TimeUS is when it happened.
	TimeUS int64
	// Frames is the stack of the program, the innermost call first. It is
	// nil where none was recorded. Equal stacks share their memory, so
	// nobody may change it.
	Frames []caching.Frame
	// CompileContext and UserMetadata are texts beside the event.
	CompileContext, UserMetadata string
}

// Settings are what PyTorch calls allocator_settings.
type Settings struct {
	// Conf is PYTORCH_CUDA_ALLOC_CONF.
	Conf string
	// MaxSplitSize is -1 where there is no bar on splitting.
	MaxSplitSize               int64
	GarbageCollectionThreshold float64
	ExpandableSegments         bool
	// RoundupDivisions has one entry for each power of two from 1 MiB on.
	RoundupDivisions [16]int64

	// These change nothing for the memory of the GPU.
	PinnedNumRegisterThreads      int64
	ReleaseLockOnCudaMalloc       bool
	PinnedUseCudaHostRegister     bool
	GraphCaptureRecordStreamReuse bool
}

// Annotation is the begin or the end of something that a program names, such as
// a step of an optimizer.
type Annotation struct {
	Stage, Name string
	Device      int
	TimeUS      int64
}

// Actions of a history that the allocator here does not have.
const (
	// ActionSnapshot says that a snapshot was taken.
	ActionSnapshot caching.Action = "snapshot"
)
