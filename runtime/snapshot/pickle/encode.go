package pickle

import (
	"bufio"
	"encoding/binary"
	"io"
	"math"
)

// Encoder writes one pickle as it is told its parts, so that nothing has to be
// in memory at once. Errors of the writer are kept for [Encoder.Close].
//
// # Which steps it takes
//
// The pickle has protocol 4 and few kinds of steps: those that PyTorch's page
// for snapshots knows. It reads protocols 2 to 4 and neither numbers nor texts
// as lines. The frames that protocol 4 speaks of are not written: they may be
// left out, and they would need the length of what is still to come.
//
// A text that was written before is not written again: the pickle refers to it.
// [Encoder.Mark] and [Encoder.Again] do the same for lists and dicts.
type Encoder struct {
	out *bufio.Writer
	// texts has the place in the memo of each text.
	texts map[string]Place
	// memo is how many places are taken.
	memo Place
}

// Place is where a pickle remembers something.
type Place uint32

// NewEncoder begins a pickle.
func NewEncoder(w io.Writer) *Encoder {
	e := &Encoder{out: bufio.NewWriterSize(w, bufferSize), texts: map[string]Place{}}
	e.step(opProto, 4)
	return e
}

// Close ends the pickle and returns the first error of the writer, which it does
// not close.
func (e *Encoder) Close() error {
	e.step(opStop)
	return e.out.Flush()
}

// step writes bytes. The writer keeps its first error.
func (e *Encoder) step(b ...byte) { _, _ = e.out.Write(b) }

// None writes None.
func (e *Encoder) None() { e.step(opNone) }

// Bool writes a truth value.
func (e *Encoder) Bool(is bool) {
	if is {
		e.step(opTrue)
		return
	}
	e.step(opFalse)
}

// Int writes a number without fraction, in as few bytes as there are steps for.
func (e *Encoder) Int(n int64) {
	switch {
	case n >= 0 && n <= math.MaxUint8:
		e.step(opInt1, byte(n))
	case n >= 0 && n <= math.MaxUint16:
		e.step(opInt2, byte(n), byte(n>>8))
	case n >= math.MinInt32 && n <= math.MaxInt32:
		e.step(opInt4)
		e.fourBytes(uint32(n))
	default:
		e.long(n)
	}
}

// Uint writes a number that may need a bit more.
func (e *Encoder) Uint(n uint64) {
	if n <= math.MaxInt64 {
		e.Int(int64(n))
		return
	}
	e.step(opLong1, 9)
	e.eightBytes(n)
	e.step(0) // the highest bit there is would tell a sign
}

// long writes a number of more than four bytes.
func (e *Encoder) long(n int64) {
	size := 8
	for size > 1 && n<<(8*(9-size))>>(8*(9-size)) == n {
		size--
	}
	e.step(opLong1, byte(size))
	var b [8]byte
	binary.LittleEndian.PutUint64(b[:], uint64(n))
	e.step(b[:size]...)
}

// Float writes a number.
func (e *Encoder) Float(x float64) {
	var b [9]byte
	b[0] = opFloat
	binary.BigEndian.PutUint64(b[1:], math.Float64bits(x))
	e.step(b[:]...)
}

// Text writes a text, or refers to it if it was written before. What is not
// UTF-8 becomes what stands for an unknown character.
func (e *Encoder) Text(s string) {
	if at, ok := e.texts[s]; ok {
		e.Again(at)
		return
	}
	valid := decodable(s)
	if len(valid) <= math.MaxUint8 {
		e.step(opText1, byte(len(valid)))
	} else {
		e.step(opText4)
		e.fourBytes(uint32(len(valid)))
	}
	_, _ = e.out.WriteString(valid)
	e.texts[s] = e.Mark()
}

// Pair writes a tuple of two numbers.
func (e *Encoder) Pair(x, y int64) {
	e.Int(x)
	e.Int(y)
	e.step(opTuple2)
}

// batch is how many items are added to a list at a time, as Python does it. A
// browser has no room for many more.
const batch = 1000

// List writes a list of n items. The function writes one.
func (e *Encoder) List(n int, item func(i int)) {
	e.step(opList)
	for from := 0; from < n; from += batch {
		e.step(opMark)
		for i := from; i < min(from+batch, n); i++ {
			item(i)
		}
		e.step(opAppends)
	}
}

// Dict writes a dict. The function writes a key and its value in turn.
func (e *Encoder) Dict(items func()) {
	e.step(opDict, opMark)
	items()
	e.step(opSetItems)
}

// Mark remembers what was written last, for Again.
func (e *Encoder) Mark() Place {
	e.step(opMemoize)
	e.memo++
	return e.memo - 1
}

// Again writes what was remembered once more. Python then has the same object
// twice.
func (e *Encoder) Again(at Place) {
	if at <= math.MaxUint8 {
		e.step(opGet1, byte(at))
		return
	}
	e.step(opGet4)
	e.fourBytes(uint32(at))
}

func (e *Encoder) fourBytes(n uint32) {
	var b [4]byte
	binary.LittleEndian.PutUint32(b[:], n)
	e.step(b[:]...)
}

func (e *Encoder) eightBytes(n uint64) {
	var b [8]byte
	binary.LittleEndian.PutUint64(b[:], n)
	e.step(b[:]...)
}
