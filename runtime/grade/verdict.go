package grade

import (
	"slices"

	"github.com/torchmem/workbook/runtime/site"
)

// Verdict is what the grader found.
type Verdict struct {
	Task   string `json:"task"`
	Lesson string `json:"lesson"`
	Title  string `json:"title"`
	Passed bool   `json:"passed"`
	// Checks stand in the order of the cases, and within a case in the
	// order of the metrics.
	Checks []Check `json:"checks"`
	// Graded and NotGraded list metrics.
	Graded    []Metric `json:"graded"`
	NotGraded []Metric `json:"not_graded"`
	// ValuesIn is how many of the cases compared numbers.
	Cases    int `json:"cases"`
	ValuesIn int `json:"values_in"`
	// Picture is the peak of the first case, unless one of its checks has a
	// picture of its own.
	Picture *Moment `json:"picture,omitempty"`
}

// Check holds one metric of one case against what is wanted.
type Check struct {
	Case   string `json:"case"`
	Metric Metric `json:"metric"`
	OK     bool   `json:"ok"`
	// Got and Want are spelled for a reader.
	Got  string `json:"got"`
	Want string `json:"want"`
	// Amount holds the same as numbers where there is a limit.
	Amount *Amount `json:"amount,omitempty"`
	// Place is the line that the metric owes most to.
	Place *Line `json:"place,omitempty"`
	// Cause is the usual cause of a failure.
	Cause string `json:"cause,omitempty"`
	// Moment is the picture that explains a failure, where there is one.
	Moment *Moment `json:"moment,omitempty"`
}

// Amount is a measured number and its bound.
type Amount struct {
	Got   int64  `json:"got"`
	Limit int64  `json:"limit"`
	Least bool   `json:"least,omitempty"`
	Unit  string `json:"unit"`
}

// Line is a line of a file.
type Line struct {
	Place string `json:"at"`
	Text  string `json:"text"`
}

// lineOf reads the line. It returns nil for an unknown place.
func lineOf(p site.Place) *Line {
	if p.File == "" {
		return nil
	}
	return &Line{Place: p.String(), Text: p.Text()}
}

// pictured reports whether a check that failed has a picture.
func (v Verdict) pictured() bool {
	return slices.ContainsFunc(v.Checks, func(c Check) bool { return c.Moment != nil })
}

// Failed lists the checks that failed.
func (v Verdict) Failed() []Check {
	var failed []Check
	for _, c := range v.Checks {
		if !c.OK {
			failed = append(failed, c)
		}
	}
	return failed
}
