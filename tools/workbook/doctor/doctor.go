package doctor

import (
	"context"
	"io"

	"github.com/torchmem/workbook/tools/workbook/project"
)

// State says how much a finding matters.
type State string

// The states. Only a problem keeps a learner from the exercises.
const (
	OK      State = "ok"
	Note    State = "note"
	Problem State = "problem"
)

// Finding is what a check found.
type Finding struct {
	Check string `json:"check"`
	State State  `json:"state"`
	// Is says what there is, and Do what to do about it. Both are one line.
	// There is nothing to do where all is well.
	Is string `json:"is"`
	Do string `json:"do,omitempty"`
	// Type is what to type, a command in each line, where it is long.
	Type []string `json:"type,omitempty"`
}

func ok(is string) Finding          { return Finding{State: OK, Is: is} }
func note(is, do string) Finding    { return Finding{State: Note, Is: is, Do: do} }
func problem(is, do string) Finding { return Finding{State: Problem, Is: is, Do: do} }

// check looks at one thing.
type check struct {
	name string
	look func(ctx context.Context, s *surroundings) Finding
}

// checks begin with what all else depends on.
var checks = []check{
	{"Go", goVersion},
	{"workspace", workspace},
	{"modules", modules},
	{"exercises", exercises},
	{"writing", writing},
	{"progress", progressFile},
	{"line endings", lineEndings},
	{"terminal", terminal},
	{"GPU", gpu},
	{"CUDA driver", driverLibrary},
	{"CUDA headers", headers},
	{"cgo", cgo},
	{"lessons on a GPU", lessonsOnGPU},
}

// Run looks at the machine and prints what it finds, as text or as one JSON
// object. healthy is false if something keeps a learner from the exercises.
func Run(ctx context.Context, p project.Project, asJSON bool, out io.Writer) (healthy bool, err error) {
	findings, err := examine(ctx, here(p, out))
	if err != nil {
		return false, err
	}
	if asJSON {
		return isHealthy(findings), writeJSON(out, findings)
	}
	return isHealthy(findings), writeText(out, findings)
}

// examine makes all checks.
func examine(ctx context.Context, s *surroundings) ([]Finding, error) {
	var findings []Finding
	for _, c := range checks {
		f := c.look(ctx, s)
		if err := ctx.Err(); err != nil {
			return nil, err // what was found may only be the interrupt
		}
		f.Check, f.Is, f.Do = c.name, oneLine(f.Is), oneLine(f.Do)
		findings = append(findings, f)
	}
	return findings, nil
}

// isHealthy reports whether no finding is a problem.
func isHealthy(findings []Finding) bool { return problemsIn(findings) == 0 }

func problemsIn(findings []Finding) int {
	n := 0
	for _, f := range findings {
		if f.State == Problem {
			n++
		}
	}
	return n
}
