package snapshot

import (
	"fmt"
	"io"
	"os"

	"github.com/torchmem/workbook/runtime/caching"
	"github.com/torchmem/workbook/runtime/snapshot/pickle"
)

// Write writes a snapshot as torch.cuda.memory._dump_snapshot does: with the
// same keys in the same order, so that Python's pickle.load, PyTorch's
// torch.cuda._memory_viz and its page for snapshots read it. The error is the
// writer's.
func Write(w io.Writer, s *Snapshot) error {
	p := &writer{Encoder: pickle.NewEncoder(w), frames: map[caching.Frame]pickle.Place{}, stacks: map[stackKey]pickle.Place{}}
	p.snapshot(s)
	if err := p.Close(); err != nil {
		return fmt.Errorf("snapshot: %w", err)
	}
	return nil
}

// WriteFile writes a snapshot to a file.
func WriteFile(name string, s *Snapshot) error {
	f, err := os.Create(name)
	if err != nil {
		return fmt.Errorf("snapshot: %w", err)
	}
	err = Write(f, s)
	if closed := f.Close(); err == nil && closed != nil {
		err = fmt.Errorf("snapshot: %w", closed)
	}
	return err
}

// writer remembers which frames and stacks the pickle has already.
type writer struct {
	*pickle.Encoder
	frames map[caching.Frame]pickle.Place
	stacks map[stackKey]pickle.Place
}

// stackKey tells stacks apart by where they lie: equal ones share their memory.
type stackKey struct {
	first *caching.Frame
	n     int
}

func (w *writer) snapshot(s *Snapshot) {
	w.Dict(func() {
		w.Text("segments")
		w.List(len(s.Segments), func(i int) { w.segment(&s.Segments[i]) })
		w.Text("device_traces")
		w.List(len(s.Traces), func(i int) {
			w.List(len(s.Traces[i]), func(j int) { w.event(&s.Traces[i][j]) })
		})
		if s.Settings != nil {
			w.Text("allocator_settings")
			w.settings(s.Settings)
		}
		w.Text("external_annotations")
		w.List(len(s.Annotations), func(i int) { w.annotation(s.Annotations[i]) })
	})
}

// number and text write a key with its value.
func (w *writer) number(key string, n int64) {
	w.Text(key)
	w.Int(n)
}

func (w *writer) address(key string, p uint64) {
	w.Text(key)
	w.Uint(p)
}

func (w *writer) text(key, value string) {
	w.Text(key)
	w.Text(value)
}

func (w *writer) truth(key string, is bool) {
	w.Text(key)
	w.Bool(is)
}

// stack writes a list of frames. One that was written before is the same object.
func (w *writer) stack(frames []caching.Frame) {
	w.Text("frames")
	if len(frames) == 0 {
		w.List(0, nil)
		return
	}
	key := stackKey{&frames[0], len(frames)}
	if at, ok := w.stacks[key]; ok {
		w.Again(at)
		return
	}
	w.List(len(frames), func(i int) { w.frame(frames[i]) })
	w.stacks[key] = w.Mark()
}

func (w *writer) frame(f caching.Frame) {
	if at, ok := w.frames[f]; ok {
		w.Again(at)
		return
	}
	w.Dict(func() {
		w.text("name", f.Name)
		w.text("filename", f.Filename)
		w.number("line", int64(f.Line))
	})
	w.frames[f] = w.Mark()
}
