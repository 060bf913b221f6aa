// What the parts of the fake driver share. ../doc.go says what it is for.
//
// One lock guards everything. A function of the driver's interface begins with
// BEGIN, which takes the lock and refuses what a real driver refuses at once,
// and ends with done, which gives the lock back.
#ifndef FAKE_H
#define FAKE_H

#include <cuda.h>
#include <stdbool.h>
#include <stddef.h>

// PAGE is what memory is mapped in.
#define PAGE ((size_t)2 << 20)

// The kinds of things that a program makes and has to give back.
enum kind { MEMORY, HOST, RESERVATION, HANDLE, PAGES, STREAM, EVENT, MODULE, CONTEXT, KINDS };

// state is the device, what it was told, and what lives on it.
extern struct state {
	size_t total, used;
	size_t limit;   // what may be in use, whatever the total says
	long refuse;    // the allocation that fails, counted from now on; 0: none
	long fault_at;  // the launch that faults, likewise
	CUresult init;  // what cuInit says
	int capability; // 90 is 9.0
	bool ready;
	long live[KINDS];
} state;

// A context owns what is made in it. Like streams and events it is never freed,
// so that using it too late is an error and no crash.
struct CUctx_st {
	bool gone;
	CUresult fault; // what has happened to it, which nothing ends
	CUstream standard;
	long live[KINDS];
};

// begin takes the lock. It fails without a context, and after a fault.
CUresult begin(void);
// begin_anywhere needs no context, and enter refuses nothing at all.
CUresult begin_anywhere(void);
void enter(void);
CUresult done(CUresult);

#define BEGIN do { CUresult why = begin(); if (why) return why; } while (0)
#define BEGIN_ANYWHERE do { CUresult why = begin_anywhere(); if (why) return why; } while (0)

// current is the context of the thread, or NULL.
CUcontext current(void);
// count changes how many of a kind there are. The owner may be the process: NULL.
void count(CUcontext owner, enum kind kind, long change);

// refused counts an allocation, and says whether a test wants it to fail.
bool refused(void);
// take_bytes counts memory as used, or says why not. So does allocate_bytes,
// unless it is refused. give_bytes is their opposite.
CUresult take_bytes(size_t size);
CUresult allocate_bytes(size_t size);
void give_bytes(size_t size);

// range is a piece of address space that somebody owns: device memory, pinned
// memory, or addresses without memory.
struct range {
	enum kind kind;
	char *at;
	size_t size;
	CUcontext owner;
	struct page *pages; // of a reservation
	struct range *next;
};

char *take_addresses(void *hint, size_t size, int protection);
struct range *add_range(CUcontext owner, enum kind kind, char *at, size_t size);
void drop_range(struct range *r);
// find_range returns the range of a kind that begins there, and find_around the
// one that holds a piece.
struct range *find_range(enum kind kind, const void *at);
struct range *find_around(enum kind kind, const void *at, size_t size);
// on_device reports whether the device may access a piece of memory.
bool on_device(const void *at, size_t size);
// mapped_and_open says so of addresses that were reserved.
bool mapped_and_open(const void *at, size_t size);

// The end of a context takes with it what was made in it.
void end_memory(CUcontext c);
void end_streams(CUcontext c);

CUstream make_stream(CUcontext owner);
// let_all_finish ends all work of all streams.
void let_all_finish(void);
int number_of(CUstream s);

// write_log adds a line to the file that FAKECUDA_LOG names, and write_context one
// that says what there is when a context begins or ends.
void write_log(const char *format, ...);
void write_context(const char *verb);

#endif
