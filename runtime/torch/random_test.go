package torch_test

import (
	"compress/gzip"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/torchmem/workbook/runtime/caching"
	"github.com/torchmem/workbook/runtime/gpu"
	"github.com/torchmem/workbook/runtime/gpu/sim"
	"github.com/torchmem/workbook/runtime/oracle"
	"github.com/torchmem/workbook/runtime/torch"
)

// The programs of this file were drawn at random and run by PyTorch, line by
// line. Nobody looked at them while the runtime was written, so they ask whether
// its rules hold, and not whether a program was met.

// randomProgram is a recording whose rows have their statement as a list: the
// verb and its operands.
type randomProgram struct {
	Name string `json:"program"`
	Rows []struct {
		oracle.Row
		Statement []any   `json:"statement"`
		Raised    *string `json:"raised"`
	} `json:"rows"`
}

// unequal names the programs that are equal only up to a row, with the row's
// number and the reason: there PyTorch itself is not deterministic.
var unequal = map[string]struct {
	from   int
	reason string
}{
	"random_38": {71, "a gradient passes through the CPU, whose thread races with the GPU's"},
}

// leaking names the programs in which an in-place change makes a tensor save
// itself. PyTorch frees it as little as the workbook does.
var leaking = map[string]bool{"random_37": true, "random_124": true, "random_131": true}

func TestRandomPrograms(t *testing.T) {
	files, err := filepath.Glob("../../testdata/oracle/random/*.json.gz")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	rows := 0
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) { rows += runRandomProgram(t, readRandomProgram(t, file)) })
	}
	readme, err := os.ReadFile("../../README.md")
	require.NoError(t, err)
	claim := fmt.Sprintf("%d random programs with %d,%03d rows", len(files), rows/1000, rows%1000)
	require.Contains(t, strings.Join(strings.Fields(string(readme)), " "), claim)
}

func readRandomProgram(t *testing.T, file string) *randomProgram {
	t.Helper()
	f, err := os.Open(file)
	require.NoError(t, err)
	defer f.Close()
	z, err := gzip.NewReader(f)
	require.NoError(t, err)
	p := new(randomProgram)
	require.NoError(t, json.NewDecoder(z).Decode(p))
	require.NotEmpty(t, p.Rows)
	return p
}

// runRandomProgram compares a program and returns how many rows were compared.
func runRandomProgram(t *testing.T, p *randomProgram) int {
	var events []oracle.Event
	for _, row := range p.Rows {
		events = append(events, row.Events...)
	}
	m := newInterpreter(t, events)
	want, got := oracle.NewLog(), oracle.NewLog()
	mark := 0
	for i, row := range p.Rows {
		if u, ok := unequal[p.Name]; ok && i == u.from {
			t.Logf("%d of %d rows compared: %s", i, len(p.Rows), u.reason)
			return i
		}
		raised := m.raised(func() { m.run(row.Statement) })
		if row.Raised == nil {
			require.Empty(t, raised, row.Label)
		} else {
			require.Equal(t, *row.Raised, raised, row.Label)
		}
		entries, next := m.Cuda.Allocator().HistorySince(mark)
		mark = next
		told, seen := want.Spell(row.Events), got.Spell(oracle.Events(entries))
		if row.Raised != nil {
			// PyTorch keeps gradients in flight in a table of hashed
			// addresses. When backward raises, that is the order in
			// which they are freed, so only here it is left out.
			slices.Sort(told)
			slices.Sort(seen)
		}
		require.Equal(t, told, seen, row.Label)
		require.Equal(t, row.Counters, oracle.CountersOf(m.Cuda.MemoryStats()), row.Label)
	}
	if leaking[p.Name] {
		require.Error(t, m.Close())
	} else {
		require.NoError(t, m.Close())
	}
	return len(p.Rows)
}

// interpreter runs the statements of a random program.
type interpreter struct {
	*torch.Torch
	t      *testing.T
	models map[string]*torch.Module
	out    *torch.List
}

// newInterpreter starts a program on a device that puts segments where the
// recorded one did: loading kernels moves them in a real process.
func newInterpreter(t *testing.T, events []oracle.Event) *interpreter {
	t.Helper()
	d := &recordedDriver{Driver: sim.New(gpu.DefaultProfile()), t: t}
	for _, e := range events {
		if e.Action == caching.ActionSegmentAlloc {
			d.segments = append(d.segments, e)
		}
	}
	p, err := torch.New(d, caching.DefaultConfig())
	require.NoError(t, err)
	p.Cuda.Allocator().RecordHistory(1_000_000)
	return &interpreter{Torch: p, t: t, models: map[string]*torch.Module{}, out: p.List("out")}
}

// recordedDriver hands out the addresses of a recording.
type recordedDriver struct {
	*sim.Driver
	t        *testing.T
	segments []oracle.Event
}

func (d *recordedDriver) Malloc(size int64) (gpu.Ptr, error) {
	require.NotEmpty(d.t, d.segments, "the recording has no more segments")
	next := d.segments[0]
	require.Equal(d.t, next.Size, size, "the size of a segment")
	d.segments = d.segments[1:]
	return next.Addr, nil
}

func (d *recordedDriver) Free(gpu.Ptr) error { return nil }

// raised returns the text that the statement raised, or the empty string.
func (m *interpreter) raised(statement func()) string {
	err := m.Raises(statement)
	m.EndStatement()
	if err == nil {
		return ""
	}
	return err.Error()
}

