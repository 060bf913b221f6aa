//go:build cuda

package preflight

/*
#cgo LDFLAGS: -lcuda
#cgo linux LDFLAGS: -L/usr/local/cuda/lib64 -L/opt/cuda/lib64
#cgo linux CFLAGS: -I/usr/local/cuda/include -I/opt/cuda/include

#include <cuda.h>
*/
import "C"

import (
	"fmt"
	"os"
)

func init() {
	loadAtOnce()
	if r := C.cuInit(0); r != C.CUDA_SUCCESS {
		fmt.Fprintln(os.Stderr, "cuda: "+reason(r))
		os.Exit(1)
	}
}

// loadAtOnce asks for kernels to be loaded when their module is, not when each
// is launched for the first time: loading takes device memory, and would come
// between a program's own allocations. What the user has set stays.
func loadAtOnce() {
	const key = "CUDA_MODULE_LOADING"
	if _, set := os.LookupEnv(key); !set {
		os.Setenv(key, "EAGER")
	}
}

// reason says why the driver does not start.
func reason(r C.CUresult) string {
	switch r {
	case C.CUDA_ERROR_STUB_LIBRARY:
		return "no NVIDIA driver: libcuda.so.1 is the stub for the linker; take its folder out of LD_LIBRARY_PATH"
	case C.CUDA_ERROR_NO_DEVICE:
		return "the NVIDIA driver finds no GPU; nvidia-smi -L lists them, and CUDA_VISIBLE_DEVICES hides them"
	}
	var name, text *C.char
	C.cuGetErrorName(r, &name)
	C.cuGetErrorString(r, &text)
	if name == nil || text == nil {
		return fmt.Sprintf("the NVIDIA driver does not start: it answers %d, and has no text for that", int(r))
	}
	return fmt.Sprintf("the NVIDIA driver does not start: %s (%s, %d)", C.GoString(text), C.GoString(name), int(r))
}
