package watch

import (
	"errors"

	"github.com/torchmem/workbook/runtime/caching"
	"github.com/torchmem/workbook/runtime/gpu"
	"github.com/torchmem/workbook/runtime/grade"
	"github.com/torchmem/workbook/runtime/report"
	"github.com/torchmem/workbook/runtime/site"
	"github.com/torchmem/workbook/runtime/torch"
)

// failing is a verdict with a number, a text and a picture.
func failing() *grade.Verdict {
	line := &grade.Line{Place: "exercises/02/first.go:17", Text: "loss.Backward()"}
	picture := pictured("36 layers")
	return &grade.Verdict{
		Task: "first", Lesson: "02", Title: "Delete a name",
		Checks: []grade.Check{
			{Case: "16 layers", Metric: grade.PeakAllocated, OK: true, Got: "9 bytes", Want: "at most 10 bytes", Amount: &grade.Amount{Got: 9, Limit: 10, Unit: "bytes"}},
			{Case: "36 layers", Metric: grade.PeakAllocated, Got: "155,190,272 bytes", Want: "at most 109,051,904 bytes (20 activations)",
				Amount: &grade.Amount{Got: 155190272, Limit: 109051904, Unit: "bytes"}, Place: line, Cause: "Few segments are long.", Moment: picture},
			{Case: "36 layers", Metric: grade.Made, OK: true, Got: "300 bytes", Want: "at least 200 bytes", Amount: &grade.Amount{Got: 300, Limit: 200, Unit: "bytes", Least: true}},
			{Case: "36 layers", Metric: grade.Gradients, Got: "chain, parameter 0: None", Want: "a tensor of shape [512, 512]", Cause: "Some part of the graph was cut."},
			{Case: "64 layers", Metric: grade.PeakAllocated, Got: "200,000,000 bytes", Want: "at most 199,999,999 bytes", Amount: &grade.Amount{Got: 200000000, Limit: 199999999, Unit: "bytes"}},
			{Case: "64 layers", Metric: grade.LiveTensors, Got: "4", Want: "at most 3", Amount: &grade.Amount{Got: 4, Limit: 3}, Cause: "A list still holds them."},
			{Case: "first.go", Metric: grade.Outside, OK: true, Got: "as it was", Want: "as it was"},
		},
		Graded:    []grade.Metric{grade.PeakAllocated, grade.Gradients, grade.Outside},
		NotGraded: []grade.Metric{grade.PeakReserved, grade.Values},
		Cases:     3, ValuesIn: 1,
		Picture: picture,
	}
}

// pictured is the memory of a case at its peak.
func pictured(name string) *grade.Moment {
	return &grade.Moment{
		Case: name, Backward: true, Bytes: 2097152,
		Alive: []torch.Memory{
			{Bytes: 1048576, Holders: []string{"Linear.weight", "graph node AccumulateGrad"}},
			{Bytes: 1048576, Holders: []string{"Linear.weight"}},
			{Bytes: 2097152, Made: site.Place{File: "exercises/02/first.go", Line: 17}, Holders: []string{"the name 変数"}},
		},
		Memory: report.Moment{
			Segments: []caching.Segment{{
				Address: 1 << 30, TotalSize: 20 << 20, AllocatedSize: 4 << 20, SegmentType: "large",
				Blocks: []caching.BlockRecord{
					{Address: 1 << 30, Size: 4 << 20, State: caching.Inactive},
					{Address: 1<<30 + 4<<20, Size: 4 << 20, State: caching.ActiveAllocated},
					{Address: 1<<30 + 8<<20, Size: 12 << 20, State: caching.Inactive},
				},
			}},
			Names: map[gpu.Ptr]string{1<<30 + 4<<20: "the_weight"},
		},
	}
}

// passing is a verdict without a failure.
func passing() *grade.Verdict {
	v := failing()
	v.Passed = true
	v.Checks = v.Checks[:1]
	v.Picture = pictured("16 layers")
	v.Checks[0].Place = &grade.Line{Place: "exercises/02/first.go:9", Text: "y := x.Sum()"}
	return v
}

var errNoGo = errors.New("go cannot be run: not found")
