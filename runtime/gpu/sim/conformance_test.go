package sim_test

import (
	"testing"

	"github.com/torchmem/workbook/runtime/gpu"
	"github.com/torchmem/workbook/runtime/gpu/drivertest"
	"github.com/torchmem/workbook/runtime/gpu/sim"
)

// TestConformance is the suite that every driver passes.
func TestConformance(t *testing.T) {
	drivertest.Run(t, func(*testing.T) gpu.Driver { return sim.New(gpu.DefaultProfile()) })
}
