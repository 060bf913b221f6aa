// A library that plays NVML: one GPU, whose processes are told by its UUID.
#include <string.h>

static int started;
static int many = 1;

int nvmlInit_v2(void)
{
	started++;
	return 0;
}

int nvmlShutdown(void)
{
	return started-- > 0 ? 0 : 1;
}

const char *nvmlErrorString(int result)
{
	return result == 6 ? "Not Found" : "Some error";
}

int nvmlDeviceGetHandleByUUID(const char *uuid, void **device)
{
	if (strcmp(uuid, "GPU-down") == 0)
		return 9;
	if (strncmp(uuid, "GPU-", 4) != 0)
		return 6;
	many = strcmp(uuid, "GPU-many") == 0 ? 40 : strcmp(uuid, "GPU-idle") == 0 ? 0 : 2;
	*device = strcmp(uuid, "GPU-vague") == 0 ? (void *)2 : (void *)1;
	return 0;
}

int nvmlDeviceGetIndex(void *device, unsigned int *index)
{
	*index = 3;
	return device ? 0 : 2;
}

int nvmlDeviceGetComputeRunningProcesses_v3(void *device, unsigned int *n,
	struct { unsigned int pid; unsigned long long used; unsigned int a, b; } *all)
{
	unsigned int room = *n;
	*n = many;
	if (room < *n)
		return 7;
	for (unsigned int i = 0; i < *n; i++) {
		all[i].pid = 100 + i;
		all[i].used = device == (void *)2 ? -1ull : (i + 1) * 1048576ull;
		all[i].a = all[i].b = -1u;
	}
	return 0;
}

int nvmlDeviceGetUtilizationRates(void *device, unsigned int rates[2])
{
	rates[0] = 81;
	rates[1] = 42;
	return device ? 0 : 2;
}
