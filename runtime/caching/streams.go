package caching

import (
	"fmt"
	"slices"

	"github.com/torchmem/workbook/runtime/gpu"
)

// poolStreams is how many streams PyTorch makes. Asking for more returns the
// first ones again.
const poolStreams = 32

// streams knows the created streams in their order.
type streams struct {
	created []gpu.Stream
	asked   int
}

// NewStream returns a stream from a pool of 32, like torch.cuda.Stream(). The
// allocator needs to know the order of creation: it decides in which order
// finished blocks of several streams return to the cache.
func (a *Allocator) NewStream() (gpu.Stream, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	s := &a.streams
	i := s.asked % poolStreams
	if i == len(s.created) {
		made, err := a.driver.NewStream()
		if err != nil {
			return 0, fmt.Errorf("new stream: %w", err)
		}
		s.created = append(s.created, made)
	}
	s.asked++
	return s.created[i], nil
}

// id returns PyTorch's number of a stream. One that NewStream did not make is
// numbered when it is first seen.
func (s *streams) id(of gpu.Stream) uint64 {
	if of == 0 {
		return 0
	}
	i := slices.Index(s.created, of)
	if i < 0 {
		i = len(s.created)
		s.created = append(s.created, of)
	}
	return uint64(32*(i%poolStreams) + 3)
}
