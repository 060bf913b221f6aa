package cli

import (
	"fmt"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/term"
)

const (
	// patience is how long nothing is said. Most files are done by then.
	patience = 400 * time.Millisecond
	// frame is the time between two pictures.
	frame = 125 * time.Millisecond
	// width is how wide a line may be, so that it does not wrap.
	width = 79
)

// progress is a line on a terminal that tells how far a command is. Where there
// is no terminal it says nothing.
type progress struct {
	text    atomic.Value
	done    chan struct{}
	drawing sync.WaitGroup
}

// progress starts a line. The caller ends it.
func (a *app) progress(text string) *progress {
	p := &progress{done: make(chan struct{})}
	p.say(text)
	end, ok := a.errOut.(*os.File)
	if ok && term.IsTerminal(end.Fd()) && os.Getenv("TERM") != "dumb" {
		p.drawing.Go(func() { p.draw(end) })
	}
	return p
}

// say changes the text.
func (p *progress) say(text string) { p.text.Store(text) }

// Write changes the text, too.
func (p *progress) Write(text []byte) (int, error) {
	p.say(string(text))
	return len(text), nil
}

// end wipes the line out.
func (p *progress) end() {
	close(p.done)
	p.drawing.Wait()
}

func (p *progress) draw(end *os.File) {
	select {
	case <-p.done:
		return
	case <-time.After(patience):
	}
	tick := time.NewTicker(frame)
	defer tick.Stop()
	for n := 0; ; n++ {
		fmt.Fprintf(end, "\r%c %s\x1b[K", `|/-\`[n%4], ansi.Truncate(p.text.Load().(string), width-2, "..."))
		select {
		case <-p.done:
			fmt.Fprint(end, "\r\x1b[K")
			return
		case <-tick.C:
		}
	}
}
