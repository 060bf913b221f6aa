//go:build cuda

package cuda_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/torchmem/workbook/runtime/gpu"
	"github.com/torchmem/workbook/runtime/gpu/cuda"
	"github.com/torchmem/workbook/runtime/gpu/cuda/fakecuda"
)

// text has two kernels that no program needs: one keeps a stream busy for some
// nanoseconds, one writes to an address, whatever it is.
const text = `
.version 6.4
.target sm_75
.address_size 64

.visible .entry spin(.param .u64 nanoseconds)
{
	.reg .pred %more;
	.reg .u64 %start, %now, %length;
	ld.param.u64 %length, [nanoseconds];
	mov.u64 %start, %globaltimer;
again:
	mov.u64 %now, %globaltimer;
	sub.u64 %now, %now, %start;
	setp.lt.u64 %more, %now, %length;
	@%more bra again;
	ret;
}

.visible .entry store(.param .u64 address)
{
	.reg .u64 %at;
	.reg .u32 %one;
	ld.param.u64 %at, [address];
	mov.u32 %one, 1;
	st.global.u32 [%at], %one;
	ret;
}
`

// open opens the first GPU for a test.
func open(t *testing.T) *cuda.Driver {
	t.Helper()
	d, err := cuda.Open(cuda.Options{})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, d.Close()) })
	return d
}

// openWithText opens it with the kernels above. The fake GPU runs none.
func openWithText(t *testing.T) *cuda.Driver {
	t.Helper()
	needKernels(t)
	d := open(t)
	require.NoError(t, d.LoadText(text, "spin", "store"))
	return d
}

// needKernels passes over a test that needs a kernel to run.
func needKernels(t *testing.T) {
	t.Helper()
	if fakecuda.Loaded() {
		t.Skip("the fake driver runs no kernel")
	}
}

// spin keeps a stream busy.
func spin(t *testing.T, d *cuda.Driver, s gpu.Stream, length time.Duration) {
	t.Helper()
	require.NoError(t, d.LaunchText("spin", s, uint64(length)))
}

// used returns the bytes that are taken on the device.
func used(d *cuda.Driver) int64 {
	free, total := d.MemInfo()
	return total - free
}
