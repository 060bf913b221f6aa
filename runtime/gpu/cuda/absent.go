//go:build !cuda

package cuda

import "github.com/torchmem/workbook/runtime/gpu"

// Built tells whether this program was built with the tag cuda.
const Built = false

// Driver is one GPU in one process. There is none in a program that was built
// without the tag cuda.
type Driver struct {
	gpu.Driver
	gpu.Virtual
}

// Open returns [ErrNotBuilt].
func Open(Options) (*Driver, error) { return nil, ErrNotBuilt }

// Close does nothing.
func (*Driver) Close() error { return nil }
