package solutions_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/torchmem/workbook/runtime/grade"
	"github.com/torchmem/workbook/solutions"
	"github.com/torchmem/workbook/solutions/tasks"
)

// proofs has one proof for each task, in the order of the lessons.
var proofs = slices.Concat(lesson01, lesson02, lesson03, lesson04, lesson05, lesson06, lesson07, lesson08)

// proof shows that a task tells right from wrong.
type proof interface {
	about() grade.Info
	grades() []graded
	asked() []grade.Ask
	measures() []measure
	numbered() []string
	seeds() []uint64
}

// graded is a verdict on one function.
type graded struct {
	name    string
	verdict grade.Verdict
	// fails are the metrics that must fail, and no other. None is a pass.
	fails []grade.Metric
}

// proven is the proof for a task on functions of type F.
type proven[F any] struct {
	task    grade.Task[F]
	answer  F
	starter attempt[F]
	// right are other answers that pass.
	right []attempt[F]
	// wrong are answers that people give.
	wrong []attempt[F]
}

// attempt is a function that fails.
type attempt[F any] struct {
	name  string
	f     F
	fails []grade.Metric
}

func fails(m ...grade.Metric) []grade.Metric { return m }

func (p proven[F]) about() grade.Info { return p.task.Info }

func (p proven[F]) asked() []grade.Ask { return p.task.Asked() }

func (p proven[F]) grades() []graded {
	grader := p.task.Grader()
	all := []graded{{"the answer", grader.Grade(p.answer), nil}}
	p.starter.name = "the starter"
	for _, a := range slices.Concat([]attempt[F]{p.starter}, p.right, p.wrong) {
		all = append(all, graded{a.name, grader.Grade(a.f), a.fails})
	}
	return all
}

// TestProofs grades the answer, the starter and the wrong answers of each
// task. The answer passes. Each of the others fails on exactly the checks that
// are meant for it.
func TestProofs(t *testing.T) {
	for _, p := range proofs {
		t.Run(p.about().Name, func(t *testing.T) {
			t.Parallel()
			all := p.grades()
			right := slices.DeleteFunc(slices.Clone(all), func(g graded) bool { return len(g.fails) > 0 })
			require.GreaterOrEqual(t, len(all)-len(right), 3, "a task has a starter and two wrong answers at least")
			for _, g := range all {
				failed := failedMetrics(g.verdict)
				require.Equal(t, g.fails, failed, "%s\n%v", g.name, g.verdict)
				requireMargin(t, g)
				requireNumbers(t, p, g)
			}
		})
	}
}

// failedMetrics lists the metrics that failed in some case, in the order of a
// verdict.
func failedMetrics(v grade.Verdict) []grade.Metric {
	var all []grade.Metric
	for _, c := range v.Failed() {
		if !slices.Contains(all, c.Metric) {
			all = append(all, c.Metric)
		}
	}
	return all
}

// margin is how far a number of bytes stays away from its limit, as a part of
// it: an answer below, a failure above.
const margin = 0.02

// requireMargin looks at every limit in bytes. A count has no margin.
func requireMargin(t *testing.T, g graded) {
	t.Helper()
	for _, c := range g.verdict.Checks {
		if c.Amount == nil || c.Amount.Unit != "bytes" || c.Amount.Limit == 0 {
			continue
		}
		ratio := float64(c.Amount.Got) / float64(c.Amount.Limit)
		if c.Amount.Least {
			ratio = 1 / ratio
		}
		if c.OK {
			require.LessOrEqual(t, ratio, 1-margin, "%s: %s, %s passes with no margin: %s, %s", g.name, c.Metric, c.Case, c.Got, c.Want)
		} else {
			require.GreaterOrEqual(t, ratio, 1+margin, "%s: %s, %s fails by a hair: %s, %s", g.name, c.Metric, c.Case, c.Got, c.Want)
		}
	}
}

// TestEveryTaskIsProven compares the list of the tasks with that of the proofs.
func TestEveryTaskIsProven(t *testing.T) {
	var proven []grade.Info
	for _, p := range proofs {
		proven = append(proven, p.about())
	}
	require.Equal(t, tasks.All(), proven)
}

// TestTasksAreComplete looks at what a learner reads.
func TestTasksAreComplete(t *testing.T) {
	seen := map[string]bool{}
	for _, info := range tasks.All() {
		require.False(t, seen[info.Name], "two tasks are named %s", info.Name)
		seen[info.Name] = true
		require.NotEmpty(t, info.Title, info.Name)
		for depth, hint := range info.Hints {
			require.NotEmpty(t, hint, "%s, hint %d", info.Name, depth+1)
		}
		require.True(t, strings.HasSuffix(info.Hints[0], "?"), "%s: the first hint asks a question", info.Name)
		require.LessOrEqual(t, len(info.Title), 70, info.Name)
	}
}

// TestStartersAreAnswersWithAGap compares the syntax of each starter with that
// of its answer, outside of the gap, and looks at the gap itself.
func TestStartersAreAnswersWithAGap(t *testing.T) {
	for _, info := range tasks.All() {
		answer, err := solutions.Answer(info.Lesson, info.File())
		require.NoError(t, err)
		starter, err := solutions.Starter(info.Lesson, info.File())
		require.NoError(t, err)
		require.NoError(t, grade.SameOutside(answer, starter), info.Name)
		require.NotEqual(t, string(answer), string(starter), info.Name)
		require.Contains(t, string(starter), "func "+info.Func+"(", info.Name)
	}
}

// TestExercisesHaveTheirTests makes sure that each task can be graded where
// learners write.
func TestExercisesHaveTheirTests(t *testing.T) {
	for _, info := range tasks.All() {
		test, err := os.ReadFile(filepath.Join("..", "exercises", info.Lesson, tasks.TestFile))
		require.NoError(t, err)
		require.Equal(t, string(tasks.TestSource(info.Lesson)), string(test))
	}
}
