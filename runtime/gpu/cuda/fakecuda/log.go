package fakecuda

import (
	"fmt"
	"os"
	"strconv"
	"strings"
)

// Launch is one launch of a kernel.
type Launch struct {
	Function    string
	Grid, Block [3]int
	Shared      int // bytes
	// Stream is the number of the stream, in the order of making. The default
	// stream is 0.
	Stream int
	// Words are the parameters.
	Words []uint64
}

// Alive is what there is on the device and has to be given back.
type Alive struct {
	Used                                int64 // bytes of the device, contexts included
	Memory, Host, Reservations, Handles int
	Pages, Streams, Events, Modules     int
	Contexts                            int
}

// Log is what a run of a program wrote to the file that FAKECUDA_LOG names.
type Log struct {
	Launches []Launch
	// Contexts is how many contexts were begun, and Left what there was when
	// the last one ended. Left is nil when none has, or when there was a launch
	// or another context after it.
	Contexts int
	Left     *Alive
}

// ReadLog reads the log of one run.
func ReadLog(file string) (Log, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return Log{}, fmt.Errorf("read the log of launches: %w", err)
	}
	var l Log
	for line := range strings.Lines(string(text)) {
		if err := l.add(strings.TrimSpace(line)); err != nil {
			return Log{}, fmt.Errorf("%s: %q: %w", file, line, err)
		}
	}
	return l, nil
}

func (l *Log) add(line string) error {
	verb, rest, _ := strings.Cut(line, " ")
	l.Left = nil
	switch verb {
	case "begin":
		l.Contexts++
		return nil
	case "end":
		l.Left = &Alive{}
		return l.Left.scan(rest)
	}
	return l.addLaunch(line)
}

func (l *Log) addLaunch(line string) error {
	head, words, _ := strings.Cut(line, " words")
	var k Launch
	_, err := fmt.Sscanf(head, "launch %s grid %d %d %d block %d %d %d shared %d stream %d", &k.Function,
		&k.Grid[0], &k.Grid[1], &k.Grid[2], &k.Block[0], &k.Block[1], &k.Block[2], &k.Shared, &k.Stream)
	if err != nil {
		return err
	}
	for _, w := range strings.Fields(words) {
		n, err := strconv.ParseUint(w, 0, 64)
		if err != nil {
			return err
		}
		k.Words = append(k.Words, n)
	}
	l.Launches = append(l.Launches, k)
	return nil
}

func (a *Alive) scan(line string) error {
	_, err := fmt.Sscanf(line,
		"used %d memory %d host %d reservations %d handles %d pages %d streams %d events %d modules %d contexts %d",
		&a.Used, &a.Memory, &a.Host, &a.Reservations, &a.Handles, &a.Pages, &a.Streams, &a.Events, &a.Modules, &a.Contexts)
	return err
}
