package grade

// Info is what a task says of itself.
type Info struct {
	// Name is the task's key. It never changes, so that a learner's
	// progress survives when lessons are added or renumbered.
	Name string
	// Lesson is the folder in exercises/: 05.
	Lesson string
	// Func is the function to complete. It stands in the file that has
	// the task's name, and is graded by the test TestFunc.
	Func string
	// Title says in one line what is to be done.
	Title string
	// Hints are a question, a pointer, and nearly the answer.
	Hints [3]string
	// Causes replace the usual causes of a failed check by one that knows
	// the task.
	Causes map[Metric]string
}

// File returns the name of the file that holds the function.
func (i Info) File() string { return i.Name + ".go" }

// About returns the information itself. A Task has it too.
func (i Info) About() Info { return i }

// Task is one exercise for a function of type F.
type Task[F any] struct {
	Info
	// Reference is right and may waste memory. What comes out of it is what
	// must come out of the learner's function.
	Reference F
	Cases     []Case[F]
}

// Case is one input.
type Case[F any] struct {
	// Name says how the case differs from the others: "16 layers".
	Name string
	// Seed starts the random numbers.
	Seed uint64
	// Run makes the input, calls the function within Measure, and shows
	// what came out.
	Run    func(r *Run, f F)
	Limits []Limit
	// MemoryOnly is for inputs so large that reading their values would
	// take seconds. Their values are graded in the other cases.
	MemoryOnly bool
}

// Limit bounds what the function may use.
type Limit struct {
	Metric Metric
	// N is the bound, in the metric's unit.
	N int64
	// Least turns the bound round: at least N.
	Least bool
	// Why says where the bound comes from: "parameters and 8 activations".
	Why string
}

// AtMost is an upper bound.
func AtMost(m Metric, n int64, why string) Limit { return Limit{Metric: m, N: n, Why: why} }

// AtLeast is a lower bound.
func AtLeast(m Metric, n int64, why string) Limit {
	return Limit{Metric: m, N: n, Why: why, Least: true}
}

// holds reports whether a measured number keeps the bound.
func (l Limit) holds(got int64) bool {
	if l.Least {
		return got >= l.N
	}
	return got <= l.N
}

// hostLimit goes for every case that measures a function and has no such limit
// of its own: the GPU's work is not to be done on the CPU. A few numbers are no
// work.
var hostLimit = AtMost(HostBytes, 4096, "a few numbers")

// limits returns the bounds of a case in the order of a verdict. The run is one
// of the case.
func (c Case[F]) limits(r *Run) []Limit {
	own := map[Metric][]Limit{}
	for _, l := range c.Limits {
		own[l.Metric] = append(own[l.Metric], l)
	}
	if r.meter.used && own[HostBytes] == nil {
		own[HostBytes] = []Limit{hostLimit}
	}
	var all []Limit
	for _, m := range measured {
		all = append(all, own[m]...)
	}
	return all
}
