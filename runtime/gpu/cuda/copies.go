//go:build cuda

package cuda

import (
	"fmt"

	"gorgonia.org/cu"

	"github.com/torchmem/workbook/runtime/gpu"
)

// content is host memory that came from the device.
type content []byte

// Len returns the length in bytes.
func (c content) Len() int64 { return int64(len(c)) }

// Bytes returns the content.
func (c content) Bytes() []byte { return c }

// Upload copies a host array into device memory, in stream order. When it
// returns the array has been read, and the GPU may still be copying.
func (d *Driver) Upload(dst gpu.Ptr, src gpu.Array, s gpu.Stream) error {
	all := src.Bytes() // may compute for long, so not on the thread
	return d.do(func() error {
		stream, err := d.stream(s)
		if err != nil {
			return fmt.Errorf("upload on %w", err)
		}
		for at := 0; at < len(all); at += pinnedSize {
			part := all[at:min(at+pinnedSize, len(all))]
			if err := d.send(dst+gpu.Ptr(at), part, stream); err != nil {
				return err
			}
		}
		return nil
	})
}

// send copies one part through a pinned buffer.
func (d *Driver) send(dst gpu.Ptr, part []byte, s cu.Stream) error {
	b, err := d.nextBuffer()
	if err != nil {
		return err
	}
	copy(b.bytes(), part)
	err = cu.MemcpyHtoDAsync(cu.DevicePtr(dst), b.at, int64(len(part)), s)
	if err := d.check("cuMemcpyHtoDAsync", err); err != nil {
		return err
	}
	return d.occupy(b, s)
}

// Download copies size bytes of device memory to the host, in stream order, and
// waits for them. While one part comes to the host, the GPU sends the next.
func (d *Driver) Download(src gpu.Ptr, size int64, s gpu.Stream) (gpu.Array, error) {
	if size < 0 {
		return nil, fmt.Errorf("download of %d bytes", size)
	}
	all := make(content, size)
	err := d.do(func() error {
		stream, err := d.stream(s)
		if err != nil {
			return fmt.Errorf("download on %w", err)
		}
		return d.receive(all, src, stream)
	})
	if err != nil {
		return nil, err
	}
	return all, nil
}

// arrival is a part that is on its way to the host.
type arrival struct {
	part   []byte
	buffer *buffer
}

func (d *Driver) receive(all []byte, src gpu.Ptr, s cu.Stream) error {
	var coming []arrival
	for at := 0; at < len(all); at += pinnedSize {
		if len(coming) == pinnedBuffers {
			if err := d.land(coming[0]); err != nil {
				return err
			}
			coming = coming[1:]
		}
		part := all[at:min(at+pinnedSize, len(all))]
		b, err := d.fetch(src+gpu.Ptr(at), len(part), s)
		if err != nil {
			return err
		}
		coming = append(coming, arrival{part, b})
	}
	for _, a := range coming {
		if err := d.land(a); err != nil {
			return err
		}
	}
	return nil
}

// fetch starts the copy of one part into a pinned buffer.
func (d *Driver) fetch(src gpu.Ptr, size int, s cu.Stream) (*buffer, error) {
	b, err := d.nextBuffer()
	if err != nil {
		return nil, err
	}
	err = cu.MemcpyDtoHAsync(b.at, cu.DevicePtr(src), int64(size), s)
	if err := d.check("cuMemcpyDtoHAsync", err); err != nil {
		return nil, err
	}
	return b, d.occupy(b, s)
}

// land waits for a part and takes it out of its buffer.
func (d *Driver) land(a arrival) error {
	if err := d.await(a.buffer); err != nil {
		return err
	}
	copy(a.part, a.buffer.bytes())
	return nil
}

// Discard does nothing: device memory keeps no values beside itself.
func (d *Driver) Discard(gpu.Ptr) {}
