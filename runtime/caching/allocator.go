package caching

import (
	"errors"
	"sync"

	"github.com/torchmem/workbook/runtime/gpu"
)

// Driver is what the allocator needs of a GPU.
type Driver interface {
	gpu.Memory
	gpu.Queue
	Profile() gpu.Profile
}

// Allocator caches the memory of one device. It is safe for concurrent use.
type Allocator struct {
	mu     sync.Mutex
	driver Driver
	// virtual is the driver too, where expandable segments are on.
	virtual gpu.Virtual
	cfg     Config

	pools   pair
	private privatePools
	// serving are the pools that requests go to now.
	serving  *pair
	segments []*segment
	// reserved is what the driver gave, and limit what it may give at most.
	reserved int64
	limit    int64

	meters  meters
	streams streams
	marks   marks
	history *history
	// spare are recycled Block objects, linked through next.
	spare *Block
}

// New returns an allocator that has reserved nothing yet. It fails when the
// settings ask for something that this driver cannot do.
func New(d Driver, cfg Config) (*Allocator, error) {
	a := &Allocator{driver: d, cfg: cfg.resolved(), limit: noLimit}
	a.pools = newPair(nil)
	a.serving = &a.pools
	a.meters.maxSplitSize = maxSplitSizeShown(a.cfg)
	if a.cfg.ExpandableSegments {
		virtual, ok := d.(gpu.Virtual)
		if !ok {
			return nil, errors.New("expandable_segments:True: this driver cannot map memory")
		}
		a.virtual = virtual
	}
	if f := a.cfg.MemoryFraction; f != nil {
		if err := a.SetMemoryFraction(*f); err != nil {
			return nil, err
		}
	}
	return a, nil
}

// MemGetInfo returns the free and the total bytes of the device as the driver
// counts them, like torch.cuda.mem_get_info.
func (a *Allocator) MemGetInfo() (free, total int64) { return a.driver.MemInfo() }
