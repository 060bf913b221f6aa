//go:build cuda

package cuda

import (
	"errors"
	"fmt"
	"slices"

	"gorgonia.org/cu"

	"github.com/torchmem/workbook/runtime/gpu"
)

// status is the number that the NVIDIA driver answers with when a call fails.
type status int

// outOfMemory is the one status that a program can do something about.
const outOfMemory = status(cu.OutOfMemory)

// faults are the states after which a context answers nothing but errors.
// Some are younger than the oldest header that this package builds with, so
// they stand here as numbers.
var faults = []status{
	4,   // the driver shuts down
	214, // a memory error that could not be corrected
	220, // the same on NVLink
	226, // a fault that the hardware contained
	700, // an address that is not mapped
	702, // a kernel that took too long for the display
	709, // the context is gone
	710, // an assertion in a kernel
	714, // the stack of a kernel
	715, // an instruction that does not exist
	716, // an address that is not aligned
	717, // an address of another kind of memory
	718, // a jump to nowhere
	719, // a launch that failed in another way
	721, // a kernel that kept tensor memory
	810, // the server that shares the GPU has stopped this process
	911, // a device outside of CUDA has failed
}

// Error gives the name, the number and the driver's text.
func (s status) Error() string {
	name, text := s.words()
	return fmt.Sprintf("%s (%s, %d)", text, name, int(s))
}

// Is makes a lack of memory the error that the allocator above looks for.
func (s status) Is(target error) bool { return s == outOfMemory && target == gpu.ErrOutOfMemory }

// statusOf returns the status in an error of cu or of this package, or 0.
func statusOf(err error) status {
	theirs := cu.Success
	if errors.As(err, &theirs) {
		return status(theirs)
	}
	var ours status
	errors.As(err, &ours)
	return ours
}

// check says which call an error comes from, and notes a fault. Everything
// that the NVIDIA driver answers goes through here. The first fault stays: what
// the calls after it answer, such as those that clean up, is only its echo.
func (d *Driver) check(call string, err error) error {
	if err == nil {
		return nil
	}
	s := statusOf(err)
	if !slices.Contains(faults, s) {
		return fmt.Errorf("%s: %w", call, s)
	}
	if d.fault == nil {
		name, text := s.words()
		d.fault = &FaultError{Call: call, Code: int(s), Name: name, Text: text}
	}
	return d.fault
}