func (m *interpreter) run(s []any) {
	verb, args := s[0].(string), s[1:]
	word := func(i int) string { return args[i].(string) }
	number := func(i int) int { return int(args[i].(float64)) }
	v := func(i int) *torch.Var { return m.Var(word(i)) }
	switch verb {
	case "model":
		m.models[word(0)] = m.model(word(0)).Cuda()
	case "randn":
		m.Let(word(0), m.Randn(shape(args[1])...).Cuda())
	case "leaf":
		m.Let(word(0), m.Randn(shape(args[1])...).Cuda().RequiresGrad_())
	case "unary":
		m.Let(word(0), unary[word(1)](v(2).Tensor))
	case "softmax":
		m.Let(word(0), v(1).Softmax(-1))
	case "scalar":
		m.Let(word(0), binary[word(1)](v(2).Tensor, number(3)))
	case "binary":
		m.Let(word(0), binary[word(1)](v(2).Tensor, v(3)))
	case "chain":
		m.Let(word(0), v(1).Mul(2).Add(1).Relu())
	case "matmul":
		m.Let(word(0), v(1).MatMul(v(2)))
	case "reduce":
		m.Let(word(0), reduced(word(1), v(2).Tensor, args[3]))
	case "index":
		m.Let(word(0), v(1).Index(number(2)))
	case "slice":
		m.Let(word(0), v(1).Slice(number(2), number(3)))
	case "reshape":
		m.Let(word(0), v(1).Reshape(-1))
	case "call":
		m.Let(word(0), m.models[word(1)].Call(v(2)))
	case "checkpoint", "reentrant":
		m.Let(word(0), m.Checkpoint(m.models[word(1)], v(2), useReentrant(verb == "reentrant")))
	case "dropout":
		m.Let(word(0), v(1).Dropout(0.25))
	case "cpu":
		m.Let(word(0), v(1).CPU().Cuda())
	case "alias":
		m.Let(word(0), v(1))
	case "no_grad":
		m.NoGrad(func() { m.run(args[0].([]any)) })
	default:
		m.act(verb, args)
	}
}

// act runs a statement that sets no name.
func (m *interpreter) act(verb string, args []any) {
	v := func(i int) *torch.Var { return m.Var(args[i].(string)) }
	switch verb {
	case "backward":
		sum := v(0).Sum()
		if args[1].(bool) {
			sum.BackwardRetainGraph()
		} else {
			sum.Backward()
		}
	case "add_":
		v(0).Add_(v(1))
	case "mul_scalar_":
		v(0).Mul_(args[1].(float64))
	case "del":
		v(0).Del()
	case "none":
		v(0).None()
	case "append":
		m.out.Append(v(0))
	case "append_detached":
		m.out.Append(v(0).Detach())
	case "clear":
		m.out.Clear()
	case "grad_none":
		v(0).ClearGrad()
	case "zero_grad":
		m.models[args[0].(string)].ZeroGrad()
	case "empty_cache":
		m.Cuda.EmptyCache()
	case "reset_peak":
		m.Cuda.ResetPeakMemoryStats()
	default:
		m.t.Fatalf("no statement %q", verb)
	}
}

// model makes one of the models that every random program has.
func (m *interpreter) model(name string) *torch.Module {
	nn := m.NN
	switch name {
	case "m0":
		return nn.Sequential(nn.Linear(256, 64), nn.ReLU())
	case "m1":
		return nn.Sequential(nn.Linear(64, 256), nn.Dropout(0.5), nn.ReLU(), nn.Linear(256, 256))
	default:
		return nn.Sequential(nn.Linear(256, 1000), nn.ReLU(), nn.Linear(1000, 256), nn.ReLU(), nn.Linear(256, 256), nn.ReLU())
	}
}

var unary = map[string]func(*torch.Tensor) *torch.Tensor{
	"relu": (*torch.Tensor).Relu, "exp": (*torch.Tensor).Exp, "sigmoid": (*torch.Tensor).Sigmoid,
	"tanh": (*torch.Tensor).Tanh, "sin": (*torch.Tensor).Sin, "cos": (*torch.Tensor).Cos,
	"abs": (*torch.Tensor).Abs, "neg": (*torch.Tensor).Neg, "clone": (*torch.Tensor).Clone,
	"detach": (*torch.Tensor).Detach, "contiguous": (*torch.Tensor).Contiguous,
	"t": (*torch.Tensor).T, "sqrt": (*torch.Tensor).Sqrt,
}

var binary = map[string]func(a *torch.Tensor, b any) *torch.Tensor{
	"add": (*torch.Tensor).Add, "sub": (*torch.Tensor).Sub, "mul": (*torch.Tensor).Mul, "div": (*torch.Tensor).Div,
}

// reduced is a sum or a mean, over a dimension or, where it is nil, over all.
func reduced(kind string, x *torch.Tensor, dim any) *torch.Tensor {
	var dims []int
	if d, ok := dim.(float64); ok {
		dims = append(dims, int(d))
	}
	if kind == "mean" {
		return x.Mean(dims...)
	}
	return x.Sum(dims...)
}

func shape(sizes any) []int {
	var all []int
	for _, n := range sizes.([]any) {
		all = append(all, int(n.(float64)))
	}
	return all
}
