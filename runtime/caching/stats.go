package caching

import (
	"maps"
	"slices"
)

// Stat is one counted thing: what is there now, the most there has been since
// the last reset of the peaks, and what came and went since the last reset of
// the totals.
type Stat struct {
	Current, Peak, Allocated, Freed int64
}

// PoolStats is a Stat for both pools together and for each.
type PoolStats struct {
	All, Small, Large Stat
}

// Stats is what torch.cuda.memory_stats returns.
type Stats struct {
	// Allocation counts the blocks that callers hold, Segment those of the
	// driver. Active blocks are allocated or wait for a stream.
	// InactiveSplit blocks are cached beside blocks in use.
	Allocation, Segment, Active, InactiveSplit PoolStats
	// AllocatedBytes to InactiveSplitBytes are the bytes of those.
	AllocatedBytes, ReservedBytes, ActiveBytes, InactiveSplitBytes PoolStats
	// RequestedBytes is what callers asked for, before rounding.
	RequestedBytes PoolStats
	// OversizeAllocations and OversizeSegments have at least MaxSplitSize
	// bytes.
	OversizeAllocations, OversizeSegments Stat
	// NumAllocRetries counts requests that emptied the cache, NumOOMs those
	// that failed even so, and NumSyncAllStreams the waits for all streams.
	NumAllocRetries, NumOOMs, NumSyncAllStreams int64
	// NumDeviceAlloc and NumDeviceFree count calls of the driver.
	NumDeviceAlloc, NumDeviceFree int64
	// MaxSplitSize is the setting in bytes, -1 where there is none.
	MaxSplitSize int64
}

// Stats returns all counters, like torch.cuda.memory_stats.
func (a *Allocator) Stats() Stats {
	a.mu.Lock()
	defer a.mu.Unlock()
	m := &a.meters
	return Stats{
		Allocation:          m.allocation.stats(),
		Segment:             m.segment.stats(),
		Active:              m.active.stats(),
		InactiveSplit:       m.inactiveSplit.stats(),
		AllocatedBytes:      m.allocatedBytes.stats(),
		ReservedBytes:       m.reservedBytes.stats(),
		ActiveBytes:         m.activeBytes.stats(),
		InactiveSplitBytes:  m.inactiveSplitBytes.stats(),
		RequestedBytes:      m.requestedBytes.stats(),
		OversizeAllocations: m.oversizeAllocations.stat(),
		OversizeSegments:    m.oversizeSegments.stat(),
		NumAllocRetries:     m.allocRetries,
		NumOOMs:             m.ooms,
		NumSyncAllStreams:   m.syncs,
		NumDeviceAlloc:      m.deviceAlloc,
		NumDeviceFree:       m.deviceFree,
		MaxSplitSize:        m.maxSplitSize,
	}
}

// ResetPeakStats starts new peaks at what is current, like
// torch.cuda.reset_peak_memory_stats.
func (a *Allocator) ResetPeakStats() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.meters.each((*counter).resetPeak)
}

// ResetAccumulatedStats starts the totals and the numbers of events at zero,
// like torch.cuda.reset_accumulated_memory_stats.
func (a *Allocator) ResetAccumulatedStats() {
	a.mu.Lock()
	defer a.mu.Unlock()
	m := &a.meters
	m.each((*counter).resetTotals)
	m.allocRetries, m.ooms, m.syncs = 0, 0, 0
	m.deviceAlloc, m.deviceFree = 0, 0
}

// Map returns the 122 counters under PyTorch's names.
func (s Stats) Map() map[string]int64 {
	m := map[string]int64{
		"max_split_size":       s.MaxSplitSize,
		"num_alloc_retries":    s.NumAllocRetries,
		"num_device_alloc":     s.NumDeviceAlloc,
		"num_device_free":      s.NumDeviceFree,
		"num_ooms":             s.NumOOMs,
		"num_sync_all_streams": s.NumSyncAllStreams,
	}
	for name, p := range map[string]PoolStats{
		"active":               s.Active,
		"active_bytes":         s.ActiveBytes,
		"allocated_bytes":      s.AllocatedBytes,
		"allocation":           s.Allocation,
		"inactive_split":       s.InactiveSplit,
		"inactive_split_bytes": s.InactiveSplitBytes,
		"requested_bytes":      s.RequestedBytes,
		"reserved_bytes":       s.ReservedBytes,
		"segment":              s.Segment,
	} {
		p.All.putInto(m, name+".all")
		p.Small.putInto(m, name+".small_pool")
		p.Large.putInto(m, name+".large_pool")
	}
	s.OversizeAllocations.putInto(m, "oversize_allocations")
	s.OversizeSegments.putInto(m, "oversize_segments")
	return m
}

func (s Stat) putInto(m map[string]int64, name string) {
	m[name+".current"] = s.Current
	m[name+".peak"] = s.Peak
	m[name+".allocated"] = s.Allocated
	m[name+".freed"] = s.Freed
}

// StatNames returns the names that Stats.Map uses, in PyTorch's order.
func StatNames() []string { return slices.Sorted(maps.Keys(Stats{}.Map())) }
