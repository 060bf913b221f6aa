// Memory of the device and pinned memory of the host, and the ranges of both.
//
// Device memory is memory of this process that the system gives when it is
// touched, so an allocation of a hundred GiB costs nothing.
#include "fake.h"
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>

static struct range *ranges;

struct range *add_range(CUcontext owner, enum kind kind, char *at, size_t size)
{
	struct range *r = calloc(1, sizeof *r);
	*r = (struct range){.kind = kind, .at = at, .size = size, .owner = owner, .next = ranges};
	ranges = r;
	count(owner, kind, 1);
	return r;
}

void drop_range(struct range *r)
{
	for (struct range **link = &ranges; *link; link = &(*link)->next)
		if (*link == r) {
			*link = r->next;
			count(r->owner, r->kind, -1);
			free(r);
			return;
		}
}

struct range *find_around(enum kind kind, const void *at, size_t size)
{
	const char *p = at;
	for (struct range *r = ranges; r; r = r->next)
		if (r->kind == kind && r->at <= p && size <= r->size && p - r->at <= (ptrdiff_t)(r->size - size))
			return r;
	return NULL;
}

struct range *find_range(enum kind kind, const void *at)
{
	struct range *r = ranges;
	while (r && (r->kind != kind || r->at != at))
		r = r->next;
	return r;
}

bool on_device(const void *at, size_t size)
{
	return !size || find_around(MEMORY, at, size) || mapped_and_open(at, size);
}

// take_addresses returns addresses that begin at a multiple of PAGE.
char *take_addresses(void *hint, size_t size, int protection)
{
	char *at = mmap(hint, size + PAGE, protection, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (at == MAP_FAILED)
		return NULL;
	size_t before = -(uintptr_t)at % PAGE;
	if (before)
		munmap(at, before);
	munmap(at + before + size, PAGE - before);
	return at + before;
}

CUresult cuMemAlloc(CUdeviceptr *p, size_t size)
{
	BEGIN;
	if (!size)
		return done(CUDA_ERROR_INVALID_VALUE);
	CUresult result = allocate_bytes(size);
	if (result)
		return done(result);
	char *at = take_addresses(NULL, (size + PAGE - 1) / PAGE * PAGE, PROT_READ | PROT_WRITE);
	if (!at) {
		give_bytes(size);
		return done(CUDA_ERROR_OUT_OF_MEMORY);
	}
	add_range(current(), MEMORY, at, size);
	*p = (CUdeviceptr)at;
	return done(CUDA_SUCCESS);
}

static void end_allocation(struct range *r)
{
	munmap(r->at, (r->size + PAGE - 1) / PAGE * PAGE);
	give_bytes(r->size);
	drop_range(r);
}

static void end_host(struct range *r)
{
	free(r->at);
	drop_range(r);
}

void end_memory(CUcontext c)
{
	for (struct range *r = ranges, *next; r; r = next) {
		next = r->next;
		if (r->owner == c)
			r->kind == HOST ? end_host(r) : end_allocation(r);
	}
}

// As in a real driver, freeing waits for all work.
CUresult cuMemFree(CUdeviceptr p)
{
	BEGIN;
	struct range *r = find_range(MEMORY, (void *)p);
	if (!r)
		return done(p ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS);
	let_all_finish();
	end_allocation(r);
	return done(CUDA_SUCCESS);
}

CUresult cuMemGetInfo(size_t *free, size_t *total)
{
	BEGIN;
	*free = state.total - state.used;
	*total = state.total;
	return done(CUDA_SUCCESS);
}

CUresult cuMemHostAlloc(void **p, size_t size, unsigned int flags)
{
	(void)flags;
	BEGIN;
	if (!size || refused() || !(*p = aligned_alloc(4096, (size + 4095) / 4096 * 4096)))
		return done(size ? CUDA_ERROR_OUT_OF_MEMORY : CUDA_ERROR_INVALID_VALUE);
	add_range(current(), HOST, *p, size);
	return done(CUDA_SUCCESS);
}

CUresult cuMemAllocHost(void **p, size_t size) { return cuMemHostAlloc(p, size, 0); }

CUresult cuMemFreeHost(void *p)
{
	BEGIN;
	struct range *r = find_range(HOST, p);
	if (!r)
		return done(CUDA_ERROR_INVALID_VALUE);
	let_all_finish();
	end_host(r);
	return done(CUDA_SUCCESS);
}
