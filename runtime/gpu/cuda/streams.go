//go:build cuda

package cuda

import (
	"fmt"

	"gorgonia.org/cu"

	"github.com/torchmem/workbook/runtime/gpu"
)

// NewStream creates a stream that does not wait for the default stream, nor the
// default stream for it, as PyTorch's do not: a program that uses two streams
// has to order them with events. Its handle says the how-manieth it is; the
// NVIDIA driver's own handles are addresses that mean nothing.
func (d *Driver) NewStream() (s gpu.Stream, err error) {
	err = d.do(func() error {
		made, err := cu.MakeStream(cu.NonBlocking)
		if err != nil {
			return d.check("cuStreamCreate", err)
		}
		d.streams = append(d.streams, made)
		s = gpu.Stream(len(d.streams))
		return nil
	})
	return s, err
}

// stream returns the stream of a handle; 0 is the default stream.
func (d *Driver) stream(s gpu.Stream) (cu.Stream, error) {
	switch {
	case s == 0:
		return cu.NoStream, nil
	case s > gpu.Stream(len(d.streams)):
		return cu.Stream{}, fmt.Errorf("stream %#x: no such stream", uint64(s))
	}
	return d.streams[s-1], nil
}

// Synchronize waits until every stream of the device is idle. A fault of a
// kernel shows here at the latest.
func (d *Driver) Synchronize() error { return d.do(d.synchronize) }

func (d *Driver) synchronize() error {
	if err := d.check("cuCtxSynchronize", cu.Synchronize()); err != nil {
		return err
	}
	d.events.settleAll()
	return nil
}
