package predict

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"strings"
)

// answers reads lines. Reading blocks and cannot be interrupted, so it is done
// beside the game; that is how an interrupt ends the game with its score.
type answers struct {
	lines chan string
	more  chan struct{}
	err   error // why the lines ended; set before lines is closed
}

func readAnswers(in io.Reader) *answers {
	// There is room for the line that comes after the game was interrupted.
	a := &answers{lines: make(chan string, 1), more: make(chan struct{})}
	go a.read(in)
	return a
}

// read passes one line on for each that is asked for.
func (a *answers) read(in io.Reader) {
	defer close(a.lines)
	scanner := bufio.NewScanner(in)
	for range a.more {
		if !scanner.Scan() {
			a.err = scanner.Err()
			return
		}
		a.lines <- scanner.Text()
	}
}

// stop ends the reading after the line that was last asked for.
func (a *answers) stop() { close(a.more) }

// next returns the next line without the space around it. At the end of the
// input and of the context it returns errStop.
func (a *answers) next(ctx context.Context) (string, error) {
	select {
	case a.more <- struct{}{}:
	case <-ctx.Done():
		return "", errStop
	}
	select {
	case line, ok := <-a.lines:
		if ok {
			return strings.TrimSpace(line), nil
		}
		if a.err != nil {
			return "", fmt.Errorf("read an answer: %w", a.err)
		}
		return "", errStop
	case <-ctx.Done():
		return "", errStop
	}
}
