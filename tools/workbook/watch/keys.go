package watch

import (
	"charm.land/bubbles/v2/key"
	"charm.land/bubbles/v2/viewport"
)

// keys are all that can be pressed.
type keys struct {
	hint, next, list, reset, again, solution, help, quit key.Binding
	back, choose, yes, no                                key.Binding
	top, bottom, suspend                                 key.Binding
	// scroll only describes what a viewport does.
	scroll, sideways key.Binding
}

func newKeys() keys {
	return keys{
		hint:     binding("h", "hint", "h"),
		next:     binding("n", "next", "n"),
		list:     binding("l", "list", "l"),
		reset:    binding("r", "reset", "r"),
		again:    binding("g", "grade", "g", "enter"),
		solution: binding("s", "solution", "s"),
		help:     binding("?", "help", "?"),
		quit:     binding("q", "quit", "q", "ctrl+c"),
		back:     binding("esc", "back", "esc"),
		choose:   binding("enter", "choose", "enter"),
		yes:      binding("y", "yes", "y"),
		no:       binding("n", "no", "n", "esc"),
		top:      binding("home", "top", "home"),
		bottom:   binding("end", "bottom", "end"),
		suspend:  binding("ctrl+z", "suspend", "ctrl+z"),
		scroll:   binding("up/down", "scroll", "up", "down"),
		sideways: binding("left/right", "sideways", "left", "right"),
	}
}

func binding(shown, does string, pressed ...string) key.Binding {
	return key.NewBinding(key.WithKeys(pressed...), key.WithHelp(shown, does))
}

// shortcuts lists the keys that matter now, and first those that do most.
func (m *model) shortcuts() []key.Binding {
	k := m.keys
	switch {
	case m.asking:
		return []key.Binding{k.yes, k.no}
	case m.pane == listPane:
		return []key.Binding{k.choose, k.back, k.scroll, k.quit}
	case m.pane != verdictPane:
		return []key.Binding{k.back, k.scroll, k.sideways, k.quit}
	case m.isPassed(m.task()):
		return []key.Binding{k.next, k.solution, k.list, k.help, k.reset, k.quit}
	}
	return []key.Binding{k.hint, k.next, k.list, k.help, k.reset, k.again, k.quit}
}

// newViewport scrolls with keys that are no commands.
func newViewport() viewport.Model {
	v := viewport.New()
	v.MouseWheelEnabled = false
	v.SetHorizontalStep(8)
	v.KeyMap = viewport.KeyMap{
		Up: binding("up", "up", "up", "k"), Down: binding("down", "down", "down", "j"),
		PageUp: binding("pgup", "page up", "pgup", "b"), PageDown: binding("pgdown", "page down", "pgdown", "space"),
		Left: binding("left", "left", "left"), Right: binding("right", "right", "right"),
	}
	return v
}
