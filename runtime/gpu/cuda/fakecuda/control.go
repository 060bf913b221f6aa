//go:build cuda && linux

package fakecuda

/*
#cgo LDFLAGS: -ldl
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>

// The functions are looked up by name, since a real driver has none of them.

static int loaded(void) { return dlsym(RTLD_DEFAULT, "fakecuda_used") != NULL; }

static void tell(const char *name, long value)
{
	void (*function)(long) = (void (*)(long))dlsym(RTLD_DEFAULT, name);
	if (function)
		function(value);
}

static long ask(const char *name, long value)
{
	long (*function)(long) = (long (*)(long))dlsym(RTLD_DEFAULT, name);
	return function ? function(value) : -1;
}
*/
import "C"

import (
	"os"
	"testing"
	"unsafe"
)

// Loaded reports whether the driver of this process is the fake.
func Loaded() bool { return C.loaded() != 0 }

// Need ends a test that the fake is not there for. It begins with a fake that
// was told nothing, and leaves one.
func Need(t testing.TB) {
	t.Helper()
	switch {
	case Loaded():
		Forget()
		t.Cleanup(Forget)
	case os.Getenv("FAKECUDA_REQUIRED") != "":
		t.Fatal("the driver is not the fake, and FAKECUDA_REQUIRED is set")
	default:
		t.Skip("the driver is not the fake: see the package comment of fakecuda")
	}
}

// Forget ends what the other functions began.
func Forget() {
	Refuse(0)
	Fault(0)
	Limit(-1)
}

// Refuse makes an allocation fail for want of memory, the next one for 1. The
// others succeed. No allocation is refused for 0. Memory of the device counts,
// pages, and pinned memory, of which a driver takes some when it is opened.
func Refuse(which int) { tell("fakecuda_refuse", which) }

// Limit makes allocations fail that bring the used memory above a number of
// bytes, the context's included. MemInfo does not show it. There is no limit for
// -1.
func Limit(bytes int64) { tell("fakecuda_limit", int(bytes)) }

// Fault makes a kernel fail, the next one for 1. Its launch succeeds, and every
// call after it reports the fault, until the context ends.
func Fault(which int) { tell("fakecuda_fault", which) }

// Hold keeps a stream from working until [LetGo] or until somebody waits for it.
// Streams are numbered in the order of making in this process, and the default
// stream is 0.
func Hold(stream int) { tell("fakecuda_hold", stream) }

// LetGo ends what Hold began.
func LetGo(stream int) { tell("fakecuda_let_go", stream) }

// LastStream returns the number of the stream that was made last.
func LastStream() int { return ask("fakecuda_last_stream", 0) }

// Used returns the bytes in use on the device, those of contexts included.
func Used() int64 { return int64(ask("fakecuda_used", 0)) }

// Now returns what there is in this process.
func Now() Alive {
	n := func(kind int) int { return ask("fakecuda_live", kind) }
	return Alive{
		Used:   Used(),
		Memory: n(0), Host: n(1), Reservations: n(2), Handles: n(3),
		Pages: n(4), Streams: n(5), Events: n(6), Modules: n(7), Contexts: n(8),
	}
}

func tell(function string, value int) {
	name := C.CString(function)
	defer C.free(unsafe.Pointer(name))
	C.tell(name, C.long(value))
}

func ask(function string, value int) int {
	name := C.CString(function)
	defer C.free(unsafe.Pointer(name))
	return int(C.ask(name, C.long(value)))
}
