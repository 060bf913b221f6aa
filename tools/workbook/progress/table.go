package progress

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
)

// version is that of the file. It grows when an older workbook could not read
// the file any more.
const version = 1

// file is what is written.
type file struct {
	Version int   `json:"version"`
	Tasks   table `json:"tasks"`
}

// table holds the states by task, as they stand in the file. An entry is only
// written anew when it changes, so one that a newer workbook made keeps all
// that it says.
type table map[string]json.RawMessage

// Newer says that a newer workbook wrote the file of progress. It makes sense to
// that one, so it is left as it is.
type Newer struct{ Version int }

// Error says it in one line.
func (n *Newer) Error() string {
	return fmt.Sprintf("the file was written by a newer workbook (version %d, this one knows %d) and is left as it is", n.Version, version)
}

// parse reads the text of a file. Every entry that it returns is a state.
func parse(text []byte) (table, error) {
	var f file
	err := json.Unmarshal(text, &f)
	switch {
	case f.Version > version:
		return nil, &Newer{f.Version}
	case err != nil:
		return nil, err
	case f.Version < 1:
		return nil, errors.New("it has no version")
	}
	for name, entry := range f.Tasks {
		var s State
		if err := json.Unmarshal(entry, &s); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		if s.Attempts < 0 || s.Hints < 0 || s.Hints > Depths {
			return nil, fmt.Errorf("%s: the numbers make no sense", name)
		}
	}
	if f.Tasks == nil {
		f.Tasks = table{}
	}
	return f.Tasks, nil
}

// text returns what is to be written.
func (t table) text() ([]byte, error) {
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetIndent("", "  ")
	err := e.Encode(file{version, t})
	return out.Bytes(), err
}

// state returns that of a task, or none at all for an unknown name.
func (t table) state(name string) State {
	var s State
	if entry, ok := t[name]; ok {
		_ = json.Unmarshal(entry, &s) // parse and apply let only states in
	}
	return s
}

// apply makes a change.
func (t table) apply(c change) {
	s := t.state(c.name)
	c.make(&s)
	entry, err := json.Marshal(s)
	if err == nil {
		t[c.name] = entry
	}
}

func (t table) clone() table { return maps.Clone(t) }
