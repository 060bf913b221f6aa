package whatif

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/torchmem/workbook/runtime/caching"
	"github.com/torchmem/workbook/tools/replay/whatif/history"
)

// fitting is a row that fits.
func fitting(conf string, r Result) row {
	r.FailedAt = none
	return row{conf, r}
}

// TestAdviceOfNumbers gives the advice that follows from numbers at the edge of
// each rule.
func TestAdviceOfNumbers(t *testing.T) {
	const pow2 = "roundup_power2_divisions:4"
	failing := row{expandable, Result{PeakReserved: 1, FailedAt: 7}}
	holding := history.Program{Slots: 1, Ops: []history.Op{{Kind: history.OpAlloc, Size: 900}}}
	for name, c := range map[string]struct {
		limit   int64
		expands bool
		rows    []row
		want    string
	}{
		"much is idle":          {0, false, []row{fitting("", Result{PeakReserved: 100, Idle: 10})}, "10 % of the peak is idle: try -alloc-conf expandable_segments:True."},
		"little is idle":        {0, false, []row{fitting("", Result{PeakReserved: 1000, Idle: 99})}, "10 % of the peak is idle: settings save little, smaller or fewer tensors do."},
		"the nearest number":    {0, false, []row{fitting("", Result{PeakReserved: 1000, Idle: 89})}, "9 % of the peak is idle: settings save little, smaller or fewer tensors do."},
		"expanding already":     {0, true, []row{fitting("", Result{PeakReserved: 100, Idle: 50})}, "50 % of the peak is idle: settings save little, smaller or fewer tensors do."},
		"saves":                 {0, false, []row{fitting("", Result{PeakReserved: 1000, Mallocs: 5}), fitting(pow2, Result{PeakReserved: 990, Mallocs: 10})}, pow2 + " reserves 10 bytes (1 %) less."},
		"saves, and costs":      {0, false, []row{fitting("", Result{PeakReserved: 1000, Mallocs: 5}), fitting(pow2, Result{PeakReserved: 900, Mallocs: 10, Frees: 1})}, pow2 + " reserves 100 bytes (10 %) less, for 11 calls of the driver in place of 5."},
		"saves too little":      {0, false, []row{fitting("", Result{PeakReserved: 1001}), fitting(pow2, Result{PeakReserved: 991})}, "Keep the recorded settings: no other reserves noticeably less."},
		"saves, and fails":      {0, false, []row{fitting("", Result{PeakReserved: 1000}), failing}, "Keep the recorded settings: no other reserves noticeably less."},
		"all that it holds":     {900, false, []row{fitting("", Result{PeakReserved: 900})}, "It fits as recorded, with 0 bytes to spare."},
		"more than there is":    {899, false, []row{failing}, "No setting can help: the program itself holds 900 bytes at once."},
		"none fits":             {950, false, []row{failing}, "None fits into 950 bytes: fewer bytes must be held at once."},
		"retries less":          {950, false, []row{fitting("", Result{PeakReserved: 930, Retries: 2}), fitting(pow2, Result{PeakReserved: 940, Retries: 1})}, pow2 + " fits, with 1 retry and 10 bytes to spare."},
		"retries come first":    {950, false, []row{failing, fitting("", Result{PeakReserved: 910, Retries: 2}), fitting(pow2, Result{PeakReserved: 940})}, pow2 + " fits, with 0 retries and 10 bytes to spare."},
		"then what it reserves": {950, false, []row{failing, fitting("", Result{PeakReserved: 940}), fitting(pow2, Result{PeakReserved: 910})}, pow2 + " fits, with 0 retries and 40 bytes to spare."},
	} {
		advised := &comparison{
			limit: c.limit, rows: c.rows,
			study: &study{program: &holding, cfg: caching.Config{ExpandableSegments: c.expands}},
		}
		require.Equal(t, c.want, advised.advice(), name)
	}
}
