package replay

import (
	"strings"

	"github.com/torchmem/workbook/runtime/caching"
)

// getter finds one counter among all.
type getter func(*caching.Stats) *int64

// column returns the getter of a counter by PyTorch's name for it. It is found
// once for a trace: a map of all 122 counters after each operation would take
// longer than the operation.
func column(name string) (getter, bool) {
	if g, ok := numbers[name]; ok {
		return g, true
	}
	words := strings.Split(name, ".")
	field, ok := fields[words[len(words)-1]]
	if !ok {
		return nil, false
	}
	switch len(words) {
	case 2:
		stat, ok := single[words[0]]
		return func(s *caching.Stats) *int64 { return field(stat(s)) }, ok
	case 3:
		stats, known := perPool[words[0]]
		pool, ok := pools[words[1]]
		return func(s *caching.Stats) *int64 { return field(pool(stats(s))) }, known && ok
	default:
		return nil, false
	}
}

var numbers = map[string]getter{
	"max_split_size":       func(s *caching.Stats) *int64 { return &s.MaxSplitSize },
	"num_alloc_retries":    func(s *caching.Stats) *int64 { return &s.NumAllocRetries },
	"num_device_alloc":     func(s *caching.Stats) *int64 { return &s.NumDeviceAlloc },
	"num_device_free":      func(s *caching.Stats) *int64 { return &s.NumDeviceFree },
	"num_ooms":             func(s *caching.Stats) *int64 { return &s.NumOOMs },
	"num_sync_all_streams": func(s *caching.Stats) *int64 { return &s.NumSyncAllStreams },
}

var single = map[string]func(*caching.Stats) *caching.Stat{
	"oversize_allocations": func(s *caching.Stats) *caching.Stat { return &s.OversizeAllocations },
	"oversize_segments":    func(s *caching.Stats) *caching.Stat { return &s.OversizeSegments },
}

var perPool = map[string]func(*caching.Stats) *caching.PoolStats{
	"active":               func(s *caching.Stats) *caching.PoolStats { return &s.Active },
	"active_bytes":         func(s *caching.Stats) *caching.PoolStats { return &s.ActiveBytes },
	"allocated_bytes":      func(s *caching.Stats) *caching.PoolStats { return &s.AllocatedBytes },
	"allocation":           func(s *caching.Stats) *caching.PoolStats { return &s.Allocation },
	"inactive_split":       func(s *caching.Stats) *caching.PoolStats { return &s.InactiveSplit },
	"inactive_split_bytes": func(s *caching.Stats) *caching.PoolStats { return &s.InactiveSplitBytes },
	"requested_bytes":      func(s *caching.Stats) *caching.PoolStats { return &s.RequestedBytes },
	"reserved_bytes":       func(s *caching.Stats) *caching.PoolStats { return &s.ReservedBytes },
	"segment":              func(s *caching.Stats) *caching.PoolStats { return &s.Segment },
}

var pools = map[string]func(*caching.PoolStats) *caching.Stat{
	"all":        func(p *caching.PoolStats) *caching.Stat { return &p.All },
	"small_pool": func(p *caching.PoolStats) *caching.Stat { return &p.Small },
	"large_pool": func(p *caching.PoolStats) *caching.Stat { return &p.Large },
}

var fields = map[string]func(*caching.Stat) *int64{
	"current":   func(s *caching.Stat) *int64 { return &s.Current },
	"peak":      func(s *caching.Stat) *int64 { return &s.Peak },
	"allocated": func(s *caching.Stat) *int64 { return &s.Allocated },
	"freed":     func(s *caching.Stat) *int64 { return &s.Freed },
}
