package grade

import (
	"fmt"
	"slices"
	"strings"
	"sync"
)

// Grade runs the function on every case and returns the verdict.
func (t Task[F]) Grade(f F) Verdict { return t.Grader().Grade(f) }

// Grader grades functions on one task. It runs the reference once.
type Grader[F any] struct {
	task Task[F]
	// wants are what the reference makes of each case. They come while the
	// function that is graded runs: programs share nothing.
	wants []func() want
}

// want is what came out of a reference, or what it raised.
type want struct {
	outcomes []outcome
	raised   *failure
}

// Grader begins to run the reference on every case.
func (t Task[F]) Grader() *Grader[F] {
	g := &Grader[F]{task: t}
	for _, c := range t.Cases {
		wanted := sync.OnceValue(func() want {
			r, raised := attempt(c, t.Reference, 0)
			if raised != nil {
				return want{raised: raised}
			}
			return want{outcomes: r.outcomes}
		})
		go wanted()
		g.wants = append(g.wants, wanted)
	}
	return g
}

// Grade runs the function on every case and returns the verdict.
func (g *Grader[F]) Grade(f F) Verdict {
	t := g.task
	v := Verdict{Task: t.Name, Lesson: t.Lesson, Title: t.Title, Cases: len(t.Cases)}
	for i, c := range t.Cases {
		t.gradeCase(&v, c, f, g.wants[i])
	}
	v.sum()
	return v
}

// gradeCase adds the checks of one case.
func (t Task[F]) gradeCase(v *Verdict, c Case[F], f F, wanted func() want) {
	got, raised := attempt(c, f, 0)
	if raised != nil {
		v.Checks = append(v.Checks, t.failed(c.Name, raised, "it runs to its end"))
		return
	}
	want := wanted()
	if want.raised != nil {
		v.Checks = append(v.Checks, t.failed(c.Name, want.raised, "the reference runs"))
		return
	}
	if len(c.Limits) == 0 && len(want.outcomes) == 0 {
		v.Checks = append(v.Checks, t.failed(c.Name, &failure{text: "the case grades nothing"}, "something to grade"))
		return
	}
	for _, l := range c.limits(got) {
		check := t.measured(c.Name, l, got)
		if !check.OK {
			check.Moment = momentFor(c, f, l.Metric, got.meter)
			if check.Moment != nil && check.Moment.unnamed() {
				check.Cause = "A result without a name stays until the function returns. Give it a name: torch.Let."
			}
		}
		v.Checks = append(v.Checks, check)
	}
	for _, m := range []Metric{Values, Gradients} {
		v.Checks = append(v.Checks, t.compared(c.Name, m, got.outcomes, want.outcomes)...)
	}
	if !c.MemoryOnly && len(want.outcomes) > 0 {
		v.ValuesIn++
	}
	if v.Picture == nil && !v.pictured() {
		v.Picture = momentOf(c, f, got.meter.peakAt[PeakAllocated])
	}
}

// failed is the check of a program that did not end well.
func (i Info) failed(name string, f *failure, want string) Check {
	return Check{Case: name, Metric: Finished, Got: f.text, Want: want, Place: lineOf(f.place), Cause: i.causeOf(f)}
}

// causeOf returns the usual cause of an error.
func (i Info) causeOf(f *failure) string {
	for _, e := range errorCauses {
		if strings.Contains(f.text, e.text) {
			return e.cause
		}
	}
	return i.Causes[Finished]
}

// measured holds a measured number against its limit.
func (i Info) measured(name string, l Limit, r *Run) Check {
	got, unit := r.meter.got[l.Metric], l.Metric.Unit()
	check := Check{
		Case: name, Metric: l.Metric, OK: l.holds(got),
		Got: amount(got, unit), Want: l.text(),
		Amount: &Amount{Got: got, Limit: l.N, Least: l.Least, Unit: unit},
		Place:  lineOf(r.meter.place[l.Metric]),
	}
	if !check.OK {
		check.Cause = i.cause(l.Metric)
	}
	return check
}

// momentFor returns the picture that explains a metric: that of the peak, or
// that of the end.
func momentFor[F any](c Case[F], f F, m Metric, first *meter) *Moment {
	switch m {
	case PeakAllocated, PeakReserved:
		return momentOf(c, f, first.peakAt[m])
	case EndAllocated, EndReserved, LiveTensors:
		return first.end.of(c.Name)
	}
	return nil
}

// momentOf runs the case once more and returns the picture after the
// allocation with that serial number.
func momentOf[F any](c Case[F], f F, serial int) *Moment {
	c.MemoryOnly = true // the values are known already
	r, raised := attempt(c, f, serial)
	if raised != nil || r.meter.moment == nil {
		return nil
	}
	return r.meter.moment.of(c.Name)
}

// compared holds what came out against what came out of the reference: one
// check for all outcomes of the metric, or none where there are none.
func (i Info) compared(name string, m Metric, got, want []outcome) []Check {
	ofMetric := func(o outcome) bool { return o.metric != m }
	got, want = slices.DeleteFunc(slices.Clone(got), ofMetric), slices.DeleteFunc(slices.Clone(want), ofMetric)
	if len(want) == 0 && len(got) == 0 {
		return nil
	}
	check := Check{Case: name, Metric: m, OK: true, Got: fmt.Sprintf("%d equal", len(want)), Want: "those of the reference"}
	if len(got) != len(want) {
		check.OK, check.Got = false, fmt.Sprintf("%d of %d came out", len(got), len(want))
	}
	for k := range min(len(got), len(want)) {
		if difference := got[k].differs(want[k]); difference != "" {
			check.OK, check.Got, check.Want = false, got[k].name+": "+difference, want[k].text()
			break
		}
	}
	if !check.OK {
		check.Cause = i.cause(m)
	}
	return []Check{check}
}

// cause returns the usual cause of a failure, the task's own before the
// general one.
func (i Info) cause(m Metric) string {
	if own := i.Causes[m]; own != "" {
		return own
	}
	return causes[m]
}

// sum says whether all passed, and what was looked at.
func (v *Verdict) sum() {
	v.Passed = len(v.Checks) > 0 && len(v.Failed()) == 0
	v.Graded, v.NotGraded = nil, nil
	seen := map[Metric]bool{}
	for _, c := range v.Checks {
		seen[c.Metric] = true
	}
	for _, m := range append(slices.Clone(measured), Values, Gradients, Outside, Finished) {
		if seen[m] {
			v.Graded = append(v.Graded, m)
		} else if m != Finished {
			v.NotGraded = append(v.NotGraded, m)
		}
	}
}
