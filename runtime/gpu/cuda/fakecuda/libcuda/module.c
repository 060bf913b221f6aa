// Modules, functions, and launches, which are written down and not carried out.
#include "fake.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct CUfunc_st {
	char name[128];
	int words; // parameters
	struct CUfunc_st *next;
};

struct CUmod_st {
	struct CUfunc_st *functions;
	CUcontext owner;
	bool gone;
};

// read_entry reads ".entry name(.param …, .param …)", the only part of PTX that
// tells how many words a launch brings.
static const char *read_entry(const char *text, struct CUfunc_st *f)
{
	const char *end = strchr(text, ')');
	const char *body = strchr(text, '{');
	if (sscanf(text, " %127[A-Za-z0-9_$]", f->name) != 1 || !end)
		return text;
	if (body && body < end)
		return body; // it has no parameters
	for (const char *p = text; (p = strstr(p, ".param")) && p < end; p++)
		f->words++;
	return end;
}

static void read_functions(const char *text, struct CUmod_st *m)
{
	while ((text = strstr(text, ".entry"))) {
		struct CUfunc_st *f = calloc(1, sizeof *f);
		text = read_entry(text + strlen(".entry"), f);
		f->next = m->functions;
		m->functions = f;
	}
}

CUresult cuModuleLoadData(CUmodule *m, const void *image)
{
	BEGIN;
	if (!strstr(image, ".version") || !strstr(image, ".target"))
		return done(CUDA_ERROR_INVALID_PTX);
	*m = calloc(1, sizeof **m);
	read_functions(image, *m);
	(*m)->owner = current();
	count(current(), MODULE, 1);
	return done(CUDA_SUCCESS);
}

CUresult cuModuleLoadDataEx(CUmodule *m, const void *image, unsigned int count, CUjit_option *options, void **values)
{
	(void)count, (void)options, (void)values;
	return cuModuleLoadData(m, image);
}

CUresult cuModuleUnload(CUmodule m)
{
	BEGIN;
	if (!m || m->gone || m->owner->gone)
		return done(CUDA_ERROR_INVALID_HANDLE);
	m->gone = true;
	count(m->owner, MODULE, -1);
	return done(CUDA_SUCCESS);
}

CUresult cuModuleGetFunction(CUfunction *f, CUmodule m, const char *name)
{
	BEGIN;
	if (m->gone || m->owner->gone)
		return done(CUDA_ERROR_INVALID_HANDLE);
	for (*f = m->functions; *f && strcmp((*f)->name, name); *f = (*f)->next)
		;
	return done(*f ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND);
}

// write_launch adds one line to the log, with the parameters as words.
static void write_launch(CUfunction f, const unsigned int n[7], CUstream s, void **words)
{
	char line[4096];
	int at = snprintf(line, sizeof line, "launch %s grid %u %u %u block %u %u %u shared %u stream %d words",
			  f->name, n[0], n[1], n[2], n[3], n[4], n[5], n[6], number_of(s));
	for (int i = 0; i < f->words && at < (int)sizeof line - 32; i++)
		at += snprintf(line + at, sizeof line - at, " %#llx", *(unsigned long long *)words[i]);
	write_log("%s\n", line);
}

// A kernel that faults has been launched well: the next call tells of it, and
// all calls after.
CUresult cuLaunchKernel(CUfunction f, unsigned int gx, unsigned int gy, unsigned int gz, unsigned int bx, unsigned int by,
			unsigned int bz, unsigned int shared, CUstream s, void **words, void **extra)
{
	BEGIN;
	if (!gx || !gy || !gz || gy > 65535 || gz > 65535 || !bx || !by || !bz || bz > 64 ||
	    (unsigned long long)bx * by * bz > 1024 || shared > 49152 || extra || (f->words && !words))
		return done(CUDA_ERROR_INVALID_VALUE);
	write_launch(f, (unsigned int[]){gx, gy, gz, bx, by, bz, shared}, s, words);
	if (state.fault_at && --state.fault_at == 0)
		current()->fault = CUDA_ERROR_ILLEGAL_ADDRESS;
	return done(CUDA_SUCCESS);
}
