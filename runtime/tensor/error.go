package tensor

import "fmt"

// Error is misuse that PyTorch answers with an exception of this text.
type Error struct {
	// Kind is the Python exception: RuntimeError, IndexError, ValueError,
	// and so on.
	Kind string
	Text string
}

func (e *Error) Error() string { return e.Text }

// Raise panics with a RuntimeError.
func Raise(format string, args ...any) { raiseKind("RuntimeError", format, args...) }

// RaiseIndex panics with an IndexError.
func RaiseIndex(format string, args ...any) { raiseKind("IndexError", format, args...) }

// RaiseUnsupported panics with a NotImplementedError.
func RaiseUnsupported(format string, args ...any) {
	raiseKind("NotImplementedError", format, args...)
}

// RaiseValue panics with a ValueError.
func RaiseValue(format string, args ...any) { raiseKind("ValueError", format, args...) }

func raiseKind(kind, format string, args ...any) {
	panic(&Error{kind, fmt.Sprintf(format, args...)})
}
