//go:build cuda

package cuda_test

import (
	"os"
	"os/exec"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/torchmem/workbook/runtime/gpu/cuda"
)

// inChild is set in the process that is to be lost.
const inChild = "TORCHMEM_TEST_FAULT"

// TestFault lets a kernel write to an address that does not exist. That ends
// what a process can do with a GPU, so it is done in a process of its own.
func TestFault(t *testing.T) {
	needKernels(t)
	child := exec.Command(os.Args[0], "-test.run=^TestFaultInChild$", "-test.v")
	child.Env = append(os.Environ(), inChild+"=1")
	said, err := child.CombinedOutput()
	t.Logf("%s", said)
	require.NoError(t, err)
}

// TestTheFirstFaultStays while what comes after it cleans up and fails too.
func TestTheFirstFaultStays(t *testing.T) {
	d, err := cuda.Open(cuda.Options{})
	require.NoError(t, err)
	errs := d.Answer([]string{"cuMemMap", "cuMemRelease"}, 700)
	var fault *cuda.FaultError
	require.ErrorAs(t, errs[0], &fault)
	require.Equal(t, "cuMemMap", fault.Call)
	require.Same(t, fault, errs[1])
	require.Same(t, fault, d.Synchronize())
	require.Same(t, fault, d.Close())
}

func TestFaultInChild(t *testing.T) {
	if os.Getenv(inChild) == "" {
		t.Skip("TestFault runs this in another process")
	}
	d, err := cuda.Open(cuda.Options{})
	require.NoError(t, err)
	require.NoError(t, d.LoadText(text, "store"))
	require.NoError(t, d.LaunchText("store", 0, 4096), "a launch only takes its place in the queue")

	var fault *cuda.FaultError
	require.ErrorAs(t, d.Synchronize(), &fault)
	t.Log(fault)
	require.Equal(t, 700, fault.Code)
	require.Equal(t, "CUDA_ERROR_ILLEGAL_ADDRESS", fault.Name)
	require.Equal(t, "cuCtxSynchronize", fault.Call)
	require.ErrorContains(t, fault, "start again")
	require.NotContains(t, fault.Error(), "\n")

	for call, err := range everyCall(d) {
		require.Same(t, fault, err, call)
	}
	free, total := d.MemInfo()
	require.Zero(t, free)
	require.Equal(t, d.Profile().TotalMemory, total)
	require.Same(t, fault, d.Close())
	require.NoError(t, d.Close(), "there is nothing left to close")

	again, err := cuda.Open(cuda.Options{})
	t.Logf("a driver that is opened after the fault: %v", err)
	if err == nil {
		require.NoError(t, again.Close())
	}
}
