// Streams, events, and the work that a stream has been given.
#ifndef WORK_H
#define WORK_H

#include "fake.h"
#include <time.h>

enum job { COPY, FILL, MARK, WAIT };

struct work {
	enum job job;
	void *to;
	const void *from;
	void *own;          // where from points to a copy that ends with the work
	size_t size;
	unsigned int value; // of FILL
	int width;          // of FILL, in bytes
	CUevent event;      // of MARK and WAIT
	long turn;          // which record of the event
	struct work *next;
};

struct CUstream_st {
	int number; // in the order of making; default streams are 0
	CUcontext owner;
	bool held, gone;
	struct work *first, **last;
	struct CUstream_st *next;
};

// An event counts how often it was recorded, and which of these is reached.
struct CUevent_st {
	long recorded, reached;
	bool gone;
	CUcontext owner;
	CUstream on;
	struct timespec when;
};

// stream_of returns what a handle stands for: the default stream has three.
CUstream stream_of(CUstream s);
// give hands work to a stream, which does it now unless it is held or waits.
CUresult give(CUstream s, struct work w);
// finish ends all work of a stream, as if its hold had ended by itself.
void finish(CUstream s);

#endif
