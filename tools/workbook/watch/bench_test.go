package watch

import (
	"context"
	"strings"
	"testing"
	"time"

	"charm.land/bubbles/v2/spinner"
	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/stretchr/testify/require"

	"github.com/torchmem/workbook/runtime/grade"
	"github.com/torchmem/workbook/tools/workbook/progress"
	"github.com/torchmem/workbook/tools/workbook/verdicts"
)

// bench runs a model without a terminal: its commands are carried out at once,
// and time stands still.
type bench struct {
	t *testing.T
	m model
	// quit is set when the model has ended, asleep when it was suspended.
	quit, asleep bool
	// hold keeps verdicts back in held, as if grading took long.
	hold bool
	held []tea.Msg

	// What the world says, and what it was asked.
	answers  map[string]verdicts.Result
	failure  error
	recorded []string
	unsaved  error
	states   map[string]progress.State
	runs     []context.Context
	watched  []string
	putBack  []string
	saved    string
	refused  error
}

var benchTasks = []grade.Info{
	{Name: "first", Lesson: "02", Title: "Delete a name", Hints: [3]string{"one?", "two.", "three!"}},
	{Name: "second", Lesson: "02", Title: "Delete two names", Hints: [3]string{"alpha?", "beta.", "gamma!"}},
	{Name: "wide", Lesson: "05", Title: "幅の広い文字 in a title that goes on for more than one line of a narrow screen", Hints: [3]string{"広い?", "広い.", "広い!"}},
	{Name: "last", Lesson: "08", Title: "Read a summary", Hints: [3]string{"a", "b", "c"}},
}

// sit starts a model at a task.
func sit(t *testing.T, start string, passed ...string) *bench {
	t.Helper()
	b := &bench{t: t, states: map[string]progress.State{}, answers: map[string]verdicts.Result{}, saved: ".workbook/saved/first-1.go"}
	for _, name := range passed {
		b.states[name] = progress.State{Passed: time.Unix(1, 0), Attempts: 1}
	}
	for _, i := range benchTasks {
		b.answers[i.Name] = verdicts.Result{Verdict: failing()}
	}
	m, err := newModel(t.Context(), b.world(), start)
	require.NoError(t, err)
	b.m = m
	b.do(m.Init())
	return b
}

func (b *bench) world() world {
	return world{
		tasks:  benchTasks,
		short:  func(i grade.Info) string { return "exercises/" + i.Lesson + "/" + i.File() },
		folder: func(i grade.Info) string { return "/home/me/exercises/" + i.Lesson },
		answer: func(i grade.Info) ([]byte, error) {
			return []byte("package exercise\n\n\t// the answer of " + i.Name), nil
		},
		now: func() time.Time { return time.Unix(0, 0) },
		grade: func(ctx context.Context, i grade.Info) (verdicts.Result, error) {
			b.runs = append(b.runs, ctx)
			return b.answers[i.Name], b.failure
		},
		watch: func(_ context.Context, folder string) <-chan change {
			b.watched = append(b.watched, folder)
			return ended()
		},
		reset: func(i grade.Info) (string, error) {
			b.putBack = append(b.putBack, i.Name)
			return b.saved, b.refused
		},
		record: func(name string, passed bool) error {
			s := b.states[name]
			s.Attempts++
			if passed {
				s.Passed = time.Unix(1, 0)
			}
			b.states[name] = s
			b.recorded = append(b.recorded, name)
			return b.unsaved
		},
		hint: func(name string) (int, error) {
			s := b.states[name]
			s.Hints = min(s.Hints+1, progress.Depths)
			b.states[name] = s
			return s.Hints, b.unsaved
		},
		states: func() map[string]progress.State {
			all := map[string]progress.State{}
			for name, s := range b.states {
				all[name] = s
			}
			return all
		},
	}
}

// send hands messages to the model and carries out what it commands.
func (b *bench) send(messages ...tea.Msg) {
	for _, msg := range messages {
		next, cmd := b.m.Update(msg)
		b.m = next.(model)
		b.do(cmd)
	}
}

func (b *bench) do(cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	switch msg := cmd().(type) {
	case nil, spinner.TickMsg:
	case tea.BatchMsg:
		for _, one := range msg {
			b.do(one)
		}
	case tea.QuitMsg:
		b.quit = true
	case tea.SuspendMsg:
		b.asleep = true
	case gradedMsg:
		if b.hold {
			b.held = append(b.held, msg)
			return
		}
		b.send(msg)
	default:
		b.send(msg)
	}
}

// save is a save in the folder that is watched now.
func (b *bench) save() { b.news(change{saved: true}) }

// news is what the watch of the present folder tells. It tells nothing more.
func (b *bench) news(c change) { b.send(changedMsg{b.m.watching, ended(), c}) }

func ended() <-chan change {
	none := make(chan change)
	close(none)
	return none
}

// named are the keys that have no character.
var named = map[string]rune{
	"esc": tea.KeyEscape, "enter": tea.KeyEnter, "up": tea.KeyUp, "down": tea.KeyDown,
	"left": tea.KeyLeft, "right": tea.KeyRight, "pgup": tea.KeyPgUp, "pgdown": tea.KeyPgDown,
	"home": tea.KeyHome, "end": tea.KeyEnd,
}

func (b *bench) press(keys ...string) {
	for _, k := range keys {
		letter, ctrl := strings.CutPrefix(k, "ctrl+")
		switch {
		case ctrl:
			b.send(tea.KeyPressMsg{Code: rune(letter[0]), Mod: tea.ModCtrl})
		case named[k] != 0:
			b.send(tea.KeyPressMsg{Code: named[k]})
		default:
			b.send(tea.KeyPressMsg{Code: rune(k[0]), Text: k})
		}
	}
}

// screen is what is drawn, without colours and the space at the ends of lines.
// It must fit.
func (b *bench) screen() string {
	b.t.Helper()
	v := b.m.View()
	require.True(b.t, v.AltScreen)
	lines := strings.Split(v.Content, "\n")
	require.LessOrEqual(b.t, len(lines), max(b.m.height, 1), "%s", v.Content)
	for i, line := range lines {
		require.LessOrEqual(b.t, ansi.StringWidth(line), b.m.width, "%s", v.Content)
		lines[i] = strings.TrimRight(ansi.Strip(line), " ")
	}
	return strings.Join(lines, "\n")
}

func (b *bench) resize(width, height int) { b.send(tea.WindowSizeMsg{Width: width, Height: height}) }

// all is everything that can be scrolled to, without the space between words.
func (b *bench) all() string {
	b.t.Helper()
	var seen strings.Builder
	b.press("home")
	for range 500 {
		seen.WriteString(b.screen())
		if b.m.body.AtBottom() {
			return squeezed(seen.String())
		}
		b.press("down")
	}
	require.FailNow(b.t, "no end is reached")
	return ""
}

// squeezed takes out what wrapping puts in.
func squeezed(text string) string { return strings.Join(strings.Fields(text), "") }
