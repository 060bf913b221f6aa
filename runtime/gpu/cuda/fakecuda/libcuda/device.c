// The device, contexts, and what errors are called.
#include "fake.h"
#include <stdlib.h>
#include <string.h>

// context_memory is what a context takes, as seen on an H200.
#define CONTEXT_MEMORY 552402944

static CUcontext primary;
static int primary_uses;

// Every thread has a stack of contexts.
static __thread CUcontext stack[16];
static __thread int depth;

CUcontext current(void) { return depth ? stack[depth - 1] : NULL; }

CUresult begin(void)
{
	BEGIN_ANYWHERE;
	if (!current())
		return done(CUDA_ERROR_INVALID_CONTEXT);
	return current()->gone ? done(CUDA_ERROR_CONTEXT_IS_DESTROYED) : CUDA_SUCCESS;
}

CUresult cuInit(unsigned int flags)
{
	if (state.init)
		return state.init;
	state.ready = true;
	return flags ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
}

CUresult cuDriverGetVersion(int *version) { return *version = CUDA_VERSION, CUDA_SUCCESS; }

CUresult cuDeviceGetCount(int *count) { BEGIN_ANYWHERE; *count = 1; return done(CUDA_SUCCESS); }

CUresult cuDeviceGet(CUdevice *device, int ordinal)
{
	BEGIN_ANYWHERE;
	*device = 0;
	return done(ordinal ? CUDA_ERROR_INVALID_DEVICE : CUDA_SUCCESS);
}

CUresult cuDeviceGetName(char *name, int length, CUdevice device)
{
	BEGIN_ANYWHERE;
	strncpy(name, "fake GPU", length);
	return done(device ? CUDA_ERROR_INVALID_DEVICE : CUDA_SUCCESS);
}

CUresult cuDeviceTotalMem(size_t *bytes, CUdevice device)
{
	BEGIN_ANYWHERE;
	*bytes = state.total;
	return done(device ? CUDA_ERROR_INVALID_DEVICE : CUDA_SUCCESS);
}

// attribute returns what an H200 says, as far as programs ask.
static int attribute(CUdevice_attribute which)
{
	switch (which) {
	case CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR: return state.capability / 10;
	case CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR: return state.capability % 10;
	case CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT: return 132;
	case CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR: return 2048;
	case CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK:
	case CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X: return 1024;
	case CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X: return 2147483647;
	case CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y:
	case CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z: return 65535;
	case CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK: return 49152;
	case CU_DEVICE_ATTRIBUTE_WARP_SIZE: return 32;
	case CU_DEVICE_ATTRIBUTE_UNIFIED_ADDRESSING:
	case CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED: return 1;
	default: return 0;
	}
}

CUresult cuDeviceGetAttribute(int *value, CUdevice_attribute which, CUdevice device)
{
	BEGIN_ANYWHERE;
	*value = attribute(which);
	return done(device ? CUDA_ERROR_INVALID_DEVICE : CUDA_SUCCESS);
}

static CUresult push(CUcontext c)
{
	if (depth == sizeof stack / sizeof *stack)
		return CUDA_ERROR_INVALID_VALUE;
	stack[depth++] = c;
	return CUDA_SUCCESS;
}

static CUresult make(CUcontext *c)
{
	CUresult result = take_bytes(CONTEXT_MEMORY);
	if (result)
		return result;
	*c = calloc(1, sizeof **c);
	(*c)->standard = make_stream(*c);
	count(*c, CONTEXT, 1);
	write_context("begin");
	return CUDA_SUCCESS;
}

static void end(CUcontext c)
{
	let_all_finish();
	end_memory(c);
	end_streams(c);
	for (int kind = 0; kind < KINDS; kind++)
		count(c, kind, -c->live[kind]);
	give_bytes(CONTEXT_MEMORY);
	c->gone = true;
	write_context("end");
}

CUresult cuCtxCreate(CUcontext *c, unsigned int flags, CUdevice device)
{
	(void)flags;
	BEGIN_ANYWHERE;
	if (device)
		return done(CUDA_ERROR_INVALID_DEVICE);
	CUresult result = make(c);
	return done(result ? result : push(*c));
}

