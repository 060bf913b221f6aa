// Package files writes files as a whole.
//
// A reader of such a file sees the old text or the new one, even if the writer
// is killed in between: the text goes into a file beside it, down to the disk,
// and that file then takes the name.
package files

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/natefinch/atomic"
)

// Replace gives a file a new text, and makes the file and its folders if they
// are missing.
func Replace(path string, text []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	_, before := os.Stat(path)
	if err := atomic.WriteFile(path, bytes.NewReader(text)); err != nil {
		return err
	}
	if errors.Is(before, fs.ErrNotExist) {
		// A new file has the narrow rights of a temporary one.
		return os.Chmod(path, 0o644)
	}
	return nil
}
