package whatif

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/torchmem/workbook/runtime/snapshot"
)

// Read reads a snapshot from a file, plain or packed with gzip. The error names the
// file, and is the context's when that has ended.
func Read(ctx context.Context, file string) (*snapshot.Snapshot, error) {
	return read(ctx, file, func(string, int, int) {})
}

// read reads a snapshot from a file, plain or packed.
func read(ctx context.Context, file string, told tell) (*snapshot.Snapshot, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if info.IsDir() {
		return nil, fmt.Errorf("%s: a folder, not a snapshot", file)
	}
	in := &watched{ctx: ctx, from: f, size: info.Size(), told: told}
	r, err := unpacked(bufio.NewReader(in))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	if err := otherThanPickle(r); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	s, err := snapshot.Read(r)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return s, nil
}

// unpacked looks at the first bytes to tell whether a file is packed.
func unpacked(r *bufio.Reader) (*bufio.Reader, error) {
	head, err := r.Peek(2)
	if err != nil || head[0] != 0x1f || head[1] != 0x8b {
		return r, nil // what is wrong shows as it is read
	}
	plain, err := gzip.NewReader(r)
	if err != nil {
		return nil, err
	}
	return bufio.NewReader(plain), nil
}

// otherThanPickle is an error for the files of JSON that this workbook writes and
// reads elsewhere. It looks at their first bytes.
func otherThanPickle(r *bufio.Reader) error {
	head, _ := r.Peek(1000) // less of a short file
	if !bytes.HasPrefix(bytes.TrimSpace(head), []byte("{")) {
		return nil // what is wrong shows as it is read
	}
	const wants = "wants a snapshot in Python's pickle, as torch.cuda.memory._dump_snapshot and a lesson's -snapshot FILE.pickle write it"
	switch {
	case bytes.Contains(head, []byte(`"columns":`)):
		return errors.New("a recorded trace, which replay check reads; this " + wants)
	case bytes.Contains(head, []byte(`"segments":`)):
		return errors.New("the segments of a lesson as JSON, which no verb reads; this " + wants)
	}
	return errors.New("JSON, and this " + wants)
}

// watched is a file that tells how far it is read, and ends when the caller
// gives up.
type watched struct {
	ctx        context.Context
	from       io.Reader
	done, size int64
	told       tell
}

func (w *watched) Read(p []byte) (int, error) {
	if err := w.ctx.Err(); err != nil {
		return 0, err
	}
	w.told("reading", int(w.done), int(w.size))
	n, err := w.from.Read(p)
	w.done += int64(n)
	return n, err
}
