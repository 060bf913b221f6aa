//go:build cuda

package cuda

import (
	"unsafe"

	"gorgonia.org/cu"
)

// The GPU copies from and to host memory by itself only where the operating
// system promises not to move it. Such memory is pinned; it is dear to get and
// taken away from everybody, so a driver takes a little once and sends
// everything through it.
const (
	pinnedBuffers = 4
	pinnedSize    = 4 << 20 // bytes of one buffer
)

// ring are the pinned buffers, used in turn.
type ring struct {
	buffers [pinnedBuffers]buffer
	next    int
}

// buffer is one piece of pinned memory. Its event is done when the GPU has
// finished the last copy from or to it.
type buffer struct {
	at    unsafe.Pointer
	event cu.Event
	busy  bool
}

func (b *buffer) bytes() []byte { return unsafe.Slice((*byte)(b.at), pinnedSize) }

// pinRing takes the pinned memory.
func (d *Driver) pinRing() error {
	for i := range d.pinned.buffers {
		b := &d.pinned.buffers[i]
		var err error
		if b.at, err = allocPinned(pinnedSize); err != nil {
			return d.check("cuMemHostAlloc", err)
		}
		if b.event, err = cu.MakeEvent(cu.DisableTiming); err != nil {
			return d.check("cuEventCreate", err)
		}
	}
	return nil
}

// nextBuffer returns the buffer that has been in use for the longest time, when
// it is free.
func (d *Driver) nextBuffer() (*buffer, error) {
	b := &d.pinned.buffers[d.pinned.next]
	d.pinned.next = (d.pinned.next + 1) % pinnedBuffers
	return b, d.await(b)
}

// occupy notes that the stream's present end uses the buffer.
func (d *Driver) occupy(b *buffer, s cu.Stream) error {
	b.busy = true
	return d.check("cuEventRecord", b.event.Record(s))
}

// await waits until the GPU has finished with the buffer.
func (d *Driver) await(b *buffer) error {
	if !b.busy {
		return nil
	}
	b.busy = false
	return d.check("cuEventSynchronize", b.event.Synchronize())
}
