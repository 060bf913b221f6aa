package verdicts

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/torchmem/workbook/runtime/grade"
	"github.com/torchmem/workbook/solutions/tasks"
	"github.com/torchmem/workbook/tools/workbook/project"
)

// folder is a lesson's folder that is to be graded.
type folder struct {
	project project.Project
	lesson  string
	limit   time.Duration
	// verdicts is the folder where tests put their verdicts.
	verdicts string
}

// path is that of the learner's files.
func (f folder) path() string { return filepath.Join(f.project.Root, "exercises", f.lesson) }

// run runs the tests of some tasks and listens. Further arguments go to go
// test. The error is the context's.
func (f folder) run(ctx context.Context, infos []grade.Info, more ...string) (*events, error) {
	var names []string
	for _, i := range infos {
		names = append(names, testOf(i))
	}
	args := []string{"test", "-json", "-count=1",
		"-vet=off", // vet takes longer than the grading, and the editor runs it
		"-timeout=" + f.limit.String(),
		"-run=^(" + strings.Join(names, "|") + ")$"}
	args = append(args, more...)
	cmd := exec.CommandContext(ctx, "go", append(args, "./exercises/"+f.lesson)...)
	cmd.Dir = f.project.Root
	cmd.Env = append(os.Environ(), tasks.VerdictsVariable+"="+f.verdicts, "GOWORK="+f.workspace())
	killTogether(cmd)
	// A grandchild that survives keeps the pipes open. Do not wait for it.
	cmd.WaitDelay = 2 * time.Second

	heard := newEvents()
	var complaints bytes.Buffer
	cmd.Stdout, cmd.Stderr = heard, &complaints
	err := cmd.Run()
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	heard.close()
	heard.complaints = complaints.String()
	if err != nil {
		heard.failure = err.Error()
	}
	return heard, nil
}

// workspace returns the project's go.work. Saying which one it is lets the
// exercises compile where the environment turns workspaces off.
func (f folder) workspace() string {
	file := filepath.Join(f.project.Root, "go.work")
	if _, err := os.Stat(file); err != nil {
		return os.Getenv("GOWORK")
	}
	return file
}
