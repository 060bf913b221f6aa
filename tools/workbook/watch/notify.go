package watch

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"github.com/fsnotify/fsnotify"
)

// notified is an eye that the operating system wakes.
type notified struct {
	folder  string
	seen    string
	watcher *fsnotify.Watcher
	// check is for folders of which the system says nothing, though it
	// agreed to watch them: those of a container or a network drive.
	check *time.Ticker
}

const (
	checkEvery = 2 * time.Second
	// late is how long an event may be behind the change that it tells of.
	late = 200 * time.Millisecond
)

var (
	errSilent = errors.New("the system does not tell of changes there")
	errGone   = errors.New("the folder was moved or removed")
)

func notify(folder string) (eye, error) {
	w, err := fsnotify.NewWatcher()
	if err != nil {
		return nil, err
	}
	if err := w.Add(folder); err != nil {
		return nil, errors.Join(err, w.Close())
	}
	return &notified{folder: folder, seen: snapshot(folder), watcher: w, check: time.NewTicker(checkEvery)}, nil
}

func (n *notified) Next(ctx context.Context) error {
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case e := <-n.watcher.Events:
			if changed, err := n.means(e); changed || err != nil {
				return err
			}
		case err := <-n.watcher.Errors:
			// Where events were lost, something has changed.
			if errors.Is(err, fsnotify.ErrEventOverflow) {
				return nil
			}
			return fmt.Errorf("the watch has ended: %w", err)
		case <-n.check.C:
			if changed, err := n.compare(); changed || err != nil {
				return err
			}
		}
	}
}

// means says whether an event tells of a change.
func (n *notified) means(e fsnotify.Event) (changed bool, err error) {
	if filepath.Clean(e.Name) == filepath.Clean(n.folder) && (e.Has(fsnotify.Remove) || e.Has(fsnotify.Rename)) {
		return false, errGone
	}
	if !isGo(filepath.Base(e.Name)) {
		return false, nil
	}
	before := n.seen
	n.seen = snapshot(n.folder)
	// Rights and times change without a save, but touch changes a time too.
	return e.Op != fsnotify.Chmod || n.seen != before, nil
}

// compare looks for a change that the system has not told of.
func (n *notified) compare() (changed bool, err error) {
	if snapshot(n.folder) == n.seen {
		return false, nil
	}
	for end := time.After(late); ; {
		select {
		case e := <-n.watcher.Events:
			if changed, err := n.means(e); changed || err != nil {
				return changed, err
			}
		case <-end:
			return false, errSilent
		}
	}
}

func (n *notified) Close() {
	n.check.Stop()
	_ = n.watcher.Close() // nothing is left to lose
}
