package watch

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/torchmem/workbook/runtime/grade"
	"github.com/torchmem/workbook/tools/workbook/verdicts"
)

func TestItStartsWithTheFirstTaskThatIsNotPassed(t *testing.T) {
	require.Equal(t, "first", sit(t, "").m.task().Name)
	require.Equal(t, "wide", sit(t, "", "first", "second").m.task().Name)
	require.Equal(t, "first", sit(t, "", "first", "second", "wide", "last").m.task().Name)
	require.Equal(t, "last", sit(t, "last").m.task().Name)

	_, err := newModel(t.Context(), sit(t, "").world(), "nothing")
	require.EqualError(t, err, `there is no task "nothing"; see them all: go run ./tools/workbook list`)
}

func TestItGradesAtOnceAndRecords(t *testing.T) {
	b := sit(t, "")
	require.Equal(t, []string{"/home/me/exercises/02"}, b.watched)
	require.Equal(t, []string{"first"}, b.recorded)
	require.Contains(t, b.screen(), "✗ fails")
	require.Contains(t, b.screen(), "0 of 4 passed")

	b.answers["first"] = verdicts.Result{Verdict: passing()}
	b.save()
	require.Equal(t, []string{"first", "first"}, b.recorded)
	require.Contains(t, b.screen(), "✓ passed")
	require.Contains(t, b.screen(), "1 of 4 passed")
	require.Contains(t, b.screen(), "n is the next task, s shows the solution")
}

func TestASaveEndsTheRunBefore(t *testing.T) {
	b := sit(t, "")
	b.hold = true
	b.save()
	require.Contains(t, b.screen(), "grading")
	require.NoError(t, b.runs[1].Err())
	b.answers["first"] = verdicts.Result{Verdict: passing()}
	b.save()
	require.ErrorIs(t, b.runs[1].Err(), context.Canceled)
	require.NoError(t, b.runs[2].Err())

	// The verdict of the run that was given up comes late, and is not shown.
	b.hold = false
	b.send(b.held[0])
	require.Contains(t, b.screen(), "grading")
	require.Len(t, b.recorded, 1)
	b.send(b.held[1])
	require.Contains(t, b.screen(), "✓ passed")
	require.Len(t, b.recorded, 2)
}

func TestTheOldVerdictStaysDimmed(t *testing.T) {
	b := sit(t, "")
	require.NotContains(t, b.m.View().Content, b.m.faint.Render("✗ 4 of 7 checks fail, worst with 36 layers"))
	b.hold = true
	b.save()
	require.Contains(t, b.m.View().Content, b.m.faint.Render("✗ 4 of 7 checks fail, worst with 36 layers"))
}

func TestSavesOfAFolderThatWasLeftAreNone(t *testing.T) {
	b := sit(t, "")
	old := b.m.watching
	b.press("n")
	require.Len(t, b.runs, 2)
	b.send(changedMsg{old, ended(), change{saved: true}}, watchingMsg{old, ended()})
	require.Len(t, b.runs, 2)
}

func TestPollingIsSaid(t *testing.T) {
	b := sit(t, "")
	require.Contains(t, b.screen(), "watching exercises/02")
	b.news(change{polling: errSilent})
	require.Contains(t, b.screen(), "looking at exercises/02 every 300 ms: the system does not tell of")
	require.Len(t, b.runs, 1)
	b.news(change{polling: errGone, saved: true})
	require.Contains(t, b.screen(), "the folder was moved or removed")
	require.Len(t, b.runs, 2)
}

func TestWhatKeepsFromGradingIsNoAttempt(t *testing.T) {
	b := sit(t, "")
	b.failure = errNoGo
	b.press("g")
	require.Contains(t, b.screen(), "✗ no verdict")
	require.Contains(t, b.screen(), "go cannot be run: not found")
	require.Len(t, b.recorded, 1)
}

func TestProgressThatCannotBeSavedIsSaid(t *testing.T) {
	b := sit(t, "")
	b.unsaved = errors.New("progress is not saved: the disk is full")
	b.press("g")
	require.Contains(t, b.screen(), "progress is not saved: the disk is full")
	b.press("down")
	require.Contains(t, b.screen(), "the disk is full", "a key does not make it go away")
	b.press("h")
	require.Contains(t, b.screen(), "hint 1 of 3  one?")
	require.Contains(t, b.screen(), "the disk is full")
	b.unsaved = nil
	b.press("g")
	require.NotContains(t, b.screen(), "the disk is full")
}

func TestTheVerdictKeepsItsPlaceUntilItChanges(t *testing.T) {
	b := sit(t, "")
	b.press("pgdown")
	at := b.m.body.YOffset()
	require.Positive(t, at)
	b.save()
	require.Equal(t, at, b.m.body.YOffset(), "it fails as before")
	b.answers["first"] = verdicts.Result{Problem: "exercises/02/first.go:3:1: undefined: x"}
	b.save()
	require.Zero(t, b.m.body.YOffset())
}

func TestTheWorstCaseIsShown(t *testing.T) {
	amount := func(got, limit int64) *grade.Amount { return &grade.Amount{Got: got, Limit: limit} }
	peak := func(name string, got, limit int64) grade.Check {
		return grade.Check{Case: name, Metric: grade.PeakAllocated, OK: got <= limit, Amount: amount(got, limit)}
	}
	for want, checks := range map[string][]grade.Check{
		"does not end":      {peak("over", 9, 1), peak("over", 9, 1), {Case: "does not end", Metric: grade.Finished}},
		"two failures":      {peak("one failure", 9, 1), peak("two failures", 2, 1), peak("two failures", 2, 1)},
		"further over":      {peak("fine", 1, 1), peak("over", 2, 1), peak("further over", 9, 1)},
		"nearest":           {peak("far", 1, 9), peak("nearest", 8, 9), peak("half", 4, 9)},
		"no limit at all":   {{Case: "no limit at all", Metric: grade.Values, OK: true}},
		"nothing of a task": nil,
	} {
		if checks == nil {
			want = ""
		}
		require.Equal(t, want, worst(&grade.Verdict{Checks: checks}))
	}
	require.Equal(t, 2.0, closeness(grade.Amount{Got: 5, Limit: 10, Least: true}))
}
