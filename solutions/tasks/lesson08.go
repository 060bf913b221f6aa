package tasks

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/torchmem/workbook/runtime/grade"
	"github.com/torchmem/workbook/runtime/torch"
)

// MakeMany makes tensors, one after the other with next, and returns the table
// of memory_summary.
type MakeMany = func(torch *torch.Torch, next func() torch.Value, tensors int) string

// Loop asks for a loop whose table shows many tensors made and few alive.
var Loop = grade.Task[MakeMany]{
	Info: grade.Info{
		Name: "loop", Lesson: "08", Func: "Loop",
		Title: "Create many tensors in a loop and read memory_summary",
		Hints: [3]string{
			"Which column of the table knows how many tensors were made, and which how many were there at the same time?",
			"Tot Alloc counts what came and Peak Usage the most at one time. Only the second falls when a tensor goes before the next one comes.",
			"Two lines: t := torch.Let(\"t\", next()) first, and then t.Del() for the next round. The list is not used.",
		},
		Causes: map[grade.Metric]string{
			grade.PeakAllocated:     "The tensors of earlier rounds are still held.",
			grade.DriverAllocations: "A tensor that is still held cannot lend its memory to the next, and memory that was given back to the driver neither.",
			grade.Values:            "The table does not tell of the whole loop: it was taken too early, its peaks were reset, or tensors are missing.",
		},
	},
	Reference: func(torch *torch.Torch, next func() torch.Value, tensors int) string {
		for range tensors {
			torch.Let("t", next())
		}
		return torch.Cuda.MemorySummary()
	},
	Cases: []grade.Case[MakeMany]{loop(100, 1000, 1000, 1), loop(300, 500, 700, 2), loop(40, 3000, 1000, 3)},
}

// loop makes equal tensors. Some share a segment with others and some have one
// of their own.
func loop(tensors, rows, columns int, seed uint64) grade.Case[MakeMany] {
	one := matrix(rows, columns)
	return grade.Case[MakeMany]{
		Name: fmt.Sprintf("%d tensors of %d x %d", tensors, rows, columns), Seed: seed,
		Run: func(r *grade.Run, f MakeMany) {
			var peak int64
			stop := r.Torch.Watch(func(bool, int64) { peak = max(peak, r.Torch.Cuda.MemoryAllocated()) })
			var table string
			r.Measure(func() { table = f(r.Torch, batches(r, rows, columns), tensors) })
			stop()
			made, _ := inTable(table, "Allocations", totAlloc)
			r.Count("tensors that the table misses", max(0, int64(tensors)-made))
			shown, unit := inTable(table, "Allocated memory", peakUsage)
			missed := peak - shown*unit
			if 0 <= missed && missed < unit {
				missed = 0 // the table cuts off what fills no unit
			}
			r.Count("bytes of the peak that the table misses", missed)
		},
		Limits: []grade.Limit{
			grade.AtMost(grade.PeakAllocated, 5*one/2, "two tensors and a half: the next is there before the last goes"),
			grade.AtMost(grade.PeakReserved, reservedFor(2, one)+smallSegment/2, "the segments of two tensors, and half of a small one to spare"),
			grade.AtMost(grade.DriverAllocations, 2, "a segment for each of two tensors"),
			grade.AtLeast(grade.Made, int64(tensors)*one*19/20, "all tensors, but for one in twenty"),
		},
	}
}

// The columns of memory_summary that are graded.
const (
	peakUsage = 2
	totAlloc  = 3
)

