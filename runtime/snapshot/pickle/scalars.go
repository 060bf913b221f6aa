package pickle

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"
)

// skip steps over n bytes, at most bufferSize, and returns them.
func (d *decoder) skip(n int) ([]byte, error) {
	b, err := d.r.Peek(n)
	if err != nil {
		return nil, err
	}
	_, err = d.r.Discard(n)
	return b, err
}

// size reads a length or number of one, four or eight bytes.
func (d *decoder) size(width int) (uint64, error) {
	if width == 1 {
		b, err := d.r.ReadByte()
		return uint64(b), err
	}
	b, err := d.skip(width)
	if err != nil {
		return 0, err
	}
	if width == 4 {
		return uint64(binary.LittleEndian.Uint32(b)), nil
	}
	return binary.LittleEndian.Uint64(b), nil
}

func (d *decoder) pushInt(n int64) error { return d.push(Value{integer, uint64(n)}) }

func (d *decoder) int1() error {
	b, err := d.r.ReadByte()
	if err != nil {
		return err
	}
	return d.pushInt(int64(b))
}

func (d *decoder) int2() error {
	b, err := d.skip(2)
	if err != nil {
		return err
	}
	return d.pushInt(int64(binary.LittleEndian.Uint16(b)))
}

func (d *decoder) int4() error {
	b, err := d.skip(4)
	if err != nil {
		return err
	}
	return d.pushInt(int64(int32(binary.LittleEndian.Uint32(b))))
}

// long reads a number of any length. Sizes and addresses fit into eight bytes.
// Some settings say "no bound" with the largest number of eight bytes without a
// sign: that becomes the largest one with a sign.
func (d *decoder) long(width int) error {
	n, err := d.size(width)
	if err != nil {
		return err
	}
	if n > 9 {
		return fmt.Errorf("a number of %d bytes", n)
	}
	b, err := d.skip(int(n))
	if err != nil {
		return err
	}
	if n == 9 {
		if b[8] != 0 {
			return errors.New("a number of 9 bytes")
		}
		return d.pushInt(math.MaxInt64)
	}
	var v int64
	for i := range b {
		v |= int64(b[i]) << (8 * i)
	}
	// The highest bit there is tells the sign.
	shift := 64 - 8*len(b)
	return d.pushInt(v << shift >> shift)
}

func (d *decoder) float() error {
	b, err := d.skip(8)
	if err != nil {
		return err
	}
	return d.push(Value{float, binary.BigEndian.Uint64(b)})
}

// text reads a text. A length is believed only as its bytes arrive.
func (d *decoder) text(width int) error {
	n, err := d.size(width)
	if err != nil {
		return err
	}
	if n > maxText {
		return fmt.Errorf("a text of %d bytes", n)
	}
	var s string
	if n <= bufferSize {
		b, err := d.skip(int(n))
		if err != nil {
			return err
		}
		s = string(b)
	} else {
		var long strings.Builder
		if _, err := io.CopyN(&long, d.r, int64(n)); err != nil {
			return err
		}
		s = long.String()
	}
	if err := d.charge(int64(n) + objectSize/2); err != nil {
		return err
	}
	return d.push(Value{ref: s})
}

// bytes steps over bytes: a snapshot has none that matter.
func (d *decoder) bytes(width int) error {
	n, err := d.size(width)
	if err != nil {
		return err
	}
	if n > maxText {
		return fmt.Errorf("%d bytes of data", n)
	}
	if _, err := d.r.Discard(int(n)); err != nil {
		return err
	}
	return d.push(Value{blob, n})
}
