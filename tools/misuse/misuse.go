// Package misuse tells errors of the one who types from all others: a command that
// was typed wrong ends with another exit status than one that fails.
package misuse

import (
	"errors"
	"fmt"
)

// misuse is an error of the one who types.
type misuse struct{ text string }

func (m *misuse) Error() string { return m.text }

// Newf returns an error of the one who types. Its text is one line.
func Newf(format string, args ...any) error { return &misuse{fmt.Sprintf(format, args...)} }

// Status returns the exit status for an error: 2 for a misuse, 1 for any other.
func Status(err error) int {
	var wrong *misuse
	if errors.As(err, &wrong) {
		return 2
	}
	return 1
}
