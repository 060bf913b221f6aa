package report

import (
	"fmt"
	"strings"

	"github.com/torchmem/workbook/runtime/caching"
)

// metric is one group of rows of the table.
type metric struct {
	name string
	of   func(*caching.Stats) caching.PoolStats
	cell func(value, reference int64) string
}

var metrics = []metric{
	{"Allocated memory", func(s *caching.Stats) caching.PoolStats { return s.AllocatedBytes }, sizeCell},
	{"Active memory", func(s *caching.Stats) caching.PoolStats { return s.ActiveBytes }, sizeCell},
	{"Requested memory", func(s *caching.Stats) caching.PoolStats { return s.RequestedBytes }, sizeCell},
	{"GPU reserved memory", func(s *caching.Stats) caching.PoolStats { return s.ReservedBytes }, sizeCell},
	{"Non-releasable memory", func(s *caching.Stats) caching.PoolStats { return s.InactiveSplitBytes }, sizeCell},
	{"Allocations", func(s *caching.Stats) caching.PoolStats { return s.Allocation }, countCell},
	{"Active allocs", func(s *caching.Stats) caching.PoolStats { return s.Active }, countCell},
	{"GPU reserved segments", func(s *caching.Stats) caching.PoolStats { return s.Segment }, countCell},
	{"Non-releasable allocs", func(s *caching.Stats) caching.PoolStats { return s.InactiveSplit }, countCell},
}

// MemorySummary returns the table of torch.cuda.memory_summary, to the
// character.
func MemorySummary(s caching.Stats, device int) string {
	return table(s, device, func(m metric, p caching.PoolStats) []string {
		return []string{
			row(m.name, m.cell, p.All, p.All),
			row("      from large pool", m.cell, p.Large, p.All),
			row("      from small pool", m.cell, p.Small, p.All),
		}
	})
}

// MemorySummaryAbbreviated is MemorySummary without the rows of the single
// pools, as abbreviated=True gives it.
func MemorySummaryAbbreviated(s caching.Stats, device int) string {
	return table(s, device, func(m metric, p caching.PoolStats) []string {
		return []string{row(m.name, m.cell, p.All, p.All)}
	})
}

// tableWidth is the number of characters between the outer bars.
const tableWidth = 75

func table(s caching.Stats, device int, rows func(metric, caching.PoolStats) []string) string {
	thick, thin := strings.Repeat("=", tableWidth), strings.Repeat("-", tableWidth)
	lines := []string{
		thick,
		fmt.Sprintf(" %16s PyTorch CUDA memory summary, device ID %-17d ", "", device),
		thin,
		fmt.Sprintf("  %9s CUDA OOMs: %-12d | %6s cudaMalloc retries: %-8d  ", "", s.NumOOMs, "", s.NumAllocRetries),
		thick,
		"        Metric         | Cur Usage  | Peak Usage | Tot Alloc  | Tot Freed  ",
	}
	for _, m := range metrics {
		lines = append(lines, thin)
		lines = append(lines, rows(m, m.of(&s))...)
	}
	lines = append(lines,
		thin, row("Oversize allocations", countCell, s.OversizeAllocations, s.OversizeAllocations),
		thin, row("Oversize GPU segments", countCell, s.OversizeSegments, s.OversizeSegments),
		thick)
	return "|" + strings.Join(lines, "|\n|") + "|\n"
}

// row formats four cells. Their units are those that suit the reference, so
// that the rows of one group can be compared.
func row(name string, cell func(value, reference int64) string, s, reference caching.Stat) string {
	return fmt.Sprintf(" %-21s | %s | %s | %s | %s ", name,
		cell(s.Current, reference.Current), cell(s.Peak, reference.Peak),
		cell(s.Allocated, reference.Allocated), cell(s.Freed, reference.Freed))
}

// sizeCell formats bytes. A unit is kept up to 768 of it, and what does not
// fill a unit is cut off.
func sizeCell(value, reference int64) string {
	unit, value := scale(value, float64(reference), 1024, 768*1024, []string{"B  ", "KiB", "MiB", "GiB", "TiB", "PiB"})
	return fmt.Sprintf("%6d %s", value, unit)
}

// countCell formats a number of things.
func countCell(value, reference int64) string {
	unit, value := scale(value, float64(reference), 1000, 750*1000, []string{" ", "K", "M"})
	return fmt.Sprintf("%7d %s ", value, unit)
}

// scale divides value by step for each unit that the reference is too large
// for.
func scale(value int64, reference, step, enough float64, units []string) (string, int64) {
	unit := units[0]
	for _, larger := range units[1:] {
		if reference < enough {
			break
		}
		unit = larger
		value /= int64(step)
		reference /= step
	}
	return unit, value
}
