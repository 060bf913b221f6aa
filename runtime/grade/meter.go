package grade

import (
	"errors"

	"github.com/torchmem/workbook/runtime/site"
	"github.com/torchmem/workbook/runtime/torch"
)

// meter watches one run of a function.
type meter struct {
	torch  *torch.Torch
	driver *countingDriver
	got    map[Metric]int64
	// place is the learner's line that a metric owes most to.
	place map[Metric]site.Place
	// serial counts the allocations on the GPU. peakAt is that of the one
	// which set the metric's peak.
	serial int
	peakAt map[Metric]int
	// stopAt is the allocation of which the meter takes a picture.
	stopAt int
	moment *Moment
	// end is the picture when the function has returned.
	end *Moment
	// mallocs is how many the driver had served at the last look.
	mallocs int64
	lines   map[site.Place]int
	onHost  int64 // the largest allocation on the CPU
	// share is the part of the device that the case allows.
	share float64
	// used is set once something is measured.
	used bool
}

func newMeter(t *torch.Torch, d *countingDriver, stopAt int) *meter {
	return &meter{
		torch: t, driver: d, stopAt: stopAt,
		got: map[Metric]int64{}, place: map[Metric]site.Place{},
		peakAt: map[Metric]int{}, lines: map[site.Place]int{},
	}
}

// errLargerGPU answers a function that changes the limit that it has to keep.
var errLargerGPU = errors.New("the limit of the GPU was changed: the task is to do with what there is")

// watch measures the function. It measures to the end of a function that
// panics, too.
func (m *meter) watch(f func()) {
	before := len(m.alive())
	m.used, m.share = true, m.torch.Cuda.PerProcessMemoryFraction()
	m.mallocs = m.driver.mallocs
	m.got[PeakAllocated], m.got[PeakReserved] = m.torch.Cuda.MemoryAllocated(), m.torch.Cuda.MemoryReserved()
	stop := m.torch.Watch(m.allocated)
	defer func() {
		stop()
		m.torch.EndStatement()
		m.end = m.picture(0)
		m.end.AtEnd = true
		m.got[LiveTensors] = int64(max(0, len(m.end.Alive)-before))
		m.got[EndAllocated] = m.torch.Cuda.MemoryAllocated()
		m.got[EndReserved] = m.torch.Cuda.MemoryReserved()
	}()
	f()
}

// allocated is called after each allocation.
func (m *meter) allocated(onGPU bool, bytes int64) {
	if !onGPU {
		m.allocatedOnHost(bytes)
		return
	}
	if m.torch.Cuda.PerProcessMemoryFraction() != m.share {
		panic(errLargerGPU)
	}
	m.serial++
	m.got[Made] += bytes
	if n := m.driver.mallocs - m.mallocs; n > 0 {
		m.asked(n)
	}
	stats := m.torch.Cuda.MemoryStats()
	m.look(PeakAllocated, stats.AllocatedBytes.All.Current)
	m.look(PeakReserved, stats.ReservedBytes.All.Current)
	if m.serial == m.stopAt {
		m.moment = m.picture(bytes)
	}
}

// allocatedOnHost remembers the line of the largest allocation.
func (m *meter) allocatedOnHost(bytes int64) {
	m.got[HostBytes] += bytes
	if bytes > m.onHost {
		m.onHost = bytes
		m.place[HostBytes] = site.Running()
	}
}

// asked notes that the driver was asked, and remembers the line that asked
// most often.
func (m *meter) asked(times int64) {
	m.mallocs = m.driver.mallocs
	m.got[DriverAllocations] += times
	line := site.Running()
	m.lines[line]++
	if m.lines[line] > m.lines[m.place[DriverAllocations]] || m.got[DriverAllocations] == times {
		m.place[DriverAllocations] = line
	}
}

// again notes that a layer ran again.
func (m *meter) again() {
	m.got[Recomputed]++
	m.place[Recomputed] = site.Running()
}

// look notes a new peak.
func (m *meter) look(peak Metric, now int64) {
	if now > m.got[peak] {
		m.got[peak], m.peakAt[peak], m.place[peak] = now, m.serial, site.Running()
	}
}
