// Addresses and memory apart: reserve, create, map, and give access.
#include "fake.h"
#include <stdlib.h>
#include <sys/mman.h>

// handle is memory without an address. It lasts until it is released and no
// page of it is mapped.
struct handle {
	size_t pages, mapped;
	bool released;
};

// page is one page of a reservation.
struct page {
	struct handle *of; // what is mapped there, if anything
	size_t number;     // which page of it
	bool open;         // to the device
};

static struct page *page_at(struct range *r, const char *at) { return r->pages + (at - r->at) / PAGE; }

CUresult cuMemGetAllocationGranularity(size_t *granularity, const CUmemAllocationProp *prop,
				       CUmemAllocationGranularity_flags option)
{
	(void)prop, (void)option;
	BEGIN_ANYWHERE;
	*granularity = PAGE;
	return done(CUDA_SUCCESS);
}

CUresult cuMemAddressReserve(CUdeviceptr *p, size_t size, size_t alignment, CUdeviceptr hint, unsigned long long flags)
{
	BEGIN_ANYWHERE;
	if (!size || size % PAGE || flags || alignment > PAGE)
		return done(CUDA_ERROR_INVALID_VALUE);
	char *at = take_addresses((void *)hint, size, PROT_NONE);
	if (!at)
		return done(CUDA_ERROR_OUT_OF_MEMORY);
	add_range(NULL, RESERVATION, at, size)->pages = calloc(size / PAGE, sizeof(struct page));
	*p = (CUdeviceptr)at;
	return done(CUDA_SUCCESS);
}

// in_use counts the pages of a piece that something is mapped to.
static size_t in_use(struct range *r, const char *at, size_t size)
{
	size_t n = 0;
	for (struct page *p = page_at(r, at), *end = p + size / PAGE; p < end; p++)
		n += p->of != NULL;
	return n;
}

CUresult cuMemAddressFree(CUdeviceptr p, size_t size)
{
	BEGIN_ANYWHERE;
	struct range *r = find_range(RESERVATION, (void *)p);
	if (!r || r->size != size || in_use(r, r->at, size))
		return done(CUDA_ERROR_INVALID_VALUE);
	munmap(r->at, size);
	free(r->pages);
	drop_range(r);
	return done(CUDA_SUCCESS);
}

CUresult cuMemCreate(CUmemGenericAllocationHandle *h, size_t size, const CUmemAllocationProp *prop, unsigned long long flags)
{
	BEGIN_ANYWHERE;
	if (!size || size % PAGE || flags || prop->type != CU_MEM_ALLOCATION_TYPE_PINNED ||
	    prop->location.type != CU_MEM_LOCATION_TYPE_DEVICE || prop->location.id)
		return done(CUDA_ERROR_INVALID_VALUE);
	CUresult result = allocate_bytes(size);
	if (result)
		return done(result);
	struct handle *made = calloc(1, sizeof *made);
	made->pages = size / PAGE;
	count(NULL, HANDLE, 1);
	*h = (CUmemGenericAllocationHandle)made;
	return done(CUDA_SUCCESS);
}

static void end_unused(struct handle *h)
{
	if (!h->released || h->mapped)
		return;
	give_bytes(h->pages * PAGE);
	free(h);
}

CUresult cuMemRelease(CUmemGenericAllocationHandle handle)
{
	BEGIN_ANYWHERE;
	struct handle *h = (struct handle *)handle;
	if (!h || h->released)
		return done(CUDA_ERROR_INVALID_VALUE);
	h->released = true;
	count(NULL, HANDLE, -1);
	end_unused(h);
	return done(CUDA_SUCCESS);
}

CUresult cuMemMap(CUdeviceptr p, size_t size, size_t offset, CUmemGenericAllocationHandle handle, unsigned long long flags)
{
	BEGIN_ANYWHERE;
	struct handle *h = (struct handle *)handle;
	struct range *r = find_around(RESERVATION, (void *)p, size);
	if (!h || h->released || offset || flags || size != h->pages * PAGE || p % PAGE || !r || in_use(r, (void *)p, size))
		return done(CUDA_ERROR_INVALID_VALUE);
	struct page *page = page_at(r, (void *)p);
	for (size_t n = 0; n < h->pages; n++)
		page[n] = (struct page){.of = h, .number = n};
	h->mapped += h->pages;
	count(NULL, PAGES, h->pages);
	return done(CUDA_SUCCESS);
}

// whole returns the reservation of a piece in which one mapping follows the
// other, from the first byte to the last.
static struct range *whole(char *at, size_t size)
{
	struct range *r = find_around(RESERVATION, at, size);
	if (!r || !size || size % PAGE || (at - r->at) % PAGE || in_use(r, at, size) < size / PAGE)
		return NULL;
	struct page *first = page_at(r, at), *last = first + size / PAGE - 1;
	return first->number == 0 && last->number == last->of->pages - 1 ? r : NULL;
}

CUresult cuMemSetAccess(CUdeviceptr p, size_t size, const CUmemAccessDesc *access, size_t count)
{
	BEGIN_ANYWHERE;
	struct range *r = whole((char *)p, size);
	if (!r || count != 1 || access->flags != CU_MEM_ACCESS_FLAGS_PROT_READWRITE || access->location.id)
		return done(CUDA_ERROR_INVALID_VALUE);
	struct page *page = page_at(r, (void *)p);
	for (size_t n = 0; n < size / PAGE; n++)
		page[n].open = true;
	return done(mprotect((void *)p, size, PROT_READ | PROT_WRITE) ? CUDA_ERROR_OUT_OF_MEMORY : CUDA_SUCCESS);
}

bool mapped_and_open(const void *at, size_t size)
{
	struct range *r = find_around(RESERVATION, at, size);
	if (!r)
		return false;
	const char *last = (const char *)at + size - 1;
	for (struct page *p = page_at(r, at); p <= page_at(r, last); p++)
		if (!p->open)
			return false;
	return true;
}

CUresult cuMemUnmap(CUdeviceptr p, size_t size)
{
	BEGIN_ANYWHERE;
	struct range *r = whole((char *)p, size);
	if (!r)
		return done(CUDA_ERROR_INVALID_VALUE);
	let_all_finish();
	struct page *page = page_at(r, (void *)p);
	for (size_t n = 0; n < size / PAGE; n++) {
		struct handle *h = page[n].of;
		page[n] = (struct page){0};
		h->mapped--;
		end_unused(h);
	}
	count(NULL, PAGES, -(long)(size / PAGE));
	// The memory goes, and the addresses stay.
	mmap((void *)p, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
	return done(CUDA_SUCCESS);
}
