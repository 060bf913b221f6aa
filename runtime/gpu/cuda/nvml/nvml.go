//go:build cuda

package nvml

/*
#cgo linux LDFLAGS: -ldl
#include <dlfcn.h>
#include <stdlib.h>

// What NVML's header says, in its order.
typedef struct { unsigned int gpu, memory; } utilization;
typedef struct {
	unsigned int pid;
	unsigned long long used;
	unsigned int gpuInstance, computeInstance;
} process;

typedef struct {
	void *handle;
	int (*init)(void);
	int (*shutdown)(void);
	int (*device)(const char *uuid, void **device);
	int (*index)(void *device, unsigned int *index);
	int (*processes)(void *device, unsigned int *n, process *all);
	int (*busy)(void *device, utilization *rates);
	const char *(*text)(int result);
} library;

// load returns the name of what is missing, or NULL.
static const char *load(library *l, const char *path)
{
	if (!(l->handle = dlopen(path, RTLD_NOW | RTLD_LOCAL)))
		return path;
	struct { void **at; const char *name; } calls[] = {
		{(void **)&l->init, "nvmlInit_v2"},
		{(void **)&l->shutdown, "nvmlShutdown"},
		{(void **)&l->device, "nvmlDeviceGetHandleByUUID"},
		{(void **)&l->index, "nvmlDeviceGetIndex"},
		{(void **)&l->processes, "nvmlDeviceGetComputeRunningProcesses_v3"},
		{(void **)&l->busy, "nvmlDeviceGetUtilizationRates"},
		{(void **)&l->text, "nvmlErrorString"},
	};
	for (unsigned i = 0; i < sizeof calls / sizeof *calls; i++)
		if (!(*calls[i].at = dlsym(l->handle, calls[i].name)))
			return calls[i].name;
	return NULL;
}

static int start(library *l) { return l->init(); }
static int stop(library *l) { return l->shutdown(); }
static int find(library *l, const char *uuid, void **d) { return l->device(uuid, d); }
static int number(library *l, void *d, unsigned int *n) { return l->index(d, n); }
static int list(library *l, void *d, unsigned int *n, process *all) { return l->processes(d, n, all); }
static int rates(library *l, void *d, utilization *u) { return l->busy(d, u); }
static const char *words(library *l, int r) { return l->text(r); }
static void unload(library *l) { if (l->handle) dlclose(l->handle); }
*/
import "C"

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"unsafe"

	"github.com/torchmem/workbook/runtime/gpu"
)

// The results that need an answer of their own.
const (
	success          = 0
	insufficientSize = 7
	driverNotLoaded  = 9
)

// soname is where the dynamic linker finds the library.
const soname = "libnvidia-ml.so.1"

// Device is a GPU that can be asked. Whoever opens one closes it.
type Device struct {
	library *C.library
	handle  unsafe.Pointer
}

// Open loads the library and finds the GPU with a UUID: GPU-4f2e….
func Open(uuid string) (*Device, error) { return open(soname, uuid) }

func open(path, uuid string) (*Device, error) {
	d := &Device{library: (*C.library)(C.calloc(1, C.sizeof_library))}
	name, id := C.CString(path), C.CString(uuid)
	defer C.free(unsafe.Pointer(name))
	defer C.free(unsafe.Pointer(id))
	if missing := C.load(d.library, name); missing != nil {
		err := fmt.Errorf("NVML does not seem to be installed or it can't be loaded: %s is missing", C.GoString(missing))
		d.unload()
		return nil, err
	}
	if err := d.check("nvmlInit", C.start(d.library)); err != nil {
		d.unload()
		return nil, err
	}
	if err := d.check("nvmlDeviceGetHandleByUUID "+uuid, C.find(d.library, id, &d.handle)); err != nil {
		return nil, cmp.Or(err, d.Close())
	}
	return d, nil
}

// Close lets go of the library.
func (d *Device) Close() error {
	err := d.check("nvmlShutdown", C.stop(d.library))
	d.unload()
	return err
}

func (d *Device) unload() {
	C.unload(d.library)
	C.free(unsafe.Pointer(d.library))
}

// check turns a result into an error. The first text is PyTorch's.
func (d *Device) check(call string, r C.int) error {
	switch r {
	case success:
		return nil
	case driverNotLoaded:
		return errors.New("cuda driver can't be loaded, is cuda enabled?")
	}
	return fmt.Errorf("%s: %s (%d)", call, C.GoString(C.words(d.library, r)), int(r))
}

// Index returns the GPU's number among all of the machine.
func (d *Device) Index() (int, error) {
	var n C.uint
	err := d.check("nvmlDeviceGetIndex", C.number(d.library, d.handle, &n))
	return int(n), err
}

// Processes lists the processes that compute on the GPU. It fails where the driver
// does not say how much memory one of them takes, as under Windows.
func (d *Device) Processes() ([]gpu.Process, error) {
	found, err := d.list()
	if err != nil {
		return nil, err
	}
	var all []gpu.Process
	for _, p := range found {
		if p.used > math.MaxInt64 {
			return nil, fmt.Errorf("the driver does not tell how much memory the process %d uses", uint32(p.pid))
		}
		all = append(all, gpu.Process{ID: int(p.pid), Used: int64(p.used)})
	}
	return all, nil
}

// list asks with more and more room, since processes come and go.
func (d *Device) list() ([]C.process, error) {
	for room := 16; ; room *= 2 {
		all := make([]C.process, room)
		n := C.uint(room)
		r := C.list(d.library, d.handle, &n, &all[0])
		if r == insufficientSize && room < 1<<16 {
			continue
		}
		if err := d.check("nvmlDeviceGetComputeRunningProcesses", r); err != nil {
			return nil, err
		}
		return all[:n], nil
	}
}

// MemoryBusy returns the percent of the last sample period, of a sixth of a second
// to a second, in which the GPU's memory was being read or written.
func (d *Device) MemoryBusy() (int, error) {
	var u C.utilization
	err := d.check("nvmlDeviceGetUtilizationRates", C.rates(d.library, d.handle, &u))
	return int(u.memory), err
}
