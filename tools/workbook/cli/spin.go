package cli

import (
	"fmt"
	"os"
	"sync"
	"time"

	"github.com/torchmem/workbook/tools/workbook/terminal"
)

// patience is how long nothing is said. Most grading is done by then.
const patience = 400 * time.Millisecond

// spin shows on a terminal that something takes its time, until the function
// that it returns is called.
func (a *app) spin(what string) (stop func()) {
	end := a.errOut.Forward
	if a.json || !terminal.Is(end) || os.Getenv("TERM") == "dumb" {
		return func() {}
	}
	done := make(chan struct{})
	var drawing sync.WaitGroup
	drawing.Go(func() {
		began := time.Now()
		select {
		case <-done:
			return
		case <-time.After(patience):
		}
		tick := time.NewTicker(125 * time.Millisecond)
		defer tick.Stop()
		for n := 0; ; n++ {
			fmt.Fprintf(end, "\r%c %s, %.0f s ", `|/-\`[n%4], clip(what), time.Since(began).Seconds())
			select {
			case <-done:
				fmt.Fprint(end, "\r\x1b[K")
				return
			case <-tick.C:
			}
		}
	})
	return func() {
		close(done)
		drawing.Wait()
	}
}

// clip keeps the line from wrapping, which could not be wiped out.
func clip(what string) string {
	const room = width - 12
	if len(what) > room {
		return what[:room-3] + "..."
	}
	return what
}
