//go:build cuda

package cuda

// These are the calls that cu does not bind: memory of the host that the GPU
// reads by itself, memory given to addresses page by page, and the driver's own
// words for its errors.

/*
#cgo LDFLAGS: -lcuda
#cgo linux LDFLAGS: -L/usr/local/cuda/lib64 -L/opt/cuda/lib64
#cgo linux CFLAGS: -I/usr/local/cuda/include -I/opt/cuda/include

#include <cuda.h>

static CUmemAllocationProp pageOf(int device) {
	CUmemAllocationProp p = {0};
	p.type = CU_MEM_ALLOCATION_TYPE_PINNED;
	p.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
	p.location.id = device;
	return p;
}

static CUresult pageGranularity(size_t *size, int device) {
	CUmemAllocationProp p = pageOf(device);
	return cuMemGetAllocationGranularity(size, &p, CU_MEM_ALLOC_GRANULARITY_MINIMUM);
}

static CUresult pageCreate(CUmemGenericAllocationHandle *page, size_t size, int device) {
	CUmemAllocationProp p = pageOf(device);
	return cuMemCreate(page, size, &p, 0);
}

static CUresult pagesOpen(CUdeviceptr at, size_t size, int device) {
	CUmemAccessDesc access = {0};
	access.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
	access.location.id = device;
	access.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
	return cuMemSetAccess(at, size, &access, 1);
}
*/
import "C"

import (
	"unsafe"

	"github.com/torchmem/workbook/runtime/gpu"
)

// page is the handle of a piece of device memory that has no address yet.
type page C.CUmemGenericAllocationHandle

// answer turns the driver's answer into an error.
func answer(r C.CUresult) error {
	if r == C.CUDA_SUCCESS {
		return nil
	}
	return status(r)
}

// words returns the driver's name and text for a status.
func (s status) words() (name, text string) {
	var n, t *C.char
	C.cuGetErrorName(C.CUresult(s), &n)
	C.cuGetErrorString(C.CUresult(s), &t)
	if n == nil || t == nil {
		return "CUDA_ERROR", "an error that this driver has no text for"
	}
	return C.GoString(n), C.GoString(t)
}

// allocPinned takes size bytes of host memory that stays where it is, so that
// the GPU can copy from and to it while the program works on.
func allocPinned(size int64) (unsafe.Pointer, error) {
	var p unsafe.Pointer
	err := answer(C.cuMemHostAlloc(&p, C.size_t(size), 0))
	return p, err
}

// granularity returns of how many bytes a page of device memory is a multiple.
func granularity(device int) (int64, error) {
	var size C.size_t
	err := answer(C.pageGranularity(&size, C.int(device)))
	return int64(size), err
}

func reserveAddresses(size int64) (gpu.Ptr, error) {
	var p C.CUdeviceptr
	err := answer(C.cuMemAddressReserve(&p, C.size_t(size), 0, 0, 0))
	return gpu.Ptr(p), err
}

func freeAddresses(p gpu.Ptr, size int64) error {
	return answer(C.cuMemAddressFree(C.CUdeviceptr(p), C.size_t(size)))
}

func createPage(size int64, device int) (page, error) {
	var h C.CUmemGenericAllocationHandle
	err := answer(C.pageCreate(&h, C.size_t(size), C.int(device)))
	return page(h), err
}

func (h page) release() error {
	return answer(C.cuMemRelease(C.CUmemGenericAllocationHandle(h)))
}

func (h page) mapAt(p gpu.Ptr, size int64) error {
	return answer(C.cuMemMap(C.CUdeviceptr(p), C.size_t(size), 0, C.CUmemGenericAllocationHandle(h), 0))
}

// openPages lets the device read and write a range of mapped pages.
func openPages(p gpu.Ptr, size int64, device int) error {
	return answer(C.pagesOpen(C.CUdeviceptr(p), C.size_t(size), C.int(device)))
}

func unmapPages(p gpu.Ptr, size int64) error {
	return answer(C.cuMemUnmap(C.CUdeviceptr(p), C.size_t(size)))
}
