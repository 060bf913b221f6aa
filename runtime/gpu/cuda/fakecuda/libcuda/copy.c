// Copies and fills, in the order of a stream.
#include "work.h"
#include <stdlib.h>
#include <string.h>

static bool pinned(const void *p, size_t size) { return find_around(HOST, p, size) != NULL; }

static CUresult device_to_device(CUdeviceptr to, CUdeviceptr from, size_t size, CUstream s)
{
	if (!on_device((void *)to, size) || !on_device((void *)from, size))
		return CUDA_ERROR_INVALID_VALUE;
	return give(s, (struct work){.job = COPY, .to = (void *)to, .from = (void *)from, .size = size});
}

// Pinned memory is read when the copy's turn comes, and other memory before the
// call returns.
static CUresult to_device(CUdeviceptr to, const void *from, size_t size, CUstream s)
{
	if (!on_device((void *)to, size))
		return CUDA_ERROR_INVALID_VALUE;
	struct work w = {.job = COPY, .to = (void *)to, .from = from, .size = size};
	if (!pinned(from, size))
		w.from = w.own = memcpy(malloc(size + 1), from, size);
	return give(s, w);
}

// A copy to memory that is not pinned has ended when the call returns.
static CUresult to_host(void *to, CUdeviceptr from, size_t size, CUstream s)
{
	if (!on_device((void *)from, size))
		return CUDA_ERROR_INVALID_VALUE;
	CUresult result = give(s, (struct work){.job = COPY, .to = to, .from = (void *)from, .size = size});
	if (!result && !pinned(to, size))
		finish(s);
	return result;
}

static CUresult fill(CUdeviceptr to, unsigned int value, int width, size_t count, CUstream s)
{
	size_t size = count * width;
	if (!on_device((void *)to, size) || to % width)
		return CUDA_ERROR_INVALID_VALUE;
	return give(s, (struct work){.job = FILL, .to = (void *)to, .value = value, .width = width, .size = size});
}

// waited ends a call that has no stream of its own.
static CUresult waited(CUresult result)
{
	if (!result)
		finish(NULL);
	return done(result);
}

CUresult cuMemcpyHtoDAsync(CUdeviceptr to, const void *from, size_t n, CUstream s) { BEGIN; return done(to_device(to, from, n, s)); }
CUresult cuMemcpyDtoHAsync(void *to, CUdeviceptr from, size_t n, CUstream s) { BEGIN; return done(to_host(to, from, n, s)); }
CUresult cuMemcpyDtoDAsync(CUdeviceptr to, CUdeviceptr from, size_t n, CUstream s) { BEGIN; return done(device_to_device(to, from, n, s)); }
CUresult cuMemcpyHtoD(CUdeviceptr to, const void *from, size_t n) { BEGIN; return waited(to_device(to, from, n, NULL)); }
CUresult cuMemcpyDtoH(void *to, CUdeviceptr from, size_t n) { BEGIN; return waited(to_host(to, from, n, NULL)); }
CUresult cuMemcpyDtoD(CUdeviceptr to, CUdeviceptr from, size_t n) { BEGIN; return waited(device_to_device(to, from, n, NULL)); }

CUresult cuMemsetD8Async(CUdeviceptr to, unsigned char v, size_t n, CUstream s) { BEGIN; return done(fill(to, v, 1, n, s)); }
CUresult cuMemsetD32Async(CUdeviceptr to, unsigned int v, size_t n, CUstream s) { BEGIN; return done(fill(to, v, 4, n, s)); }
CUresult cuMemsetD8(CUdeviceptr to, unsigned char v, size_t n) { BEGIN; return waited(fill(to, v, 1, n, NULL)); }
CUresult cuMemsetD32(CUdeviceptr to, unsigned int v, size_t n) { BEGIN; return waited(fill(to, v, 4, n, NULL)); }
