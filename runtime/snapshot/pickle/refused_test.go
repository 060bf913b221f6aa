package pickle

import (
	"encoding/binary"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestRefused is everything that a pickle of data must not hold.
func TestRefused(t *testing.T) {
	for name, c := range map[string]struct{ steps, want string }{
		"nothing":             {"", "byte 0: the pickle ends too early"},
		"no pickle":           {"GIF89a", "byte 2: not a pickle of protocol 2 to 5"},
		"protocol 0":          {"(lp0\nI1\na.", "byte 2: not a pickle of protocol 2 to 5"},
		"protocol 1":          {"\x80\x01]q\x00.", "byte 2: a pickle of protocol 1, not 2 to 5"},
		"protocol 6":          {"\x80\x06N.", "byte 2: a pickle of protocol 6, not 2 to 5"},
		"no end":              {"\x80\x04N", "byte 3: the pickle ends too early"},
		"half a number":       {"\x80\x04J\x01", "the pickle ends too early"},
		"half a text":         {"\x80\x04\x8c\x05ab", "the pickle ends too early"},
		"a long text":         {"\x80\x04\x8d\xff\xff\xff\xff\xff\xff\xff\x7fab.", "a text of 9223372036854775807 bytes"},
		"a huge text":         {"\x80\x04\x8d\xff\xff\xff\xff\xff\xff\xff\xffab.", "a text of 18446744073709551615 bytes"},
		"long bytes":          {"\x80\x04\x8e\xff\xff\xff\xff\xff\xff\xff\xffab.", "18446744073709551615 bytes of data"},
		"a text not there":    {"\x80\x04X\x00\x00\x0f\x00ab.", "the pickle ends too early"},
		"a number of 1 GB":    {"\x80\x02\x8b\x00\x00\x00\x40.", "a number of 1073741824 bytes"},
		"a number of 9 bytes": {"\x80\x02\x8a\x09\x00\x00\x00\x00\x00\x00\x00\x00\x01.", "a number of 9 bytes"},
		"no value":            {"\x80\x04.", "the pickle ends with 0 values, not one"},
		"two values":          {"\x80\x04NN.", "the pickle ends with 2 values, not one"},
		"an open group":       {"\x80\x04N(.", "the pickle ends with 1 values, not one"},
		"no group":            {"\x80\x04]e.", "a step ends a group that nothing began"},
		"append to nothing":   {"\x80\x04Na.", "a step needs more values than there are"},
		"append below":        {"\x80\x04](Na.", "a step needs more values than there are"},
		"append to a number":  {"\x80\x04K\x01Na.", "items for something that is no list"},
		"items of a dict":     {"\x80\x04}(NNe.", "items for something that is no list"},
		"keys of a list":      {"\x80\x04](NNu.", "keys for something that is no dict"},
		"a key alone":         {"\x80\x04}(Nu.", "a key without a value"},
		"set in nothing":      {"\x80\x04NNs.", "a step needs more values than there are"},
		"group of nothing":    {"\x80\x04(NNu.", "a step needs more values than there are"},
		"unknown memo":        {"\x80\x04h\x05.", "memo 5 has no value"},
		"memo of nothing":     {"\x80\x04\x94.", "a step needs more values than there are"},
		"memo twice":          {"\x80\x02Nq\x00Nq\x00.", "memo 0 is used for two values"},
		"a list in itself":    {"\x80\x04]\x94h\x00a.", "memo 0 contains itself"},
		"a dict in itself":    {"\x80\x04}\x94(\x8c\x01a\x94h\x00u.", "memo 0 contains itself"},
		"tuple of too much":   {"\x80\x04N\x87.", "a step needs more values than there are"},
		"global":              {"\x80\x02cos\nsystem\nX\x02\x00\x00\x00ls\x85R.", `the pickle refers to code ("os.system"), which is never run: a snapshot holds only data`},
		"global without end":  {"\x80\x02cos", "the pickle refers to code"},
		"stack global":        {"\x80\x04\x8c\x02os\x8c\x06system\x93.", "the pickle refers to code"},
		"reduce":              {"\x80\x04NNR.", "the pickle refers to code"},
		"new object":          {"\x80\x04NN\x81.", "the pickle refers to code"},
		"build":               {"\x80\x04NNb.", "the pickle refers to code"},
		"instance":            {"\x80\x02(ios\nsystem\n.", "the pickle refers to code"},
		"persistent id":       {"\x80\x02NQ.", "the pickle refers to code"},
		"extension":           {"\x80\x02\x82\x01.", "the pickle refers to code"},
		"buffer":              {"\x80\x05\x97.", "the pickle refers to code"},
		"a set":               {"\x80\x04\x8f.", "unexpected step 0x8f in a pickle of data"},
		"text of protocol 0":  {"\x80\x02I1\n.", "unexpected step 0x49 in a pickle of data"},
		"pop":                 {"\x80\x02N0.", "unexpected step 0x30 in a pickle of data"},
	} {
		_, err := read(c.steps)
		require.ErrorContains(t, err, c.want, name)
		require.NotContains(t, err.Error(), "\n", name)
	}
}

// TestMemoryIsBounded holds that what a pickle takes is in proportion to its
// length, whatever it does.
func TestMemoryIsBounded(t *testing.T) {
	const n = 2 << 20
	for name, steps := range map[string]string{
		"empty lists":   strings.Repeat("]", n),
		"empty dicts":   strings.Repeat("}", n),
		"filled lists":  strings.Repeat("]Na", n/3),
		"filled dicts":  strings.Repeat("}NNs", n/4),
		"tuples":        strings.Repeat("N\x85", n/2),
		"nested tuples": "N" + strings.Repeat("\x85", n),
		"memo":          "N" + strings.Repeat("\x94", n),
		"marks":         strings.Repeat("(", n),
		"texts":         strings.Repeat("\x8c\x00", n/2),
		"sparse memo":   sparse(n / 5),
	} {
		before, start := heap(), time.Now()
		_, err := Decode(strings.NewReader("\x80\x04"+steps), plain{})
		require.Error(t, err, name)
		require.Less(t, time.Since(start), 20*time.Second, name)
		grown := heap() - before
		require.Less(t, grown, int64(400<<20), "%s: %v", name, err)
	}
}

func heap() int64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.TotalAlloc)
}

// sparse uses every second number of the memo.
func sparse(n int) string {
	b := []byte("N")
	for i := range n {
		b = append(b, opPut4)
		b = binary.LittleEndian.AppendUint32(b, uint32(2*i+1))
	}
	return string(b)
}

func TestLimits(t *testing.T) {
	small := limits{bytes: 10, memory: 1 << 20, perByte: 1, most: 1 << 20}
	_, err := decode(strings.NewReader("\x80\x04(NNNNNNNNNNNNNNt."), plain{}, small)
	require.ErrorContains(t, err, "the pickle is longer than 10 bytes")
	lists := "\x80\x04" + strings.Repeat("]Na", 1000) + "."
	for _, small := range []limits{
		{bytes: 1 << 20, memory: 1000, perByte: 1, most: 1 << 20},
		{bytes: 1 << 20, memory: 1000, perByte: 1000, most: 10_000},
	} {
		_, err = decode(strings.NewReader(lists), plain{}, small)
		require.ErrorContains(t, err, "asks for far more memory")
	}
}
