package caching_test

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/torchmem/workbook/runtime/caching"
	"github.com/torchmem/workbook/runtime/gpu"
	"github.com/torchmem/workbook/runtime/oracle"
	"github.com/torchmem/workbook/runtime/report"
)

// poolRun runs the statements of a recorded program, which are Python.
type poolRun struct {
	t       *testing.T
	program *poolProgram
	driver  *poolDriver
	alloc   *caching.Allocator
	seen    int

	blocks  map[string]*caching.Block
	pools   map[string]caching.PoolID
	streams map[string]gpu.Stream
	// within are the pools in use, the last begun last, and gone those of
	// them whose name was deleted: they live until the end of their use.
	within []caching.PoolID
	gone   []caching.PoolID
}

func newPoolRun(t *testing.T, p *poolProgram) *poolRun {
	cfg, err := caching.ParseConfig(p.Conf)
	require.NoError(t, err)
	d := newPoolDriver(p)
	a, err := caching.New(d, cfg)
	require.NoError(t, err)
	a.RecordHistory(1_000_000)
	return &poolRun{
		t: t, program: p, driver: d, alloc: a,
		blocks: map[string]*caching.Block{}, pools: map[string]caching.PoolID{}, streams: map[string]gpu.Stream{},
	}
}

// newEvents returns the events since the last call.
func (r *poolRun) newEvents() []oracle.Event {
	var entries []caching.Entry
	entries, r.seen = r.alloc.HistorySince(r.seen)
	return oracle.Events(entries)
}

// forms are the statements that a program may have. The groups of each go to
// its function.
var forms = []struct {
	form *regexp.Regexp
	do   func(r *poolRun, in []string) (any, error)
}{
	{form(`(\w+) = empty\(([^,]+)(?:, (\w+))?\)`), (*poolRun).empty},
	{form(`(\w+) = elsewhere\(([^,]+)\)`), (*poolRun).elsewhere},
	{form(`del (\w+)`), (*poolRun).del},
	{form(`(\w+) = MemPool\((.*)\)`), (*poolRun).newPool},
	{form(`use\((\w+)\)`), (*poolRun).use},
	{form(`end\(\)`), (*poolRun).end},
	{form(`empty_cache\(\)`), func(r *poolRun, _ []string) (any, error) { return nil, r.alloc.EmptyCache() }},
	{form(`reset_peak\(\)`), func(r *poolRun, _ []string) (any, error) { r.alloc.ResetPeakStats(); return nil, nil }},
	{form(`limit\((\w+)\)`), (*poolRun).limit},
	{form(`(\w+) = Stream\(\)`), (*poolRun).stream},
	{form(`(\w+)\.record_stream\((\w+)\)`), func(r *poolRun, in []string) (any, error) {
		return nil, r.alloc.RecordStream(r.blocks[in[0]], r.streams[in[1]])
	}},
	{form(`busy\((\w+)\)`), func(r *poolRun, in []string) (any, error) { r.driver.busy(in[0]); return nil, nil }},
	{form(`idle\((\w+)\)`), func(r *poolRun, in []string) (any, error) { r.driver.idle(in[0]); return nil, nil }},
	{form(`(\w+)\.id`), func(r *poolRun, in []string) (any, error) { return r.pools[in[0]], nil }},
	{form(`(\w+)\.use_count\(\)`), func(r *poolRun, in []string) (any, error) { return r.alloc.PoolUseCount(r.pools[in[0]]), nil }},
	{form(`(\w+)\.snapshot\(\)`), func(r *poolRun, in []string) (any, error) { return r.alloc.SnapshotPool(r.pools[in[0]]), nil }},
	{form(`memory_snapshot\(\)`), func(r *poolRun, _ []string) (any, error) { return r.alloc.Snapshot(), nil }},
	{form(`memory_snapshot\(\((\d+), (\d+)\)\)`), func(r *poolRun, in []string) (any, error) {
		return r.alloc.SnapshotPool(caching.PoolID{r.number(in[0]), r.number(in[1])}), nil
	}},
	{form(`memory_stats\(\)`), func(r *poolRun, _ []string) (any, error) { return r.alloc.Stats().Map(), nil }},
	{form(`memory_summary\(\)`), func(r *poolRun, _ []string) (any, error) { return report.MemorySummary(r.alloc.Stats(), 0), nil }},
}

func form(text string) *regexp.Regexp { return regexp.MustCompile("^" + text + "$") }

// statement runs one statement.
func (r *poolRun) statement(text string) (any, error) {
	for _, f := range forms {
		if in := f.form.FindStringSubmatch(text); in != nil {
			return f.do(r, in[1:])
		}
	}
	return nil, fmt.Errorf("no such statement: %s", text)
}

// bind gives a block a name. What had it before goes afterwards, as in Python.
func (r *poolRun) bind(name string, b *caching.Block, err error) error {
	if err != nil {
		return err
	}
	before := r.blocks[name]
	r.blocks[name] = b
	return r.alloc.Free(before)
}

func (r *poolRun) empty(in []string) (any, error) {
	b, err := r.alloc.Malloc(int64(r.number(in[1])), r.streams[in[2]])
	return nil, r.bind(in[0], b, err)
}

// elsewhere allocates on another thread.
func (r *poolRun) elsewhere(in []string) (_ any, err error) {
	var b *caching.Block
	r.alloc.OnThread(1, func() { b, err = r.alloc.Malloc(int64(r.number(in[1])), 0) })
	return nil, r.bind(in[0], b, err)
}

func (r *poolRun) del(in []string) (any, error) {
	name := in[0]
	if b, ok := r.blocks[name]; ok {
		delete(r.blocks, name)
		return nil, r.alloc.Free(b)
	}
	id := r.pools[name]
	delete(r.pools, name)
	if slices.Contains(r.within, id) {
		r.gone = append(r.gone, id)
		return nil, nil
	}
	return nil, r.alloc.ReleasePool(id)
}

func (r *poolRun) newPool(in []string) (any, error) {
	var options []caching.PoolOption
	if strings.Contains(in[1], "use_on_oom=True") {
		options = append(options, caching.UseOnOOM)
	}
	if strings.Contains(in[1], "no_split=True") {
		options = append(options, caching.NoSplit)
	}
	r.pools[in[0]] = r.alloc.NewPool(options...)
	return nil, nil
}

func (r *poolRun) use(in []string) (any, error) {
	id := r.pools[in[0]]
	if err := r.alloc.UsePool(id); err != nil {
		return nil, err
	}
	r.within = append(r.within, id)
	return nil, nil
}

func (r *poolRun) end([]string) (any, error) {
	last := len(r.within) - 1
	id := r.within[last]
	r.within = r.within[:last]
	if err := r.alloc.EndUse(id); err != nil {
		return nil, err
	}
	if slices.Contains(r.gone, id) {
		return nil, r.alloc.ReleasePool(id)
	}
	return nil, nil
}

func (r *poolRun) limit(in []string) (any, error) {
	if in[0] == "None" {
		return nil, r.alloc.SetMemoryFraction(1)
	}
	_, total := r.alloc.MemGetInfo()
	return nil, r.alloc.SetMemoryFraction(float64(r.number(in[0])<<20) / float64(total))
}

func (r *poolRun) stream(in []string) (any, error) {
	s, err := r.alloc.NewStream()
	r.streams[in[0]] = s
	return nil, err
}

// number reads a number, which may be a shift of two.
func (r *poolRun) number(text string) int {
	if n, by, ok := strings.Cut(text, " << "); ok {
		return r.number(n) << r.number(by)
	}
	n, err := strconv.Atoi(text)
	require.NoError(r.t, err)
	return n
}
