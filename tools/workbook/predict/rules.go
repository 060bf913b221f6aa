package predict

import (
	"strings"

	"github.com/torchmem/workbook/lessons/lesson"
)

// miss is an answer that was not right.
type miss struct {
	counter       string
	predicted     int64
	actual        int64
	before, after lesson.Row
}

// change returns what the statement did to the counter that was missed.
func (m miss) change() int64 {
	for _, c := range counters {
		if c.name == m.counter {
			return c.of(m.after) - c.of(m.before)
		}
	}
	return 0
}

// near reports whether only the rounding to 512 bytes is missing: that of one
// size, or that of all blocks that are allocated.
func (m miss) near() bool {
	if m.counter == reserved {
		return false
	}
	all := m.predicted == m.after.RequestedBytes && m.actual == m.after.AllocatedBytes
	return distance(m.predicted, m.actual) < unit ||
		all && m.actual-m.predicted < unit*m.after.Allocation
}

// unit is what sizes are rounded up to.
const unit = 512

func (m miss) tooLow() bool  { return m.predicted < m.actual }
func (m miss) tooHigh() bool { return m.predicted > m.actual }

// allocations returns how many blocks the statement took.
func (m miss) allocations() int64 { return m.after.AllocsTotal - m.before.AllocsTotal }

// unsplit reports whether the statement took or freed blocks that are larger
// than rounding makes them.
func (m miss) unsplit() bool {
	rounding := (m.after.AllocatedBytes - m.before.AllocatedBytes) - (m.after.RequestedBytes - m.before.RequestedBytes)
	return distance(rounding, 0) >= unit*max(1, m.allocations())
}

func (m miss) says(word string) bool { return strings.Contains(m.after.Statement, word) }

// rule is a rule of the allocator, and how a miss shows that it was overlooked.
type rule struct {
	text    string
	explain func(m miss) bool
}

// ruleOf returns the first rule that explains a miss, or nil where the rows do
// not tell.
func ruleOf(m miss) *rule {
	if m.near() {
		return &rounding
	}
	rules := map[string][]rule{allocated: allocatedRules, reserved: reservedRules, peak: peakRules}[m.counter]
	for i, r := range rules {
		if r.explain(m) {
			return &rules[i]
		}
	}
	return nil
}

var rounding = rule{text: "Every size is rounded up to a multiple of 512 bytes."}

var allocatedRules = []rule{
	{"Memory is freed when the last thing that holds it lets go: a name, a list, a view, a graph.",
		func(m miss) bool { return m.change() <= 0 && m.allocations() == 0 && m.tooLow() }},
	{"What nothing holds any more is freed at once, with all that only it held.",
		func(m miss) bool { return m.change() < 0 && m.tooHigh() }},
	{"A second name, a view or a change in place takes no memory.",
		func(m miss) bool { return m.change() == 0 && m.allocations() == 0 && m.tooHigh() }},
	{"When a name is set again, what it held before is freed.",
		func(m miss) bool { return m.change() == 0 && m.allocations() == 1 && m.tooHigh() }},
	{"What a statement makes and drops again is gone when it ends.",
		func(m miss) bool { return m.change() == 0 && m.tooHigh() }},
	{"A block is not split if 1 MiB or less would remain; the tensor then gets all of it.",
		func(m miss) bool { return m.unsplit() && distance(m.predicted, m.actual) <= 1<<20 }},
	{"A statement may make several tensors: parameters, what a graph saves, gradients, work space.",
		func(m miss) bool { return m.change() > 0 && m.allocations() > 1 && m.tooLow() }},
}

var reservedRules = []rule{
	{"A segment goes back as a whole, and only if nothing in it is alive.",
		func(m miss) bool { return m.says("empty_cache") && m.tooLow() }},
	{"empty_cache gives back every segment in which nothing is alive.",
		func(m miss) bool { return m.change() < 0 && m.tooHigh() }},
	{"Reserved does not fall when a tensor dies: its block stays in the cache.",
		func(m miss) bool { return m.change() == 0 && m.tooLow() }},
	{"Reserved grows only if no free block in the cache is large enough.",
		func(m miss) bool { return m.change() == 0 && m.tooHigh() }},
	{"Reserved grows by whole segments: 2 MiB for sizes up to 1 MiB, 20 MiB below 10 MiB, above that the size, rounded up to 2 MiB.",
		func(m miss) bool { return m.change() > 0 }},
}

var peakRules = []rule{
	{"The peak never falls by itself, only when it is reset.",
		func(m miss) bool { return m.change() == 0 && m.tooLow() }},
	{"The peak grows only if more is alive than ever before.",
		func(m miss) bool { return m.change() == 0 && m.tooHigh() }},
	{"Where the peak is reset, it starts again at what is allocated then.",
		func(m miss) bool { return m.change() < 0 }},
	{"The peak counts the worst moment within a statement, with all that is dropped before it ends.",
		func(m miss) bool { return m.actual > m.after.AllocatedBytes && m.tooLow() }},
	{"The peak is never below what is allocated.",
		func(m miss) bool { return m.predicted < m.after.AllocatedBytes }},
}
