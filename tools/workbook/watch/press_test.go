package watch

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/torchmem/workbook/tools/workbook/progress"
	"github.com/torchmem/workbook/tools/workbook/verdicts"
)

func TestEachHintIsDeeper(t *testing.T) {
	b := sit(t, "")
	b.press("h")
	require.Contains(t, b.screen(), "hint 1 of 3  one?")
	require.NotContains(t, b.screen(), "two.")
	b.press("h")
	require.Contains(t, b.screen(), "hint 2 of 3  two.")
	b.press("h")
	require.Contains(t, b.screen(), "hint 3 of 3  three!")
	require.Contains(t, b.screen(), "one?")
	require.Equal(t, 3, b.states["first"].Hints)
	require.NotContains(t, b.screen(), "that was the last hint")
	b.press("h")
	require.Contains(t, b.screen(), "that was the last hint")
	b.press("esc")
	require.NotContains(t, b.screen(), "one?")
}

func TestHintsGoOnWhereTheyEnded(t *testing.T) {
	b := sit(t, "")
	b.states["first"] = progress.State{Hints: 1}
	b.press("h")
	require.Contains(t, b.screen(), "hint 2 of 3  two.")
	require.Contains(t, b.screen(), "hint 1 of 3  one?")
}

func TestAHintOfATaskThatWasLeftIsNotShown(t *testing.T) {
	b := sit(t, "")
	b.press("n")
	b.send(hintMsg{task: "first", depth: 1})
	require.NotContains(t, b.screen(), "hint 1")
}

func TestNextSkipsWhatIsPassedAndWraps(t *testing.T) {
	b := sit(t, "", "second")
	b.press("h", "n")
	require.Equal(t, "wide", b.m.task().Name)
	require.Zero(t, b.m.hints)
	require.Equal(t, []string{"/home/me/exercises/02", "/home/me/exercises/05"}, b.watched)
	require.Equal(t, []string{"first", "wide"}, b.recorded)
	b.press("n", "n")
	require.Equal(t, "first", b.m.task().Name)
}

func TestNextSaysWhenThereIsNone(t *testing.T) {
	b := sit(t, "", "second", "wide", "last")
	b.press("n")
	require.Contains(t, b.screen(), "this is the only task that is not passed yet")
	b.answers["first"] = verdicts.Result{Verdict: passing()}
	b.press("g", "n")
	require.Contains(t, b.screen(), "all tasks are passed")
}

func TestTheNextTaskIsGradedEvenIfTheLastOneStillRuns(t *testing.T) {
	b := sit(t, "")
	b.hold = true
	b.press("g", "n")
	require.Error(t, b.runs[1].Err())
	b.hold = false
	b.send(b.held[0])
	require.NotContains(t, b.m.results, "second", "a late verdict of another task")
	b.send(b.held[1])
	require.Contains(t, b.m.results, "second")
}

func TestTheListShowsStatesAndChooses(t *testing.T) {
	b := sit(t, "", "second")
	b.press("l")
	for _, text := range []string{"first ", "1 try", "second", "passed", "wide", "not tried", "幅の広い文字"} {
		require.Contains(t, b.screen(), text)
	}
	b.press("down", "down", "esc")
	require.Equal(t, "first", b.m.task().Name)
	require.Contains(t, b.screen(), "fails")
	b.press("l", "down", "down", "enter")
	require.Equal(t, "wide", b.m.task().Name)
	require.Contains(t, b.screen(), "fails")
	b.press("l", "enter")
	require.Equal(t, "wide", b.m.task().Name)
	require.Len(t, b.runs, 2, "the present task is not graded again")
	b.press("l", "l", "?")
	require.Contains(t, b.screen(), "Write in your editor")
}

func TestTheListFollowsTheProgress(t *testing.T) {
	b := sit(t, "")
	b.hold = true
	b.answers["first"] = verdicts.Result{Verdict: passing()}
	b.press("g", "l")
	require.NotContains(t, b.screen(), "✓   02")
	b.hold = false
	b.send(b.held[0])
	require.Contains(t, b.screen(), "› ✓ 02  first")
}

