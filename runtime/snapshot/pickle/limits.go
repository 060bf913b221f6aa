package pickle

import (
	"errors"
	"fmt"
	"io"
)

const (
	bufferSize = 1 << 16
	// maxText is the longest text, in bytes.
	maxText = 1 << 20
	// valueSize is the memory of a Value, and objectSize about what a
	// container takes, or what a Maker has in its place.
	valueSize  = 24
	objectSize = 128
)

// limits say what a pickle may ask for, in bytes.
type limits struct {
	// bytes is the longest pickle.
	bytes int64
	// memory is what every pickle may take, perByte how much more for each
	// byte of it, and most how much in all: few bytes unpack to many.
	memory, perByte, most int64
}

// usual has room for some thirty million events. A real snapshot takes a third
// of the memory for each byte.
var usual = limits{bytes: 2 << 30, memory: 32 << 20, perByte: 12, most: 8 << 30}

// charge counts memory that is about to be used.
func (d *decoder) charge(n int64) error {
	d.spent += n
	if d.spent <= d.allowed {
		return nil
	}
	d.allowed = min(d.memory+d.perByte*d.offset(), d.most)
	if d.spent > d.allowed {
		return errors.New("the pickle asks for far more memory than its length can need")
	}
	return nil
}

// offset is how many bytes of the pickle are behind.
func (d *decoder) offset() int64 { return d.in.read - int64(d.r.Buffered()) }

// meter counts what is read, and ends a pickle that is too long.
type meter struct {
	from       io.Reader
	read, most int64
}

func (m *meter) Read(p []byte) (int, error) {
	if m.read >= m.most {
		return 0, fmt.Errorf("the pickle is longer than %d bytes", m.most)
	}
	n, err := m.from.Read(p[:min(int64(len(p)), m.most-m.read)])
	m.read += int64(n)
	return n, err
}
