package progress

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"

	"github.com/torchmem/workbook/tools/workbook/files"
)

// Open reads the progress that is saved at a path. A missing file is the
// progress of somebody who has just begun.
//
// The Progress can be used even if there is an error. An error of type
// [*Damaged] says that the file made no sense, one of type [*Newer] that it makes
// sense to a newer workbook.
func Open(path string) (*Progress, error) {
	p := &Progress{path: path, tasks: table{}}
	tasks, err := read(path)
	var damage *Damaged
	if errors.As(err, &damage) {
		tasks, err = p.openDamaged()
	}
	if tasks != nil {
		p.tasks = tasks
	}
	return p, err
}

// openDamaged looks again, now with the lock, since another process may have
// set the file aside already. Then it sets the file aside.
func (p *Progress) openDamaged() (tasks table, err error) {
	failed := p.locked(func() error {
		tasks, err = p.readOrSetAside()
		return nil
	})
	return tasks, errors.Join(err, failed)
}

// read returns what a file holds, and an empty table for a missing one.
func read(path string) (table, error) {
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return table{}, nil
	}
	if err != nil {
		return nil, fmt.Errorf("progress: %w", err)
	}
	tasks, err := parse(text)
	var newer *Newer
	switch {
	case errors.As(err, &newer):
		return nil, fmt.Errorf("progress: %w", newer)
	case err != nil:
		return nil, &Damaged{Path: path, Cause: err}
	}
	return tasks, nil
}

// save makes the unsaved changes in the file, and takes over what others have
// written there.
func (p *Progress) save() error {
	var damage error
	err := p.locked(func() error {
		tasks, err := p.readOrSetAside()
		if tasks == nil {
			return err
		}
		if damage = err; damage != nil {
			tasks = p.tasks.clone() // better than nothing, which the file had
		} else {
			for _, c := range p.unsaved {
				tasks.apply(c)
			}
		}
		text, err := tasks.text()
		if err != nil {
			return err
		}
		if err := files.Replace(p.path, text); err != nil {
			return err
		}
		p.tasks, p.unsaved = tasks, nil
		return nil
	})
	if err != nil {
		return fmt.Errorf("progress is not saved: %w", err)
	}
	return damage
}

// patience is how long to wait for another process that writes.
const patience = 5 * time.Second

// locked calls f while no other process is in here.
func (p *Progress) locked(f func() error) error {
	if err := os.MkdirAll(filepath.Dir(p.path), 0o755); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	lock := flock.New(p.path + ".lock")
	_, err := lock.TryLockContext(ctx, 10*time.Millisecond)
	if errors.Is(err, context.DeadlineExceeded) {
		return fmt.Errorf("another program holds %s.lock", p.path)
	}
	if err != nil {
		return err
	}
	// Closing lets go of the lock. The file itself stays: removing it would
	// let two processes lock two files of the same name.
	return errors.Join(f(), lock.Close())
}
