package verdicts

import (
	"bytes"
	"encoding/json"
	"strings"
	"time"
)

// event is a line of go test -json.
type event struct {
	Action  string
	Test    string
	Output  string
	Elapsed float64
}

// events is what go test said. It is the writer of go test's output.
type events struct {
	// tests holds what became of each test that was begun.
	tests map[string]*test
	// build are the lines of the compiler.
	build []string
	// rest is what the program said outside of a test, and complaints what
	// go said beside its events.
	rest       clipped
	complaints string
	// failure is how go test ended, if not well.
	failure string

	line []byte // not yet whole
}

// test is one that was begun.
type test struct {
	output clipped
	said   bool // that it has passed
	passed bool
	took   time.Duration
}

func newEvents() *events { return &events{tests: map[string]*test{}} }

// Write takes a piece of the stream.
func (e *events) Write(piece []byte) (int, error) {
	for rest := piece; ; {
		line, after, whole := bytes.Cut(rest, []byte("\n"))
		e.line = append(e.line, line...)
		if !whole {
			return len(piece), nil
		}
		e.close()
		rest = after
	}
}

// close takes what has come so far for a line.
func (e *events) close() {
	line := e.line
	e.line = e.line[:0]
	var heard event
	if err := json.Unmarshal(line, &heard); err != nil {
		e.rest.add(string(line) + "\n")
		return
	}
	e.hear(heard)
}

func (e *events) hear(x event) {
	switch {
	case x.Action == "build-output":
		e.build = append(e.build, strings.TrimRight(x.Output, "\r\n"))
	case x.Test == "" && x.Action == "output":
		e.rest.add(x.Output)
	case x.Test == "" || strings.Contains(x.Test, "/"):
	case x.Action == "run":
		e.tests[x.Test] = &test{}
	case e.tests[x.Test] == nil:
	case x.Action == "output":
		t := e.tests[x.Test]
		t.output.add(x.Output)
		// A program that ends in the middle of a test is a pass for go
		// test, if its exit status is 0. It does not say so itself.
		t.said = t.said || strings.HasPrefix(x.Output, "--- PASS: "+x.Test+" ")
	case x.Action == "pass" || x.Action == "fail":
		t := e.tests[x.Test]
		t.passed = t.said && x.Action == "pass"
		t.took = time.Duration(x.Elapsed * float64(time.Second))
	}
}

// clipped is a text of which the middle is left out when it becomes too long:
// a program without end may print without end.
type clipped struct {
	head, tail []byte
	cut        bool
}

// How much of a text is kept.
const (
	headBytes = 64 << 10
	tailBytes = 64 << 10
)

func (c *clipped) add(s string) {
	if room := headBytes - len(c.head); room > 0 {
		n := min(room, len(s))
		c.head, s = append(c.head, s[:n]...), s[n:]
	}
	c.tail = append(c.tail, s...)
	if len(c.tail) > 2*tailBytes {
		c.tail = append(c.tail[:0], c.tail[len(c.tail)-tailBytes:]...)
		c.cut = true
	}
}

func (c *clipped) String() string {
	if c.cut {
		return string(c.head) + "\n...\n" + string(c.tail)
	}
	return string(c.head) + string(c.tail)
}
