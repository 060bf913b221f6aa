// Waiting: for the device, for streams, for events.
#include "work.h"
#include <stdlib.h>

CUresult cuCtxSynchronize(void) { BEGIN; let_all_finish(); return done(CUDA_SUCCESS); }

CUresult cuStreamSynchronize(CUstream s)
{
	BEGIN;
	if (stream_of(s)->gone)
		return done(CUDA_ERROR_INVALID_HANDLE);
	finish(s);
	return done(CUDA_SUCCESS);
}

CUresult cuStreamQuery(CUstream s)
{
	BEGIN;
	s = stream_of(s);
	if (s->gone)
		return done(CUDA_ERROR_INVALID_HANDLE);
	return done(s->held || s->first ? CUDA_ERROR_NOT_READY : CUDA_SUCCESS);
}

static bool gone(CUevent e) { return !e || e->gone || e->owner->gone; }

CUresult cuStreamWaitEvent(CUstream s, CUevent e, unsigned int flags)
{
	(void)flags;
	BEGIN;
	if (gone(e))
		return done(CUDA_ERROR_INVALID_HANDLE);
	return done(give(s, (struct work){.job = WAIT, .event = e, .turn = e->recorded}));
}

CUresult cuEventCreate(CUevent *e, unsigned int flags)
{
	(void)flags;
	BEGIN;
	*e = calloc(1, sizeof **e);
	(*e)->owner = current();
	count(current(), EVENT, 1);
	return done(CUDA_SUCCESS);
}

CUresult cuEventDestroy(CUevent e)
{
	BEGIN;
	if (gone(e))
		return done(CUDA_ERROR_INVALID_HANDLE);
	e->gone = true;
	count(e->owner, EVENT, -1);
	return done(CUDA_SUCCESS);
}

CUresult cuEventRecord(CUevent e, CUstream s)
{
	BEGIN;
	if (gone(e) || stream_of(s)->owner != e->owner)
		return done(CUDA_ERROR_INVALID_HANDLE);
	e->on = stream_of(s);
	e->recorded++;
	return done(give(s, (struct work){.job = MARK, .event = e, .turn = e->recorded}));
}

CUresult cuEventQuery(CUevent e)
{
	BEGIN;
	if (gone(e))
		return done(CUDA_ERROR_INVALID_HANDLE);
	return done(e->reached < e->recorded ? CUDA_ERROR_NOT_READY : CUDA_SUCCESS);
}

CUresult cuEventSynchronize(CUevent e)
{
	BEGIN;
	if (gone(e))
		return done(CUDA_ERROR_INVALID_HANDLE);
	if (e->reached < e->recorded)
		finish(e->on);
	return done(CUDA_SUCCESS);
}
