package svg

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/torchmem/workbook/runtime/caching"
	"github.com/torchmem/workbook/runtime/gpu"
	"github.com/torchmem/workbook/runtime/gpu/sim"
	"github.com/torchmem/workbook/runtime/timeline"
)

// program runs on an allocator of its own and records what happens.
type program struct {
	t         *testing.T
	allocator *caching.Allocator
	held      []*caching.Block
	recording *timeline.Recording
}

func newProgram(t *testing.T, title string) *program {
	a, err := caching.New(sim.New(gpu.DefaultProfile()), caching.Config{})
	require.NoError(t, err)
	p := &program{t: t, allocator: a, recording: &timeline.Recording{Title: title}}
	a.Trace(nil, func(e caching.TraceEntry) {
		p.recording.Events = append(p.recording.Events, timeline.Event{Entry: e.Entry, Block: e.Block})
	})
	return p
}

// malloc makes an allocation of so many bytes with a name. Each name has a line of
// its own.
func (p *program) malloc(name string, bytes int64) *caching.Block {
	b, err := p.allocator.Malloc(bytes, 0)
	require.NoError(p.t, err)
	e := &p.recording.Events[len(p.recording.Events)-1]
	e.Name, e.Frames = name, []caching.Frame{{Filename: "train.py", Line: 1, Name: name}}
	return b
}

func (p *program) free(b *caching.Block) { require.NoError(p.t, p.allocator.Free(b)) }

func (p *program) statement(text string) {
	s := p.allocator.Stats()
	p.recording.Statements = append(p.recording.Statements, timeline.Statement{
		Text: text, End: len(p.recording.Events), Allocated: s.AllocatedBytes.All.Current,
		Reserved: s.ReservedBytes.All.Current, Peak: s.AllocatedBytes.All.Peak,
	})
}

const mib = 1 << 20

// leaking makes a tensor in each round, and keeps every one.
func leaking(t *testing.T, rounds int) *timeline.Recording {
	return loop(t, "a leak", rounds, func(p *program, last *caching.Block) {})
}

// fixed frees the one of the round before.
func fixed(t *testing.T, rounds int) *timeline.Recording {
	return loop(t, "no leak", rounds, func(p *program, last *caching.Block) {
		if last != nil {
			p.free(last)
		}
	})
}

func loop(t *testing.T, title string, rounds int, end func(p *program, last *caching.Block)) *timeline.Recording {
	p := newProgram(t, title)
	p.malloc("weight", 8*mib)
	p.statement("model = Linear()")
	var last *caching.Block
	for i := range rounds {
		now := p.malloc("outs", 4*mib)
		p.free(p.malloc("temporary", 2*mib))
		end(p, last)
		last = now
		p.statement(fmt.Sprintf("outs.append(model(x))  # %d", i))
	}
	return p.recording
}

// random does random operations. Every seed is another program.
func random(t *testing.T, seed uint64, operations int) *timeline.Recording {
	p := newProgram(t, fmt.Sprintf("random %d", seed))
	rng := rand.New(rand.NewPCG(seed, 7))
	for i := range operations {
		if n := len(p.held); n > 0 && rng.IntN(100) < 45 {
			at := rng.IntN(n)
			p.free(p.held[at])
			p.held[at] = p.held[n-1]
			p.held = p.held[:n-1]
		} else {
			p.held = append(p.held, p.malloc("t", 1+rng.Int64N(1<<(10+rng.IntN(17)))))
		}
		if rng.IntN(10) == 0 {
			p.statement(fmt.Sprintf("statement(%d)", i))
		}
	}
	return p.recording
}
