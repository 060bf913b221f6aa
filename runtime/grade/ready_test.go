package grade

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/torchmem/workbook/runtime/device"
)

func TestReady(t *testing.T) {
	t.Setenv(device.Variable, "")
	require.NoError(t, Ready())
	t.Setenv(device.Variable, "tpu")
	require.EqualError(t, Ready(), `nothing is graded: WORKBOOK_DEVICE names the device, and no device "tpu": there are sim and cuda`)
}
