package whatif

import (
	"fmt"
	"io"
	"path/filepath"
	"time"
)

// tell is told what is going on, and how much of it is done.
type tell func(what string, done, of int)

// often is the least time between two words of progress.
const often = 100 * time.Millisecond

// teller writes texts for people who wait.
func teller(file string, w io.Writer) tell {
	if w == nil {
		return func(string, int, int) {}
	}
	name := Printable(filepath.Base(file))
	last := time.Time{}
	return func(what string, done, of int) {
		if now := time.Now(); now.Sub(last) >= often {
			last = now
			if of > 0 {
				what = fmt.Sprintf("%s, %d %%", what, int(100*float64(done)/float64(of)))
			}
			fmt.Fprintf(w, "%s: %s", name, what)
		}
	}
}
