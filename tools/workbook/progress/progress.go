package progress

import (
	"sync"
	"time"
)

// Depths is how many hints a task has.
const Depths = 3

// State is what is known of one task.
type State struct {
	// Passed is when the task was passed first. It is zero if it never was.
	Passed time.Time `json:"passed,omitzero"`
	// Attempts is how often it was graded.
	Attempts int `json:"attempts"`
	// Hints is how many hints were shown so far.
	Hints int `json:"hints"`
}

// Progress is the state of a learner. Its methods may be called from several
// goroutines.
type Progress struct {
	path string

	mutex sync.Mutex
	tasks table
	// unsaved are changes that are in tasks and not in the file.
	unsaved []change
}

// change is something that happened to a task.
type change struct {
	name string
	make func(*State)
}

// Of returns what is known of a task.
func (p *Progress) Of(name string) State {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	return p.tasks.state(name)
}

// Passed reports whether a task was ever passed.
func (p *Progress) Passed(name string) bool { return !p.Of(name).Passed.IsZero() }

// Attempts returns how often a task was graded.
func (p *Progress) Attempts(name string) int { return p.Of(name).Attempts }

// Hints returns how many hints of a task were shown so far.
func (p *Progress) Hints(name string) int { return p.Of(name).Hints }

// Record notes that a task was graded, and saves that. What was passed once
// stays passed. After an error the change is still known to this Progress.
func (p *Progress) Record(name string, passed bool, at time.Time) error {
	return p.change(name, func(s *State) {
		s.Attempts++
		if passed && s.Passed.IsZero() {
			s.Passed = at.Round(0).UTC().Truncate(time.Second)
		}
	})
}

// ShowHint notes that one more hint of a task is shown, and saves that. It
// returns which one: 1, 2, 3, and then 3 again.
func (p *Progress) ShowHint(name string) (depth int, err error) {
	err = p.change(name, func(s *State) {
		s.Hints = min(s.Hints+1, Depths)
		depth = s.Hints
	})
	return depth, err
}

// change makes a change in memory and in the file.
func (p *Progress) change(name string, f func(*State)) error {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	c := change{name, f}
	p.tasks.apply(c)
	p.unsaved = append(p.unsaved, c)
	return p.save()
}