// units are those of memory_summary.
var units = map[string]int64{"": 1, "B": 1, "KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30, "K": 1000, "M": 1000_000}

// inTable returns a number of the table and the unit that it counts. Both are 0
// where the text is no such table.
func inTable(table, row string, column int) (number, unit int64) {
	for line := range strings.Lines(table) {
		cells := strings.Split(strings.Trim(line, "|\n"), "|")
		if len(cells) <= column || strings.TrimSpace(cells[0]) != row {
			continue
		}
		digits, name, _ := strings.Cut(strings.TrimSpace(cells[column]), " ")
		n, err := strconv.ParseInt(digits, 10, 64)
		if err != nil {
			return 0, 0
		}
		return n, units[strings.TrimSpace(name)]
	}
	return 0, 0
}

// LargeModel asks for checkpoints around the blocks of a model.
var LargeModel = grade.Task[TrainBody]{
	Info: grade.Info{
		Name: "largemodel", Lesson: "08", Func: "LargeModel",
		Title: "Place checkpoints so that a large model fits",
		Hints: [3]string{
			"What does a checkpoint around one layer keep, and what would the layer have kept without it?",
			"Put one around as much as may come back at a time: more than a layer, less than the model.",
			"Around a block: write h.Set(torch.Checkpoint(block, h, torch.UseReentrant(false))) instead of the loop over its layers.",
		},
		Causes: map[grade.Metric]string{
			grade.PeakAllocated: "A checkpoint around a layer keeps what the layer would keep, and one around the model brings the whole model back at once.",
			grade.Recomputed:    "A checkpoint inside of a checkpoint runs its layers once more.",
			grade.Gradients:     "A reentrant checkpoint whose input needs no gradient records nothing.",
		},
	},
	Reference: func(torch *torch.Torch, blocks, head *torch.Module, x torch.Value) torch.Value {
		loss := torch.Let("loss", head.Call(blocks.Call(x)).Sum())
		loss.Backward()
		return loss
	},
	Cases: []grade.Case[TrainBody]{largeModel(12, 4096, 512, 1), largeModel(8, 32, 128, 2), largeModel(10, 20, 240, 3)},
}

// largeModel is a chain of blocks and a head.
func largeModel(blocks, batch, width int, seed uint64) grade.Case[TrainBody] {
	block := blockFor(batch, width)
	return bounded(grade.Case[TrainBody]{
		Name: fmt.Sprintf("%d %s on %d x %d", blocks, block.name, batch, width), Seed: seed,
		Run: func(r *grade.Run, f TrainBody) {
			chain, head := r.Torch.NN.Sequential(), headFor(r, batch, width)
			for range blocks {
				layers := block.layers(r)
				r.CountCalls(layers...)
				chain.Append(r.Torch.NN.Sequential(layers...))
			}
			chain.Cuda()
			x := r.Torch.Let("x", r.Torch.Cuda.Randn(batch, width))
			var loss torch.Value
			r.Measure(func() { loss = f(r.Torch, chain, head, x) })
			r.Value("loss", loss)
			r.Gradients(chain)
			r.Gradients(head)
		},
	}, batch, width,
		grade.AtMost(grade.Recomputed, int64(blocks*4), "each layer of each block once"),
		grade.AtMost(grade.PeakAllocated,
			2*block.workspace+2*int64(blocks)*block.parameters+int64(blocks+block.running)*matrix(batch, width),
			fmt.Sprintf("workspaces, parameters and gradients, an input for each of %d blocks, %d such tensors for the one that runs", blocks, block.running)))
}

// block is a kind of block of four layers.
type block struct {
	name   string
	layers func(r *grade.Run) []*torch.Module
	// parameters and workspace are as those of a layer.
	parameters, workspace int64
	// running is how many tensors of the size of its input a block needs in
	// a backward pass that runs it again.
	running int
}

// blockFor returns the block of a model for batches of that size. One that is
// large keeps its input, the normalized input, and two tensors of four times the
// width. One that is small is as wide inside as outside, and keeps the input of
// each layer.
func blockFor(batch, width int) block {
	l := layerFor(batch, width)
	if large(batch, width) {
		return block{
			name: "blocks", parameters: 2 * matrix(4*width, width), workspace: l.workspace, running: 20,
			layers: func(r *grade.Run) []*torch.Module {
				nn := r.Torch.NN
				return []*torch.Module{nn.LayerNorm(width), nn.LinearNoBias(width, 4*width), nn.GELU(), nn.LinearNoBias(4*width, width)}
			},
		}
	}
	return block{
		name: "narrow blocks", parameters: 2 * l.parameters, workspace: l.workspace, running: 8,
		layers: func(r *grade.Run) []*torch.Module {
			return []*torch.Module{l.new(r), r.Torch.NN.GELU(), l.new(r), r.Torch.NN.GELU()}
		},
	}
}

// Predict says whether a training step of a chain of layers fits into a budget
// of bytes.
type Predict = func(layers, batch, width int, budget int64) bool

// Fits asks for a prediction of a training step's peak.
var Fits = grade.Task[Predict]{
	Info: grade.Info{
		Name: "fits", Lesson: "08", Func: "Fits",
		Title: "Say before a run whether a training step fits",
		Hints: [3]string{
			"At which two moments of the backward pass can the memory be fullest?",
			"At its start all activations are there and no gradient, at its end all gradients and no activation. The parameters and two workspaces are there all the time.",
			"Write need := 2*(32<<20) + parameters + max(activations, parameters) instead of the line that is there.",
		},
		Causes: map[grade.Metric]string{
			grade.Values: "The peak is not what was added up. Activations and gradients do not meet in full, and the workspaces are always there.",
		},
	},
	Reference: func(layers, batch, width int, budget int64) bool { return stepPeak(layers, batch, width) <= budget },
	Cases:     []grade.Case[Predict]{fits(64, 4096, 256), fits(64, 64, 1024), fits(100, 512, 512), fits(80, 128, 128)},
}

// fits asks about two budgets, one that is too small and one that is enough.
func fits(layers, batch, width int) grade.Case[Predict] {
	return grade.Case[Predict]{
		Name: fmt.Sprintf("%d layers of %d x %d on %d x %d", layers, width, width, batch, width),
		Run: func(r *grade.Run, f Predict) {
			peak := stepPeak(layers, batch, width)
			for _, percent := range []int64{92, 108} {
				budget := peak * percent / 100
				var yes bool
				r.Measure(func() { yes = f(layers, batch, width, budget) })
				r.Truth(fmt.Sprintf("it fits into %d MiB", budget>>20), yes)
			}
		},
	}
}

// stepPeak runs the step that is to be predicted and returns its peak.
func stepPeak(layers, batch, width int) int64 {
	t, err := grade.NewTorch()
	if err != nil {
		panic(err) // the grader says that the reference failed
	}
	chain := t.NN.Sequential()
	for range layers {
		chain.Append(t.NN.LinearNoBias(width, width))
		chain.Append(t.NN.ReLU())
	}
	chain.Cuda()
	x := t.Let("x", t.Cuda.Randn(batch, width))
	chain.Call(x).Sum().Backward()
	return t.Cuda.MaxMemoryAllocated()
}
