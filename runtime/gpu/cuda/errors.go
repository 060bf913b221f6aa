package cuda

import (
	"errors"
	"fmt"
)

// ErrNotBuilt is returned by [Open] in a program that was built without the
// tag cuda.
var ErrNotBuilt = errors.New("this program was built without the tag cuda: go run and go test take it as -tags cuda" +
	" (go run ./tools/workbook doctor says what that needs)")

// ErrClosed is returned by every call on a driver that was closed.
var ErrClosed = errors.New("the driver is closed")

// FaultError says that the GPU stopped a kernel, or broke. The memory that the
// driver holds cannot be trusted any more and no further call can succeed: the
// program has to start again. Every call after the fault returns the same
// error, without asking the GPU.
type FaultError struct {
	// Call is what was asked for when the fault showed. A GPU works on
	// while the program runs, so the cause is often an earlier call.
	Call string
	// Code is the number of the CUDA error, Name and Text are how the
	// NVIDIA driver calls it.
	Code       int
	Name, Text string
}

// Error is one line.
func (e *FaultError) Error() string {
	return fmt.Sprintf("the GPU has faulted: %s (%s, %d), seen at %s; its memory is lost and the program has to start again",
		e.Text, e.Name, e.Code, e.Call)
}
