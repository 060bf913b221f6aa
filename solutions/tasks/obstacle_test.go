package tasks

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/torchmem/workbook/runtime/device"
)

// stopped is a T that ends where it is told to.
type stopped struct{ *tester }

func (s stopped) Fatal(args ...any) {
	s.said += fmt.Sprint(args...)
	panic(s)
}

// TestNoDeviceIsNoVerdict: what the machine lacks is no failure at a task.
func TestNoDeviceIsNoVerdict(t *testing.T) {
	newFolder(t, "02", nil)
	t.Setenv(device.Variable, "tpu")
	s := stopped{&tester{t: t}}
	require.PanicsWithValue(t, s, func() { Test(s, Chain, Chain.Reference) })
	require.Equal(t, `nothing is graded: WORKBOOK_DEVICE names the device, and no device "tpu": there are sim and cuda`, s.said)
}
