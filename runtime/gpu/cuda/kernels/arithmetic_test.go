package kernels_test

import (
	"testing"

	"github.com/torchmem/workbook/runtime/gpu"
	"github.com/torchmem/workbook/runtime/gpu/drivertest"
)

// TestArithmetic runs the kernels on the CPU, through the suite that a real GPU
// passes.
func TestArithmetic(t *testing.T) {
	drivertest.Kernels(t, func(t *testing.T) gpu.Driver { return openEmulator(t, ".") })
}