// A context can be ended after a fault, which is told once more.
CUresult cuCtxDestroy(CUcontext c)
{
	enter();
	if (!c || c->gone)
		return done(CUDA_ERROR_INVALID_CONTEXT);
	end(c);
	if (current() == c)
		depth--;
	return done(c->fault);
}

CUresult cuDevicePrimaryCtxRetain(CUcontext *c, CUdevice device)
{
	BEGIN_ANYWHERE;
	CUresult result = device ? CUDA_ERROR_INVALID_DEVICE : primary_uses ? CUDA_SUCCESS : make(&primary);
	if (!result)
		primary_uses++, *c = primary;
	return done(result);
}

CUresult cuDevicePrimaryCtxRelease(CUdevice device)
{
	BEGIN_ANYWHERE;
	if (device || !primary_uses)
		return done(CUDA_ERROR_INVALID_CONTEXT);
	if (!--primary_uses)
		end(primary);
	return done(CUDA_SUCCESS);
}

CUresult cuCtxSetCurrent(CUcontext c)
{
	BEGIN_ANYWHERE;
	if (depth)
		depth--;
	return done(c ? push(c) : CUDA_SUCCESS);
}

CUresult cuCtxGetCurrent(CUcontext *c) { BEGIN_ANYWHERE; *c = current(); return done(CUDA_SUCCESS); }
CUresult cuCtxPushCurrent(CUcontext c) { BEGIN_ANYWHERE; return done(push(c)); }

CUresult cuCtxPopCurrent(CUcontext *c)
{
	BEGIN;
	CUcontext top = stack[--depth];
	if (c)
		*c = top;
	return done(CUDA_SUCCESS);
}

CUresult cuCtxGetDevice(CUdevice *device) { BEGIN; *device = 0; return done(CUDA_SUCCESS); }

// names has the errors that the fake gives and a program may ask for.
static const struct { CUresult code; const char *name, *text; } names[] = {
	{CUDA_SUCCESS, "CUDA_SUCCESS", "no error"},
	{CUDA_ERROR_INVALID_VALUE, "CUDA_ERROR_INVALID_VALUE", "invalid argument"},
	{CUDA_ERROR_OUT_OF_MEMORY, "CUDA_ERROR_OUT_OF_MEMORY", "out of memory"},
	{CUDA_ERROR_NOT_INITIALIZED, "CUDA_ERROR_NOT_INITIALIZED", "initialization error"},
	{CUDA_ERROR_NO_DEVICE, "CUDA_ERROR_NO_DEVICE", "no CUDA-capable device is detected"},
	{CUDA_ERROR_INVALID_DEVICE, "CUDA_ERROR_INVALID_DEVICE", "invalid device ordinal"},
	{CUDA_ERROR_INVALID_CONTEXT, "CUDA_ERROR_INVALID_CONTEXT", "invalid device context"},
	{CUDA_ERROR_INVALID_HANDLE, "CUDA_ERROR_INVALID_HANDLE", "invalid resource handle"},
	{CUDA_ERROR_NOT_FOUND, "CUDA_ERROR_NOT_FOUND", "named symbol not found"},
	{CUDA_ERROR_NOT_READY, "CUDA_ERROR_NOT_READY", "device not ready"},
	{CUDA_ERROR_ILLEGAL_ADDRESS, "CUDA_ERROR_ILLEGAL_ADDRESS", "an illegal memory access was encountered"},
	{CUDA_ERROR_CONTEXT_IS_DESTROYED, "CUDA_ERROR_CONTEXT_IS_DESTROYED", "context is destroyed"},
	{CUDA_ERROR_NOT_SUPPORTED, "CUDA_ERROR_NOT_SUPPORTED", "operation not supported"},
};

static CUresult look_up(CUresult code, const char **name, const char **text)
{
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (names[i].code == code)
			return *name = names[i].name, *text = names[i].text, CUDA_SUCCESS;
	return *name = *text = NULL, CUDA_ERROR_INVALID_VALUE;
}

CUresult cuGetErrorName(CUresult code, const char **name) { const char *text; return look_up(code, name, &text); }
CUresult cuGetErrorString(CUresult code, const char **text) { const char *name; return look_up(code, &name, text); }
