package classes

import (
	"math"

	"github.com/torchmem/workbook/runtime/grade"
	"github.com/torchmem/workbook/tools/workbook/verdicts"
)

// needed are the metrics that earn nothing and on which all else depends.
var needed = map[grade.Metric]bool{
	grade.Values: true, grade.Gradients: true,
	grade.Outside: true, grade.HostBytes: true, grade.Finished: true,
}

// credit is between 0 and 1, and 1 only for a pass.
func credit(r verdicts.Result) float64 {
	if r.Passed() {
		return 1
	}
	if r.Verdict == nil || r.Untouched {
		return 0
	}
	holds := map[grade.Metric]bool{}
	for _, c := range r.Verdict.Checks {
		if needed[c.Metric] {
			if !c.OK {
				return 0
			}
			continue
		}
		before, seen := holds[c.Metric]
		holds[c.Metric] = c.OK && (before || !seen)
	}
	return share(holds)
}

// share returns the part that holds, in hundredths.
func share(holds map[grade.Metric]bool) float64 {
	if len(holds) == 0 {
		return 0
	}
	n := 0
	for _, ok := range holds {
		if ok {
			n++
		}
	}
	return math.Floor(100*float64(n)/float64(len(holds))) / 100
}
