// How streams work.
//
// A stream does its work at once, unless a test holds it. Then the work waits,
// as it does behind a long kernel, until the hold ends or somebody waits for the
// stream.
#include "work.h"
#include <stdlib.h>
#include <string.h>

static CUstream streams;
static int last_number;

CUstream make_stream(CUcontext owner)
{
	CUstream s = calloc(1, sizeof *s);
	*s = (struct CUstream_st){.owner = owner, .last = &s->first, .next = streams};
	return streams = s;
}

CUstream stream_of(CUstream s)
{
	return s == NULL || s == CU_STREAM_LEGACY || s == CU_STREAM_PER_THREAD ? current()->standard : s;
}

int number_of(CUstream s) { return stream_of(s)->number; }

static void perform(const struct work *w)
{
	switch (w->job) {
	case COPY:
		memmove(w->to, w->from, w->size);
		break;
	case FILL:
		for (size_t i = 0; i < w->size; i += w->width)
			memcpy((char *)w->to + i, &w->value, w->width);
		break;
	case MARK:
		w->event->reached = w->turn;
		clock_gettime(CLOCK_MONOTONIC, &w->event->when);
		break;
	case WAIT:
		break;
	}
}

// step does the first work of a stream, if it may.
static bool step(CUstream s)
{
	struct work *w = s->first;
	if (s->held || !w || (w->job == WAIT && w->event->reached < w->turn))
		return false;
	s->first = w->next;
	if (!s->first)
		s->last = &s->first;
	perform(w);
	free(w->own);
	free(w);
	return true;
}

// work_on lets all streams work until each has nothing to do, or waits.
static void work_on(void)
{
	for (bool moved = true; moved;) {
		moved = false;
		for (CUstream s = streams; s; s = s->next)
			while (step(s))
				moved = true;
	}
}

CUresult give(CUstream s, struct work w)
{
	s = stream_of(s);
	if (s->gone)
		return CUDA_ERROR_INVALID_HANDLE;
	struct work *more = malloc(sizeof *more);
	*more = w;
	more->next = NULL;
	*s->last = more;
	s->last = &more->next;
	if (s->first == more && step(s) && w.job != MARK)
		return CUDA_SUCCESS; // nobody can have waited for this
	work_on();
	return CUDA_SUCCESS;
}

void finish(CUstream s)
{
	s = stream_of(s);
	s->held = false;
	work_on();
	while (s->first) {
		finish(s->first->event->on); // it waits for another
		work_on();
	}
}

void let_all_finish(void)
{
	for (CUstream s = streams; s; s = s->next)
		s->held = false;
	work_on();
}

void end_streams(CUcontext c)
{
	for (CUstream s = streams; s; s = s->next)
		if (s->owner == c)
			s->gone = true;
}

CUresult cuStreamCreateWithPriority(CUstream *s, unsigned int flags, int priority)
{
	(void)flags, (void)priority;
	BEGIN;
	*s = make_stream(current());
	(*s)->number = ++last_number;
	count(current(), STREAM, 1);
	return done(CUDA_SUCCESS);
}

CUresult cuStreamCreate(CUstream *s, unsigned int flags) { return cuStreamCreateWithPriority(s, flags, 0); }

// A stream that is destroyed ends its work first.
CUresult cuStreamDestroy(CUstream s)
{
	BEGIN;
	if (stream_of(s)->number == 0 || s->gone)
		return done(CUDA_ERROR_INVALID_HANDLE);
	finish(s);
	s->gone = true;
	count(s->owner, STREAM, -1);
	return done(CUDA_SUCCESS);
}

// For tests: a held stream does nothing until it is let go, or waited for. The
// streams have numbers, since a program may keep its handles to itself.

static void set_held(int number, bool held)
{
	enter();
	for (CUstream s = streams; s; s = s->next)
		if (s->number == number)
			s->held = held;
	work_on();
	done(CUDA_SUCCESS);
}

void fakecuda_hold(long number) { set_held(number, true); }
void fakecuda_let_go(long number) { set_held(number, false); }
long fakecuda_last_stream(void) { return last_number; }
