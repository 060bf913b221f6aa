// The device's books, the lock, and what the environment tells the fake.
#include "fake.h"
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

struct state state = {.total = 150109880320, .limit = (size_t)-1};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void number(const char *name, unsigned long long *to)
{
	const char *text = getenv(name);
	if (text && *text)
		*to = strtoull(text, NULL, 0);
}

// The environment is read when the library is loaded.
__attribute__((constructor)) static void read_environment(void)
{
	unsigned long long total = state.total, limit = state.limit, refuse = 0, fault = 0, init = 0,
			   capability = 90;
	number("FAKECUDA_MEMORY", &total);
	number("FAKECUDA_LIMIT", &limit);
	number("FAKECUDA_REFUSE", &refuse);
	number("FAKECUDA_FAULT", &fault);
	number("FAKECUDA_INIT", &init);
	number("FAKECUDA_CAPABILITY", &capability);
	state.total = total;
	state.limit = limit;
	state.refuse = (long)refuse;
	state.fault_at = (long)fault;
	state.init = (CUresult)init;
	state.capability = (int)capability;
}

// write_log adds a line to the file that FAKECUDA_LOG names.
void write_log(const char *format, ...)
{
	const char *name = getenv("FAKECUDA_LOG");
	FILE *file = name && *name ? fopen(name, "a") : NULL;
	if (!file)
		return;
	va_list arguments;
	va_start(arguments, format);
	vfprintf(file, format, arguments);
	va_end(arguments);
	fclose(file);
}

void write_context(const char *verb)
{
	write_log("%s used %zu memory %ld host %ld reservations %ld handles %ld pages %ld "
		  "streams %ld events %ld modules %ld contexts %ld\n",
		  verb, state.used, state.live[MEMORY], state.live[HOST], state.live[RESERVATION],
		  state.live[HANDLE], state.live[PAGES], state.live[STREAM], state.live[EVENT],
		  state.live[MODULE], state.live[CONTEXT]);
}

void enter(void) { pthread_mutex_lock(&lock); }

CUresult begin_anywhere(void)
{
	enter();
	if (!state.ready)
		return done(CUDA_ERROR_NOT_INITIALIZED);
	return current() && current()->fault ? done(current()->fault) : CUDA_SUCCESS;
}

CUresult done(CUresult result)
{
	pthread_mutex_unlock(&lock);
	return result;
}

void count(CUcontext owner, enum kind kind, long change)
{
	state.live[kind] += change;
	if (owner)
		owner->live[kind] += change;
}

CUresult take_bytes(size_t size)
{
	size_t most = state.limit < state.total ? state.limit : state.total;
	if (state.used > most || size > most - state.used)
		return CUDA_ERROR_OUT_OF_MEMORY;
	state.used += size;
	return CUDA_SUCCESS;
}

bool refused(void) { return state.refuse && --state.refuse == 0; }

CUresult allocate_bytes(size_t size) { return refused() ? CUDA_ERROR_OUT_OF_MEMORY : take_bytes(size); }

void give_bytes(size_t size) { state.used -= size; }

// What follows is no part of a driver. Tests reach it by name; ../control.go
// says what each does.

void fakecuda_refuse(long which) { enter(); state.refuse = which; done(0); }
void fakecuda_limit(size_t bytes) { enter(); state.limit = bytes; done(0); }
void fakecuda_fault(long which) { enter(); state.fault_at = which; done(0); }
long fakecuda_live(int kind) { return kind >= 0 && kind < KINDS ? state.live[kind] : -1; }
size_t fakecuda_used(void) { return state.used; }
