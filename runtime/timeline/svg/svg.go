// Package svg draws a [timeline.Recording] as a still picture.
//
// # What a picture shows
//
// Time goes to the right, from event to event; bytes go up. Each allocation is a
// band: it begins where it was made, ends where its owner let go of it, and is as
// high as the bytes that it occupies. The bands lie on top of each other, so the
// upper edge of the stack is what was allocated.
//
// Bands that are still held at the end lie at the bottom, in a dark colour.
// Nothing below them ever goes away, so they never move: a leak is a staircase
// on the floor. A [timeline.Pile], what piles up round after round, has a colour
// that shows, even if it is freed later. What else was freed lies above them, in a
// pale colour.
//
// Behind the stack is what the allocator had reserved. A circle marks the peak. To
// the right stands who holds what is left.
//
// Below the axis stand the statements, each where it begins. A statement takes
// some width even if it does nothing, because that may be the point. Statements
// that repeat are one label, and it says whether each round ended higher. It counts
// rounds that are not shown if the numbers of the others tell how many those are.
//
// # What it leaves out
//
// A picture has a few hundred columns. If there are more events, each column shows
// the moment at which most was allocated, so no peak is lost. Bands that would be
// narrower or lower than about a pixel are drawn as one, and the picture says how
// many those are.
//
// # What it is made of
//
// The picture is SVG without scripts, links or fonts of its own. Its colours are
// chosen by the reader's preference for light or dark; orange and blue stay apart
// for people who do not tell red from green. It has a title and a description
// for those who do not see it. The same recording always gives the same bytes.
package svg

import (
	"fmt"
	"io"

	"github.com/torchmem/workbook/runtime/timeline"
)

// Options are what a picture needs besides its recordings.
type Options struct {
	// Title stands above the picture. Without one, that of the recording
	// does.
	Title string
}

// Write draws one recording. The only errors are those of the writer.
func Write(w io.Writer, r *timeline.Recording, o Options) error {
	return WriteAll(w, []*timeline.Recording{r}, o)
}

// WriteAll draws recordings one below the other, each with a scale of its own.
// The only errors are those of the writer.
func WriteAll(w io.Writer, recordings []*timeline.Recording, o Options) error {
	return write(w, newColumn(recordings, o))
}

// Compare draws two recordings side by side with one scale of bytes, and says how
// much the second saves. The only errors are those of the writer.
func Compare(w io.Writer, before, after *timeline.Recording, o Options) error {
	return write(w, newPair(before, after, o))
}

func write(w io.Writer, p *page) error {
	if _, err := io.WriteString(w, p.draw()); err != nil {
		return fmt.Errorf("picture: %w", err)
	}
	return nil
}
