package watch

import (
	"context"
	"fmt"
	"os"
	"strings"
	"time"
)

const (
	// quiet is how long nothing must happen before a save is over.
	quiet = 50 * time.Millisecond
	// longest is how long a save may go on before it is told anyway.
	longest = 10 * quiet
	// pollEvery is the time between two looks at a folder that cannot be
	// watched.
	pollEvery = 300 * time.Millisecond
)

// change is news of a folder.
type change struct {
	// polling says why the folder is polled from now on.
	polling error
	// saved says that a Go file was written, made, renamed or removed.
	saved bool
}

// eye looks at the Go files of a folder.
type eye interface {
	// Next returns when something has changed since the last call. Its
	// error is that of the context, or says why the eye has gone blind.
	Next(ctx context.Context) error
	Close()
}

// watchFolder tells what happens to a folder until the context ends. It looks
// from the moment it returns.
func watchFolder(ctx context.Context, folder string) <-chan change {
	return lookWith(ctx, folder, notify)
}

// lookWith watches with the eye that open makes, and polls when it makes none
// or the eye goes blind.
func lookWith(ctx context.Context, folder string, open func(string) (eye, error)) <-chan change {
	changes := make(chan change)
	e, blind := open(folder)
	if blind != nil {
		e = poll(folder)
	}
	go func() {
		defer func() { e.Close(); close(changes) }()
		if blind != nil {
			send(ctx, changes, change{polling: blind})
		}
		for ctx.Err() == nil {
			err := e.Next(ctx)
			switch {
			case ctx.Err() != nil:
			case err != nil:
				e.Close()
				e = poll(folder)
				send(ctx, changes, change{polling: err, saved: true})
			default:
				settle(ctx, e)
				send(ctx, changes, change{saved: true})
			}
		}
	}()
	return changes
}

// settle returns when a save is over. An eye that goes blind meanwhile says so
// at its next look.
func settle(ctx context.Context, e eye) {
	for end := time.Now().Add(longest); time.Now().Before(end); {
		wait, cancel := context.WithTimeout(ctx, quiet)
		err := e.Next(wait)
		cancel()
		if err != nil {
			return
		}
	}
}

func send(ctx context.Context, changes chan<- change, c change) {
	select {
	case changes <- c:
	case <-ctx.Done():
	}
}

// isGo reports whether the Go tool reads a file of that name. Editors keep
// copies and locks beside a file, and those are no saves.
func isGo(name string) bool {
	return strings.HasSuffix(name, ".go") && !strings.ContainsAny(name[:1], "._#")
}

// snapshot describes the Go files of a folder, so that two of them can be
// compared. A folder that cannot be read is an empty one.
func snapshot(folder string) string {
	var all strings.Builder
	entries, _ := os.ReadDir(folder)
	for _, entry := range entries {
		info, err := entry.Info()
		if err != nil || !isGo(entry.Name()) {
			continue
		}
		fmt.Fprintln(&all, entry.Name(), info.Size(), info.ModTime().UnixNano())
	}
	return all.String()
}