func TestResetAsksFirst(t *testing.T) {
	b := sit(t, "")
	b.press("r")
	require.Contains(t, b.screen(), "put exercises/02/first.go back as it came? yours is kept (y/n)")
	b.press("esc")
	for _, no := range []string{"n", "esc", "h"} {
		b.press("r", no)
		require.Contains(t, b.screen(), "nothing was changed")
	}
	require.Empty(t, b.putBack)
	require.Equal(t, "first", b.m.task().Name)

	b.press("r", "y")
	require.Equal(t, []string{"first"}, b.putBack)
	require.Contains(t, squeezed(b.screen()), squeezed("exercises/02/first.go is as it came; yours is kept in .workbook/saved/first-1.go"))
	b.save()
	require.Contains(t, b.screen(), ".workbook/saved/first-1.go", "the new verdict does not hide it")
	b.press("down")
	require.NotContains(t, b.screen(), ".workbook/saved")

	b.saved = ""
	b.press("r", "y")
	require.Contains(t, b.screen(), "is as it came")
	b.refused = errors.New("reset first: nothing was changed: the disk is full")
	b.press("r", "y")
	require.Contains(t, b.screen(), "the disk is full")
}

func TestEnterAndGGradeAgain(t *testing.T) {
	b := sit(t, "")
	b.press("g", "enter")
	require.Len(t, b.runs, 3)
	require.Equal(t, []string{"first", "first", "first"}, b.recorded)
}

func TestTheSolutionComesAfterAPass(t *testing.T) {
	b := sit(t, "")
	b.press("s")
	require.Contains(t, b.screen(), "the solution is shown when the task is passed")
	require.NotContains(t, b.screen(), "the answer of first")
	b.answers["first"] = verdicts.Result{Verdict: passing()}
	b.press("g", "s")
	require.Contains(t, b.screen(), "one solution: solutions/02/first.go")
	require.Contains(t, b.screen(), "    // the answer of first")
	b.press("s")
	require.NotContains(t, b.screen(), "the answer of first")
}

func TestHelpNamesEveryKey(t *testing.T) {
	b := sit(t, "")
	b.press("?")
	for _, key := range []string{"h ", "n ", "l ", "r ", "g ", "s ", "up/down", "left/right", "esc", "ctrl+z", "q "} {
		require.Contains(t, b.screen(), "\n"+key)
	}
	b.press("h", "n", "r")
	require.Contains(t, b.screen(), "Write in your editor", "other keys do nothing here")
	b.press("esc")
	require.NotContains(t, b.screen(), "Write in your editor")
}

func TestQuit(t *testing.T) {
	before := map[string][]string{
		"in the verdict": nil, "in the list": {"l"}, "in the help": {"?"}, "while asking": {"r"},
	}
	for name, keys := range before {
		for _, key := range []string{"q", "ctrl+c"} {
			b := sit(t, "")
			b.hold = true
			b.press("g")
			b.press(keys...)
			b.press(key)
			require.True(t, b.quit, name)
			require.Error(t, b.runs[1].Err(), "grading ends too")
			require.Empty(t, b.putBack)
		}
	}
}

func TestSuspend(t *testing.T) {
	b := sit(t, "")
	b.press("ctrl+z")
	require.True(t, b.asleep)
	require.False(t, b.quit)
}

func TestScrolling(t *testing.T) {
	b := sit(t, "")
	require.Contains(t, b.screen(), "more below: pgdown")
	b.press("down", "down", "up")
	require.Equal(t, 1, b.m.body.YOffset())
	b.press("pgdown", "pgup", "up")
	require.Zero(t, b.m.body.YOffset())
	b.press("end")
	require.True(t, b.m.body.AtBottom())
	require.Contains(t, b.screen(), "the end; pgup goes back")
	b.press("home")
	require.True(t, b.m.body.AtTop())
	b.resize(40, 20)
	b.press("end")
	require.Contains(t, b.screen(), "20 MiB large, 4 MiB allocated", "the segment map fits a narrow screen")
	require.Contains(t, b.screen(), "a character")
}
