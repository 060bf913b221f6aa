package replay

import "fmt"

// Result is what a replay found.
type Result struct {
	// Operations counts all of them, and Equal those after which everything
	// was as recorded.
	Operations, Equal int
	// First is the first difference, nil if there is none at all.
	First *Difference
}

// String spells the result in one line, or in two where there is a difference.
func (r Result) String() string {
	text := fmt.Sprintf("%d of %d operations equal", r.Equal, r.Operations)
	if r.First != nil {
		text += "\n" + r.First.String()
	}
	return text
}

// Difference is a place where a replay and its recording differ.
type Difference struct {
	// Operation is the place in the trace, from zero. At the end of a trace
	// it is the number of operations.
	Operation int `json:"operation"`
	// Did spells the operation: free 7.
	Did string `json:"did"`
	// What names what differs: allocated_bytes.all.current.
	What string `json:"what"`
	// Recorded and Replayed are the two sides: an int64 for a counter, else
	// a text.
	Recorded any `json:"recorded"`
	Replayed any `json:"replayed"`
}

// String spells the difference in one line.
func (d Difference) String() string {
	return fmt.Sprintf("operation %d, %s: %s: recorded %v, replayed %v", d.Operation, d.Did, d.What, d.Recorded, d.Replayed)
}

// nothing is the side that has less than the other.
const nothing = "nothing"
