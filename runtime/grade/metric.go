package grade

// Metric is something that a check looks at.
type Metric string

// The metrics. Bytes are those of the GPU unless the name says otherwise.
const (
	// PeakAllocated is the most that tensors held at one time while the
	// function ran: torch.cuda.max_memory_allocated().
	PeakAllocated Metric = "peak allocated"
	// PeakReserved is the most that the allocator had taken from the driver.
	PeakReserved Metric = "peak reserved"
	// EndAllocated and EndReserved are what is left when the function has
	// returned. Names, lists and modules are still there, as in a script.
	EndAllocated Metric = "allocated at the end"
	EndReserved  Metric = "reserved at the end"
	// DriverAllocations counts calls of the driver's malloc.
	DriverAllocations Metric = "driver allocations"
	// LiveTensors counts pieces of GPU memory that are alive at the end and
	// were not at the start.
	LiveTensors Metric = "live tensors at the end"
	// Recomputed counts layers that ran again in a backward pass.
	Recomputed Metric = "layers run again"
	// Made is the sum of all allocations, also of those that were freed.
	Made Metric = "bytes allocated in all"
	// HostBytes is the sum of all memory taken on the CPU.
	HostBytes Metric = "bytes taken on the CPU"

	// Values and Gradients compare what came out.
	Values    Metric = "values"
	Gradients Metric = "gradients"
	// Finished says that the program ran to its end.
	Finished Metric = "the program"
	// Outside says that the file is as it was, except in its gap.
	Outside Metric = "outside of the gap"
)

// Unit is what the metric is counted in: bytes, or nothing.
func (m Metric) Unit() string {
	switch m {
	case PeakAllocated, PeakReserved, EndAllocated, EndReserved, Made, HostBytes:
		return "bytes"
	}
	return ""
}

// causes are the usual causes of a check that fails, one sentence each.
var causes = map[Metric]string{
	PeakAllocated:     "Something is still held at the worst moment that nobody needs any more.",
	PeakReserved:      "More was alive at one time than had to be, so the cache had to grow.",
	EndAllocated:      "Something that outlives the function still holds tensors.",
	EndReserved:       "A segment goes back to the driver only when nothing in it is alive.",
	DriverAllocations: "Memory that was given back to the driver has to be asked for again.",
	LiveTensors:       "A name, a list, a hook or a graph still holds them.",
	Recomputed:        "More layers are checkpointed than the budget of time allows.",
	Made:              "Not all of the tensors were made.",
	HostBytes:         "The work was moved to the CPU; it belongs on the GPU.",
	Values:            "What comes out is not what the task asks for.",
	Gradients:         "Some part of the graph was cut that the gradients need.",
	Outside:           "Only the lines between the marks may change.",
}

// errorCauses are the usual causes of errors, by a part of their text.
var errorCauses = []struct{ text, cause string }{
	{"nil pointer dereference", "Go's nil frees nothing. A name is deleted with x.Del(), or set to None with x.None()."},
	{"it was deleted at", "The name is deleted before its last use."},
	{"is used after the call that consumed it", "A result that is used twice needs a name: torch.Let."},
	{"backward through the graph a second time", "The graph reaches further than one backward pass: something from an earlier pass is still part of it."},
	{"does not require grad and does not have a grad_fn", "Nothing recorded how this was made: no_grad, detach, or a reentrant checkpoint of an input that needs no gradient."},
}

// measured lists the metrics that limits are put on, in the order of a verdict.
var measured = []Metric{
	PeakAllocated, PeakReserved, EndAllocated, EndReserved,
	DriverAllocations, LiveTensors, Recomputed, Made, HostBytes,
}
