package progress

import (
	"errors"
	"fmt"
	"os"
	"time"
)

// Damaged says that the file of progress made no sense.
type Damaged struct {
	// Path is that of the file.
	Path string
	// Kept is where the file is now. It is empty if it could not be moved.
	Kept string
	// Cause is what is wrong with it.
	Cause error
}

// Error says it in one line.
func (d *Damaged) Error() string {
	if d.Kept == "" {
		return fmt.Sprintf("progress: %s makes no sense: %v", d.Path, d.Cause)
	}
	return fmt.Sprintf("progress: the file made no sense (%v); it is kept as %s, and a new one begins", d.Cause, d.Kept)
}

// Unwrap returns the cause.
func (d *Damaged) Unwrap() error { return d.Cause }

// readOrSetAside reads the file. If that is damaged, it is kept under another
// name, and the table is empty and the error a *Damaged. If that fails, the
// table is nil. It is called with the lock.
func (p *Progress) readOrSetAside() (table, error) {
	tasks, err := read(p.path)
	var damage *Damaged
	if !errors.As(err, &damage) {
		return tasks, err
	}
	kept := unused(p.path + ".damaged-" + time.Now().Format("20060102-150405"))
	if err := os.Rename(p.path, kept); err != nil {
		return nil, fmt.Errorf("%w; it cannot be set aside: %w", damage, err)
	}
	damage.Kept = kept
	return table{}, damage
}

// unused returns a name like the given one that no file has.
func unused(name string) string {
	for n := 1; ; n++ {
		candidate := name
		if n > 1 {
			candidate = fmt.Sprintf("%s-%d", name, n)
		}
		if _, err := os.Lstat(candidate); errors.Is(err, os.ErrNotExist) {
			return candidate
		}
	}
}
