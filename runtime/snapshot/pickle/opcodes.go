package pickle

import (
	"fmt"
)

// The steps of a pickle that holds only data. Python's names are in
// pickletools.py.
const (
	opProto = 0x80
	opFrame = 0x95
	opStop  = '.'
	opMark  = '('

	opNone     = 'N'
	opTrue     = 0x88
	opFalse    = 0x89
	opInt4     = 'J'
	opInt1     = 'K'
	opInt2     = 'M'
	opLong1    = 0x8a
	opLong4    = 0x8b
	opFloat    = 'G'
	opText4    = 'X'
	opText1    = 0x8c
	opText8    = 0x8d
	opBytes4   = 'B'
	opBytes1   = 'C'
	opBytes8   = 0x8e
	opPut1     = 'q'
	opPut4     = 'r'
	opMemoize  = 0x94
	opGet1     = 'h'
	opGet4     = 'j'
	opList     = ']'
	opAppend   = 'a'
	opAppends  = 'e'
	opDict     = '}'
	opSetItem  = 's'
	opSetItems = 'u'
	opTuple    = 't'
	opTuple0   = ')'
	opTuple1   = 0x85
	opTuple2   = 0x86
	opTuple3   = 0x87
)

// steps has the meaning of each step, nil where data has no use for it.
var steps = [256]func(*decoder) error{
	opFrame: func(d *decoder) error { _, err := d.skip(8); return err },
	opMark:  (*decoder).begin,

	opNone:  func(d *decoder) error { return d.push(Value{}) },
	opTrue:  func(d *decoder) error { return d.push(Value{boolean, 1}) },
	opFalse: func(d *decoder) error { return d.push(Value{boolean, 0}) },
	opInt4:  (*decoder).int4,
	opInt1:  (*decoder).int1,
	opInt2:  (*decoder).int2,
	opLong1: func(d *decoder) error { return d.long(1) },
	opLong4: func(d *decoder) error { return d.long(4) },
	opFloat: (*decoder).float,

	opText1:  func(d *decoder) error { return d.text(1) },
	opText4:  func(d *decoder) error { return d.text(4) },
	opText8:  func(d *decoder) error { return d.text(8) },
	opBytes1: func(d *decoder) error { return d.bytes(1) },
	opBytes4: func(d *decoder) error { return d.bytes(4) },
	opBytes8: func(d *decoder) error { return d.bytes(8) },

	opPut1:    func(d *decoder) error { return d.put(1) },
	opPut4:    func(d *decoder) error { return d.put(4) },
	opMemoize: (*decoder).memoize,
	opGet1:    func(d *decoder) error { return d.get(1) },
	opGet4:    func(d *decoder) error { return d.get(4) },

	opList:     func(d *decoder) error { return d.push(Value{emptyList, 0}) },
	opTuple0:   func(d *decoder) error { return d.push(Value{emptyList, 0}) },
	opDict:     func(d *decoder) error { return d.push(Value{emptyDict, 0}) },
	opAppend:   (*decoder).append,
	opAppends:  (*decoder).appends,
	opSetItem:  (*decoder).setItem,
	opSetItems: (*decoder).setItems,
	opTuple:    (*decoder).tuple,
	opTuple1:   func(d *decoder) error { return d.tupleOf(1) },
	opTuple2:   func(d *decoder) error { return d.tupleOf(2) },
	opTuple3:   func(d *decoder) error { return d.tupleOf(3) },

	// What follows would look up or call a function of Python.
	'c': (*decoder).global, 'i': (*decoder).global,
	'R': called, 'b': called, 'o': called, 0x81: called, 0x92: called, 0x93: called,
	'P': called, 'Q': called, 0x82: called, 0x83: called, 0x84: called, 0x97: called, 0x98: called,
}

// called refuses a step that would run code.
func called(*decoder) error {
	return fmt.Errorf("the pickle refers to code, which is never run: a snapshot holds only data")
}

// global refuses the look-up of a function, and tells its name.
func (d *decoder) global() error {
	name := ""
	for range 2 {
		line, err := d.r.ReadSlice('\n')
		if err != nil {
			return called(d)
		}
		name += "." + string(line[:min(len(line)-1, 40)])
	}
	return fmt.Errorf("the pickle refers to code (%q), which is never run: a snapshot holds only data", name[1:])
}
